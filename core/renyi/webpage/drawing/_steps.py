"""The figure of a path: panels that share their rows, one row a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from renyi.selection import SelectionPath, Step
from renyi.stopping import CriterionReport
from renyi.webpage.drawing._panels import LEFT, RIGHT, TOP, WIDTH, Panel, Rows, dot, line, tick
from renyi.webpage.drawing._scales import Scale, asinh_scale, linear_scale, log_scale
from renyi.webpage.drawing._svg import element, path_of
from renyi.wording import (
    ROOM_LEFT,
    amount_words,
    bits,
    deviations,
    gap_words,
    measured,
    widens,
)

__all__ = ["panels", "step_name"]

RATIO: Final = 20.0
"""Largest gain over the smallest from which gains are drawn by their ratios."""

MOST_TOGETHER: Final = 3


@dataclass(frozen=True)
class _Rows(Rows):
    """The rows of a path."""

    path: SelectionPath = field(kw_only=True)

    @property
    def steps(self) -> Sequence[Step]:
        return self.path.steps


def _rows(path: SelectionPath, name: str) -> _Rows:
    word = {
        "criterion": "search stopped",
        "max_features": "limit reached",
        "interrupted": "interrupted",
    }
    return _Rows(
        name,
        [step_name(step) for step in path.steps],
        [str(step.index) for step in path.steps],
        apart=not path.steps[-1].done,
        stop=word.get(path.verdict.stopped, ""),
        path=path,
    )


def panels(path: SelectionPath, name: str) -> list[Panel]:
    """Return the panels of a path: what is told together, what each adds, its test, the room left.

    Parameters
    ----------
    path
        A selection with a step at least.
    name
        Unique on the page.
    """
    rows = _rows(path, name)
    made: list[Callable[[_Rows], Panel | None]] = [_together, _added, _tested, _saturated]
    return [panel for make in made if (panel := make(rows)) is not None]


def step_name(step: Step) -> str:
    """Return what a step is called: its features, or how many there are of many."""
    if step.action == "start" and len(step.features) > MOST_TOGETHER:
        return f"{len(step.features)} columns"
    return ("\N{MINUS SIGN} " if step.action == "remove" else "") + " + ".join(step.features)


def _square(x: float, y: float, size: float, kind: str, *, done: bool) -> Markup:
    side = 1.8 * size
    kind = kind if done else f"{kind} hollow"
    return element("rect", class_=kind, x=x - side / 2, y=y - side / 2, width=side, height=side)


def _together(rows: _Rows) -> Panel:
    steps = rows.steps
    most = steps[0].entropies.target
    with_cmi = not widens(rows.path)
    values = [step.mi for step in steps] + [s.mi_chance for s in steps if s.mi_chance is not None]
    if with_cmi:
        values += [step.cmi for step in steps if step.cmi is not None]
    near = most <= 4 * max(values)
    scale = linear_scale([*values, most] if near else values, LEFT, WIDTH - RIGHT)
    inside = []
    for row, step in enumerate(steps):
        y, marks = rows.middle(row), []
        said = f"{step_name(step)}: MI {amount_words(step, 'mi')} bits"
        if step.mi_chance is not None:
            marks.append(tick(scale(step.mi_chance), y, rows.size + 1, "chance"))
            said += f", by chance {bits(step.mi_chance)}"
        if with_cmi and step.cmi is not None:
            marks.append(_square(scale(step.cmi), y, rows.size, "cmi", done=step.done))
            said += f", CMI {amount_words(step, 'cmi')}"
        marks.append(dot(scale(step.mi), y, rows.size, "mi", done=step.done))
        inside.append(Markup().join([element("title", said), *marks]))
    curve = [(scale(step.mi), rows.middle(row)) for row, step in enumerate(steps)]
    chance = [
        (scale(step.mi_chance), rows.middle(row))
        for row, step in enumerate(steps)
        if step.mi_chance is not None
    ]
    rest = [
        (scale(step.cmi), rows.middle(row))
        for row, step in enumerate(steps)
        if with_cmi and step.cmi is not None
    ]
    over = [line(chance, "chance dotted"), line(rest, "cmi dashed"), line(curve, "mi line")]
    if near:
        over.insert(0, line([(scale(most), TOP - 2), (scale(most), rows.bottom)], "limit"))
    reading = "Dots: what the columns down to this row tell of the target together (MI, bits). "
    if chance:
        reading += "Upright marks: what they would tell of a shuffled target. "
    if rest:
        reading += "Squares: what the columns left out could still add (CMI). "
    if widens(rows.path) and any(two.mi < one.mi for one, two in pairwise(steps)):
        reading += "MI falls where kernels are widened: compare dots with marks, not with dots. "
    reading += f"The target holds {bits(most)} bits{' (dashed line)' if near else ''}."
    return Panel(
        "Told together, bits",
        reading,
        rows.drawn(
            "What the columns tell of the target together",
            f"MI rises from {bits(steps[0].mi)} to {bits(steps[-1].mi)} bits in "
            f"{len(steps)} steps; the target holds {bits(most)} bits.",
            "mi",
            scale,
            inside,
            *over,
        ),
    )


def _added(rows: _Rows) -> Panel:
    steps = rows.steps
    gains = [step.gain for step in steps]
    others = [step.chance for step in steps if step.chance is not None]
    rivals = [step.gain - step.runner_up.gap for step in steps if step.runner_up is not None]
    ratios = min(gains) > 0 and max(gains) > RATIO * min([*gains, *(o for o in others if o > 0)])
    if ratios:
        scale = log_scale([*gains, *others], LEFT, WIDTH - RIGHT)
    else:
        scale = linear_scale([*gains, *others, *rivals], LEFT, WIDTH - RIGHT)
    inside = []
    for row, step in enumerate(steps):
        y, marks = rows.middle(row), []
        said = f"{step_name(step)}: gain {amount_words(step, 'gain')} bits"
        if step.chance is not None:
            marks.append(tick(scale(step.chance), y, rows.size + 1, "chance"))
            said += f", by chance {bits(step.chance)}"
            start = min(step.chance, step.gain)
            ends = [(scale(start), y), (scale(step.gain), y)]
            marks.insert(0, line(ends, "lead"))
        if (rival := step.runner_up) is not None:
            x, s = scale(step.gain - rival.gap), rows.size
            diamond = path_of([(x - s, y), (x, y - s), (x + s, y), (x, y + s)]) + "Z"
            marks.append(element("path", class_="rival", d=diamond))
            said += f"; runner-up {' + '.join(rival.features)}, {gap_words(step)} bits behind"
        marks.append(dot(scale(step.gain), y, rows.size, "mi", done=step.done))
        inside.append(Markup().join([element("title", said), *marks]))
    reading = "Dots: what this column adds to those above it. "
    if others:
        reading += "Upright marks: what it would add if it were shuffled. "
    if rivals:
        reading += "Diamonds: the runner-up; where it meets the dot, the choice was close. "
    if ratios:
        reading += "Each mark of the scale is ten times the one before."
    return Panel(
        "Gain of each column, bits",
        reading.strip(),
        rows.drawn(
            "What each column adds",
            f"Gains fall from {bits(max(gains))} to {bits(min(gains))} bits.",
            "gain",
            scale,
            inside,
        ),
    )


def _tested(rows: _Rows) -> Panel | None:
    found = [_report(rows.path, step) for step in rows.steps]
    known = [report for report in found if report is not None and report.statistic is not None]
    if not known:
        return None
    bands = [report.null_quantiles for report in known if report.null_quantiles is not None]
    limits = [report.threshold for report in known if report.threshold is not None]
    values = [report.statistic for report in known if report.statistic is not None]
    if not bands and not limits:
        return None
    spans = sorted(high - low for low, _, high in bands) or sorted(map(abs, limits))
    unit = max(spans[len(spans) // 2], 1e-9)
    edges = [edge for band in bands for edge in band]
    scale = asinh_scale([*values, *edges, *limits], unit, LEFT, WIDTH - RIGHT)
    what = known[0].statistic_name
    less = what == "cmi"
    inside = []
    for row, (step, report) in enumerate(zip(rows.steps, found, strict=True)):
        y, marks = rows.middle(row), []
        said = f"{step_name(step)}: not tested"
        if report is not None and report.statistic is not None:
            said = f"{step_name(step)}: {what} {_told(what, report.statistic)}"
            if report.null_quantiles is not None:
                marks += _band(scale, y, rows.height, report.null_quantiles)
                low, _, high = (_told(what, q) for q in report.null_quantiles)
                said += f"; shuffled columns {low} to {high}"
            if report.threshold is not None:
                marks.append(tick(scale(report.threshold), y, rows.size + 2, "bound"))
                said += f"; threshold {_told(what, report.threshold)}"
            marks.append(dot(scale(report.statistic), y, rows.size, "test", done=step.done))
        inside.append(Markup().join([element("title", said), *marks]))
    better = "left of" if less else "right of"
    reading = f"Dots: {WHAT.get(what, what)}. "
    if bands:
        reading += (
            "Bars: where shuffled columns fell in 90% of the draws, the best of all of them where "
            f"that is what the test asks; a column passes if few draws are {better} it. No bar: "
            "the answer was plain without draws. The scale is logarithmic but near 0. "
        )
    if limits:
        reading += f"Bold marks: the threshold; a column passes {better} it."
    return Panel(
        f"Test: {what}{UNITS.get(what, '')}",
        reading.strip(),
        rows.drawn(
            "The test of each column against chance",
            f"{what} of each step beside what shuffled columns give.",
            "test",
            scale,
            inside,
        ),
    )


WHAT: Final = {
    "z": "the gain above chance, in standard deviations (z)",
    "cmi": "what the columns left out could still add (CMI), less is better",
    "gain": "the gain, bits",
    "mi": "MI, bits",
    "score": "the score of the column",
    "chi2": "the chi-square statistic",
}
UNITS: Final = {"z": ", standard deviations", "cmi": ", bits", "gain": ", bits", "mi": ", bits"}


def _told(what: str, value: float) -> str:
    if what == "z":
        return deviations(value)
    return bits(value) if what in {"cmi", "gain", "mi"} else measured(value)


def _band(
    scale: Scale, y: float, height: float, quantiles: tuple[float, float, float]
) -> list[Markup]:
    low, middle, high = map(scale, quantiles)
    tall = height * 0.6
    bar = element(
        "rect", class_="band", x=low, y=y - tall / 2, width=max(high - low, 1.0), height=tall
    )
    return [bar, tick(middle, y, tall / 2, "median")]


def _report(path: SelectionPath, step: Step) -> CriterionReport | None:
    """Return what the test that decided found at a step: the one that stopped, else the first."""
    wanted = (*path.verdict.criteria, *path.options.criteria)
    by_name = {report.criterion: report for report in step.criteria}
    return next((by_name[name] for name in wanted if name in by_name), None)


def _saturated(rows: _Rows) -> Panel:
    values = [max(step.saturation, 0.0) for step in rows.steps]
    scale = linear_scale(values, LEFT, WIDTH - RIGHT)
    inside = []
    for row, step in enumerate(rows.steps):
        y, x = rows.middle(row), scale(max(step.saturation, 0.0))
        said = element("title", f"{step_name(step)}: {bits(step.saturation)} bits {ROOM_LEFT}")
        lead = line([(scale(0.0), y), (x, y)], "lead")
        inside.append(Markup().join([said, lead, dot(x, y, rows.size, "room", done=step.done)]))
    falling = all(two <= one for one, two in pairwise(values))
    return Panel(
        f"{ROOM_LEFT.capitalize()} (saturation), bits",
        "Each column tells rows apart, until every row is unlike all others: near 0 any target, a "
        "shuffled one too, would seem foretold, and MI says nothing. Far from 0 is well.",
        rows.drawn(
            "Room left until every row is unlike all others",
            f"Saturation {'falls' if falling else 'goes'} from {bits(values[0])} to "
            f"{bits(values[-1])} bits.",
            "room",
            scale,
            inside,
        ),
    )
