"""The one forward search and its answer."""

from renyi.selection._records import (
    SCHEMA_VERSION,
    Entropies,
    RunnerUp,
    SelectionPath,
    Step,
    Stopped,
    Verdict,
)

__all__ = [
    "SCHEMA_VERSION",
    "Entropies",
    "RunnerUp",
    "SelectionPath",
    "Step",
    "Stopped",
    "Verdict",
]
