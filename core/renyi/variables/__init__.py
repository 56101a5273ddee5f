"""Typed columns and what was decided about them."""

from renyi.variables._records import ColumnReport, DataReport, Note, Role
from renyi.variables._variable import Dataset, Kind, Variable

__all__ = ["ColumnReport", "DataReport", "Dataset", "Kind", "Note", "Role", "Variable"]
