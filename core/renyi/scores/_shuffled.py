"""What chance gives a score: the best of all candidates, their rows shuffled together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.information import SetEntropies
from renyi.options import MethodOptions
from renyi.racing import TIE_BITS
from renyi.resampling import PermutationScheme, scheme_of
from renyi.scores._scores import ScoreFunction, score_values
from renyi.scores._terms import Terms
from renyi.shannon import ChiSquareModel
from renyi.variables import Dataset

__all__ = ["ShuffledScores", "ranking_scores"]

FEWEST: Final = 10
"""Candidates from which their scores tell how far chance spreads."""

MOST_BYTES: Final = 1 << 28
"""Of the terms of replicates that are kept for later steps."""


@dataclass(eq=False)
class ShuffledScores:
    """Scores in replicates that break the tie of all candidates to y and the selected features.

    The orders are the same at every step, so that a step adds one pass over the candidates to
    what a replicate has found in earlier ones. Each test by itself is as with orders of its own.

    Attributes
    ----------
    terms
        Of the rows as they are.
    score
        The score.
    scheme
        Where orders of rows come from.
    """

    terms: Terms
    score: ScoreFunction
    scheme: PermutationScheme
    _kept: dict[int, Terms] = field(default_factory=dict)

    def of_all(self, selected: Sequence[int], candidates: Sequence[int]) -> FloatArray:
        """Return the scores of candidates, rows as they are, (c,)."""
        return self.score(self.terms, selected, candidates)

    def null(
        self, selected: Sequence[int], tick: Callable[[int, int], None]
    ) -> Callable[[tuple[int, ...]], LargestScores]:
        """Return what chance gives at a step: the largest score of some candidates."""
        given = tuple(selected)
        return lambda candidates: LargestScores(self, given, candidates, tick)

    def of(self, number: int, selected: Sequence[int], candidates: Sequence[int]) -> FloatArray:
        """Return the scores of candidates in a replicate, (c,)."""
        terms = self._kept.get(number)
        if terms is None:
            terms = replace(self.terms, order=self.scheme.order(number), _known={})
        found = self.score(terms, selected, candidates)
        self._kept[number] = terms
        if sum(one.held_bytes for one in self._kept.values()) > MOST_BYTES:
            del self._kept[number]
        return found


def ranking_scores(
    options: MethodOptions,
    entropies: SetEntropies,
    chi_square: ChiSquareModel,
    dataset: Dataset,
    tick: Callable[[int], None],
) -> ShuffledScores | None:
    """Return the scores that rank the candidates of a search, None for joint MI.

    Parameters
    ----------
    options
        The method.
    entropies, chi_square
        Over the columns.
    dataset
        Which says what rows belong together.
    tick
        Called with how many candidates of a pass are done.
    """
    score = score_values(options.score)
    if score is None:
        return None
    scheme = scheme_of(dataset.structure, entropies.computation.n, options.seed, 0, "scores")
    return ShuffledScores(Terms(entropies, chi_square, tick=tick), score, scheme)


@dataclass(eq=False)
class LargestScores:
    """A null of scores, see `renyi.nulls.Null`.

    Attributes
    ----------
    shuffled
        Where replicates come from.
    selected, candidates
        S', and those that could have been selected.
    tick
        Called with (done, total) replicates.
    error
        None is decided by bounds.
    """

    shuffled: ShuffledScores
    selected: tuple[int, ...]
    candidates: tuple[int, ...]
    tick: Callable[[int, int], None]
    error: float = 0.0
    first_round: int = 4
    _values: list[float] = field(default_factory=list)
    _spreads: list[float] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Number of candidates."""
        return len(self.candidates)

    def values(self, start: int, stop: int, total: int) -> list[float]:
        """Return the largest score in replicates start..stop-1."""
        for number in range(len(self._values), stop):
            found = self.shuffled.of(number, self.selected, self.candidates)
            self._values.append(float(found.max()))
            self._spreads.append(float(found.std()))
            self.tick(number + 1, total)
        return self._values[start:stop]

    @property
    def free(self) -> bool:
        """Whether rows move freely, and candidates are enough to tell how far chance spreads."""
        return self.count >= FEWEST and self.shuffled.scheme.free

    @property
    def unit(self) -> float:
        """What scores of shuffled candidates differ by among themselves, so far."""
        return max(float(np.mean(self._spreads)), TIE_BITS)
