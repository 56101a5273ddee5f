"""Every choice a selection depends on: said once in a table, kept in frozen records.

`OPTIONS` is the table of options and the home of every default; `CRITERIA`, `SCORES` and `SOLVERS`
hold a record of each name. `MethodOptions` and `DataOptions` are part of a result; `RunOptions`
says how the work is done; an answer changes, within its stated errors, only where a matrix does not
fit the memory that may be used. The groups are made when first asked for: a help page needs the
table only.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from renyi.options._criteria import (
    CRITERIA,
    CriterionTraits,
    criteria_for,
    criterion_traits,
    purpose_of,
    purposes,
)
from renyi.options._draws import DrawRule, Permutations, draw_rule
from renyi.options._kernel_rules import (
    BANDWIDTH_RULES,
    STANDARDISE,
    Bandwidth,
    parse_bandwidth,
    parse_standardise,
)
from renyi.options._kernels import KERNELS, KernelRecord, record_of
from renyi.options._scores_solvers import (
    SCORES,
    SOLVERS,
    ScoreTraits,
    SolverTraits,
    parse_score,
    score_parameter,
    score_traits,
)
from renyi.options._searches import beam_width
from renyi.options._thresholds import share_of
from renyi.options.table._of_figures import FIGURES, STYLES, size_in_mm
from renyi.options.table._of_tables import KINDS
from renyi.options.table._option import Option, imported
from renyi.options.table._registry import FIELDS, OPTIONS, option_of, options_of

if TYPE_CHECKING:
    from renyi.options._checks import check_weights
    from renyi.options._groups import (
        DataOptions,
        MemoryBudget,
        MethodOptions,
        Missing,
        RunOptions,
        WeightKind,
    )
    from renyi.options._presets import PRESETS, method_options

__all__ = [
    "BANDWIDTH_RULES",
    "CRITERIA",
    "FIELDS",
    "FIGURES",
    "KERNELS",
    "KINDS",
    "OPTIONS",
    "PRESETS",
    "SCORES",
    "SOLVERS",
    "STANDARDISE",
    "STYLES",
    "Bandwidth",
    "CriterionTraits",
    "DataOptions",
    "DrawRule",
    "KernelRecord",
    "MemoryBudget",
    "MethodOptions",
    "Missing",
    "Option",
    "Permutations",
    "RunOptions",
    "ScoreTraits",
    "SolverTraits",
    "WeightKind",
    "beam_width",
    "check_weights",
    "criteria_for",
    "criterion_traits",
    "draw_rule",
    "imported",
    "method_options",
    "option_of",
    "options_of",
    "parse_bandwidth",
    "parse_score",
    "parse_standardise",
    "purpose_of",
    "purposes",
    "record_of",
    "score_parameter",
    "score_traits",
    "share_of",
    "size_in_mm",
]

_LATE = {
    "check_weights": "renyi.options._checks",
    **dict.fromkeys(("PRESETS", "method_options"), "renyi.options._presets"),
    **dict.fromkeys(("DataOptions", "MemoryBudget", "MethodOptions"), "renyi.options._groups"),
    **dict.fromkeys(("Missing", "RunOptions", "WeightKind"), "renyi.options._groups"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'renyi.options' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_LATE[name]), name)
    return value
