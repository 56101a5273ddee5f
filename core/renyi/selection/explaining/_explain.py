"""Why each feature that is not selected is not: by numbers, and in words.

Whether a feature depends on y at all, and what selected features explain it, is asked at order 2
whatever the order of the search, because there it costs next to nothing: see `docs/theory.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.bounds import Question
from renyi.entropies import needs_eigenvalues
from renyi.errors import MemoryBudgetError
from renyi.information import CandidateSums, Computation, SetEntropies
from renyi.resampling import joint_orders
from renyi.selection.explaining._left import LEFT, Small, ahead, kept_of, small_of
from renyi.selection.records._records import Step, Verdict
from renyi.selection.records._step import selected_after
from renyi.selection.records._unselected import EXPLAINED_BITS, Unselected, WhyNot, gain_in_words
from renyi.variables import RowStructure

__all__ = ["explain"]

LEVEL: Final = 0.05
"""Level of the test whether a feature alone and y are dependent, over all features together."""

REPLICATES: Final = 99
"""Joint shuffles of that test."""

AT_ONCE: Final = 16
"""Of these that share their passes over the Gram."""

ROWS_A_CELL: Final = 5
"""Rows for each pair of levels from which the chi-square law is trusted (Cochran, Biometrics 10,
1954)."""

EPS: Final = float(np.finfo(np.float64).eps)


def explain(
    names: Sequence[str],
    entropies: SetEntropies,
    steps: Sequence[Step],
    verdict: Verdict,
    seed: int,
    aliases: Mapping[str, Sequence[str]],
    structure: RowStructure | None = None,
) -> tuple[Unselected, ...]:
    """Return why each feature is not selected, in the order of `names`, aliases after theirs.

    Parameters
    ----------
    names
        The features, in the order of the entropies.
    entropies
        Entropies at the search's order.
    steps, verdict
        The finished search.
    seed
        The user's seed.
    aliases
        Feature -> columns that are the same.
    structure
        Which rows belong together.
    """
    places = {name: place for place, name in enumerate(names)}
    selected = [places[name] for name in selected_after(steps)]
    rest = [place for place in range(len(names)) if place not in set(selected)]
    if not rest:
        return ()
    small = small_of(entropies, seed, structure)
    counted = structure is None and _may_count(entropies.computation)
    p_values = _p_values_of_counts(entropies) if counted else _p_values(small)
    notable = [place for place in rest if p_values[place] <= LEVEL]
    known = _explained(small, selected, notable)
    # what they tell together is known: all pairs of rows anew would take hours with a million
    together = next((step.mi for step in reversed(steps) if step.done), 0.0)
    values = _values(entropies, selected, rest, together)
    found: list[Unselected] = []
    for place, (mi, gain) in zip(rest, values, strict=True):
        code, given, reason = _why(
            names, place, p_values[place], known.get(place), gain, steps, verdict
        )
        why = Unselected(
            feature=names[place],
            code=code,
            reason=reason,
            mi=mi,
            gain=gain,
            p_value=p_values[place],
            given=tuple(names[other] for other in given),
        )
        found.append(why)
        found += [
            replace(
                why,
                feature=alias,
                code="alias",
                reason=f"the same as {why.feature}",
                given=(why.feature,),
            )
            for alias in aliases.get(why.feature, ())
        ]
    return tuple(found)


def _values(
    entropies: SetEntropies, selected: Sequence[int], rest: Sequence[int], together: float
) -> list[tuple[float, float | None]]:
    """Return I(x; y) and the gain of each feature; None for what takes too long or does not fit.

    Too long is told from n and the rank that the selected features have together, not from a clock.
    `together` is the MI of these.
    """
    if entropies.computation.alpha == 2:
        return _values_of_sums(entropies, selected, rest)
    asked = Question(max(entropies.computation.tolerance, EXPLAINED_BITS), alone=True)
    alone = entropies.candidates((), rest, _untold, asked)
    known = [entropies.mutual_information(pair) for pair in alone]
    if not selected:
        return [(mi, mi) for mi in known]
    try:
        if _takes_long(entropies, selected, len(rest)):
            return [(mi, None) for mi in known]
        extended = entropies.candidates(selected, rest, _untold, asked)
    except MemoryBudgetError:  # one feature more than the search has had
        return [(mi, None) for mi in known]
    return [
        (mi, entropies.mutual_information(pair) - together)
        for mi, pair in zip(known, extended, strict=True)
    ]


def _values_of_sums(
    entropies: SetEntropies, selected: Sequence[int], rest: Sequence[int]
) -> list[tuple[float, float | None]]:
    """Return the same at order 2, out of one pass each."""
    target = entropies.target.value
    alone = target - CandidateSums(entropies, (), rest).observed[0]
    if not selected:
        return [(float(mi), float(mi)) for mi in alone]
    by = entropies.computation
    if by.pairs is not None or by.n > by.thresholds.gain_rows:  # pairs: exact or not at all
        return [(float(mi), None) for mi in alone]
    sums = CandidateSums(entropies, selected, rest)
    gains = sums.before - sums.observed[0]
    return [(float(mi), float(gain)) for mi, gain in zip(alone, gains, strict=True)]


def _takes_long(entropies: SetEntropies, selected: Sequence[int], count: int) -> bool:
    """Return whether so many pairs of one feature more take long: one may have twice the rank."""
    n, limits = entropies.computation.n, entropies.computation.thresholds
    if n > limits.gain_rows:
        return True
    if not needs_eigenvalues(entropies.computation.alpha):
        return False
    before = entropies.pair(selected)
    rank = 2 * before.rank if before.residual > 0 else n
    return count * float(n) * min(rank, n) ** 2 > limits.gain_operations


def _untold(done: int) -> None:
    """Take no note of how far a pass is."""


def _p_values(small: Small) -> list[float]:
    """Return each feature's p-value of no dependence on y, adjusted for how many there are.

    One order of rows shuffles all features against y. Each feature's gain is measured by what
    chance gives it, and compared with the largest of all features in each replicate (Westfall and
    Young, Resampling-based multiple testing, 1993), as in the test of a step.
    """
    sums = small.sums((), range(len(small.entropies.computation.model.features)))
    observed = sums.standardised(sums.observed[0])
    counts = np.zeros(len(sums))
    for first in range(0, REPLICATES, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, REPLICATES))
        orders = joint_orders(small.structure, small.n, small.seed, "explained", numbers)
        largest = sums.standardised(sums.conditional(orders)[0]).max(axis=1)
        counts += (largest[:, None] >= observed - sums.tie).sum(axis=0)
    return [float(count + 1) / (REPLICATES + 1) for count in counts]


def _may_count(by: Computation) -> bool:
    """Return whether the chi-square law tells what chance gives plug-in MI of any feature and y."""
    model = by.model
    if by.alpha != 1 or not by.plan.counts or model.weights is not None:
        return False
    most = max((part.distinct for part in model.features), default=0)
    levels = all(part.is_hard for part in model.features)
    return levels and ROWS_A_CELL * most * model.target.distinct <= model.n


def _p_values_of_counts(entropies: SetEntropies) -> list[float]:
    """Return the same where everything is a matter of levels, without draws.

    2 N ln2 I(x; y) is asymptotically chi-square with (r_x - 1)(r_y - 1) degrees of freedom; the
    least of F p-values is adjusted as if they were independent, 1 - (1 - p)^F (Sidak, JASA 62,
    1967).
    """
    from scipy.special import gammaincc

    by = entropies.computation
    alone, joint = entropies.values((), range(len(by.model.features)), _untold)
    information = np.maximum(alone + entropies.target.value - joint, 0.0)
    degrees = np.array([part.distinct - 1.0 for part in by.model.features])
    degrees *= by.model.target.distinct - 1
    tail = gammaincc(np.maximum(degrees, 1) / 2, by.n * np.log(2) * information)
    tail = np.minimum(tail, 1 - EPS)
    return [float(p) for p in -np.expm1(len(tail) * np.log1p(-tail))]


def _explained(
    small: Small, selected: Sequence[int], notable: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    """Return the few selected features given which little is left of others, where there are some.

    One selected feature, else the two that explain most by themselves, else all of them.
    """
    if not selected or not notable:
        return {}
    every = [*notable, *selected]
    alone = dict(zip(every, ahead(small, (), every), strict=True))

    def over(given: Sequence[int], features: Sequence[int]) -> FloatArray:
        """Return by how much more is left of each than counts as little, shares of it alone."""
        kept, copy = kept_of(small, alone, given, features)
        return kept - (copy + LEFT * (1 - copy))

    found: dict[int, tuple[int, ...]] = {}
    by_one = np.array([over((one,), notable) for one in selected])  # (selected, notable)
    waiting: dict[tuple[int, ...], list[int]] = {}
    for column, feature in enumerate(notable):
        best = np.argsort(by_one[:, column], kind="stable")[:2]
        if by_one[best[0], column] <= 0:
            found[feature] = (selected[best[0]],)
        else:  # of two, in the order they were selected
            two = tuple(selected[number] for number in sorted(best))
            waiting.setdefault(two, []).append(feature)
    left = []
    for two, features in waiting.items() if len(selected) > 1 else ():
        for feature, more in zip(features, over(two, features), strict=True):
            if more <= 0:
                found[feature] = two
            else:
                left.append(feature)
    if len(selected) > 2 and left:
        for feature, more in zip(left, over(selected, left), strict=True):
            if more <= 0:
                found[feature] = tuple(selected)
    return found


def _why(
    names: Sequence[str],
    place: int,
    p_value: float,
    given: tuple[int, ...] | None,
    gain: float | None,
    steps: Sequence[Step],
    verdict: Verdict,
) -> tuple[WhyNot, tuple[int, ...], str]:
    """Return the code, the features behind it and the words."""
    adds = "" if gain is None else f"adds {gain_in_words(gain)} to the selected ones"
    if p_value > LEVEL:
        return "uninformative", (), f"alone no better than chance (p = {p_value:.2g})"
    if given is not None:
        few = len(given) <= 2
        words = ", ".join(names[one] for one in given) if few else "the selected features together"
        return "redundant", given, f"redundant given {words}"
    left = next((step for step in reversed(steps) if names[place] in step.features), None)
    if left is not None and left.action == "remove":
        return "weak", (), f"{adds or 'not needed'}; taken away at step {left.index}"
    last = steps[-1] if steps else None
    if last is None or last.done or verdict.stopped != "criterion":
        return "not_reached", (), f"{adds or 'not reached'}; the search ended before it was tested"
    if names[place] in last.features:
        return "weak", (), f"{adds or 'the best of the rest'}, and failed its test"
    best = " + ".join(last.features)
    return "weak", (), f"{adds or 'not tested'}; {best} ranked before it and failed its test"
