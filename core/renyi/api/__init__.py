"""The friendly layer: names, tables and strings in, frozen records out."""

from renyi.api._doctor import doctor
from renyi.api._given import Names, names
from renyi.api._session import located_file
from renyi.api.comparing import (
    Comparison,
    PartialComparison,
    ScoreComparison,
    compare,
)
from renyi.api.describing import ColumnDescription, Description, describe
from renyi.api.measuring import (
    Measurement,
    Quantity,
    conditional_mutual_information,
    entropy,
    measure,
    mutual_information,
)
from renyi.api.reporting import Report, answer_of, read_answer, report
from renyi.api.selecting import SelectionPath, apply, read_result, redundancy_of, select

__all__ = [
    "ColumnDescription",
    "Comparison",
    "Description",
    "Measurement",
    "Names",
    "PartialComparison",
    "Quantity",
    "Report",
    "ScoreComparison",
    "SelectionPath",
    "answer_of",
    "apply",
    "compare",
    "conditional_mutual_information",
    "describe",
    "doctor",
    "entropy",
    "located_file",
    "measure",
    "mutual_information",
    "names",
    "read_answer",
    "read_result",
    "redundancy_of",
    "report",
    "select",
]
