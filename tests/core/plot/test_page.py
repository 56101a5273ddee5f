"""Whatever is drawn, its words fit: none leaves the figure, none lies on another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from records import heart_path, repeats, step, there_and_back

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

import renyi
from renyi.errors import OptionError
from renyi.plot import (
    path_figure,
    redundancy_figure,
    sensitivity_figure,
    stability_figure,
)

# what fits where, which no figure says by itself
from renyi.plot._letters import fitted, inches, shortened, wrapped
from renyi.selection import Redundancy, Sensitivity, SensitivitySetting

LONG = "measurement of the concentration of substance {} in blood plasma after {} hours"
SIZES = (None, "one", "two", "100x120")


def corners(text: Text, renderer: Any) -> np.ndarray:
    """The corners (4, 2) of a text as it lies, turned as it is, in inches."""
    turn, dpi = text.get_rotation(), renderer.dpi
    text.set_rotation(0)
    mode = text.get_rotation_mode()
    flat = text.get_window_extent(renderer)
    text.set_rotation(turn)
    box = text.get_window_extent(renderer)
    angle = np.deg2rad(turn)
    half = np.array([flat.width / 2, flat.height / 2])
    away = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    rotated = away @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    assert mode in {"anchor", "default", "xtick", "ytick", None}
    middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2])
    return (rotated + middle) / dpi


def apart(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two convex shapes have no point in common: some edge's normal tells them apart."""
    for shape in (one, other):
        for k in range(4):
            edge = shape[(k + 1) % 4] - shape[k]
            normal = np.array([-edge[1], edge[0]]) / max(np.hypot(*edge), 1e-9)
            a, b = one @ normal, other @ normal
            if a.max() <= b.min() + 0.01 or b.max() <= a.min() + 0.01:
                return True
    return False


def shown(figure: Figure) -> Iterator[Text]:
    """The words that are drawn: those of ticks only where the ticks lie within their axis."""
    idle: set[Text] = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            every = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
            drawn = axis._update_ticks()  # type: ignore[attr-defined]
            idle |= {label for tick in every for label in (tick.label1, tick.label2)}
            idle -= {label for tick in drawn for label in (tick.label1, tick.label2)}
    for artist in figure.findobj(Text):
        if not isinstance(artist, Text) or artist in idle:
            continue
        if artist.get_visible() and artist.get_text().strip():
            yield artist


def check_words(figure: Figure) -> None:
    figure.set_dpi(100)
    figure.draw_without_rendering()
    renderer = figure._get_renderer()  # type: ignore[attr-defined]
    places = [(text, corners(text, renderer)) for text in shown(figure)]
    width, height = figure.get_size_inches()
    for text, at in places:
        assert at.min() >= -0.01, text.get_text()
        assert at[:, 0].max() <= width + 0.01, text.get_text()
        assert at[:, 1].max() <= height + 0.01, text.get_text()
    for (one, at), (other, there) in combinations(places, 2):
        assert apart(at, there), (one.get_text(), other.get_text())


def many_steps(count: int, name: str = "feature {}") -> renyi.SelectionPath:
    steps = tuple(step(i, name.format(i, i), i / count, 1 - i / count) for i in range(1, count + 1))
    verdict = replace(heart_path().verdict, stopped="exhausted", step=count)
    return heart_path(steps=steps, verdict=verdict)


def repeated(names: list[str]) -> renyi.SelectionPath:
    """A selection of some columns, repeated at eight settings that know twice as many."""
    settings = tuple(
        SensitivitySetting(
            alpha=alpha,
            bandwidth=bandwidth,
            selected=(*names[k:], *(f"other {name}" for name in names[:k])),
            stopped="criterion",
            reason="so",
        )
        for k, (alpha, bandwidth) in enumerate(
            [(a, b) for a in (2.0, 1.01) for b in (1.0, 2.0, 3.0, "growing")]
        )
    )
    steps = tuple(step(i, name, 0.1 * i, 0.2) for i, name in enumerate(names, 1))
    known: Any = {**repeats(), "sensitivity": Sensitivity(asked=8, settings=settings)}
    return heart_path(steps=steps, **known)


def leaving(names: list[str]) -> Callable[..., Figure]:
    """Draw what so many columns leave of each other and of one more."""
    count = len(names)
    shares = np.where(np.eye(count + 1, count, dtype=bool), np.nan, np.linspace(0, 1.5, count))
    left = tuple(tuple(None if np.isnan(v) else float(v) for v in row) for row in shares)
    found = Redundancy(
        given=tuple(names), features=(*names, "sex"), left=left, little=0.2, rows=270
    )
    return lambda path, **look: redundancy_figure(path, found, **look)


DRAWN: dict[str, Callable[[], tuple[Callable[..., Figure], renyi.SelectionPath]]] = {
    "path": lambda: (path_figure, heart_path()),
    "there and back": lambda: (path_figure, there_and_back()),
    "twenty long names": lambda: (path_figure, many_steps(20, LONG)),
    "three hundred steps": lambda: (path_figure, many_steps(300)),
    "one long word": lambda: (path_figure, many_steps(2, "w" * 300 + "{}")),
    "sensitivity": lambda: (sensitivity_figure, heart_path(**repeats())),
    "sensitivity, long names": lambda: (
        sensitivity_figure,
        repeated([LONG.format(k, k) for k in range(12)]),
    ),
    "sensitivity, many": lambda: (sensitivity_figure, repeated([f"x{k}" for k in range(150)])),
    "redundancy": lambda: (leaving(["thal", "vessels", "age"]), heart_path()),
    "redundancy, many": lambda: (leaving([f"feature {k}" for k in range(40)]), many_steps(40)),
    "redundancy, long names": lambda: (
        leaving([LONG.format(k, k) for k in range(1, 9)]),
        many_steps(8, LONG),
    ),
    "stability": lambda: (stability_figure, heart_path(**repeats())),
}


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", DRAWN)
def test_words_fit(name: str, size: str | None) -> None:
    draw, path = DRAWN[name]()
    figure = draw(path, size=size)
    check_words(figure)
    if size in {"one", "two"}:
        assert figure.get_figwidth() * 25.4 == pytest.approx({"one": 88, "two": 180}[size])
    if size == "100x120":
        assert tuple(figure.get_size_inches() * 25.4) == pytest.approx((100, 120))
    assert all(t.get_fontsize() >= 7 for t in shown(figure))


@pytest.fixture(scope="module")
def compared() -> list[Any]:
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=90)
    table: dict[str, Any] = {
        LONG.format(k, k): y * (k < 5) + rng.normal(size=90) for k in range(30)
    }
    table["y"] = np.where(y, "yes", "no")
    few: dict[str, Any] = {"target": "y", "runs": 4, "permutations": 39}
    return [
        renyi.compare(table, criterion=["mi-perm", "cmi-heuristic", "mi-chi2"], **few),
        renyi.compare(table, score=["mi", "jmi", "mrmr", "cmim", "mim"], **few),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("size", [None, "one", "two", "120x170"])
def test_words_of_comparisons_fit(compared: list[Any], size: str | None) -> None:
    for found in compared:
        check_words(found.plot(size=size))


def test_overlaps_are_found() -> None:
    figure = path_figure(heart_path())
    figure.text(0.5, 0.5, "a word")
    figure.text(0.51, 0.5, "another", rotation=45)
    with pytest.raises(AssertionError, match="another"):
        check_words(figure)


def test_on_a_page_title_and_verdict_are_left_to_the_page() -> None:
    said = {text.get_text() for text in shown(path_figure(heart_path(), size="two"))}
    assert not [words for words in said if "cmi-perm" in words or "Stopped before" in words]
    assert {"thal", "MI of features so far with y"} <= said


def test_a_figure_is_drawn_into_axes_of_the_caller() -> None:
    with mpl.rc_context({"axes.facecolor": "#abcdef"}):
        figure = Figure()
        left, right = figure.subplots(1, 2)
    right.set_title("$mine$")
    before = dict(mpl.rcParams)
    given = path_figure(heart_path(), axes=left)
    assert given is figure
    assert left.lines[0].get_label() == "MI of features so far with y"
    assert not right.lines
    assert right.title.get_parse_math()
    assert figure.get_suptitle() == ""
    assert isinstance(left.get_legend(), Legend)
    assert left.get_facecolor()[:3] == pytest.approx((0xAB / 255, 0xCD / 255, 0xEF / 255))
    assert dict(mpl.rcParams) == before
    with pytest.raises(OptionError, match="`axes` must be one of"):
        path_figure(heart_path(), axes=[left, right])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`size` must be left out"):
        path_figure(heart_path(), axes=left, size="one")


def test_settings_of_the_machine_change_nothing(tmp_path) -> None:
    files = []
    for k, settings in enumerate([{}, {"font.size": 30, "text.usetex": True, "lines.marker": "x"}]):
        with mpl.rc_context(settings):
            file = tmp_path / f"{k}.svg"
            renyi.SelectionPath.from_dict(heart_path().to_dict()).plot(file)
            files.append(file.read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ("three", "one, two or width x height"),
        ("1x1", "sides of 60 to 1000 mm"),
        ("88x61", "height of at least"),
        ("88", "one, two or"),
        (88, "one, two or"),
    ],
)
def test_a_size_that_is_none_is_refused(size: Any, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        path_figure(heart_path(steps=many_steps(40, LONG).steps), size=size)


def test_text_of_pdf_is_text(tmp_path) -> None:
    path = renyi.SelectionPath.from_dict(heart_path().to_dict())
    path.plot(tmp_path / "a.pdf", size="one")
    written = (tmp_path / "a.pdf").read_bytes()
    assert b"/Subtype /CIDFontType2" in written or b"/Subtype /TrueType" in written
    assert b"/Subtype /Type3" not in written


def test_names_are_shortened_in_the_middle_and_stay_apart() -> None:
    name = LONG.format("alpha", 12)
    short = shortened(name, 1.0, 9)
    assert inches(short, 9) <= 1.0 < inches(name, 9)
    assert (short[0], short[-1], "\N{HORIZONTAL ELLIPSIS}" in short) == ("m", "s", True)
    assert inches(name, 9) == pytest.approx(2 * inches(name, 4.5))
    alike = [LONG.format(letter, 12) for letter in "abc"]
    assert len(set(fitted(alike, 1.0, 9))) == 3
    assert fitted(["a", "a"], 1.0, 9) == ["a", "a"]
    assert all(inches(line, 9) <= 1.0 for line in wrapped(f"{name} {'w' * 99}", 1.0, 9).split("\n"))
