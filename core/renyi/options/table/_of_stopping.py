"""Options of when a search ends, and of how a comparison is judged."""

from __future__ import annotations

from typing import Final

from renyi import _validate
from renyi.options._criteria import CRITERIA, parse_criteria, purposes
from renyi.options._draws import parse_permutations
from renyi.options._thresholds import parse_min_gain
from renyi.options.table._option import COMPARE, SEARCHES, SELECT, Option, section, whole

__all__ = ["STOPPING_OPTIONS"]

STOPPING: Final = "Stopping"
JUDGING: Final = "Judging"

STOPPING_OPTIONS: Final[tuple[Option, ...]] = (
    *section(
        STOPPING,
        SELECT,
        Option(
            "purpose",
            "WHAT",
            "What the columns are for: {offered}. Model: those that help together with the "
            "ones before (cmi-max); news: those that say something beyond them (cmi-local).",
            flags="--for",
            choices=tuple(purposes()),
            unsaid="model",
        ),
        Option(
            "criterion",
            "NAME",
            "When to stop: {offered}. Repeatable.",
            field="criteria",
            reads="many",
            choices=CRITERIA,
            rule=parse_criteria,
            default=("cmi-max",),
            unsaid="`score-max` for low-order scores, `score-perm` for `knn`",
        ),
    ),
    *section(
        STOPPING,
        COMPARE,
        Option(
            "criterion",
            "NAME",
            "A criterion to compare, of {named}; repeatable. Without it: all.",
            reads="many",
            choices=CRITERIA,
            unsaid="all",
        ),
    ),
    *section(
        STOPPING,
        SELECT,
        Option(
            "stop_when",
            "WHEN",
            "With several criteria, stop when {offered} of them say so.",
            choices=("any", "all"),
            default="any",
        ),
        Option(
            "lookahead",
            "1|2",
            "2: where no single column passes, test the best pair of columns, each at half "
            "the level (cmi-max, cmi-local, none; alpha 2).",
            reads="whole",
            rule=whole("lookahead", 1),
            default=1,
        ),
    ),
    *section(
        STOPPING,
        SEARCHES,
        Option(
            "max_features",
            "N",
            "Select at most N columns, forced ones included.",
            reads="whole",
            rule=whole("max_features", 1),
            unsaid="all",
        ),
        Option(
            "min_gain",
            "BITS",
            "Least gain of a selected column, in bits or as a share of H(y) such as 1%; "
            "joined to any criterion.",
            rule=parse_min_gain,
            unsaid="none",
        ),
        Option(
            "permutations",
            "N",
            "Most shuffles of a permutation test (default {default}, more at lower levels). "
            "auto or auto:N draws none where the answer is plain, besag-clifford until 10 copies "
            "did as well.",
            reads="count",
            rule=parse_permutations,
            default="auto:59",
            unsaid="by the level",
        ),
        Option(
            "significance",
            "LEVEL",
            "Level of the tests, between 0 and 1 (default {default}).",
            reads="number",
            rule=lambda value: _validate.fraction("significance", value, "0.05 is usual."),
            default=0.05,
        ),
        Option(
            "p_rule",
            "RULE",
            "p-value of a permutation test: valid (default) is (count + 1) / (N + 1), paper "
            "is count / N.",
            choices=("paper", "valid"),
            default="valid",
        ),
    ),
    *section(
        STOPPING,
        SELECT,
        Option(
            "error_rate",
            "RATE",
            "What the level of cmi-max and cmi-local bounds: fwer (default), the chance of "
            "any false column; fdr, the share of false ones among those selected, which keeps "
            "more.",
            choices=("fwer", "fdr"),
            default="fwer",
        ),
    ),
    *section(
        STOPPING,
        SEARCHES,
        Option(
            "epsilon",
            "BITS",
            "Threshold of cmi-heuristic (default {default}).",
            reads="number",
            rule=lambda v: _validate.non_negative_number("epsilon", v, "1e-4 is the paper's."),
            default=1e-4,
        ),
        Option(
            "bins",
            "N",
            "Bins a continuous column is cut into for mi-chi2 (default {default}).",
            reads="whole",
            rule=whole("bins", 2),
            default=5,
        ),
        Option(
            "binning",
            "HOW",
            "Bins of equal {offered}.",
            choices=("width", "frequency"),
            default="width",
        ),
    ),
    *section(
        JUDGING,
        COMPARE,
        Option(
            "model",
            "NAME",
            "What predicts: for classes svm (linear, default), logistic, knn or forest; for a "
            "number ridge (default), svm, knn or forest. All but svm for classes and ridge need "
            "the extra sklearn.",
            choices=("svm", "logistic", "ridge", "knn", "forest"),
            unsaid="`svm`; `ridge` for a number",
        ),
        Option(
            "runs",
            "N",
            "Bootstrap runs (default {default}): N rows drawn with replacement train, the "
            "rest tests.",
            reads="whole",
            rule=whole("runs", 2, "100 is usual."),
            default=100,
        ),
        Option(
            "sizes",
            "LIST",
            "Numbers of features to judge, such as 1-10,20 (default: all to 80, then every "
            "tenth); those that criteria select are added.",
            reads="sizes",
            unsaid="to 80, then every tenth",
        ),
        Option(
            "test",
            "NAME",
            "How sizes are compared with the best: paired (default), the paper's t-test, or "
            "corrected for the rows that runs share.",
            choices=("paired", "corrected"),
            default="paired",
        ),
    ),
)
