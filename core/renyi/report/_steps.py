"""The figure of a path: panels that share their rows, one row a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from renyi.report._scales import Scale, asinh_scale, linear_scale, log_scale
from renyi.report._svg import drawing, element, path_of
from renyi.selection import SelectionPath, Step
from renyi.stopping import CriterionReport
from renyi.wording import bits, deviations, measured, widens

__all__ = ["Panel", "panels", "step_name"]

WIDTH: Final = 340.0
"""Of a panel, pixels: what a telephone shows without shrinking its letters."""

LEFT: Final = 104.0
"""Where the scale begins: right of the names."""

RIGHT: Final = 12.0
TOP: Final = 26.0
BOTTOM: Final = 8.0
LONGEST: Final = 15
"""Letters of a name that fit beside a panel."""

RATIO: Final = 20.0
"""Largest gain over the smallest from which gains are drawn by their ratios."""

TALLEST: Final = 900.0
"""Pixels of all rows of a long path."""

MOST_TOGETHER: Final = 3


@dataclass(frozen=True)
class Panel:
    """One panel of the figure.

    Attributes
    ----------
    title, reading
        Above it and below it, in words.
    drawing
        The SVG.
    """

    title: str
    reading: str
    drawing: Markup


@dataclass(frozen=True)
class _Rows:
    """Where the rows of all panels stand."""

    path: SelectionPath
    name: str

    @property
    def steps(self) -> Sequence[Step]:
        return self.path.steps

    @property
    def height(self) -> float:
        """Of a row."""
        return min(20.0, max(3.0, TALLEST / max(len(self.steps), 1)))

    def middle(self, row: int) -> float:
        """Return the middle of a row; the one that was tested only stands apart."""
        apart = 8.0 if row and not self.steps[row].done else 0.0
        return TOP + self.height * (row + 0.5) + apart

    @property
    def bottom(self) -> float:
        return self.middle(len(self.steps) - 1) + self.height / 2

    @property
    def size(self) -> float:
        """Radius of a mark."""
        return min(4.0, max(1.5, self.height / 4))

    def drawn(
        self, title: str, about: str, kind: str, scale: Scale, rows: Sequence[Markup], *more: Markup
    ) -> Markup:
        """Return a panel: its scale, the rows with their names, and what goes over all of them."""
        grid = [
            element(
                "path", class_="grid", d=path_of([(scale(v), TOP - 2), (scale(v), self.bottom)])
            )
            for v, _ in scale.ticks
        ]
        labels = [
            element("text", words, class_="tick", x=scale(v), y=TOP - 8) for v, words in scale.ticks
        ]
        every = -(-12 // int(self.height)) if self.height < 12 else 1
        lines = []
        for row, (step, inside) in enumerate(zip(self.steps, rows, strict=True)):
            y = self.middle(row)
            named = (
                (element("text", _short(step), class_="name", x=LEFT - 8, y=y + 4),)
                if row % every == 0
                else ()
            )
            hit = element(
                "rect", class_="hit", x=0.0, y=y - self.height / 2, width=WIDTH, height=self.height
            )
            lines.append(element("g", hit, *named, inside, class_="row", data_step=str(step.index)))
        return drawing(
            title,
            about,
            f"{self.name}-{kind}",
            (WIDTH, self.bottom + BOTTOM),
            [*grid, *labels, *more, *lines, *self._stop()],
        )

    def _stop(self) -> list[Markup]:
        word = {"criterion": "stop", "max_features": "limit", "interrupted": "interrupted"}
        said = word.get(self.path.verdict.stopped)
        if said is None:
            return []
        last = len(self.steps) - 1
        y = self.bottom + 3 if self.steps[-1].done else self.middle(last) - self.height / 2 - 4
        line = element("path", class_="stop", d=path_of([(LEFT, y), (WIDTH - RIGHT, y)]))
        return [line, element("text", said, class_="stopped", x=WIDTH - RIGHT, y=y - 4)]


def panels(path: SelectionPath, name: str) -> list[Panel]:
    """Return the panels of a path: what is told together, what each adds, its test, the room left.

    Parameters
    ----------
    path
        A selection with a step at least.
    name
        Unique on the page.
    """
    rows = _Rows(path, name)
    made: list[Callable[[_Rows], Panel | None]] = [_together, _added, _tested, _saturated]
    return [panel for make in made if (panel := make(rows)) is not None]


def step_name(step: Step) -> str:
    """Return what a step is called: its features, or how many there are of many."""
    if step.action == "start" and len(step.features) > MOST_TOGETHER:
        return f"{len(step.features)} columns"
    return ("\N{MINUS SIGN} " if step.action == "remove" else "") + " + ".join(step.features)


def _short(step: Step) -> str:
    name = step_name(step)
    if len(name) <= LONGEST:
        return name
    half = (LONGEST - 1) // 2
    return f"{name[:half]}\N{HORIZONTAL ELLIPSIS}{name[-half:]}"


def _dot(x: float, y: float, size: float, kind: str, *, done: bool) -> Markup:
    return element("circle", class_=kind if done else f"{kind} hollow", cx=x, cy=y, r=size)


def _square(x: float, y: float, size: float, kind: str, *, done: bool) -> Markup:
    side = 1.8 * size
    kind = kind if done else f"{kind} hollow"
    return element("rect", class_=kind, x=x - side / 2, y=y - side / 2, width=side, height=side)


def _tick(x: float, y: float, height: float, kind: str) -> Markup:
    return element("path", class_=kind, d=path_of([(x, y - height), (x, y + height)]))


def _line(points: list[tuple[float, float]], kind: str) -> Markup:
    return element("path", class_=kind, d=path_of(points)) if len(points) > 1 else Markup()


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
        said = f"{step_name(step)}: MI {bits(step.mi)} bits"
        if step.mi_chance is not None:
            marks.append(_tick(scale(step.mi_chance), y, rows.size + 1, "chance"))
            said += f", by chance {bits(step.mi_chance)}"
        if with_cmi and step.cmi is not None:
            marks.append(_square(scale(step.cmi), y, rows.size, "cmi", done=step.done))
            said += f", CMI {bits(step.cmi)}"
        marks.append(_dot(scale(step.mi), y, rows.size, "mi", done=step.done))
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
    over = [_line(chance, "chance dotted"), _line(rest, "cmi dashed"), _line(curve, "mi line")]
    if near:
        over.insert(0, _line([(scale(most), TOP - 2), (scale(most), rows.bottom)], "limit"))
    reading = "Dots: what the columns down to this row tell of the target together (MI, bits). "
    if chance:
        reading += "Upright marks: what they would tell of a shuffled target. "
    if rest:
        reading += "Squares: what the columns left out could still add (CMI). "
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
        said = f"{step_name(step)}: gain {bits(step.gain)} bits"
        if step.chance is not None:
            marks.append(_tick(scale(step.chance), y, rows.size + 1, "chance"))
            said += f", by chance {bits(step.chance)}"
            start = min(step.chance, step.gain)
            ends = [(scale(start), y), (scale(step.gain), y)]
            marks.insert(0, _line(ends, "lead"))
        if (rival := step.runner_up) is not None:
            x, s = scale(step.gain - rival.gap), rows.size
            diamond = path_of([(x - s, y), (x, y - s), (x + s, y), (x, y + s)]) + "Z"
            marks.append(element("path", class_="rival", d=diamond))
            said += f"; runner-up {' + '.join(rival.features)}, {bits(rival.gap)} bits behind"
        marks.append(_dot(scale(step.gain), y, rows.size, "mi", done=step.done))
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
                marks.append(_tick(scale(report.threshold), y, rows.size + 2, "bound"))
                said += f"; threshold {_told(what, report.threshold)}"
            marks.append(_dot(scale(report.statistic), y, rows.size, "test", done=step.done))
        inside.append(Markup().join([element("title", said), *marks]))
    better = "left of" if less else "right of"
    reading = f"Dots: {WHAT.get(what, what)}. "
    if bands:
        reading += (
            "Bars: where 90% of the shuffled columns fall; a column passes that stands clearly "
            f"{better} its bar. No bar: the answer was plain without draws. "
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
    return [bar, _tick(middle, y, tall / 2, "median")]


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
        said = element("title", f"{step_name(step)}: {bits(step.saturation)} bits of room left")
        lead = _line([(scale(0.0), y), (x, y)], "lead")
        inside.append(Markup().join([said, lead, _dot(x, y, rows.size, "room", done=step.done)]))
    falling = all(two <= one for one, two in pairwise(values))
    return Panel(
        "Room left (saturation), bits",
        "Near 0 every row is alone, and MI says nothing any more.",
        rows.drawn(
            "Room left before every row is alone",
            f"Saturation {'falls' if falling else 'goes'} from {bits(values[0])} to "
            f"{bits(values[-1])} bits.",
            "room",
            scale,
            inside,
        ),
    )
