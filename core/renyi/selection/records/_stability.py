"""How often features are selected on half of the rows, as a record, with bounds on errors.

Halves are drawn in complementary pairs (Shah and Samworth, "Variable selection with error control:
another look at stability selection", JRSS B 75, 2013). With p candidates, q the mean number
selected on a half, theta = q / p, B pairs and a threshold tau on the share of the 2 B halves in
which a feature is selected, let V be the number of features at or above tau whose probability of
being selected on a half is at most theta. Then

    E V <= q^2 / ((2 tau - 1) p)                for tau above 1/2,

whatever the features and the procedure (their theorem 1, with the number of such features selected
on a half bounded by q). Meinshausen and Buehlmann (JRSS B 72, 2010, theorem 1) have the same bound
for the number of noise features, with the assumptions that these are exchangeable and that the
procedure is not worse than guessing. Where in addition the share of a feature below theta has a
unimodal distribution, theorem 2 gives C q^2 / p with

    C = 1 / (2 (2 tau - 1 - 1 / (2 B)))         for tau up to 3/4,
    C = 4 (1 - tau + 1 / (2 B)) / (1 + 1 / B)   for tau above 3/4,

for theta up to 1 / sqrt(3) and tau above min(1/2 + theta^2, 1/2 + 1 / (2 B) + 3 theta^2 / 4). q is
an expectation and is estimated by the mean over the halves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from renyi._typing import JsonValue
from renyi.selection.records._sensitivity import FeatureShare, shares_of

__all__ = ["Stability", "StabilityHalf", "StabilityThreshold", "unimodal_bound", "worst_case_bound"]

THRESHOLDS: Final = (0.6, 0.75, 0.9)
"""Shares from which features are listed: the range that Meinshausen and Buehlmann advise."""


def worst_case_bound(tau: float, q: float, p: int) -> float | None:
    """Return the bound on E V without assumptions, None where there is none.

    Examples
    --------
    >>> worst_case_bound(0.75, 4.0, 32)
    1.0
    """
    return q * q / ((2 * tau - 1) * p) if tau > 0.5 and p else None


def unimodal_bound(tau: float, q: float, p: int, pairs: int) -> float | None:
    """Return the bound on E V for unimodal shares, None where it does not apply.

    Parameters
    ----------
    tau
        Threshold, a multiple of 1 / (2 pairs).
    q
        Mean number of features selected on a half.
    p
        Number of candidates.
    pairs
        Number of complementary pairs.
    """
    theta = q / p if p else 1.0
    least = min(0.5 + theta**2, 0.5 + 1 / (2 * pairs) + 0.75 * theta**2)
    if theta > 3**-0.5 or tau <= least or tau < 0.5 + 1 / pairs:
        return None
    if tau <= 0.75:
        return q * theta / (2 * (2 * tau - 1 - 1 / (2 * pairs)))
    return q * theta * 4 * (1 - tau + 1 / (2 * pairs)) / (1 + 1 / pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilityHalf:
    """The selection on one half.

    Attributes
    ----------
    pair, half
        Which complementary pair, from 1, and which of the two, 1 or 2.
    selected
        The features, in the order they entered.
    stopped
        Why it ended, as in a verdict.
    """

    pair: int
    half: int
    selected: tuple[str, ...]
    stopped: str

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the record as JSON values."""
        return {**asdict(self), "selected": list(self.selected)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> StabilityHalf:
        """Rebuild a record from `to_dict`."""
        given = {k: v for k, v in record.items() if k in cls.__dataclass_fields__}
        return cls(**{**given, "selected": tuple(given["selected"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilityThreshold:
    """The features at or above a share, and how many of them may be there by chance.

    Attributes
    ----------
    threshold
        Share of the halves.
    features
        Those selected in at least that share.
    bound
        Bound on the expected number of features among them that a half selects with probability q/p
        or less, without assumptions; None where there is none.
    unimodal_bound
        The closer one, where their shares have unimodal distributions; None where it does not
        apply.
    """

    threshold: float
    features: tuple[str, ...]
    bound: float | None
    unimodal_bound: float | None

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the record as JSON values."""
        return {**asdict(self), "features": list(self.features)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """Selections on complementary halves of the rows.

    Attributes
    ----------
    asked
        Number of halves, two a pair; fewer are there where the work was interrupted.
    rows
        Rows of a half.
    stratified
        Whether each class was halved by itself. The bounds are for plain halves.
    candidates
        Features that could be selected, those forced in left out.
    kept
        Features forced in, which count in no share and no bound.
    halves
        One record each, whole pairs only.
    """

    asked: int
    rows: int
    stratified: bool
    candidates: int
    kept: tuple[str, ...]
    halves: tuple[StabilityHalf, ...]

    @property
    def _selections(self) -> list[tuple[str, ...]]:
        kept = set(self.kept)
        return [tuple(n for n in half.selected if n not in kept) for half in self.halves]

    @property
    def features(self) -> tuple[FeatureShare, ...]:
        """The share of the halves in which each feature was selected, the largest first."""
        return shares_of(self._selections)

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Numbers of features selected, kept ones left out, and on how many halves, by number."""
        return tuple(sorted(Counter(map(len, self._selections)).items()))

    @property
    def mean_size(self) -> float | None:
        """Mean number of features selected on a half, q; None without any half."""
        sizes = [len(selected) for selected in self._selections]
        return sum(sizes) / len(sizes) if sizes else None

    @property
    def thresholds(self) -> tuple[StabilityThreshold, ...]:
        """The features above some shares, with bounds on the errors among them."""
        q, count = self.mean_size, len(self.halves)
        if q is None:
            return ()
        found = []
        for threshold in THRESHOLDS:
            least = math.ceil(threshold * count - 1e-9)  # the smallest count that reaches it
            tau = least / count
            found.append(
                StabilityThreshold(
                    threshold=threshold,
                    features=tuple(s.feature for s in self.features if s.count >= least),
                    bound=worst_case_bound(tau, q, self.candidates),
                    unimodal_bound=unimodal_bound(tau, q, self.candidates, count // 2),
                )
            )
        return tuple(found)

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the record as JSON values, with what follows from the halves."""
        return {
            "asked": self.asked,
            "rows": self.rows,
            "stratified": self.stratified,
            "candidates": self.candidates,
            "kept": list(self.kept),
            "halves": [half.to_dict() for half in self.halves],
            "mean_size": self.mean_size,
            "sizes": [{"size": size, "count": count} for size, count in self.sizes],
            "features": [share.to_dict() for share in self.features],
            "thresholds": [threshold.to_dict() for threshold in self.thresholds],
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Stability:
        """Rebuild a record from `to_dict`."""
        given = {k: v for k, v in record.items() if k in cls.__dataclass_fields__}
        halves = tuple(map(StabilityHalf.from_dict, given["halves"]))
        return cls(**{**given, "kept": tuple(given["kept"]), "halves": halves})
