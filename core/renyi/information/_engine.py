"""Entropies of many sets: the one stateful class, it caches what it has computed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.entropies import (
    RESIDUAL,
    Extension,
    Factor,
    Solution,
    SquaredSums,
    check_memory,
    conditional_bound,
    entropy_from_trace,
    matrix_bytes,
    needs_eigenvalues,
    solve,
    solve_many,
    squared_factor,
)
from renyi.execution import default_jobs, lone, run
from renyi.kernels import KernelModel, KernelPart, KernelProduct

__all__ = ["InformationEngine", "Pair"]

Item = TypeVar("Item")

CHUNK_ROWS: Final = 1600
"""Rows, over all products of a task, that make it worth a thread: NumPy lets other threads work
only during calls for more than 500 rows in all, and a class may hold a third of them."""

FACTOR_BYTES: Final = 2**29
"""Bytes of factors kept from one step to the next."""

LOOSE_RESIDUAL: Final = 1e-7
"""Residual of a factor that mostly suffices to compare a shuffled copy with the real feature: it
halves the rank, and moves an entropy of 8 bits by some 1e-5 bits."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The entropies of a set without and with the target.

    Attributes
    ----------
    features
        H(Z).
    joint
        H(Z, y).
    """

    features: Solution
    joint: Solution

    @property
    def conditional(self) -> float:
        """H(y | Z) = H(Z, y) - H(Z), bits; the chain rule."""
        return self.joint.value - self.features.value

    @property
    def error(self) -> float:
        """Largest error of `conditional`, bits."""
        return self.joint.error + self.features.error


class InformationEngine:
    """Entropies over sets of features, with the target and without.

    Parameters
    ----------
    model
        The kernels.
    alpha
        Order.
    backend
        Where matrices live.
    solver
        A name of `renyi.options.SOLVERS`.
    tolerance
        Largest error of a reported value, bits.
    jobs
        Worker threads; None for one per core.
    max_memory
        Bytes that the work may take; None for what is free.
    """

    def __init__(
        self,
        model: KernelModel,
        alpha: float,
        backend: Backend,
        *,
        solver: str = "auto",
        tolerance: float = 1e-6,
        jobs: int | None = None,
        max_memory: int | None = None,
    ) -> None:
        self.model = model
        self.alpha = alpha
        self.backend = backend
        self.solver = solver
        self.tolerance = tolerance
        self.max_memory = max_memory
        self.jobs = jobs or default_jobs()
        self.solver_counts: Counter[str] = Counter()
        self._pairs: dict[frozenset[int], Pair] = {}
        self._bound: tuple[frozenset[int], float] | None = None
        self._factors: dict[int, Factor | None] = {}
        self._factor_bytes = 0

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.model.n

    @property
    def everything(self) -> frozenset[int]:
        """All features in use."""
        return frozenset(range(len(self.model.features)))

    @cached_property
    def target(self) -> Solution:
        """H(y)."""
        return self._counted(
            solve(self.model.product((), target=True), self.alpha, self.backend, self.solver)
        )

    def mutual_information(self, pair: Pair) -> float:
        """I(Z; y) = H(Z) + H(y) - H(Z, y), bits."""
        return self.target.value - pair.conditional

    def pair(self, features: Iterable[int]) -> Pair:
        """Return H(Z) and H(Z, y) of a set of features."""
        key = frozenset(features)
        if key not in self._pairs:
            products = [self.model.product(key), self.model.product(key, target=True)]
            found = lone(
                lambda: solve_many(products, self.alpha, self.backend, self.solver), self.n
            )
            self._pairs[key] = Pair(*map(self._counted, found))
        return self._pairs[key]

    def candidates(
        self, given: Iterable[int], candidates: Sequence[int], tick: Callable[[int], None]
    ) -> list[Pair]:
        """Return the pair of `given` with each candidate added, in the order of `candidates`.

        Parameters
        ----------
        given
            Features already selected.
        candidates
            Features to add, one at a time.
        tick
            Called with how many are done, on the calling thread.
        """
        selected = frozenset(given)
        # only the set of all features can be known already; a step's own sets never come again,
        # and thousands of them with hundreds of members each would fill the memory
        known = {
            c: self._pairs[selected | {c}] for c in candidates if selected | {c} in self._pairs
        }
        missing = [c for c in candidates if c not in known]
        parts = [self.model.features[c] for c in missing]
        found = self._extended(self.model.product(selected), parts, missing, tick)
        known.update(zip(missing, found, strict=True))
        return [known[c] for c in candidates]

    def replicates(
        self,
        given: Iterable[int],
        permuted: int,
        orders: Sequence[IntArray],
        tick: Callable[[int], None],
        *,
        loose: bool = False,
    ) -> list[Pair]:
        """Return the pair of `given` with one feature's rows shuffled, for each order.

        Permuting a variable permutes the rows of its coordinates, or of its factor: nothing is
        recomputed.

        Parameters
        ----------
        given
            The other features.
        permuted
            The feature that is shuffled.
        orders
            Orders of rows, (n,) each.
        tick
            Called with how many are done, on the calling thread.
        loose
            Whether wider bounds will do where they are cheaper: a factor of smaller rank.
        """
        part = self.model.features[permuted]
        parts = [part.take(order) for order in orders]
        base = self.model.product(frozenset(given) - {permuted})
        return list(self._extended(base, parts, [permuted] * len(parts), tick, loose=loose))

    def conditional_bound(self, features: Iterable[int]) -> float:
        """Return an upper bound on H(y | features and any others), bits, infinity for none.

        The lower bound is 0. It takes no eigenvalues, and is asked for only where values do.
        """
        key = frozenset(features)
        if self.solver != "auto" or not needs_eigenvalues(self.alpha):
            return math.inf
        if self._bound is None or self._bound[0] != key:  # rounds of one step ask for the same
            product = self.model.product(key)
            bound = lone(
                lambda: conditional_bound(product, self.model.target, self.alpha, self.backend),
                self.n,
            )
            self._bound = (key, bound)
        return self._bound[1]

    def check_memory(self) -> None:
        """Refuse work whose largest matrix does not fit, before it starts.

        Raises
        ------
        MemoryBudgetError
            Naming the bytes and the ways out.
        """
        # Hard codes only split a Gram into blocks: the largest matrix is that of a set without any.
        model = self.model
        uncoded = [j for j, part in enumerate(model.features) if part.codes is None]
        largest = model.product(uncoded, target=model.target.codes is None)
        check_memory(largest, self.alpha, self.backend, self.solver)

    def _counted(self, solution: Solution) -> Solution:
        self.solver_counts[solution.solver] += 1
        return solution

    def _extended(
        self,
        base: KernelProduct,
        parts: Sequence[KernelPart],
        features: Sequence[int],
        tick: Callable[[int], None],
        *,
        loose: bool = False,
    ) -> Iterator[Pair]:
        """Yield the pair of `base` with each part added; `features` says whose they are."""
        found_factors = self._factors_of(features) if self._quadratic else {}
        factors = {j: f for j, f in found_factors.items() if f is not None}
        if loose:
            factors = {j: f.loosened(LOOSE_RESIDUAL) for j, f in factors.items()}
        batch = [k for k, j in enumerate(features) if j in factors]
        by_number: dict[int, Pair] = {}
        if batch:
            extensions = [Extension(factors[features[k]], parts[k].rows) for k in batch]
            pairs = lone(lambda: list(self._quadratic_pairs(base, extensions)), self.n)
            by_number = dict(zip(batch, pairs, strict=True))
            tick(len(batch))
        rest = [k for k in range(len(parts)) if k not in by_number]
        residual = LOOSE_RESIDUAL if loose else RESIDUAL
        found = self._solved(base, [parts[k] for k in rest], tick, len(batch), residual)
        by_number.update(zip(rest, found, strict=True))
        for number in range(len(parts)):
            pair = by_number[number]
            self._counted(pair.features)
            self._counted(pair.joint)
            yield pair

    @property
    def _quadratic(self) -> bool:
        return self.alpha == 2 and self.solver == "auto"

    def _solved(
        self,
        base: KernelProduct,
        parts: Sequence[KernelPart],
        tick: Callable[[int], None],
        done: int,
        residual: float,
    ) -> Iterator[Pair]:
        """Yield pairs by general solvers, in chunks whose size depends on n alone."""

        def task(chunk: Sequence[KernelPart]) -> list[Pair]:
            products = [base.times(part) for part in chunk]
            joint = [product.times(self.model.target) for product in products]
            found = solve_many(
                [*products, *joint], self.alpha, self.backend, self.solver, residual=residual
            )
            return [
                Pair(*both) for both in zip(found[: len(chunk)], found[len(chunk) :], strict=True)
            ]

        work = run(task, self._chunks(parts), rows=self.n, jobs=self._workers())
        with closing(work):  # an interruption leaves no worker and no thread limit behind
            for pairs in work:
                done += len(pairs)
                tick(done)
                yield from pairs

    def _chunks(self, items: Sequence[Item]) -> list[Sequence[Item]]:
        """Cut work into tasks, by n alone."""
        size = max(1, CHUNK_ROWS // max(self.n, 1))
        return [items[start : start + size] for start in range(0, len(items), size)]

    def _workers(self) -> int:
        """Return how many workers the memory for their matrices allows."""
        each = matrix_bytes(self.n, self.alpha, self.solver)
        if not each:
            return self.jobs
        return max(1, min(self.jobs, self.backend.free_memory() // each))

    def _factors_of(self, features: Sequence[int]) -> dict[int, Factor | None]:
        """Return the squared factors of features, kept within a budget."""
        wanted = dict.fromkeys(features)
        for j in wanted:
            if j in self._factors:
                wanted[j] = self._factors[j]
                continue
            factor = squared_factor(self.model.features[j])
            size = 0 if factor is None else factor.values.nbytes
            if self._factor_bytes + size <= FACTOR_BYTES:
                self._factors[j] = factor
                self._factor_bytes += size
            wanted[j] = factor
        return wanted

    def _quadratic_pairs(
        self, base: KernelProduct, extensions: Sequence[Extension]
    ) -> Iterator[Pair]:
        """Yield pairs at alpha 2, all from one pass over the tiles of `base`."""
        target = self.model.target
        classes = target.codes if target.soft is None else target.soft.codes
        sums = SquaredSums(
            base, classes, target.distinct if classes is not None else 1, self.backend
        )
        everything, joint = sums.sums(extensions)
        residual = sums.residual
        rounding = 4 * base.entry_error
        if classes is None:  # a Gaussian label is one more coordinate of W
            both = base.times(target)
            rounding = max(rounding, 4 * both.entry_error)
            with_target = SquaredSums(both, None, 1, self.backend)
            joint = with_target.sums(extensions)[0]
            residual = max(residual, with_target.residual)
        elif target.soft is not None:  # off^2 across classes: a mixture of both sums
            across = target.soft.off**2
            joint = across * everything + (1 - across) * joint
        for number, extension in enumerate(extensions):
            error = residual + extension.factor.residual
            yield Pair(
                self._from_sum(everything[number], error, rounding),
                self._from_sum(joint[number], error, rounding),
            )

    def _from_sum(self, squared_sum: FloatArray, error: float, rounding: float) -> Solution:
        n = float(self.n)
        total = float(squared_sum)
        # a pair's entry is off by at most `error`, the sum by n^2 of that
        relative = error * n * n / total + rounding
        return entropy_from_trace(total / n**2, n, 2.0, "products", relative)
