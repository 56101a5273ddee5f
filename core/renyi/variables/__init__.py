"""Typed columns and what was decided about them."""

from renyi.variables._records import ColumnReport, DataReport, Note, Role, RowsTogether
from renyi.variables._variable import Dataset, Kind, RowStructure, Shuffled, Variable

__all__ = [
    "ColumnReport",
    "DataReport",
    "Dataset",
    "Kind",
    "Note",
    "Role",
    "RowStructure",
    "RowsTogether",
    "Shuffled",
    "Variable",
]
