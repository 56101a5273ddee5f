"""The feature of a set that tells the least given the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from renyi.bounds import Pair, Question
from renyi.information import CandidateSums, SetEntropies
from renyi.racing import TIE_BITS, best_two, race

__all__ = ["Weakest", "weakest", "weakest_above_chance"]


class Weakest(NamedTuple):
    """The feature whose loss is least, and the one after it.

    Attributes
    ----------
    column, second
        Their numbers; `second` is None where there is only one.
    pair, second_pair
        The pairs of the set without either.
    gain
        I(x; y | the others) = H(y | the others) - H(y | all of the set), bits.
    gap
        By how much more the second one would lose, bits; ranked by chance, the difference in z
        times the standard deviation of the weakest one's gain.
    """

    column: int
    pair: Pair
    gain: float
    second: int | None
    second_pair: Pair
    gap: float


def weakest(
    entropies: SetEntropies,
    members: Sequence[int],
    removable: Sequence[int],
    tick: Callable[[int, int], None],
) -> Weakest:
    """Return the feature without which the others have the largest MI, ties to the highest column.

    Parameters
    ----------
    entropies
        Entropies of any set.
    members
        The set.
    removable
        Which of them are looked at.
    tick
        Called with (done, total) sets, on the calling thread.
    """
    by, order = entropies.computation, sorted(removable, reverse=True)

    def asked(places: Sequence[int], question: Question) -> list[Pair]:
        found = []
        for done, place in enumerate(places, 1):
            found.append(entropies.pair(set(members) - {order[place]}, question))
            tick(done, len(places))
        return found

    rough = Question(by.tolerance, rough=True) if by.plan.factors else by.known
    winners = race(
        asked(range(len(order)), rough),
        by.tolerance,
        lambda places, bar, _: asked(
            places, Question(by.tolerance, above=bar) if by.plan.factors else by.known
        ),
        lambda places: asked(places, by.exact),
    )
    best, second = winners.best, winners.second
    pair = winners.pairs[best]
    second_pair = pair if second is None else winners.pairs[second]
    return Weakest(
        order[best],
        pair,
        pair.conditional - entropies.pair(members).conditional,
        None if second is None else order[second],
        second_pair,
        second_pair.conditional - pair.conditional,
    )


def weakest_above_chance(
    entropies: SetEntropies,
    members: Sequence[int],
    removable: Sequence[int],
    sums_of: Callable[[Sequence[int], Sequence[int]], CandidateSums],
    tick: Callable[[int, int], None],
) -> Weakest:
    """Return the feature whose gain is fewest standard deviations above chance, given the others.

    That is the gain of a step that would add it to the others. Ties go to the highest column.

    Parameters
    ----------
    entropies, members, removable, tick
        As in `weakest`.
    sums_of
        Gives the sums of some candidates, given others.
    """
    order = sorted(removable, reverse=True)
    whole = entropies.pair(members).conditional
    z, gains, deviations, tie = [], [], [], 0.0
    for done, column in enumerate(order, 1):
        sums = sums_of([one for one in members if one != column], (column,))
        gains.append(sums.before - whole)
        deviations.append(float(sums.chance.deviation[0]))
        z.append((gains[-1] - float(sums.chance.gain[0])) / deviations[-1])
        tie = max(tie, sums.tie)
        tick(done, len(order))
    best, second = best_two([-one * (TIE_BITS / tie) for one in z])

    def without(place: int) -> Pair:
        return entropies.pair(set(members) - {order[place]})

    return Weakest(
        order[best],
        without(best),
        gains[best],
        None if second is None else order[second],
        without(best if second is None else second),
        0.0 if second is None else (z[second] - z[best]) * deviations[best],
    )
