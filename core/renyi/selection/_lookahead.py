"""Two features at once, where no single one passes: what matters only together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from renyi.errors import OptionError, Way
from renyi.information import SetEntropies
from renyi.options import MethodOptions
from renyi.order2 import PairSums
from renyi.racing import best_two

__all__ = ["BestPair", "check_pairs", "find_pair", "step_level"]

MOST_PRODUCTS: Final = 2e10
"""Products of kernel values that one pass over all pairs takes, F^2 n^2 / 2: half a second to a
second on two cores, and a replicate is such a pass."""


class BestPair(NamedTuple):
    """The pair of candidates with the largest joint MI.

    Attributes
    ----------
    features
        Its columns, in their order.
    runner_up
        The second best pair, None where there is only one.
    gap
        How much less it has, bits.
    sums
        Those of all pairs.
    """

    features: tuple[int, int]
    runner_up: tuple[int, int] | None
    gap: float
    sums: PairSums


def step_level(options: MethodOptions) -> float:
    """Return the level of one look of a step, which shares its level among them (Bonferroni)."""
    return options.significance / options.looks


def check_pairs(options: MethodOptions, entropies: SetEntropies) -> None:
    """Refuse a search whose pairs are too many, before any work.

    Raises
    ------
    OptionError
        Naming how many there are, and the ways out.
    """
    count, n = len(entropies.computation.model.features), float(entropies.computation.n)
    if options.lookahead == 1:
        return
    pairs = count * (count - 1) // 2
    most = int((2 * MOST_PRODUCTS) ** 0.5 / n)
    matrices = 3 * 8 * n * n
    if count > max(most, 2) or matrices > entropies.computation.max_memory:
        raise OptionError(
            f"`lookahead` 2 compares {pairs} pairs of {count} features over {n:.0f} rows in "
            "each replicate, more than are computed.",
            f"Use at most {most} features, fewer rows (",
            *(Way("rows", rule="N"), "), or ", Way("lookahead", 1), "."),
        )


def find_pair(
    entropies: SetEntropies, selected: Sequence[int], candidates: Sequence[int]
) -> BestPair:
    """Return the pair of candidates with the largest I({S', a, b}; y), ties to the lowest columns.

    Parameters
    ----------
    entropies
        Entropies at alpha 2.
    selected
        S'.
    candidates
        Two or more columns in increasing order.
    """
    model, size = entropies.computation.model, len(selected) + 2
    sums = PairSums(
        model.product(selected, size=size),
        [model.part(number, size) for number in candidates],
        model.target,
        entropies.computation.backend,
        entropies.computation.jobs,
    )
    conditional = sums.conditional([None])[0]
    best, second = best_two((-conditional).tolist())

    def columns(place: int) -> tuple[int, int]:
        first, other = sums.pairs[place]
        return candidates[first], candidates[other]

    return BestPair(
        features=columns(best),
        runner_up=None if second is None else columns(second),
        gap=0.0 if second is None else float(conditional[second] - conditional[best]),
        sums=sums,
    )
