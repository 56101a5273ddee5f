"""Entropies of many sets of features, kept once they are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.bounds import (
    LONG_ROWS,
    LOOSEST,
    Approach,
    Pair,
    Question,
    cut,
    flat,
    pairs_of_stacks,
    stack_size,
)
from renyi.entropies import Solution, counted_solutions, counted_values, solve
from renyi.execution import crew_for, lone, run
from renyi.information import _limits
from renyi.information._computation import Computation
from renyi.information._general import Solving, pairs_of_chunks, solve_pairs
from renyi.information._ledger import Ledger
from renyi.kernels import KernelPart, KernelProduct
from renyi.order2 import CandidateFactors, FactorStore, Passes, product_pairs

__all__ = ["SetEntropies"]


class SetEntropies:
    """H(Z) and H(Z, y) of any set Z of features.

    Parameters
    ----------
    computation
        How they are found.

    Attributes
    ----------
    ledger
        How they were found.
    factors, candidate_factors
        Of single features at order 2: each by itself, and those of all candidates side by side.
    """

    def __init__(self, computation: Computation) -> None:
        self.computation = self._by = computation
        self.ledger = Ledger()
        model = computation.model
        self.factors = FactorStore(model, computation.factor_bytes)
        self.candidate_factors = CandidateFactors(model, computation.backend, self.factors)
        self._pairs: dict[tuple[frozenset[int], Question], Pair] = {}
        self._bound: tuple[frozenset[int], float] | None = None
        self._passes: tuple[KernelProduct, float | None, Passes] | None = None
        self._base: tuple[frozenset[int], int, KernelProduct] | None = None

    @cached_property
    def everything_problem(self) -> str:
        """Why H(y | S) of all features cannot be had, in a sentence; empty where it can."""
        return _limits.everything_problem(self.computation)

    @cached_property
    def target(self) -> Solution:
        """H(y)."""
        by = self.computation
        found = solve(by.model.product((), target=True), by.alpha, by.backend, by.solver)
        self.ledger.count(found)
        return found

    def mutual_information(self, pair: Pair) -> float:
        """I(Z; y) = H(Z) + H(y) - H(Z, y), bits."""
        return self.target.value - pair.conditional

    def pair(self, features: Iterable[int], question: Question | None = None) -> Pair:
        """Return H(Z) and H(Z, y) of a set of features, by default within the tolerance."""
        asked = question or self._by.known
        # kept by what was asked: a value that is reported must not depend on what decided a tie
        key = (frozenset(features), asked)
        if key not in self._pairs:
            base = self._by.model.product(key[0])
            self._pairs[key] = lone(lambda: self._solve_one(base, asked), self._by.n)
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
        selected, asked = frozenset(given), question or self._by.known
        # only the set of all features can be known already: a step's own sets never come again
        known = {
            c: self._pairs[selected | {c}, self._by.known]
            for c in candidates
            if (selected | {c}, self._by.known) in self._pairs
            and asked.tolerance >= self._by.tolerance
        }
        missing = [c for c in candidates if c not in known]
        size = len(selected) + 1
        parts = [self._by.model.part(c, size) for c in missing]
        base = self._product(selected, size)
        likely = dict(zip(candidates, expected, strict=True)) if expected else {}
        ways = [
            Approach.toward(asked, likely[c]) for c in missing if likely and self._by.plan.expectant
        ]
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
        others, asked = frozenset(given), question or self._by.known
        size = len(others) + 1
        parts = [self._by.model.part(feature, size).take(order) for feature, order in copies]
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
        if not self._by.plan.bounded:
            return math.inf
        if self._bound is None or self._bound[0] != key:  # rounds of one step ask for the same
            base = self._by.model.product(key, size=len(key) + 1)
            own = partial(self._solve_one, base, Question(self._by.tolerance, alone=True))
            bound = lone(lambda: _limits.highest_conditional(self._by, base, own), self._by.n)
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
        _limits.check_memory(self._by, most_features)

    def _count(self, pair: Pair) -> None:
        self.ledger.count(pair.features, pair.joint)

    def _extended(
        self,
        base: KernelProduct,
        size: int,
        parts: Sequence[KernelPart],
        features: Sequence[int],
        tick: Callable[[int], None],
        question: Question,
        ways: Sequence[Approach] = (),
    ) -> Iterator[Pair]:
        """Yield the pair of `base` with each part added; `features` says whose they are.

        All are as in a product of `size` features; `ways` say how to go about each part.
        """
        found: dict[int, Pair] = {}
        if self._counts(base, parts):
            pairs = self._counted(base, parts, tick)
            found = dict(enumerate(pairs))
        elif self._by.plan.sums:
            numbered = [(feature, size) for feature in features]
            found = lone(
                lambda: product_pairs(
                    lambda loose: self.passes_over(base, loose),
                    parts,
                    numbered,
                    self.factors,
                    question,
                ),
                self._by.n,
            )
            tick(len(found))
        rest = [number for number in range(len(parts)) if number not in found]
        asked = [(parts[k], ways[k] if ways else Approach()) for k in rest]
        alike = len(set(features)) == 1
        solved = self._solved(base, asked, tick, len(found), question, alike=alike)
        found.update(zip(rest, solved, strict=True))
        for number in range(len(parts)):
            self._count(found[number])
            yield found[number]

    def values(
        self,
        given: Iterable[int],
        candidates: Sequence[int],
        tick: Callable[[int], None],
        order: IntArray | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """Return H(Z, x) and H(Z, x, y) of `given` with each candidate added, bits, (c,) each.

        Parameters
        ----------
        given, candidates, tick
            As of `candidates`.
        order
            (n,) in which the rows of all candidates are taken, None for as they are.
        """
        selected = frozenset(given)
        size = len(selected) + 1
        base, by = self._product(selected, size), self._by
        parts = [by.model.part(c, size) for c in candidates]
        if self._counts(base, parts):
            return counted_values(base, by.model.target, parts, by.alpha, tick, order)
        if order is None:
            pairs = self.candidates(selected, candidates, tick)
        else:
            pairs = self.copies(selected, [(c, order) for c in candidates], tick)
        features = np.array([pair.features.value for pair in pairs])
        return features, np.array([pair.joint.value for pair in pairs])

    def _counts(self, base: KernelProduct, parts: Sequence[KernelPart]) -> bool:
        """Return whether everything is a matter of levels that may be counted."""
        return self._by.plan.counts and base.is_counts and all(part.is_hard for part in parts)

    def _counted(
        self, base: KernelProduct, parts: Sequence[KernelPart], tick: Callable[[int], None]
    ) -> list[Pair]:
        """Return the pair of `base` with each part added, by counting levels."""
        alpha, n = self._by.alpha, self._by.n
        found = counted_values(base, self._by.model.target, parts, alpha, tick)
        features, joint = (counted_solutions(values, n, alpha) for values in found)
        return [Pair(alone, both) for alone, both in zip(features, joint, strict=True)]

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
            found = Passes(
                base, self._by.model.target, self._by.backend, loose, self._by.factor_bytes
            )
            self._passes = (base, loose, found)
        return self._passes[2]

    def _solved(
        self,
        base: KernelProduct,
        asked: Sequence[tuple[KernelPart, Approach]],
        tick: Callable[[int], None],
        done: int,
        question: Question,
        *,
        alike: bool,
    ) -> Iterator[Pair]:
        """Yield pairs by general solvers, in chunks whose size depends on n alone."""
        parts = [part for part, _ in asked]
        size = (
            stack_size(
                base, parts, self._by.model.target, self._by.alpha, self._by.thresholds.stacks
            )
            if self._by.plan.stacks
            else 0
        )
        if size and parts:
            spread = partial(run, rows=self._by.n, jobs=self._workers)
            target, alpha = self._by.model.target, self._by.alpha
            stacks = pairs_of_stacks(
                base, parts, target, alpha, self._by.backend, size, question, spread
            )
            yield from flat(stacks, tick, done)
            return
        if self._by.plan.factors and alike and len(parts) > 1:
            # shuffled copies are alike: what answers for the first mostly answers for all
            loosest = (
                Approach(opening=LOOSEST) if question.open and not question.rough else Approach()
            )
            first = lone(
                lambda: solve_pairs(self._by, [(base.times(parts[0]), loosest)], question)[0],
                self._by.n,
            )
            done += 1
            yield first
            way = Approach.after(first, question)
            asked = [(part, way) for part in parts[1:]]

        solving = Solving(base, question, self._by)
        chunks = cut(asked, self._by.thresholds.task_rows // max(self._by.n, 1))
        if self._by.n >= LONG_ROWS:
            work = (lone(partial(solving.pairs, chunk), self._by.n) for chunk in chunks)
        else:
            costs = [solving.operations(chunk) for chunk in chunks]
            crew = crew_for(sum(costs))
            if crew is None or len(chunks) < 2:  # a lone task has all BLAS threads
                work = run(solving.pairs, chunks, rows=self._by.n, jobs=self._workers)
            else:
                each = [[chunk] for chunk in chunks]
                work = crew.run(pairs_of_chunks, (solving,), each, costs)
        yield from flat(work, tick, done)

    @property
    def _workers(self) -> int:
        return _limits.workers(self._by, self.factors.held_bytes)

    def _product(self, features: frozenset[int], size: int) -> KernelProduct:
        if self._base is None or self._base[:2] != (features, size):
            self._base = (features, size, self._by.model.product(features, size=size))
        return self._base[2]

    def _solve_one(self, base: KernelProduct, question: Question) -> Pair:
        return solve_pairs(self._by, [(base, Approach())], question)[0]
