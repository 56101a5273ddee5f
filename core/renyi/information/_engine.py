"""Entropies of many sets: the one stateful class, it caches what it has computed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Final

from renyi._typing import IntArray
from renyi.backend import Backend
from renyi.entropies import (
    Pair,
    Question,
    Solution,
    factor_bytes,
    matrix_bytes,
    needs_eigenvalues,
    solve,
)
from renyi.execution import default_jobs, lone, run
from renyi.information import _limits
from renyi.information._candidate_factors import CandidateStack
from renyi.information._general import solve_pairs
from renyi.information._products import FactorStore, Passes, product_pairs
from renyi.information._screen import pairs_of_stacks
from renyi.information._stacks import stack_size
from renyi.information._ways import CHUNK_ROWS, EXACT_BITS, LONG_ROWS, LOOSEST, Way, cut, flat, how
from renyi.kernels import KernelModel, KernelPart, KernelProduct
from renyi.nulls import KernelSums

__all__ = ["EXACT_BITS", "InformationEngine"]

MEMORY_SHARE: Final = 0.8
"""Of the memory that is free at the start, where no budget is given."""

LOOSE_VALUES: Final = 200_000
"""Rows times extensions of one product from which bounds on all, and values of few, save time."""


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
        `auto`, or the one way to take, see `renyi.options.MethodOptions`.
    tolerance
        Largest error of a value that is not asked for more exactly, bits.
    jobs
        Worker threads; None for one per core.
    max_memory
        Bytes that the work may take; None for a share of what is free. It decides how many workers
        there are, what is refused, and where bounds stand in for a matrix that does not fit.
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
        self.n = model.n
        self.alpha = alpha
        self.backend = backend
        self.solver = solver
        self.tolerance = tolerance
        self.jobs = jobs or default_jobs()
        self.max_memory = max_memory or int(MEMORY_SHARE * backend.free_memory())
        self.solver_counts: Counter[str] = Counter()
        self._pairs: dict[tuple[frozenset[int], Question], Pair] = {}
        self._bound: tuple[frozenset[int], float] | None = None
        self.factor_bytes = factor_bytes(self.max_memory)
        self.factors = FactorStore(model, self.factor_bytes)
        self._passes: tuple[KernelProduct, float | None, Passes] | None = None
        self._base: tuple[frozenset[int], int, KernelProduct] | None = None
        self.kernel_sums: dict[tuple[int, float], KernelSums] = {}
        self.last_stack: CandidateStack | None = None
        self._settled: dict[str, dict[Hashable, str]] = {}

    @property
    def everything(self) -> frozenset[int]:
        """All features in use."""
        return frozenset(range(len(self.model.features)))

    @cached_property
    def everything_problem(self) -> str:
        """Why H(y | S) of all features cannot be had, in a sentence; empty where it can."""
        return _limits.everything_problem(self)

    @cached_property
    def target(self) -> Solution:
        """H(y)."""
        alone = self.model.product((), target=True)
        return self._counted(solve(alone, self.alpha, self.backend, self.solver))

    @cached_property
    def known(self) -> Question:
        """What a value asks for that is reported: the tolerance."""
        return Question(self.tolerance)

    @cached_property
    def exact(self) -> Question:
        """What a value asks for that decides a tie."""
        return Question(min(EXACT_BITS, self.tolerance))

    @cached_property
    def fits(self) -> bool:
        """Whether a matrix of all rows fits; where not, distinct rows may be few enough."""
        return matrix_bytes(self.n, self.alpha, self.solver) <= self.max_memory

    @property
    def refines(self) -> bool:
        """Whether values come as bounds that a question may leave wide."""
        return (
            self.solver in {"auto", "low-rank"}
            and self.alpha >= 1
            and (needs_eigenvalues(self.alpha) or self.solver == "low-rank")
        )

    @property
    def singly(self) -> bool:
        """Whether each pair is a task of its own: no pass over a Gram gives many."""
        return 2 * self.n > CHUNK_ROWS and not (self.alpha == 2 and self.solver == "auto")

    def loosens(self, count: int) -> bool:
        """Return whether so many values are less work as bounds first, at order 2.

        Those that may be the smallest are then looked at again, for one more pass over the Gram.
        """
        return self.alpha == 2 and self.solver == "auto" and count * self.n >= LOOSE_VALUES

    @property
    def expects(self) -> bool:
        """Whether a value that is expected tells how to go about finding it.

        Not where a factor is the only way: it is refused by what it is, not by what was expected.
        """
        serves = self.refines and self.alpha <= 2 and self.model.target.codes is not None
        return serves and self.solver == "auto" and self.fits

    def mutual_information(self, pair: Pair) -> float:
        """I(Z; y) = H(Z) + H(y) - H(Z, y), bits."""
        return self.target.value - pair.conditional

    def pair(self, features: Iterable[int], question: Question | None = None) -> Pair:
        """Return H(Z) and H(Z, y) of a set of features, by default within the tolerance."""
        asked = question or self.known
        # kept by what was asked: a value that is reported must not depend on what decided a tie
        key = (frozenset(features), asked)
        if key not in self._pairs:
            base = self.model.product(key[0])
            self._pairs[key] = lone(lambda: self._solve_one(base, asked), self.n)
            self._count(self._pairs[key])
        return self._pairs[key]

    def candidates(
        self,
        given: Iterable[int],
        candidates: Sequence[int],
        tick: Callable[[int], None],
        question: Question | None = None,
        expected: Sequence[float] = (),
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
        question
            What must be known of each; by default the values within the tolerance.
        expected
            What H(y | Z) of each may be, bits, NaN or nothing for no idea: where to begin.
        """
        selected, asked = frozenset(given), question or self.known
        # only the set of all features can be known already: a step's own sets never come again
        known = {
            c: self._pairs[selected | {c}, self.known]
            for c in candidates
            if (selected | {c}, self.known) in self._pairs and asked.tolerance >= self.tolerance
        }
        missing = [c for c in candidates if c not in known]
        size = len(selected) + 1
        parts = [self.model.part(c, size) for c in missing]
        base = self._product(selected, size)
        likely = dict(zip(candidates, expected, strict=True)) if expected else {}
        ways = [Way.toward(asked, likely[c]) for c in missing if likely and self.expects]
        found = self._extended(base, size, parts, missing, tick, asked, ways=ways)
        known.update(zip(missing, found, strict=True))
        return [known[c] for c in candidates]

    def replicates(
        self,
        given: Iterable[int],
        permuted: int,
        orders: Sequence[IntArray],
        tick: Callable[[int], None],
        question: Question | None = None,
    ) -> list[Pair]:
        """Return the pair of `given` with one feature's rows shuffled, for each order (n,).

        Permuting a variable permutes the rows of its coordinates, or of its factor: nothing is
        recomputed. `given` are the other features; else as `candidates`.
        """
        copies = [(permuted, order) for order in orders]
        return self.copies(frozenset(given) - {permuted}, copies, tick, question)

    def copies(
        self,
        given: Iterable[int],
        copies: Sequence[tuple[int, IntArray]],
        tick: Callable[[int], None],
        question: Question | None = None,
    ) -> list[Pair]:
        """Return the pair of `given` with each (feature, order of its rows) added."""
        others, asked = frozenset(given), question or self.known
        size = len(others) + 1
        parts = [self.model.part(feature, size).take(order) for feature, order in copies]
        features = [feature for feature, _ in copies]
        base = self._product(others, size)
        return list(self._extended(base, size, parts, features, tick, asked))

    def passes(self, given: Iterable[int], loose: float | None) -> Passes:
        """Return the sums of order 2 over `given`, as in a product of one feature more."""
        others = frozenset(given)
        return self.passes_over(self._product(others, len(others) + 1), loose)

    def conditional_bound(self, features: Iterable[int]) -> float:
        """Return an upper bound on H(y | features and any one other), bits, infinity for none.

        The lower bound is 0. It is asked for only where values take eigenvalues, or at order 2.
        """
        key = frozenset(features)
        if self.solver != "auto" or not (needs_eigenvalues(self.alpha) or self.alpha == 2):
            return math.inf
        if self._bound is None or self._bound[0] != key:  # rounds of one step ask for the same
            base = self.model.product(key, size=len(key) + 1)
            own = partial(self._solve_one, base, Question(self.tolerance, alone=True))
            bound = lone(lambda: _limits.highest_conditional(self, base, own), self.n)
            self._bound = (key, bound)
        return self._bound[1]

    def check_memory(self, most_features: int | None = None) -> None:
        """Refuse work whose largest matrix does not fit, before it starts.

        Parameters
        ----------
        most_features
            Features of the largest set to be asked for, None for all.

        Raises
        ------
        MemoryBudgetError
            Naming the bytes and the ways out.
        """
        _limits.check_memory(self, most_features)

    def settle(self, kind: str, number: Hashable, pair: Pair | str) -> None:
        """Note how a candidate or a replicate was settled; the last note of a number counts."""
        self._settled.setdefault(kind, {})[number] = pair if isinstance(pair, str) else how(pair)

    def take_settled(self) -> dict[str, dict[str, int]]:
        """Return how many candidates and replicates were settled how since the last call."""
        settled, self._settled = self._settled, {}
        return {kind: dict(Counter(ways.values())) for kind, ways in settled.items()}

    def _counted(self, solution: Solution) -> Solution:
        self.solver_counts[solution.solver] += 1
        return solution

    def _count(self, pair: Pair) -> None:
        self._counted(pair.features)
        self._counted(pair.joint)

    def _extended(
        self,
        base: KernelProduct,
        size: int,
        parts: Sequence[KernelPart],
        features: Sequence[int],
        tick: Callable[[int], None],
        question: Question,
        ways: Sequence[Way] = (),
    ) -> Iterator[Pair]:
        """Yield the pair of `base` with each part added; `features` says whose they are.

        All are as in a product of `size` features; `ways` say how to go about each part.
        """
        found: dict[int, Pair] = {}
        if self.alpha == 2 and self.solver == "auto":
            numbered = [(feature, size) for feature in features]
            found = lone(
                lambda: product_pairs(
                    lambda loose: self.passes_over(base, loose),
                    parts,
                    numbered,
                    self.factors,
                    question,
                ),
                self.n,
            )
            tick(len(found))
        rest = [number for number in range(len(parts)) if number not in found]
        asked = [(parts[k], ways[k] if ways else Way()) for k in rest]
        alike = len(set(features)) == 1
        solved = self._solved(base, asked, tick, len(found), question, alike=alike)
        found.update(zip(rest, solved, strict=True))
        for number in range(len(parts)):
            self._count(found[number])
            yield found[number]

    def passes_over(self, base: KernelProduct, loose: float | None) -> Passes:
        """Return the sums over a base: rounds of replicates of one step ask for the same.

        Parameters
        ----------
        base
            What all share.
        loose
            Mean residual that factors may have, None for the least.
        """
        if self._passes is None or self._passes[0] is not base or self._passes[1] != loose:
            found = Passes(base, self.model.target, self.backend, loose, self.factor_bytes)
            self._passes = (base, loose, found)
        return self._passes[2]

    def _solved(
        self,
        base: KernelProduct,
        asked: Sequence[tuple[KernelPart, Way]],
        tick: Callable[[int], None],
        done: int,
        question: Question,
        *,
        alike: bool,
    ) -> Iterator[Pair]:
        """Yield pairs by general solvers, in chunks whose size depends on n alone."""
        parts = [part for part, _ in asked]
        size = (
            stack_size(base, parts, self.model.target, self.alpha)
            if self.refines and self.solver == "auto"
            else 0
        )
        if size and parts:
            spread = partial(run, rows=self.n, jobs=_limits.workers(self))
            target, alpha = self.model.target, self.alpha
            stacks = pairs_of_stacks(
                base, parts, target, alpha, self.backend, size, question, spread
            )
            yield from flat(stacks, tick, done)
            return
        if self.refines and alike and len(parts) > 1:
            # shuffled copies are alike: what answers for the first mostly answers for all
            loosest = Way(opening=LOOSEST) if question.open and not question.rough else Way()
            first = lone(
                lambda: solve_pairs(self, [(base.times(parts[0]), loosest)], question)[0], self.n
            )
            done += 1
            yield first
            way = Way.after(first, question)
            asked = [(part, way) for part in parts[1:]]

        def task(chunk: Sequence[tuple[KernelPart, Way]]) -> list[Pair]:
            return solve_pairs(self, [(base.times(part), way) for part, way in chunk], question)

        chunks = cut(asked, CHUNK_ROWS // max(self.n, 1))
        if self.n >= LONG_ROWS:
            work = (lone(partial(task, chunk), self.n) for chunk in chunks)
        else:
            work = run(task, chunks, rows=self.n, jobs=_limits.workers(self))
        yield from flat(work, tick, done)

    def _product(self, features: frozenset[int], size: int) -> KernelProduct:
        if self._base is None or self._base[:2] != (features, size):
            self._base = (features, size, self.model.product(features, size=size))
        return self._base[2]

    def _solve_one(self, base: KernelProduct, question: Question) -> Pair:
        return solve_pairs(self, [(base, Way())], question)[0]
