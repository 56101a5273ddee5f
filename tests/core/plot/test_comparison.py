"""The figure of a comparison shows its numbers."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

from matplotlib.colors import to_hex
from matplotlib.text import Text

import renyi
from renyi.plot import comparison_figure, save_figure

# the colours, by what they stand for
from renyi.plot._looks import PLAIN


@pytest.fixture(scope="module")
def found() -> renyi.Comparison:
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=90)
    table = {"$good$": y + rng.normal(scale=0.6, size=90), "noise": rng.normal(size=90)}
    table |= {"also": y + rng.normal(size=90), "y": np.where(y, "yes", "no")}
    return renyi.compare(
        table, target="y", alpha=2, runs=6, permutations=39, criterion=("mi-perm", "cmi-heuristic")
    )


def test_each_lane_ends_where_its_criterion_stops(found):
    lanes, scores, information = comparison_figure(found).axes
    names = [label.get_text() for label in lanes.get_yticklabels()]
    assert names == ["mi-perm", "cmi-heuristic"]
    lengths = [line.get_xdata()[-1] for line in lanes.lines[::2]]
    assert lengths == [result.features for result in found.results]
    told = [text.get_text() for text in lanes.texts]
    for result, text in zip(found.results, told, strict=True):
        assert text.startswith(f"{result.features}: {100 * result.score.mean:.1f}%")
    curve = next(line for line in scores.lines if line.get_label() == "mean over the runs")
    assert curve.get_xdata().tolist() == [0, 1, 2, 3]
    assert curve.get_ydata() == pytest.approx([100 * point.mean for point in found.curve])
    mi = next(line for line in information.lines if str(line.get_label()).startswith("MI"))
    assert mi.get_ydata() == pytest.approx([step.mi for step in found.steps])


def test_the_best_and_the_smallest_size_are_marked(found):
    scores = comparison_figure(found).axes[1]
    marks = {str(m.get_label()): m.get_xdata()[0] for m in scores.lines if m.get_marker() in "*D"}
    assert marks == {
        f"best: {found.best}": found.best,
        f"smallest that predicts no worse: {found.smallest}": found.smallest,
    }
    colours = {to_hex(m.get_color()) for m in scores.lines if m.get_marker() in "*D"}
    assert colours == {PLAIN.good}


def test_names_are_drawn_as_they_are_written(found, tmp_path):
    figure = comparison_figure(found)
    texts = {text.get_text() for text in figure.findobj(Text)}
    assert any("$good$" in text for text in texts)
    # layout may differ in the last digit of a coordinate: the drawing is compared in its parts
    file = save_figure(figure, tmp_path / "c.svg").read_text(encoding="utf-8")
    again = save_figure(comparison_figure(found), tmp_path / "d.svg").read_text(encoding="utf-8")
    assert file.count("<path") == again.count("<path") > 0
    assert file.count("<use") == again.count("<use") > 0


def test_numbers_are_judged_on_their_own_scale():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 2))
    table = {"a": x[:, 0], "b": x[:, 1], "y": x[:, 0] + 0.3 * rng.normal(size=60)}
    found = renyi.compare(table, target="y", alpha=2, runs=4, criterion="mi-chi2")
    scores = comparison_figure(found).axes[1]
    assert scores.get_ylabel() == "R\N{SUPERSCRIPT TWO}"
    assert scores.get_ylim()[1] < 1.5
