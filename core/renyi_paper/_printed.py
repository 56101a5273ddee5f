"""What the paper printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

__all__ = ["ALPHAS", "PRINTED_CRITERIA", "PrintedCell", "PrintedTables", "printed_tables"]

PRINTED_CRITERIA: Final = ("cmi-heuristic", "cmi-perm", "mi-chi2", "mi-perm")
"""The criteria of Tables 1 and 2, in the order of their columns."""

ALPHAS: Final[Mapping[int, float]] = {1: 1.01, 2: 2.0}
"""Table -> order of the entropy."""


class PrintedCell(NamedTuple):
    """One cell of Table 1 or 2.

    Attributes
    ----------
    features
        Number of features, of a permutation criterion with the one whose test fails.
    accuracy, spread
        Of a linear SVM over bootstrap runs, and what stands behind plus-minus; percent.
    """

    features: int
    accuracy: float
    spread: float


@dataclass(frozen=True, slots=True)
class PrintedTables:
    """Tables 1 to 3 of Yu and Principe, Entropy 21 (2019).

    Attributes
    ----------
    source
        Where they are printed.
    sets
        The ten sets, in the paper's order.
    cells
        Table -> criterion (or `optimal`) -> set -> cell.
    average_ranks
        Table -> criterion -> mean of its ranks over the sets.
    rank_sum_tests
        Table -> (criterion, other, p-value) of Wilcoxon's rank-sum test of their ranks; Table 3.
    """

    source: str
    sets: tuple[str, ...]
    cells: Mapping[int, Mapping[str, Mapping[str, PrintedCell]]]
    average_ranks: Mapping[int, Mapping[str, float]]
    rank_sum_tests: Mapping[int, tuple[tuple[str, str, float], ...]]


@cache
def printed_tables() -> PrintedTables:
    """Return the printed tables, read once."""
    text = resources.files("renyi_paper").joinpath("printed.json").read_text("utf-8")
    record = json.loads(text)
    cells = {
        int(table): {
            column: {name: PrintedCell(*cell) for name, cell in of_sets.items()}
            for column, of_sets in columns.items()
        }
        for table, columns in record["tables"].items()
    }
    return PrintedTables(
        source=record["source"],
        sets=tuple(cells[1]["optimal"]),
        cells=cells,
        average_ranks={int(k): v for k, v in record["average_ranks"].items()},
        rank_sum_tests={
            int(k): tuple((one, other, p) for one, other, p in v)
            for k, v in record["rank_sum_tests"].items()
        },
    )
