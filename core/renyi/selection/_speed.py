"""What the operations of a search take on this machine, and how many its table asks for.

Looked at on a sample of the rows, in some tenths of a second: nothing of it is part of an answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

import numpy as np

from renyi._random import stream
from renyi._typing import FloatArray, IntArray
from renyi.execution import one_blas_thread
from renyi.factors import PivotedCholesky
from renyi.information import Computation, SetEntropies, found_pairs
from renyi.kernels import KernelModel
from renyi.options import MethodOptions
from renyi.order2 import SINGLE_RESIDUAL, Passes, chance_of, operations_of
from renyi.variables import Dataset, Variable

__all__ = ["Speed", "speed_of"]

ROWS: Final = 1536
FEATURES: Final = 30
"""Of the sample at order 2."""

ALONE_ROWS: Final = 16_384
"""Rows on which features are looked at alone: that takes no pass over pairs of rows."""

PAIR_ROWS: Final = 500
PAIR_SIZES: Final = (1, 2, 3, 5, 8, 13)
"""Rows of the sample whose entropies are found at another order, and numbers of features."""

MOST_RANK: Final = 384
"""Rank of a sample beyond which sets are taken to have no factor that is worth it."""

STANDS_OUT: Final = ((10.0, 0.5, 0.25), (3.0, 1.0, 0.13), (0.0, 2.0, 0.04))
"""How many times as many rows the table has; standard deviations above chance from which a feature
counts then, for it stands out so many times further in all rows; the share of noise that gets
there."""

SET_ASIDE: Final = 5.0
"""Bandwidth over which normal columns are spread for the timing: no factor serves there."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What was seen on the sample.

    Attributes
    ----------
    operation
        Seconds of one operation in a pass over pairs of rows.
    columns
        Columns of a candidate's factor, in the mean.
    slow
        Share of the candidates that have none: each takes passes of its own.
    ranks
        Rank of the Gram of the first 1, 2, 3, ... features together; infinity from where no factor
        serves.
    distinct
        Values of each feature.
    informative
        Share of the features that stand out alone.
    pairs
        At another order than 2: number of features, seconds of both entropies on `pair_rows`, and
        the power of the rows that they grow with.
    pair_rows
        Rows they were found on.
    """

    operation: float
    columns: float
    slow: float
    ranks: tuple[float, ...]
    distinct: tuple[int, ...]
    informative: float
    pairs: tuple[tuple[int, float, float], ...] = ()
    pair_rows: int = PAIR_ROWS


def speed_of(computation: Computation, options: MethodOptions) -> Speed:
    """Look at a sample.

    Parameters
    ----------
    computation
        How entropies are computed, over which kernels.
    options
        The method.
    """
    model = computation.model
    draw = stream(options.seed, "sampled for an estimate")
    some_rows = draw.permutation(model.n)[:ALONE_ROWS].astype(np.int64, copy=False)
    rows, few = np.sort(some_rows), np.sort(some_rows[:ROWS])
    some = draw.permutation(len(model.features))[:FEATURES].tolist()
    thinned = replace(model, features=tuple(model.features[j] for j in sorted(some)))
    sample = thinned.take(few)
    with one_blas_thread():
        z, columns = _alone(SetEntropies(computation.squared().over(thinned.take(rows))))
        order = np.argsort(-z, kind="stable").tolist()  # the likely first to be selected
        bar, noise = next((b, s) for times, b, s in STANDS_OUT if model.n >= times * len(rows))
        stands_out = float(np.mean(z > bar))
        return Speed(
            operation=_operation(computation, options),
            columns=columns / max(int(np.isfinite(z).sum()), 1),
            slow=float(np.mean(~np.isfinite(z))),
            ranks=_ranks(sample, order),
            distinct=tuple(thinned.features[j].distinct for j in order),
            informative=max(0.0, (stands_out - noise) / (1 - noise)),
            pairs=() if computation.alpha == 2 else _pairs(computation, sample, order, draw),
            pair_rows=min(PAIR_ROWS, len(few)),
        )


def _alone(entropies: SetEntropies) -> tuple[FloatArray, int]:
    """Return how far each feature alone stands out, and how many columns their factors have.

    Minus infinity stands for one without a factor.
    """
    count = len(entropies.computation.model.features)
    z = np.full(count, -np.inf)
    made = entropies.candidate_factors.stack(range(count), 1, SINGLE_RESIDUAL)
    if made.stack is None:
        return z, 0
    passes = entropies.passes((), SINGLE_RESIDUAL)
    conditional = passes.stacked(made.stack)[0][0]
    given = passes.given()
    of_each = [entropies.candidate_factors.sums(place, 1) for place in made.quick]
    chance = chance_of(given, of_each)
    z[[*made.quick]] = chance.standardised(given.conditional - conditional)
    return z, made.stack.values.shape[1]


def _operation(computation: Computation, options: MethodOptions) -> float:
    """Time a pass over normal columns that have no factor together."""
    rng = np.random.default_rng(0)
    points = rng.standard_normal((ROWS, 26))
    points[:, :6] *= SET_ASIDE
    columns = tuple(Variable.continuous(f"x{j}", column) for j, column in enumerate(points.T))
    label = Variable.nominal("y", (points[:, 0] > 0).astype(np.int64), ("a", "b"))
    fixed = replace(options, standardise="none", kernel="gaussian", bandwidth=1.0, bandwidths=())
    model = KernelModel.build(Dataset(columns, (label,)), fixed)
    entropies = SetEntropies(computation.squared().over(model))
    stack = entropies.candidate_factors.stack(range(6, 26), 7, 1e-6).stack
    if stack is None:  # pragma: no cover - one column always has a factor
        raise RuntimeError
    base, most = model.product(range(6), size=7), computation.factor_bytes
    passes = Passes(base, model.target, computation.backend, SINGLE_RESIDUAL, most)
    began = perf_counter()
    passes.stacked(stack)
    seconds = perf_counter() - began
    return seconds / operations_of(ROWS**2 // 2, stack.values.shape[1])


def _ranks(sample: KernelModel, order: list[int]) -> tuple[float, ...]:
    """Return the ranks of the squared Grams of the first features."""
    found: list[float] = []
    for size in range(1, len(order) + 1):
        product = sample.product(order[:size])
        factor = PivotedCholesky(product.coordinates * math.sqrt(2.0))
        served = product.by_coordinates and factor.extend(
            min(MOST_RANK, len(product) // 3), trace=SINGLE_RESIDUAL * len(product), early=True
        )
        found.append(float(factor.rank) if served else math.inf)
        if not served:
            break
    return tuple(found)


def _pairs(
    computation: Computation, sample: KernelModel, order: list[int], draw: np.random.Generator
) -> tuple[tuple[int, float, float], ...]:
    """Time both entropies of sets of several sizes."""
    rows: IntArray = np.sort(draw.permutation(sample.n)[:PAIR_ROWS]).astype(np.int64, copy=False)
    small = computation.over(sample.take(rows))
    found = []
    for size in (*(size for size in PAIR_SIZES if size < len(order)), len(order)):
        began = perf_counter()
        pair = found_pairs(small, [small.model.product(order[:size])])[0]
        seconds = perf_counter() - began
        by_factor = pair.residual > 0 and pair.rank < len(rows) // 3
        by_count = "counts" in {pair.features.solver, pair.joint.solver}
        found.append((size, seconds, 1.0 if by_factor or by_count else 3.0))
    return tuple(found)
