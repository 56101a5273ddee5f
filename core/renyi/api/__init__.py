"""The friendly layer: names, tables and strings in, frozen records out."""

from renyi.api._compare import compare
from renyi.api._comparison import COMPARISON_SUFFIXES, Comparison
from renyi.api._describe import ColumnDescription, Description, describe
from renyi.api._doctor import doctor
from renyi.api._measure import Measurement, Quantity, measure
from renyi.api._path import SelectionPath, read_result
from renyi.api._reproduce import Reproduction, UnitReport, reproduce
from renyi.api._select import apply, select
from renyi.api._session import located_file
from renyi.api._values import conditional_mutual_information, entropy, mutual_information

__all__ = [
    "COMPARISON_SUFFIXES",
    "ColumnDescription",
    "Comparison",
    "Description",
    "Measurement",
    "Quantity",
    "Reproduction",
    "SelectionPath",
    "UnitReport",
    "apply",
    "compare",
    "conditional_mutual_information",
    "describe",
    "doctor",
    "entropy",
    "located_file",
    "measure",
    "mutual_information",
    "read_result",
    "reproduce",
    "select",
]
