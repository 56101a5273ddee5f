"""Stacks of which most matrices are only bounded, by one tangent that all share.

A kernel of one more variable has a unit diagonal: multiplied into a Gram it never lowers an
entropy, since no eigenvalues sum to more than before, the largest first. So H(Z) and H(Z, y) are at
least those of the set that all extend.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Final, TypeAlias

import numpy as np

from renyi._typing import FloatArray
from renyi.backend import Backend
from renyi.bounds._approach import cut
from renyi.bounds._bounds import conditional_from_gain, extended_upper
from renyi.bounds._mean_tangent import CommonTangent
from renyi.bounds._pair import Pair
from renyi.bounds._question import Question
from renyi.bounds._stacks import exp_of_distances, kernels_of, stacked_pairs
from renyi.entropies import Solution, entropy_of_spectrum
from renyi.execution import lone
from renyi.factors import runs
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["Spread", "pairs_of_stacks"]

LEAST_STACKS: Final = 4
"""Stacks from which it is worth while to ask whether a tangent would do."""

USEFUL_SHARE: Final = 0.2
"""Of a sample, the share that the tangent must settle to be used: a bound takes about a fifth of
the time of eigenvalues."""

SAMPLE: Final = 512
"""Extensions, at most, whose mean is the tangent's place, and on which it is tried."""

SHIFT: Final = 1e-3
"""Of the mean eigenvalue, what is added at that place: nothing there may be singular. The share of
candidates that are settled is the same from a thousandth of it to ten times as much."""

NEARER: Final = 0.2
"""Where between the bounds the value is taken to be: observed .05 to .5, from three features on."""

LEVEL_SHARE: Final = 0.1
"""Levels, as a share of the rows, up to which kernel values are found for rows with levels, not for
all pairs of rows."""

EPS: Final = float(np.finfo(np.float64).eps)

Spread: TypeAlias = Callable[
    [Callable[[Sequence[KernelPart]], list[Pair]], list[Sequence[KernelPart]]],
    Generator[list[Pair], None, None],
]
"""Does a task on several threads, results in order."""


def pairs_of_stacks(
    base: KernelProduct,
    parts: Sequence[KernelPart],
    target: KernelPart,
    alpha: float,
    backend: Backend,
    size: int,
    question: Question,
    spread: Spread,
) -> Generator[list[Pair], None, None]:
    """Yield the pairs of `base` with each part, stack by stack, as far as the question needs.

    Parameters
    ----------
    base, parts, target, alpha, backend
        As in `stacked_pairs`.
    size
        Extensions of a stack.
    question
        What must be known of each.
    spread
        Does the stacks.
    """
    stacks = cut(parts, size)

    def exact(some: Sequence[KernelPart]) -> list[Pair]:
        return stacked_pairs(base, some, target, alpha, backend)

    asks = question.open or question.alone
    if not asks or alpha > 2 or len(stacks) < LEAST_STACKS:
        yield from spread(exact, stacks)
        return
    screen = lone(lambda: _Screen(base, parts, target, alpha, backend, size), len(base))
    if not lone(lambda: screen.serves(question, size, exact), len(base)):
        yield from spread(exact, stacks)
        return

    def screened(some: Sequence[KernelPart]) -> list[Pair]:
        pairs = screen.bounds(some)
        open_ = [k for k, pair in enumerate(pairs) if not question.answered(pair)]
        for k, pair in zip(open_, exact([some[k] for k in open_]) if open_ else [], strict=True):
            pairs[k] = pair
        return pairs

    yield from spread(screened, stacks)


class _Screen:
    """Bounds on the pairs of extensions of one set."""

    def __init__(
        self,
        base: KernelProduct,
        parts: Sequence[KernelPart],
        target: KernelPart,
        alpha: float,
        backend: Backend,
        size: int,
        level_share: float = LEVEL_SHARE,
    ) -> None:
        self._level_share = level_share
        self._order = np.argsort(target.rows, kind="stable")
        self._spans = list(runs(target.rows[self._order]))
        self._alpha = alpha
        self._backend = backend
        self._n = len(base)
        self._error = base.entry_error + 16 * EPS
        tile = base.pick(self._order, None).tile(backend, slice(None), slice(None))
        self._shared: FloatArray = backend.to_host(tile) / self._n
        some = parts[:: -(-len(parts) // SAMPLE)]
        tangent = CommonTangent(self._centre(some, size), self._spans, alpha, backend)
        weights = self._shared * tangent.gradient
        self._left, self._right = np.tril_indices(self._n, -1)
        below = 2 * weights[self._left, self._right]  # a kernel is symmetric, and 1 on its diagonal
        self._diagonal = float(np.trace(weights))
        self._below = backend.to_device(below)
        self._weights = backend.to_device(weights)
        # entries may be off, and so may the sum of so many of them
        slack = (self._error + self._n**2 * EPS) * float(np.abs(weights).sum())
        self._offset = tangent.offset + slack
        self._some = some

    def _centre(self, some: Sequence[KernelPart], size: int) -> FloatArray:
        mean = np.zeros((self._n, self._n))
        for stack in cut(some, size):
            kernels = self._backend.to_host(kernels_of(stack, self._order, self._backend))
            mean += kernels.sum(axis=0)
        centre: FloatArray = mean / len(some) * self._shared
        return centre + SHIFT / self._n * np.eye(self._n)

    @cached_property
    def _least(self) -> tuple[Solution, Solution]:
        """H(Z) and H(Z, y) of any extension: at least those of the set itself."""
        most = math.log2(self._n)
        whole, by_class = self._own
        return whole._replace(upper=most), by_class._replace(upper=most)

    @cached_property
    def _own(self) -> tuple[Solution, Solution]:
        """H(S) and H(S, y) of the set itself."""
        whole = [self._shared]
        by_class = [self._shared[span, span] for span in self._spans]
        return self._entropy_of(whole), self._entropy_of(by_class)

    def _entropy_of(self, blocks: Sequence[FloatArray]) -> Solution:
        backend = self._backend
        values = [backend.to_host(backend.eigvalsh(backend.to_device(one))) for one in blocks]
        return entropy_of_spectrum(
            np.concatenate(values), self._alpha, "tangent", entry_error=self._error
        )

    def bounds(self, parts: Sequence[KernelPart]) -> list[Pair]:
        """Return what the tangent and the set itself tell of each."""

        def work(some: Sequence[KernelPart]) -> list[float]:
            found: list[float] = []
            for (few, width), alike in groupby(some, self._form):
                found += (self._by_levels if few else self._by_pairs)(list(alike), width)
            return found

        traces = self._backend.guarded(work, parts, what=f"a matrix of {self._n} x {self._n}")
        return [self._pair(trace - self._offset) for trace in traces]

    def _form(self, part: KernelPart) -> tuple[bool, int]:
        """Return whether a part has few levels, and how many coordinates."""
        return part.distinct <= self._level_share * self._n, part.dimensions

    def _by_pairs(self, parts: Sequence[KernelPart], width: int) -> list[float]:
        """Return tr A X of each, from the kernel values of all pairs of rows."""
        stack = np.stack([part.coordinates[self._order] for part in parts])
        below = exp_of_distances(
            (stack[:, self._left, k] - stack[:, self._right, k] for k in range(width)),
            self._backend,
        )
        traces: list[float] = (self._diagonal + self._backend.to_host(below @ self._below)).tolist()
        return traces

    def _by_levels(self, parts: Sequence[KernelPart], width: int) -> list[float]:
        """Return tr A X of each, from the kernel values of rows with levels.

        With E those (rows, levels) and O telling the level of each row, k = E O'.
        """
        backend, xp = self._backend, self._backend.xp
        most = max(part.distinct for part in parts)
        rows = np.stack([part.rows for part in parts])[:, self._order].T
        stack = np.stack([part.coordinates for part in parts])[:, self._order].swapaxes(0, 1)
        levels = np.zeros((len(parts), most, width))
        levels[np.arange(len(parts)), rows] = stack  # the same for all rows of a level
        kernel = exp_of_distances(
            (stack[:, :, None, k] - levels[None, :, :, k] for k in range(width)), backend
        )
        own = (rows[:, :, None] == np.arange(most)).astype(np.float64)
        product = xp.tensordot(self._weights, backend.to_device(own), axes=1)
        traces: list[float] = backend.to_host(xp.sum(product * kernel, axis=(0, 2))).tolist()
        return traces

    def serves(
        self, question: Question, size: int, exact: Callable[[Sequence[KernelPart]], list[Pair]]
    ) -> bool:
        """Return whether the bounds of some tell that those of all would settle enough.

        Parameters
        ----------
        question
            What must be known.
        size
            How many to compute for a bar, where the question has none: those that seem best.
        exact
            Computes them.
        """
        bounds = self.bounds(self._some)
        asked = question
        if question.rough:
            best = sorted(range(len(bounds)), key=lambda k: bounds[k].lower)[:size]
            bar = sorted(pair.conditional for pair in exact([self._some[k] for k in best]))[1]
            asked = Question(question.tolerance, above=bar)
        settled = [asked.answered(bound) for bound in bounds]
        return sum(settled) >= USEFUL_SHARE * len(settled)

    @cached_property
    def _most(self) -> float:
        """What H(y | Z) of an extension is at most, bits."""
        return extended_upper(Pair(*self._own), self._n, len(self._spans), self._alpha)

    def _pair(self, gain: float) -> Pair:
        features, joint = self._least
        high = self._most
        low = min(conditional_from_gain(max(gain, 0.0), joint.lower, self._alpha), high)
        value = low + NEARER * (high - low)
        return Pair(features, joint, Solution(value, low, high, "tangent"), self._n, exact=False)
