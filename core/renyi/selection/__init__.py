"""The one forward search and its answer."""

from renyi.selection._notes import SATURATED_BITS, notes_of
from renyi.selection._records import (
    SCHEMA_VERSION,
    Entropies,
    RunnerUp,
    SelectionPath,
    Step,
    Stopped,
    Verdict,
)
from renyi.selection._search import ForwardSearch
from renyi.selection._unselected import Unselected, WhyNot
from renyi.selection._work import StepWork

__all__ = [
    "SATURATED_BITS",
    "SCHEMA_VERSION",
    "Entropies",
    "ForwardSearch",
    "RunnerUp",
    "SelectionPath",
    "Step",
    "StepWork",
    "Stopped",
    "Unselected",
    "Verdict",
    "WhyNot",
    "notes_of",
]
