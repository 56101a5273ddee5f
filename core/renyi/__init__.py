"""Which columns matter for a target, and how many to keep.

Feature selection by the matrix-based Renyi alpha-entropy, with explained stopping criteria.

>>> import renyi
>>> round(renyi.entropy(["a", "b", "a", "b"], nominal="delta"), 6)
1.0

Names are loaded when they are first used: importing the package is cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from renyi._version import __version__

if TYPE_CHECKING:
    from renyi import datasets as datasets
    from renyi import errors as errors
    from renyi._progress import CancelToken as CancelToken
    from renyi._progress import Estimate as Estimate
    from renyi._progress import Observer as Observer
    from renyi._progress import Progress as Progress
    from renyi.api import ColumnDescription as ColumnDescription
    from renyi.api import Comparison as Comparison
    from renyi.api import Description as Description
    from renyi.api import Measurement as Measurement
    from renyi.api import PartialComparison as PartialComparison
    from renyi.api import Quantity as Quantity
    from renyi.api import Report as Report
    from renyi.api import ScoreComparison as ScoreComparison
    from renyi.api import SelectionPath as SelectionPath
    from renyi.api import apply as apply
    from renyi.api import compare as compare
    from renyi.api import conditional_mutual_information as conditional_mutual_information
    from renyi.api import describe as describe
    from renyi.api import doctor as doctor
    from renyi.api import entropy as entropy
    from renyi.api import measure as measure
    from renyi.api import mutual_information as mutual_information
    from renyi.api import read_answer as read_answer
    from renyi.api import read_result as read_result
    from renyi.api import report as report
    from renyi.api import select as select
    from renyi.errors import Interrupted as Interrupted
    from renyi.errors import RenyiError as RenyiError
    from renyi.io import check_output as check_output
    from renyi.selection import BandwidthChoice as BandwidthChoice
    from renyi.selection import FeatureShare as FeatureShare
    from renyi.selection import Sensitivity as Sensitivity
    from renyi.selection import Stability as Stability
    from renyi.selection import Step as Step
    from renyi.selection import Verdict as Verdict
    from renyi.stopping import CriterionReport as CriterionReport
    from renyi.variables import ColumnReport as ColumnReport
    from renyi.variables import DataReport as DataReport
    from renyi.variables import Note as Note

_HOMES = {
    "BandwidthChoice": "renyi.selection",
    "CancelToken": "renyi._progress",
    "ColumnDescription": "renyi.api",
    "ColumnReport": "renyi.variables",
    "Comparison": "renyi.api",
    "CriterionReport": "renyi.stopping",
    "DataReport": "renyi.variables",
    "Description": "renyi.api",
    "Estimate": "renyi._progress",
    "FeatureShare": "renyi.selection",
    "Interrupted": "renyi.errors",
    "Measurement": "renyi.api",
    "Note": "renyi.variables",
    "Observer": "renyi._progress",
    "PartialComparison": "renyi.api",
    "Progress": "renyi._progress",
    "Quantity": "renyi.api",
    "RenyiError": "renyi.errors",
    "Report": "renyi.api",
    "ScoreComparison": "renyi.api",
    "SelectionPath": "renyi.api",
    "Sensitivity": "renyi.selection",
    "Stability": "renyi.selection",
    "Step": "renyi.selection",
    "Verdict": "renyi.selection",
    "apply": "renyi.api",
    "check_output": "renyi.io",
    "compare": "renyi.api",
    "conditional_mutual_information": "renyi.api",
    "describe": "renyi.api",
    "doctor": "renyi.api",
    "entropy": "renyi.api",
    "measure": "renyi.api",
    "mutual_information": "renyi.api",
    "read_answer": "renyi.api",
    "read_result": "renyi.api",
    "report": "renyi.api",
    "select": "renyi.api",
}
_MODULES = ("datasets", "errors")

__all__ = [
    "BandwidthChoice",
    "CancelToken",
    "ColumnDescription",
    "ColumnReport",
    "Comparison",
    "CriterionReport",
    "DataReport",
    "Description",
    "Estimate",
    "FeatureShare",
    "Interrupted",
    "Measurement",
    "Note",
    "Observer",
    "PartialComparison",
    "Progress",
    "Quantity",
    "RenyiError",
    "Report",
    "ScoreComparison",
    "SelectionPath",
    "Sensitivity",
    "Stability",
    "Step",
    "Verdict",
    "__version__",
    "apply",
    "check_output",
    "compare",
    "conditional_mutual_information",
    "datasets",
    "describe",
    "doctor",
    "entropy",
    "errors",
    "measure",
    "mutual_information",
    "read_answer",
    "read_result",
    "report",
    "select",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"renyi.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'renyi' has no attribute {name!r}")
    if _HOMES[name] == "renyi.api":  # before the libraries load
        from renyi import _validate

        _validate.address_room()
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
