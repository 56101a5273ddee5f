"""Options of the method: what is measured, by which kernels, and how the work is done."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from renyi import _validate
from renyi.errors import OptionError
from renyi.options._kernel_rules import (
    BANDWIDTH_RULES,
    STANDARDISE,
    Bandwidth,
    parse_bandwidth,
    parse_standardise,
)
from renyi.options._kernels import LABEL_KERNELS, NOMINAL_KERNELS, NUMBER_KERNELS
from renyi.options._scores_solvers import SCORES, SOLVERS, parse_score
from renyi.options._searches import SEARCH_RULES, parse_search
from renyi.options._thresholds import parse_pairs
from renyi.options.table._option import (
    COMPARE,
    PAIRED,
    SEARCHES,
    SELECT,
    TABLES,
    VALUES,
    Option,
    section,
    whole,
)

__all__ = ["METHOD_OPTIONS"]

METHOD: Final = "Method"
RUN: Final = "Run"


ADDRESS: Final = re.compile(r"(tcp|tls|ucx|ws|wss)://\S+:\d+", re.ASCII)
"""Of a scheduler of Dask; `HOST:PORT` after how it is reached."""

MOST_LOCAL: Final = max(4 * (os.cpu_count() or 1), 16)
"""Processes that this machine is asked to start: more of them than cores only take memory."""


def _executor(value: Any) -> Any:
    """Return an executor; of what is no text the room that works with it judges."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    local = text.removeprefix("local:")
    if local == text:
        known = ADDRESS.fullmatch(text) is not None
    else:
        known = local.isascii() and local.isdigit() and int(local) > 0
    if not known:
        raise OptionError(
            f"`executor` must be an address such as tcp://HOST:PORT, or local:N, got {value!r}.",
            "local:4 starts four processes on this machine.",
        )
    if local != text and int(local) > MOST_LOCAL:
        raise OptionError(
            f"`executor` local:N must start at most {MOST_LOCAL} processes, for the "
            f"{os.cpu_count() or 1} cores of this machine, got {value!r}.",
            "One a core is best.",
        )
    return text


def _own_bandwidths(value: Any) -> tuple[tuple[str, Bandwidth], ...]:
    pairs = value.items() if isinstance(value, Mapping) else value
    return tuple((str(name), parse_bandwidth(one, f"bandwidth {name}")) for name, one in pairs)


METHOD_OPTIONS: Final[tuple[Option, ...]] = (
    *section(
        METHOD,
        TABLES,
        Option(
            "preset",
            "NAME",
            "Set of choices to start from: default, paper (Yu and Principe 2019), lrmi "
            "(Dong et al. 2023) or shannon (levels, counted; the default for low-order scores); "
            "other options override it.",
            choices=("default", "paper", "lrmi", "shannon"),
            default="default",
            unsaid="`shannon` for low-order scores",
        ),
    ),
    *section(
        METHOD,
        (*TABLES, *VALUES),
        Option(
            "alpha",
            "NUMBER",
            "Order of the entropy, above 0 (default {default}); 2 is by far the fastest.",
            reads="number",
            rule=lambda value: _validate.positive_number(
                "alpha", value, "Use 1.01 for a Shannon-like entropy or 2 for the fastest one."
            ),
            default=2.0,
        ),
        Option(
            "bandwidth",
            "VALUE",
            "Sigma of the kernel on standardised values, or a rule: {offered}. "
            "Steady is 2, and wider where many columns leave few rows alike; joint and growing "
            "ones widen with the number of columns; auto lets the data choose. COLUMN=VALUE for "
            "one column; repeatable.",
            reads="bandwidths",
            choices=BANDWIDTH_RULES,
            rule=parse_bandwidth,
            default="steady",
        ),
    ),
    *section(
        METHOD,
        TABLES,
        Option(name="bandwidths", rule=_own_bandwidths, default=()),
    ),
    *section(
        METHOD,
        (*TABLES, *VALUES),
        Option(
            "standardise",
            "HOW",
            "Scale of continuous columns: {offered}.",
            choices=STANDARDISE,
            rule=parse_standardise,
            default="zscore",
        ),
        Option(
            "kernel",
            "NAME",
            "How numbers are compared: {offered}. Laplacian is exp(-|a - b| / sigma), with a "
            "sharper peak and heavier tails; delta, equality.",
            choices=NUMBER_KERNELS,
            default="gaussian",
        ),
        Option(
            "nominal",
            "NAME",
            "Kernel of nominal columns: {offered}. Soft compares levels as a Gaussian "
            "compares numbers, delta tells equal from different only.",
            choices=NOMINAL_KERNELS,
            default="soft",
        ),
    ),
    *section(
        METHOD,
        (*TABLES, *PAIRED),
        Option(
            "label_kernel",
            "NAME",
            "Kernel of a nominal target: {offered}.",
            choices=LABEL_KERNELS,
            default="delta",
        ),
        Option(
            "class_weights",
            "NAME",
            "How the target's values count: {offered}. Balanced, at alpha 2: classes weigh "
            "nearly alike, a continuous target counts by its ranks.",
            choices=("balanced", "none"),
            default="balanced",
            unsaid="`none` at other alphas than 2",
        ),
    ),
    *section(
        METHOD,
        SELECT,
        Option(
            "score",
            "NAME",
            "Ranks candidates: {explained}. mifs:0.5 and knn:5 are other numbers than the usual "
            "ones. Scores but mi, chi2-gain and knn start from preset shannon.",
            choices=SCORES,
            rule=parse_score,
            default="mi",
        ),
    ),
    *section(
        METHOD,
        COMPARE,
        Option(
            "score",
            "NAME",
            "Ranks candidates; repeatable: then paths are compared, each where the criterion that "
            "goes with its score stops. {explained}. mifs:0.5 and knn:5 are other numbers than the "
            "usual ones. Scores but mi, chi2-gain and knn start from preset shannon.",
            reads="many",
            choices=SCORES,
            default="mi",
        ),
    ),
    *section(
        METHOD,
        SEARCHES,
        Option(
            "rank",
            "NAME",
            "What is compared: {offered}. Chance: the gain less what chance gives, in "
            "standard deviations, at alpha 2 in closed form, else by 16 draws a step; raw, the "
            "default at other alphas: the gain as it is.",
            choices=("chance", "raw"),
            default="chance",
            unsaid="`raw` at other alphas than 2 and for other scores than `mi`",
        ),
    ),
    *section(
        METHOD,
        SELECT,
        Option(
            "search",
            "NAME",
            "How sets of columns are searched: {offered}. Forward adds one at a time; backward "
            "takes one away at a time; floating takes away again what later ones make needless; "
            "beam keeps the K best sets of each size.",
            choices=SEARCH_RULES,
            rule=parse_search,
            default="forward",
        ),
    ),
    *section(
        METHOD,
        SELECT,
        Option(
            "pairs",
            "SHARE",
            "Estimate sums over pairs of rows from a share of them such as 5%, each number with "
            "its standard error; for many rows, at alpha 2 (default: all pairs).",
            rule=parse_pairs,
            unsaid="all",
        ),
    ),
    *section(
        METHOD,
        TABLES,
        Option(
            "solver",
            "NAME",
            "How entropies are computed: {explained}.",
            choices=SOLVERS,
            default="auto",
        ),
        Option(
            "tolerance",
            "BITS",
            "Largest error of a reported value (default {default}).",
            reads="number",
            rule=_validate.tolerance,
            default=1e-6,
        ),
    ),
    *section(
        RUN,
        TABLES,
        Option(
            "seed",
            "N",
            "Seed of every random draw (default {default}).",
            reads="whole",
            rule=whole("seed", 0),
            default=0,
        ),
    ),
    *section(
        RUN,
        (*TABLES, *VALUES),
        Option(
            "backend",
            "NAME",
            "Where arrays are computed: auto (default), numpy or cupy.",
            choices=("auto", "numpy", "cupy"),
            default="auto",
            own=dict.fromkeys(VALUES, "numpy"),
        ),
    ),
    *section(
        RUN,
        TABLES,
        Option(
            "jobs",
            "N",
            "Worker threads (default: one a core).",
            reads="whole",
            rule=whole("jobs", 1),
            unsaid="one a core",
        ),
        Option(
            "max_memory",
            "SIZE",
            "Memory that the table, matrices and factors may take: 8GiB, 800MB, 2e9 (bytes), or "
            "50% of what is free (default 80%).",
            rule=partial(_validate.memory_size, "max_memory"),
            unsaid="80%",
        ),
    ),
    *section(
        RUN,
        SELECT,
        Option(
            "executor",
            "ADDRESS",
            "Who does the work: a Dask scheduler such as tcp://host:8786 (tls:// with Dask's own "
            "settings), or local:N for N processes here (default: threads).",
            rule=_executor,
            flags="--cluster",
            unsaid="threads",
        ),
        Option(
            "sensitivity",
            help="Repeat the selection at alpha 1.01 and 2 with bandwidths 1, 2, 3 and growing: "
            "which columns stay.",
            reads="switch",
            default=False,
            unsaid="off",
        ),
        Option(
            "stability",
            "N",
            "Repeat the selection on N halves of the rows, an even number such as 100: how "
            "often each column and each size comes out.",
            reads="whole",
            unsaid="none",
        ),
        Option(
            "checkpoint",
            "FILE",
            "Keep each finished step in FILE; if it is there, go on from it. It is a .json "
            "result, whole in the end.",
            unsaid="none",
        ),
    ),
)
