"""How pairs are gone about, and how they were found."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeVar

from renyi.bounds._forecast import LEAST_LOSS, OPENING, Opening, eased
from renyi.bounds._pair import Pair
from renyi.bounds._question import Question

__all__ = ["EXACT_BITS", "LONG_ROWS", "LOOSEST", "Approach", "cut", "flat", "how"]

EXACT_BITS: Final = 2.5e-10
"""Error at which a value counts as exact: a quarter of what makes a tie."""

LOOSEST: Final = Opening(0.5, LEAST_LOSS)
"""With which the first of many pairs that are alike begins: what answers for it mostly
answers for the others."""

SPARE: Final = 1.1
"""By how much less is left out for these."""

LONG_ROWS: Final = 200_000
"""Rows from which tasks run one after another, each with all BLAS threads: a factor of so many
rows is large, and most of the work is matrix products."""

Item = TypeVar("Item")

EIGEN: Final = frozenset({"eigen", "dense"})
"""Solvers that decide what a pair cost."""


@dataclass(frozen=True, slots=True)
class Approach:
    """How to go about pairs.

    Attributes
    ----------
    bounds
        Whether bounds from a factor of low rank are to be tried.
    opening
        How they begin.
    """

    bounds: bool = True
    opening: Opening = OPENING

    @classmethod
    def toward(cls, question: Question, likely: float) -> Approach:
        """Return the way to a value that is expected, NaN where nothing is."""
        return cls(opening=Opening.toward(question, likely))

    @classmethod
    def after(cls, first: Pair, question: Question) -> Approach:
        """Return the way that answered for the first of pairs that are alike."""
        found = first.residual
        if question.open and found:
            # the first came there in large steps, mostly further than it had to
            slack = first.lower - question.above
            return cls(True, Opening(max(found / SPARE, eased(found, slack)), LEAST_LOSS))
        return cls(found > 0)


def how(pair: Pair) -> str:
    """Say how a pair was found: at which rank, to the next power of 2, or by which solver."""
    if pair.features.solver == "tangent":
        return "tangent"
    if "band" in (pair.features.solver, pair.joint.solver):
        return "band"
    if pair.rank:
        return f"rank {1 << (pair.rank - 1).bit_length()}"
    return max((pair.features.solver, pair.joint.solver), key=lambda name: name in EIGEN)


def cut(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    """Cut work into tasks of `size` items, of one at least."""
    size = max(1, size)
    return [items[start : start + size] for start in range(0, len(items), size)]


def flat(
    work: Generator[list[Pair], None, None], tick: Callable[[int], None], done: int
) -> Iterator[Pair]:
    """Yield the pairs of tasks one by one, telling after each task how many are done."""
    with closing(work):  # an interruption leaves no worker and no thread limit behind
        for pairs in work:
            done += len(pairs)
            tick(done)
            yield from pairs
