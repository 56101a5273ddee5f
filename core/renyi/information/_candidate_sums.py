"""All candidates of a step at once, at order 2: what they gain, in any order, and by chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.bounds import Pair
from renyi.execution import lone
from renyi.information._computation import Computation
from renyi.information._entropies import SetEntropies
from renyi.information._shortlist import Shortlist
from renyi.order2 import (
    SINGLE_RESIDUAL,
    CandidateStack,
    Chance,
    GivenSums,
    Passes,
    SingleSums,
    Stack,
    chance_of,
)
from renyi.resampling import PermutationScheme

__all__ = ["CandidateSums", "chance_information", "information_by_chance", "rough_pair"]

PILOT_ORDERS: Final = 20
"""Orders that tell what chance gives where not all orders of the rows are drawn from, apart from
those of the test: any centre and scale leave it valid, good ones give it power."""

CLEAR_SHARE: Final = 0.01
"""Of the spread over a few orders, from which an error of one moves the spread."""

TOGETHER_BITS: Final = 2e-6
"""What a conditional entropy out of a pass in single precision is off by at most."""

ROUNDED_BITS: Final = 1e-10
"""What rounding of a sum over all pairs of some thousand rows may do to an entropy."""

LOOSE_RESIDUAL: Final = 1e-6
SHORT_RESIDUAL: Final = 0.2
"""Mean residual of factors in a pass over all candidates: it moves a gain by less than a fifth of
what chance does, for up to some 100,000 rows, and halves the rank. That of a table that is
not long is the latter over their number: what it leaves open costs little there."""


class CandidateSums:
    """H(y | S', x) of order 2 for every candidate x of a step.

    Candidates whose squared Gram has a factor come out of one pass over the Gram of S', with
    bounds; the others one by one. The same pass gives the sums that null moments are made of, and
    with many rows H(S') and H(S', y): the pass of the next step tells what this step's best adds.

    Parameters
    ----------
    entropies
        Entropies of any set, at order 2.
    given
        Features selected before (S').
    candidates
        The others.
    pilot
        Where orders come from that tell what chance gives; None for the closed form, which is that
        of all orders of the rows.
    """

    def __init__(
        self,
        entropies: SetEntropies,
        given: Sequence[int],
        candidates: Sequence[int],
        pilot: PermutationScheme | None = None,
    ) -> None:
        self.entropies = entropies
        self.pilot = pilot
        self.given = tuple(given)
        self.candidates = tuple(candidates)
        self._size = len(self.given) + 1
        self._pairs: dict[int, Pair] = {}
        self._next: dict[int, CandidateSums] = {}

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.entropies.computation.n

    def orders_of(self, columns: int) -> int:
        """Return in how many orders the factors of all candidates have so many columns."""
        return 0 if self._stack is None else columns // self._stack.values.shape[1]

    @cached_property
    def before(self) -> float:
        """H(y | S') at the widths of this step, bits."""
        return self._given_sums.conditional

    @cached_property
    def chance(self) -> Chance:
        """What chance gives each candidate."""
        if self.pilot is not None and not self.pilot.free:
            return self.drawn_chance(self.pilot)
        return self.over_all

    @cached_property
    def over_all(self) -> Chance:
        """The same over all orders of the rows, in closed form at order 2."""
        _ = self._stack  # whose making tells most sums
        of_each = [self.entropies.candidate_factors.sums(c, self._size) for c in self.candidates]
        return chance_of(self._given_sums, of_each)

    @property
    def tested(self) -> Chance:
        """What chance gives what is compared with shuffled copies: the same."""
        return self.chance

    def drawn_chance(self, pilot: PermutationScheme) -> Chance:
        """Return the same from a few orders that the rows allow, exact where bounds are wide."""
        orders = [pilot.order(number) for number in range(PILOT_ORDERS)]
        conditional, blur = self.conditional(orders)
        wide = blur.max(axis=0) > CLEAR_SHARE * conditional.std(axis=0)
        places = np.flatnonzero(wide & (blur.max(axis=0) > 0)).tolist()
        if places:
            copies = self.copies([(place, order) for place in places for order in orders])
            conditional[:, places] = np.reshape(copies, (len(places), len(orders))).T
        return Chance.of_draws(self.before - conditional, self.over_all)

    @cached_property
    def observed(self) -> tuple[FloatArray, FloatArray]:
        """H(y | S', x) of each candidate, bits, and how far off each may be; 0 for exact ones."""
        found, blur = np.empty(len(self)), np.zeros(len(self))
        if self._stack is not None and not self._in_doubles:
            stack = self._stack
            some = lone(lambda: self._single_passes.stacked(stack), self.n)
            found[self._quick], blur[self._quick] = some[0][0], some[1][0]
        rest = [*range(len(self))] if self._in_doubles else self._slow
        if rest:
            found[rest] = self.exactly(rest)
        return found, blur

    @property
    def tie(self) -> float:
        """What counts as a tie, standard deviations."""
        return self.chance.tie

    def standardised(
        self,
        conditional: FloatArray,
        places: Sequence[int] | None = None,
        chance: Chance | None = None,
    ) -> FloatArray:
        """Return gains above chance in standard deviations.

        Parameters
        ----------
        conditional
            H(y | S', x), bits, of the candidates in the last dimension.
        places
            Of which candidates; None for all.
        chance
            What chance gives all of them; by default over all orders of the rows.
        """
        given = chance or self.chance
        given = given if places is None else given.part(places)
        return given.standardised(self.before - conditional)

    def conditional(self, orders: Sequence[IntArray]) -> tuple[FloatArray, FloatArray]:
        """Return H(y | S', x) of each candidate in each order of their rows, and its error, bits.

        Parameters
        ----------
        orders
            Orders (n,) in which the rows of all candidates are taken.

        Returns
        -------
        conditional, error : (orders, candidates)
        """
        found, blur = np.empty((len(orders), len(self))), np.zeros((len(orders), len(self)))
        stack = self._stack
        if stack is not None:
            some = lone(lambda: self._single_passes.stacked(stack, orders), self.n)
            found[:, self._quick], blur[:, self._quick] = some
        if self._slow:
            if self._by_values is not None:
                found[:, self._slow] = self._by_values.conditional(orders)
                blur[:, self._slow] = ROUNDED_BITS
                return found, blur
            copies = [(place, order) for order in orders for place in self._slow]
            found[:, self._slow] = self.copies(copies).reshape(len(orders), -1)
        return found, blur

    @cached_property
    def shortlist(self) -> Shortlist | None:
        """What tells which candidates gain most over all orders, None where it saves little."""
        by = self.entropies.computation
        if by.pairs is not None or not self.given or (stack := self._stack) is None or self._slow:
            return None
        if float(self.n) ** 2 * stack.values.shape[1] < by.thresholds.shortlisted_products:
            return None
        kernels = [self.entropies.candidate_factors.sums(c, self._size) for c in self.candidates]
        found = Shortlist(stack, kernels, self._given_sums, self.over_all, self._single_passes)
        return found if found.serves else None

    def listed(
        self, orders: Sequence[IntArray], places: Sequence[IntArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the same as `conditional` of a few candidates in each order, (k,) places.

        Those of the others are infinite.
        """
        stack = self._stack
        assert stack is not None  # there is a short list
        found, blur = np.full((len(orders), len(self)), np.inf), np.zeros((len(orders), len(self)))
        some = lone(lambda: self._single_passes.picked(stack, orders, places), self.n)
        rows = np.arange(len(orders))[:, None]
        found[rows, np.stack(places)], blur[rows, np.stack(places)] = some
        return found, blur

    @cached_property
    def _by_values(self) -> SingleSums | None:
        """The sums of those that are known by their values alone, None where they take too much."""
        by = self.entropies.computation
        parts = [by.model.part(self.candidates[k], self._size) for k in self._slow]
        known = by.plan.sums and all(part.is_tiled for part in parts)
        if not known or not SingleSums.serves(self.n, len(parts), by_values=True):
            return None
        return SingleSums(
            by.model.product(self.given, size=self._size),
            parts,
            by.model.target,
            by.backend,
            jobs=by.jobs,
            most_bytes=by.factor_bytes,
            sizes=by.thresholds.singly,
        )

    def exactly(self, places: Sequence[int]) -> FloatArray:
        """Return H(y | S', x) of some candidates, as exactly as it can be had, bits."""
        asked = [self.candidates[k] for k in places]
        pairs = self.entropies.candidates(
            self.given, asked, _untold, self.entropies.computation.exact
        )
        self._pairs.update(zip(places, pairs, strict=True))
        return np.array([pair.conditional for pair in pairs])

    def copies(self, asked: Sequence[tuple[int, IntArray]]) -> FloatArray:
        """Return the same of candidates with their rows in some order: (place, order (n,))."""
        copies = [(self.candidates[place], order) for place, order in asked]
        pairs = self.entropies.copies(self.given, copies, _untold, self.entropies.computation.exact)
        return np.array([pair.conditional for pair in pairs])

    def way(self, place: int) -> str:  # noqa: ARG002 - all come out of the same sums
        """Say how a candidate was found."""
        return "products"

    def pair(self, place: int) -> Pair:
        """Return H(S', x) and H(S', x, y) of a candidate, within the tolerance or `TOGETHER_BITS`.

        With many rows they come out of the pass over {S', x} that the next step will ask for.
        """
        if place not in self._pairs and self.together:
            size = self._size
            if self.entropies.computation.model.widens(size + 1):  # its pass is at other widths
                product = self.entropies.computation.model.product(
                    (*self.given, self.candidates[place]), size=size
                )
                own = lone(self.entropies.passes_over(product, SINGLE_RESIDUAL).own, self.n)
            else:
                own = self.following(place).own
            if own.error <= TOGETHER_BITS:
                self._pairs[place] = own
        if place not in self._pairs:
            self.exactly([place])
        return self._pairs[place]

    @property
    def own(self) -> Pair:
        """H(S') and H(S', y) out of the pass over S'."""
        self._pass_once()
        return lone(self._passes.own, self.n)

    def following(self, place: int) -> CandidateSums:
        """Return the sums of the step after this one, with one of the candidates selected."""
        if place not in self._next:
            rest = [c for k, c in enumerate(self.candidates) if k != place]
            given = (*self.given, self.candidates[place])
            self._next = {place: self._of(given, rest)}
        return self._next[place]

    def after(self, given: Sequence[int], candidates: Sequence[int]) -> CandidateSums:
        """Return the sums of some step: those that `following` has begun, if they are its."""
        for found in self._next.values():
            if (found.given, found.candidates) == (tuple(given), tuple(candidates)):
                return found
        return self._of(given, candidates)

    def _of(self, given: Sequence[int], candidates: Sequence[int]) -> CandidateSums:
        """Return the sums of another step."""
        return CandidateSums(self.entropies, given, candidates)

    @property
    def together(self) -> bool:
        """Whether what is given is known well enough from a pass in single precision."""
        by = self.entropies.computation
        return by.plan.together(by.tolerance)

    @cached_property
    def _in_doubles(self) -> bool:
        """Whether one pass in double precision gives all candidates."""
        columns = 0 if self._stack is None else self._stack.values.shape[1]
        return not self.together and columns <= self.entropies.computation.thresholds.few_columns

    @cached_property
    def _given_sums(self) -> GivenSums:
        self._pass_once()
        return lone(self._passes.given, self.n)

    def _pass_once(self) -> None:
        """Make the pass of all candidates, unless there was one: it gives what is asked alike."""
        if self.entropies.computation.plan.sums:
            _ = self.observed

    @property
    def _passes(self) -> Passes:
        """The pass that tells what is given."""
        if self._in_doubles:
            return self.entropies.passes(self.given, None)
        return self._single_passes

    @cached_property
    def _single_passes(self) -> Passes:
        return self.entropies.passes(self.given, SINGLE_RESIDUAL)

    @cached_property
    def _made(self) -> CandidateStack:
        if not self.entropies.computation.plan.sums:
            return CandidateStack((), 0.0, None, ())
        loose = LOOSE_RESIDUAL if self.entropies.computation.plan.long else SHORT_RESIDUAL / self.n
        return self.entropies.candidate_factors.stack(self.candidates, self._size, loose)

    @property
    def _stack(self) -> Stack | None:
        return self._made.stack

    @property
    def _quick(self) -> list[int]:
        """Places of the candidates that have a factor."""
        return [*self._made.quick]

    @cached_property
    def _slow(self) -> list[int]:
        return sorted({*range(len(self))} - {*self._quick})


def chance_information(entropies: SetEntropies, pair: Pair) -> float:
    """Return what chance gives I(Z; y) at order 2, bits: the mean over orders of y, nearly.

    With Z fixed, a sum over pairs of different rows has the mean of all pairs (the first moment of
    Mantel's statistic). Weights of rows belong to the target and move with it.
    """
    of = pair.features.value, entropies.target.value
    return float(information_by_chance(entropies.computation, *map(np.asarray, of)))


def information_by_chance(by: Computation, selected: FloatArray, target: FloatArray) -> FloatArray:
    """Return the same of H(Z) and H(y), bits, any number of them."""
    n, weights = float(by.n), by.model.weights
    diagonal = n if weights is None else float((weights**2).sum())
    alone, label = (n * n * 2.0**-h for h in (selected, target))
    joint = diagonal + (alone - diagonal) * (label - diagonal) / (n * n - diagonal)
    return np.asarray(target - np.log2(alone / joint))


def rough_pair(entropies: SetEntropies, features: Collection[int]) -> Pair:
    """Return H(Z) and H(Z, y) at order 2 out of one pass in single precision, with its error."""
    product = entropies.computation.model.product(frozenset(features), size=len(features))
    passes = entropies.passes_over(product, SINGLE_RESIDUAL)
    return lone(passes.own, entropies.computation.n)


def _untold(done: int) -> None:
    """Take no note of how far a pass is."""
