"""Well-known tests of whether any of many columns matters, as a reference for power.

Those in PEERS answer the question of `cmi-max`: is the best column better than chance allows for
the best of so many, at level .05? They return the best column where it is. CHI_SQUARE tests each
column of zeros and ones for itself, and returns all that pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from validity._tables import Made

__all__ = ["CHI_SQUARE", "PEERS", "Peer", "peer_of"]

DRAWS = 19
"""Shuffled targets: the fewest at which a p-value can reach .05."""

Scores = Callable[[NDArray[np.float64], NDArray[np.int64], int], NDArray[np.float64]]


@dataclass(frozen=True)
class Peer:
    """Another program's way to judge the best column.

    Attributes
    ----------
    name, words
        In the store and the tables, and in prose.
    judge
        From columns (n, F), classes (n,) and a seed to the columns it names.
    """

    name: str
    words: str
    judge: Callable[[NDArray[np.float64], NDArray[np.int64], int], list[int]]

    @property
    def problem(self) -> str:
        """Why it cannot run here, in words; empty where it can."""
        try:
            metadata.version("scikit-learn")
        except metadata.PackageNotFoundError:
            return "scikit-learn is not installed"
        return ""

    def settings(self) -> dict[str, Any]:
        """Return in JSON values what its outcomes depend on."""
        return {"words": self.words, "scikit-learn": metadata.version("scikit-learn")}

    def run(self, made: Made, run: int) -> list[int]:
        """Return the column that it names, if any."""
        return self.judge(made.numbers(), np.asarray(made.target.values, dtype=np.int64), run)


def _bonferroni(x: NDArray[np.float64], y: NDArray[np.int64], _: int) -> list[int]:
    from sklearn.feature_selection import f_classif

    p_values = f_classif(x, y)[1]
    best = int(np.argmin(p_values))
    return [best] if p_values[best] <= 0.05 / x.shape[1] else []


def _largest_of_shuffled(scores: Scores) -> Callable[..., list[int]]:
    """Return a test of the largest score by shuffled targets, ended by the first that does as well.

    With 19 draws at level .05 one such draw decides.
    """

    def judge(x: NDArray[np.float64], y: NDArray[np.int64], seed: int) -> list[int]:
        rng = np.random.default_rng(seed)
        own = scores(x, y, seed)
        best = int(np.argmax(own))
        for draw in range(DRAWS):
            if scores(x, rng.permutation(y), seed + draw + 1).max() >= own[best]:
                return []
        return [best]

    return judge


def _neighbours(x: NDArray[np.float64], y: NDArray[np.int64], seed: int) -> NDArray[np.float64]:
    from sklearn.feature_selection import mutual_info_classif

    return np.asarray(mutual_info_classif(x, y, random_state=seed))


def _forest(x: NDArray[np.float64], y: NDArray[np.int64], seed: int) -> NDArray[np.float64]:
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(50, max_depth=5, random_state=seed, n_jobs=1)
    return np.asarray(forest.fit(x, y).feature_importances_)


PEERS = (
    Peer("f-test", "analysis of variance, the smallest p-value times 20 (Bonferroni)", _bonferroni),
    Peer(
        "knn-mi",
        "the largest MI by nearest neighbours (scikit-learn's `mutual_info_classif`), P = 19",
        _largest_of_shuffled(_neighbours),
    ),
    Peer(
        "forest",
        "the largest importance in a random forest of 50 trees of depth 5, P = 19; Boruta's idea, "
        "with a test that has a level",
        _largest_of_shuffled(_forest),
    ),
)


def _each_alone(x: NDArray[np.float64], y: NDArray[np.int64], _: int) -> list[int]:
    from scipy.stats import chi2_contingency

    tables = [
        [[np.sum((column == a) & (y == b)) for b in (0, 1)] for a in (0, 1)] for column in x.T
    ]
    p_values = [chi2_contingency(table, correction=False).pvalue for table in tables]
    return [j for j, p_value in enumerate(p_values) if p_value <= 0.05 / x.shape[1]]


CHI_SQUARE = Peer(
    "chi-square",
    "Pearson's chi-square of each column of zeros and ones, all at level .05 over their number "
    "(Bonferroni)",
    _each_alone,
)


def peer_of(name: str) -> Peer:
    """Return a peer by its name."""
    return next(peer for peer in (*PEERS, CHI_SQUARE) if peer.name == name)
