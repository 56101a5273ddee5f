r"""Near the identity an entropy follows from a few traces.

Distinct rows, one original row each: n A = K = I + E with tr E = 0. In units where alpha 1 is a
limit,

    S_alpha = log2 n - log2(1 + p h) / p,   p = alpha - 1,

h being the mean of ((1 + x)^alpha - 1 - alpha x) / p over the eigenvalues x of E. Bounds on h come
from tr E^2, O(n^2) by tiles, and where these are too wide from tr E^3 and tr E^4, one matrix
product; see `_radau`. Hard codes make E block diagonal: the traces add up over blocks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend, get_backend
from renyi.entropies._formula import EPS, LN2, Solution, rounding_slack
from renyi.entropies._protocol import Cost, Problem
from renyi.entropies._radau import excess_bounds
from renyi.execution import pause
from renyi.factors import TILE, lower_tiles, spans
from renyi.kernels import KernelProduct

__all__ = ["Series"]

PROBE_ROWS: Final = 32
"""Rows whose mean square tells whether a series is worth a look."""

LEAST_ROWS: Final = 384
"""Rows of the largest block below which eigenvalues take no longer than the look."""

MOST_SECOND: Final = 0.02
"""Mean of x^2 beyond which no four moments determine an entropy to 1e-3 bits."""

FOURTH: Final = 2.0
"""The mean of x^4 over the square of that of x^2 at the least: a Gaussian random matrix has 2."""

MATRICES: Final = 1.5
"""Matrices of full size for tr E^4: the Gram, and strips of its square."""


@dataclass(frozen=True)
class _Traces:
    """Means of powers of x over the rows, a bound on |x|, and estimates of higher means."""

    moments: tuple[float, ...]
    radius: float
    estimates: tuple[float, ...] = ()


class Series:
    """Bounds from tr E^2, or tr E^2 to tr E^4; given only where they are within the tolerance."""

    name = "series"

    def applies(self, problem: Problem) -> bool:
        """Return whether no rows are equal, and some of them say that E may be small enough."""
        product, blocks = problem.product, problem.reduced[1]
        if product.distinct < len(product) or product.weights is not None:
            return False
        if problem.largest < LEAST_ROWS or not all(b.has_points for b in blocks):
            return False
        second = _probe(max(blocks, key=len), get_backend("numpy")) * problem.largest / len(product)
        return second <= MOST_SECOND and _least_width(second, problem.alpha) <= problem.tolerance

    def cost(self, problem: Problem) -> Cost:
        """Return the cost of tr E^2."""
        entries = float(np.sum(problem.sizes**2)) / 2
        return Cost(100 * entries, MATRICES * 8 * problem.largest**2)

    def solve(self, problems: Sequence[Problem], backend: Backend) -> list[Solution | None]:
        """Solve each for which the moments suffice."""
        return [self._solve(problem, backend) for problem in problems]

    def _solve(self, problem: Problem, backend: Backend) -> Solution | None:
        blocks, n = problem.reduced[1], len(problem.product)
        second = [_second(block, backend) for block in blocks]
        traces = _mean(second, n)
        found = _solution(traces, problem)
        if found.error <= problem.tolerance:
            return found
        if _expected_error(traces, problem) > problem.tolerance:
            return None

        def fourth(some: Sequence[int]) -> list[_Traces]:
            return [_fourth(blocks[k], second[k], backend) for k in some]

        what = f"a matrix of {int(problem.largest)} x {int(problem.largest)} and its square"
        found = _solution(_mean(backend.guarded(fourth, range(len(blocks)), what=what), n), problem)
        return found if found.error <= problem.tolerance else None


def _probe(block: KernelProduct, backend: Backend) -> float:
    """Return the mean square of x that some rows suggest."""
    m = len(block)
    columns = _some_columns(block, np.arange(0, m, max(1, m // PROBE_ROWS)), backend)
    return float(np.mean(np.sum(columns * columns, axis=0)))


def _least_width(second: float, alpha: float) -> float:
    """Return the error, bits, that four moments leave at the least where x is spread evenly."""
    moments = (max(second, 1e-300), 0.0, FOURTH * second * second)
    low, high = excess_bounds(moments, 2 * math.sqrt(second), alpha)
    return (high - low) / (4 * LN2)


def _expected_error(traces: _Traces, problem: Problem) -> float:
    """Return the error that tr E^4 would leave, bits, as estimated."""
    moments = (*traces.moments, *traces.estimates)
    n = len(problem.product)
    radius = min(traces.radius, (max(moments[2], 1e-300) * n) ** 0.25)
    return _solution(_Traces(moments, radius), problem).error


def _second(block: KernelProduct, backend: Backend) -> _Traces:
    """Return the sum of squares off the diagonal and a bound on |x|, and guess further sums.

    Those of x^3 and x^4 are taken from E times some of its columns, out of the same pass.
    """
    xp, m = backend.xp, len(block)
    some_rows = np.arange(0, m, max(1, m // PROBE_ROWS))
    columns = _some_columns(block, some_rows, backend)
    probe = backend.to_device(np.hstack((columns, np.ones((m, 1)))))
    products = np.zeros((m, len(some_rows) + 1))

    def sums(tiles: Sequence[tuple[slice, slice, float]]) -> list[float]:
        some, others, times = tiles[0]
        pause()
        tile = block.tile(backend, some, others)
        if times == 1.0:
            tile = tile - backend.to_device(np.eye(some.stop - some.start))
        found = times * float(xp.sum(tile * tile))
        own = backend.to_host(tile @ probe[others, :])
        mirrored = backend.to_host(xp.matrix_transpose(tile) @ probe[some, :])
        products[some] += own
        if times == 2.0:
            products[others] += mirrored
        return [found]

    squares = sum(
        backend.guarded(sums, [tile], what="a tile of a Gram matrix")[0] for tile in lower_tiles(m)
    )
    share = m / len(some_rows)
    third = share * float(np.sum(columns * products[:, :-1]))
    fourth = share * float(np.sum(products[:, :-1] ** 2))
    radius = min(float(products[:, -1].max()), math.sqrt(squares)) * (1 + 1e-9)
    return _Traces((squares,), radius, (third, fourth))


def _some_columns(block: KernelProduct, some: IntArray, backend: Backend) -> FloatArray:
    """Return columns of E, (m, len(some))."""
    m = len(block)
    both = block.subset(np.concatenate((some, np.arange(m))))
    columns = backend.to_host(both.tile(backend, slice(0, len(some)), slice(len(some), None))).T
    columns = np.array(columns)
    columns[some, np.arange(len(some))] -= 1.0
    return columns


def _fourth(block: KernelProduct, second: _Traces, backend: Backend) -> _Traces:
    """Return the traces of E^2, E^3 and E^4 of a block, strip by strip of E^2."""
    xp, m = backend.xp, len(block)
    matrix = block.tile(backend, slice(None), slice(None))
    matrix -= backend.to_device(np.eye(m))
    third = fourth = 0.0
    rows = np.zeros(m)
    for some in spans(0, m, TILE.rows):
        before = slice(0, some.stop)
        square = matrix[some, :] @ matrix[:, before]
        own = matrix[some, before]
        # the part left of the diagonal tile stands for its mirror image, too
        times = np.full(some.stop, 2.0)
        times[some] = 1.0
        twice = backend.to_device(times)[None, :]
        third += float(xp.sum(own * square * twice))
        fourth += float(xp.sum(square * square * twice))
        absolute = xp.abs(square)
        rows[some] += backend.to_host(xp.sum(absolute, axis=1))
        rows[: some.start] += backend.to_host(xp.sum(absolute[:, : some.start], axis=0))
    radius = min(second.radius, math.sqrt(float(rows.max())), fourth**0.25)
    return _Traces((second.moments[0], third, fourth), radius * (1 + 1e-9))


def _mean(blocks: Sequence[_Traces], n: int) -> _Traces:
    sums: FloatArray = np.sum([block.moments for block in blocks], axis=0) / n
    more: FloatArray = np.sum([block.estimates for block in blocks], axis=0) / n
    radius = max(block.radius for block in blocks)
    return _Traces(tuple(sums.tolist()), radius, tuple(more.tolist()))


def _solution(traces: _Traces, problem: Problem) -> Solution:
    product, alpha = problem.product, problem.alpha
    n, p = float(len(product)), alpha - 1
    found = excess_bounds(traces.moments, traces.radius, alpha)
    # what rounding of kernel values and sums does to the moments, and they to h
    share = 8 * product.entry_error + 16 * EPS * math.log2(n)
    slack = share * sum(abs(moment) for moment in traces.moments) * (1 + abs(alpha)) ** 4
    slack += rounding_slack(math.sqrt(n), max(alpha, 1.0), 1.0, 0.0)

    def bits(h: float) -> float:
        lost = h if p == 0 else math.log1p(max(p * h, -0.999)) / p
        return math.log2(n) - lost / LN2

    lower, upper = bits(found[1] + slack), bits(found[0] - slack)
    lower, upper = min(lower, upper), max(lower, upper)
    return Solution((lower + upper) / 2, lower, upper, Series.name)
