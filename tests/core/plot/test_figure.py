"""The figure shows the numbers of the path, for every kind of path, and leaves no trace."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from records import FEATURES, TARGET_BITS, heart_path, permutation_report, step, there_and_back

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.text import Text

from renyi.errors import MissingExtraError, OptionError, OutputError
from renyi.options import method_options
from renyi.plot import path_figure, save_figure

# the colours, by what they stand for
from renyi.plot._looks import PLAIN
from renyi.selection import SelectionPath, Verdict

pytestmark = pytest.mark.slow  # some ten seconds together

STOPPED = {
    "criterion": "stop",
    "max_features": "limit",
    "interrupted": "interrupted",
    "exhausted": "",
}


def verdict(stopped: Any, last: int) -> Verdict:
    return Verdict(stopped=stopped, reason=f"reason `{stopped}`", step=last)


def curve(axes: Axes, label: str) -> Line2D:
    return next(line for line in axes.lines if str(line.get_label()).startswith(label))


def words(path: SelectionPath) -> list[str]:
    figure = path_figure(path)
    figure.draw_without_rendering()
    return [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)]


def test_curves_are_the_steps_of_the_path() -> None:
    path = heart_path()
    axes = path_figure(path).axes[0]
    for label, name in (("MI of", "mi"), ("CMI:", "cmi")):
        line = curve(axes, label)
        assert list(line.get_xdata()) == [1, 2, 3, 4]
        assert list(line.get_ydata()) == [getattr(step, name) for step in path.steps]
    reference = curve(axes, "H(y)")
    assert list(reference.get_ydata()) == [TARGET_BITS, TARGET_BITS]


def test_what_chance_gives_mi_is_a_line_beside_it() -> None:
    known = tuple(
        replace(one, mi_chance=0.02 * one.index, chance=0.01, z=9.0) for one in heart_path().steps
    )
    axes = path_figure(heart_path(steps=known)).axes[0]
    line = curve(axes, "MI by chance")
    assert list(line.get_xdata()) == [1, 2, 3, 4]
    assert list(line.get_ydata()) == pytest.approx([0.02, 0.04, 0.06, 0.08])
    before = path_figure(heart_path()).axes[0]
    assert not [one for one in before.lines if str(one.get_label()).startswith("MI by")]


def test_a_test_in_standard_deviations_has_no_band() -> None:
    report = permutation_report(
        False,
        drawn=50,
        exceedances=0,
        criterion="cmi-max",
        statistic_name="z",
        statistic=12.0,
        null_quantiles=(0.2, 0.8, 2.1),
    )
    figure = path_figure(heart_path(steps=(step(1, "thal", 0.2, 0.5, criteria=(report,)),)))
    (axes,) = figure.axes
    assert not axes.containers
    assert axes.get_ylim()[1] < 1.2


def test_the_feature_that_failed_is_hollow() -> None:
    axes = path_figure(heart_path()).axes[0]
    hollow = [line for line in axes.lines if line.get_markerfacecolor() == PLAIN.paper]
    assert [list(line.get_ydata()) for line in hollow] == [[0.5561], [0.2241]]
    assert "tested, not selected" in words(heart_path())
    whole = heart_path(steps=heart_path().steps[:3], verdict=verdict("exhausted", 3))
    assert "tested, not selected" not in words(whole)


def test_the_band_is_the_null_of_the_statistic_tested() -> None:
    reports = (
        permutation_report(False, drawn=100, exceedances=0, null_quantiles=(0.5, 0.6, 0.8)),
        permutation_report(
            True,
            drawn=6,
            exceedances=5,
            criterion="mi-perm",
            statistic_name="mi",
            statistic=0.12,
            null_quantiles=(0.1, 0.11, 0.13),
        ),
    )
    steps = tuple(step(i, f"x{i}", 0.1, 0.3, criteria=reports) for i in (1, 2))
    axes, lead = path_figure(heart_path(steps=steps)).axes
    bars = {
        str(bars.get_label()).partition(" ")[0]: [
            (bar.get_x() + bar.get_width() / 2, bar.get_y(), bar.get_height()) for bar in bars
        ]
        for bars in axes.containers
    }
    assert bars["CMI"] == [pytest.approx((i, 0.5, 0.3)) for i in (1, 2)]
    assert bars["MI"] == [pytest.approx((i, 0.1, 0.03)) for i in (1, 2)]
    # Below: less CMI than the shuffled copies is ahead of them, more MI is ahead.
    leads = sorted(float(line.get_ydata()[0]) for line in lead.lines if line.get_marker() in "os")
    assert leads == pytest.approx([0.01, 0.01, 0.29, 0.29])
    spans = sorted({(round(b.get_y(), 9), round(b.get_height(), 9)) for b in lead.patches})
    assert spans == [(-0.2, 0.3), (-0.01, 0.03)]


@pytest.mark.parametrize("stopped", STOPPED)
@pytest.mark.parametrize("selected", [True, False])
def test_the_stop_stands_between_in_and_out(stopped: str, selected: bool) -> None:
    *before, last = heart_path().steps
    path = heart_path(
        steps=(*before, replace(last, selected=selected)), verdict=verdict(stopped, 4)
    )
    axes = path_figure(path).axes[0]
    marks = [line for line in axes.lines if to_hex(line.get_color()) == "#000000"]
    assert [line.get_xdata()[0] for line in marks] == (
        [] if stopped == "exhausted" else [4.5 if selected else 3.5]
    )
    assert (STOPPED[stopped] in [t.get_text().strip() for t in axes.texts]) == bool(marks)


def test_title_and_caption_say_what_it_is() -> None:
    found = words(heart_path())
    assert "heart.parquet, criterion cmi-perm" in found
    assert any("alpha 1.01" in text and "270 rows" in text for text in found)
    caption = next(text for text in found if text.startswith("Stopped before"))
    reason = heart_path().verdict.reason
    assert caption.replace("\n", " ") == f"S{reason[1:]}."


def test_without_cmi_the_caption_says_so() -> None:
    steps = tuple(step(i, f"x{i}", 0.1 * i, None, criteria=()) for i in (1, 2))
    path = heart_path(steps=steps, verdict=verdict("exhausted", 2))
    assert "Reason `exhausted`. CMI was not computed." in words(path)
    axes = path_figure(path).axes[0]
    assert list(curve(axes, "MI of").get_ydata()) == [0.1, 0.2]
    assert not [line for line in axes.lines if str(line.get_label()).startswith("CMI")]
    assert not [text for text in words(heart_path()) if "not computed" in text]


def test_names_stand_as_they_are() -> None:
    names = ["$x_1$", "[red]", "a" * 60, r"\alpha"]
    steps = tuple(step(i, name, 0.1, 0.2) for i, name in enumerate(names, 1))
    found = words(heart_path(steps=steps))
    assert {"$x_1$", "[red]", r"\alpha"} <= set(found)
    assert "a" * 60 not in found
    assert any(text.startswith("aaaa") and len(text) <= 24 for text in found)


def test_a_letter_the_font_lacks_is_written_out() -> None:
    steps = (step(1, "\u540d x", 0.1, 0.2), step(2, "\u524d \u00e9", 0.1, 0.2))
    found = words(heart_path(steps=steps))
    assert {r"\u540d x", "\\u524d \u00e9"} <= set(found)


def test_control_characters_are_written_out(tmp_path: Path) -> None:
    name = "a\x1b[31m\x07\x00b\x9b"
    figure = path_figure(heart_path(steps=(step(1, name, 0.1, 0.2),)))
    place = save_figure(figure, tmp_path / "odd.svg")
    ET.parse(place)  # well-formed
    drawn = place.read_text(encoding="utf-8")
    assert not set(drawn) & set("\x00\x07\x1b\x9b")
    assert r"a\x1b[31m\x07\x00b\x9b" in words(heart_path(steps=(step(1, name, 0.1, 0.2),)))


def test_nothing_leaves_the_figure() -> None:
    criteria = ("cmi-heuristic", "cmi-perm", "mi-perm", "mi-chi2")
    options = method_options(criteria=criteria, bandwidth="range:0.15", standardise="bins:12")
    data = replace(heart_path().data, source="a long name of a table, " * 3, target="t" * 40)
    figure = path_figure(heart_path(options=options, data=data))
    figure.draw_without_rendering()
    edge = figure.bbox
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text() and text.get_visible():
            box = text.get_window_extent()
            assert edge.x0 <= box.x0, text.get_text()
            assert box.x1 <= edge.x1, text.get_text()


def test_a_logarithmic_axis_says_so() -> None:
    assert "(log scale)" in path_figure(heart_path()).axes[1].get_ylabel()


def test_without_a_step_no_stop_is_told() -> None:
    found = words(heart_path(steps=(), verdict=verdict("interrupted", 0)))
    assert "No step was finished." in found


PATHS = {
    "one step": heart_path(steps=heart_path().steps[:1], verdict=verdict("exhausted", 1)),
    "nothing selected": heart_path(
        steps=(replace(heart_path().steps[3], index=1),), verdict=verdict("criterion", 1)
    ),
    "no step": heart_path(steps=(), verdict=verdict("interrupted", 0)),
    "sixty steps": heart_path(
        steps=tuple(step(i, f"feature {i}", i / 60, 1 - i / 60) for i in range(1, 61)),
        verdict=verdict("max_features", 60),
    ),
    "two hundred steps": heart_path(
        steps=tuple(step(i, f"feature {i}", 0.5, 0.0) for i in range(1, 201)),
        verdict=verdict("exhausted", 200),
    ),
    "without cmi": heart_path(steps=tuple(step(i, f"x{i}", 0.1 * i, None) for i in (1, 2))),
    "negative": heart_path(
        steps=tuple(step(i, f"x{i}", -0.1 * i, -0.2, criteria=()) for i in (1, 2))
    ),
    "a letter the font lacks": heart_path(steps=(step(1, "\u540d\u524d", 0.1, 0.2),)),
    "behind its shuffled copies, all alike": heart_path(
        steps=(
            step(
                1,
                "x",
                0.1,
                0.2,
                criteria=(
                    permutation_report(
                        True, drawn=6, exceedances=6, statistic=0.5, null_quantiles=(0.1, 0.1, 0.1)
                    ),
                ),
            ),
        )
    ),
}


@pytest.mark.parametrize("name", PATHS)
def test_every_path_is_drawn_without_a_warning(name: str, tmp_path: Path) -> None:
    file = save_figure(path_figure(PATHS[name]), tmp_path / "figure.png")
    assert file.read_bytes().startswith(b"\x89PNG")
    axes = path_figure(PATHS[name]).axes[0]
    low, high = axes.get_ylim()
    for step_ in PATHS[name].steps:
        assert low < step_.mi < high
        assert step_.cmi is None or low < step_.cmi < high
    assert len(axes.get_xticks()) <= 60


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_equal_paths_are_equal_files(suffix: str, tmp_path: Path) -> None:
    first, second = (
        save_figure(path_figure(heart_path()), tmp_path / f"{name}.{suffix}") for name in "ab"
    )
    assert first.read_bytes() == second.read_bytes()
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert first.read_bytes().startswith(starts[suffix])


def test_no_global_state_is_left(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    had_pyplot = "matplotlib.pyplot" in sys.modules
    save_figure(path_figure(heart_path()), tmp_path / "figure.svg")
    assert dict(mpl.rcParams) == before
    assert ("matplotlib.pyplot" in sys.modules) == had_pyplot


def test_a_file_is_replaced_only_if_asked(tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="there already"):
        save_figure(path_figure(heart_path()), file)
    assert file.read_text(encoding="utf-8") == "mine"
    save_figure(path_figure(heart_path()), file, force=True)
    assert file.read_text(encoding="utf-8").startswith("<?xml")


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"\.png, \.svg, \.pdf"):
        save_figure(path_figure(heart_path()), tmp_path / "figure.bmp")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_one_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    figure = path_figure(heart_path())
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'renyi\[plot\]'"):
        path_figure(heart_path())
    with pytest.raises(MissingExtraError, match=r"pip install 'renyi\[plot\]'"):
        save_figure(figure, tmp_path / "figure.png")
    assert list(tmp_path.iterdir()) == []


def test_what_is_taken_away_is_marked() -> None:
    path = there_and_back()
    axes = path_figure(path).axes[-1]
    names = [text.get_text() for text in axes.get_xticklabels()]
    assert names == ["age + sex", "oldpeak", "- age", "- sex"]
    shown = words(path)
    assert "tested, stays" in shown
    assert any("- for those taken away" in text for text in shown)
    (hollow,) = curve(path_figure(path).axes[0], "tested, stays").get_xdata()
    assert hollow == 4
    many = replace(path.steps[0], features=tuple(FEATURES))
    assert f"{len(FEATURES)} features" in words(replace(path, steps=(many,)))
