"""What became of every column of the table, in the order of its rank among the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from renyi.evaluation import Comparison, ScoreComparison
from renyi.selection import SelectionPath, Step, Unselected
from renyi.wording import WHY_NOT, counted, probability

__all__ = ["FATES", "Fate", "compared_fates", "fate_order", "fates", "left_out", "meanings"]

FATES: Final = {
    "selected": "selected",
    "kept": "kept by a criterion",
    "alias": "the same as another one",
    "redundant": "redundant",
    "weak": "adds too little",
    "not_reached": "not reached",
    "unknown": "not told",
    "uninformative": "no better than chance",
    "passed": "in the path",
    "beyond": "beyond the path",
    "dropped": "left out before the search",
    "other": "not a candidate",
}
"""What may become of a column, in the order that a list shows."""

SHORT: Final = FATES | {"uninformative": "chance", "alias": "the same as"}
"""Words that a row begins with: thousands say that they are no better than chance."""


@dataclass(frozen=True, slots=True)
class Fate:
    """One column and what became of it.

    Attributes
    ----------
    column
        Its name.
    code
        A key of `FATES`.
    words
        The same with what is behind it: a step, a column, a reason.
    mi, gain
        What it tells alone, and adds to the selected ones, bits in words; empty where not known.
    p
        p-value of no dependence alone, in words.
    """

    column: str
    code: str
    words: str
    mi: str = ""
    gain: str = ""
    p: str = ""


def fates(path: SelectionPath) -> list[Fate]:
    """Return what became of every column: those selected first, in their order."""
    found = {fate.column: fate for fate in _every(path)}
    order = {name: rank for rank, name in enumerate(path.columns)}
    place = {name: rank for rank, name in enumerate(found)}
    codes = list(FATES)
    return sorted(
        found.values(),
        key=lambda f: (codes.index(f.code), order.get(f.column, -1), place[f.column]),
    )


def fate_order(answer: SelectionPath | Comparison | ScoreComparison) -> tuple[list[str], int]:
    """Return every column, those that matter most first, and how many of them are selected."""
    if isinstance(answer, SelectionPath):
        found = fates(answer)
    else:
        found = compared_fates(
            answer.comparisons if isinstance(answer, ScoreComparison) else (answer,)
        )
    return [fate.column for fate in found], sum(fate.code == "selected" for fate in found)


def compared_fates(each: Sequence[Comparison]) -> list[Fate]:
    """Return what became of every column in the paths that were compared."""
    several = len(each) > 1
    kept: dict[str, list[str]] = {}
    places: dict[str, list[str]] = {}
    for one in each:
        for place, name in enumerate(one.path, 1):
            at = f"place {place}" + (f" by {one.options.score}" if several else "")
            places.setdefault(name, []).append(at)
        for result in one.results:
            by = f"{one.options.score} {result.criterion}" if several else result.criterion
            for name in result.selected:
                kept.setdefault(name, []).append(by)
    found = []
    for column in each[0].data.columns:
        name = column.name
        if column.role == "dropped":
            fate = Fate(name, "dropped", f"left out: {column.reason}")
        elif column.role != "feature":
            fate = Fate(name, "other", _role(column.role))
        elif name in kept:
            fate = Fate(name, "kept", f"kept by {', '.join(kept[name])}; {', '.join(places[name])}")
        elif name in places:
            fate = Fate(name, "passed", f"in the path, {', '.join(places[name])}; kept by none")
        else:
            fate = Fate(name, "beyond", "beyond the path")
        found.append(fate)
    order = {name: place for place, name in enumerate(each[0].path)}
    codes = list(FATES)
    return sorted(found, key=lambda f: (codes.index(f.code), order.get(f.column, len(order))))


def _every(path: SelectionPath) -> Iterator[Fate]:
    """Yield the fate of each column, in the table's order."""
    group_of = {c: group.name for group in path.data.group_columns for c in group.columns}
    entered = {
        name: step
        for step in path.steps
        if step.done and step.action != "remove"
        for name in step.features
    }
    chosen = set(path.selected)
    unselected = {why.feature: why for why in path.unselected}
    same = {other: name for name, others in path.aliases.items() for other in others}
    for column in path.data.columns:
        name = column.name
        feature = group_of.get(name, name)
        within = f" with the group {feature}" if name in group_of else ""
        if column.role == "dropped":
            yield Fate(name, "dropped", f"left out: {column.reason}")
        elif column.role != "feature":
            yield Fate(name, "other", _role(column.role))
        elif feature in chosen:
            step = entered[feature]
            yield Fate(name, "selected", _entered(step) + within, gain=_bits(step.gain))
        elif feature in same:
            yield Fate(name, "alias", f"the same as {same[feature]}")
        elif feature in unselected:
            yield _unselected(name, unselected[feature], within)
        else:
            yield Fate(name, "unknown", f"not selected{within}; the search did not say why")


def _role(role: str) -> str:
    known = {
        "target": "the target",
        "weights": "says how much each row counts",
        "groups": "names the groups of rows",
    }
    return known.get(role, role)


def _entered(step: Step) -> str:
    how = {"keep": "forced in, step", "start": "at the start, step"}.get(
        step.action, "selected, step"
    )
    return f"{how} {step.index}"


def _unselected(name: str, why: Unselected, within: str) -> Fate:
    code = str(why.code)
    words = SHORT[code]
    if code == "redundant":
        given = ", ".join(why.given) if len(why.given) <= 2 else "the selected ones together"
        words = f"redundant given {given}"
    elif code == "alias":
        words = f"the same as {why.given[0]}"
    return Fate(
        name,
        code,
        words + within,
        _bits(why.mi),
        "" if why.gain is None else _bits(why.gain),
        probability(why.p_value),
    )


def _bits(value: float) -> str:
    """Write an amount as all of the list: four decimals, which are more than is known of some."""
    text = f"{value:.4f}"
    return "0.0000" if text == "-0.0000" else text


def meanings(told: Sequence[Fate]) -> list[tuple[str, str]]:
    """Return what the words mean by which columns are left out, of those that are there."""
    there = {fate.code for fate in told}
    terms = SHORT | {"redundant": "redundant given x"}
    words = WHY_NOT | {"redundant": "telling of the target what x, a selected one, tells already"}
    return [(terms[code], words[code]) for code in WHY_NOT if code in there]


def left_out(path: SelectionPath) -> list[str]:
    """Return in a phrase a reason how many columns are not in the answer, and why."""
    told: dict[str, list[str]] = {}
    for why in path.unselected:
        told.setdefault(why.code, []).append(why.feature)
    lines = [
        f"{FATES[code]}, {counted(len(told[code]), 'column')}: {words} ({_few(told[code])})"
        for code, words in WHY_NOT.items()
        if code in told
    ]
    reasons: dict[str, list[str]] = {}
    for column in path.data.columns:
        if column.role == "dropped":
            reasons.setdefault(column.reason, []).append(column.name)
    for reason, names in reasons.items():
        lines.append(f"{counted(len(names), 'column')} before the search: {reason} ({_few(names)})")
    return lines


def _few(names: Sequence[str]) -> str:
    """Name a few columns and say how many more there are."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


MOST_NAMED: Final = 6
