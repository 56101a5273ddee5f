"""The friendly layer: names, tables and strings in, frozen records out."""

from renyi.api._describe import ColumnDescription, Description, describe
from renyi.api._doctor import doctor
from renyi.api._measure import (
    Measurement,
    Quantity,
    conditional_mutual_information,
    entropy,
    measure,
    mutual_information,
)
from renyi.api._path import SelectionPath, read_result
from renyi.api._select import apply, select

__all__ = [
    "ColumnDescription",
    "Description",
    "Measurement",
    "Quantity",
    "SelectionPath",
    "apply",
    "conditional_mutual_information",
    "describe",
    "doctor",
    "entropy",
    "measure",
    "mutual_information",
    "read_result",
    "select",
]
