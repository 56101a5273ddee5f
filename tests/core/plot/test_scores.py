"""The figure of a comparison of scores shows its numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

from matplotlib.colors import to_hex
from matplotlib.text import Text

import renyi
from renyi.plot import save_figure, scores_figure

SCORES = ("mi", "jmi", "mrmr")


@pytest.fixture(scope="module")
def found() -> renyi.ScoreComparison:
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=90)
    table = {"$good$": y + rng.normal(scale=0.6, size=90), "noise": rng.normal(size=90)}
    table |= {"also": y + rng.normal(size=90), "$y$": np.where(y, "yes", "no")}
    return renyi.compare(table, target="$y$", score=SCORES, runs=6, permutations=39)


def test_each_path_has_its_curve_and_its_stop(found):
    (axes,) = scores_figure(found).axes
    curves = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    assert [str(line.get_label()).split()[0] for line in curves] == list(SCORES)
    for line, one in zip(curves, found.comparisons, strict=True):
        assert line.get_xdata().tolist() == [point.size for point in one.curve]
        assert line.get_ydata() == pytest.approx([100 * point.mean for point in one.curve])
    for container, stop in zip(axes.containers, found.stops, strict=True):
        (result,) = found.comparison(stop.score).results
        mark = container.lines[0]
        assert mark.get_xdata().tolist() == [stop.features]
        assert mark.get_ydata() == pytest.approx([100 * result.score.mean])
        (_, low), (_, high) = container.lines[2][0].get_segments()[0]
        assert (low, high) == pytest.approx((100 * result.score.low, 100 * result.score.high))


def test_curves_can_be_told_without_colour(found):
    (axes,) = scores_figure(found).axes
    curves = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    for one, other in combinations(curves, 2):
        assert one.get_marker() != other.get_marker()
        assert to_hex(one.get_color()) != to_hex(other.get_color())


def test_names_are_drawn_as_they_are_written(found, tmp_path):
    figure = found.plot(tmp_path / "s.svg")
    assert any("$y$" in text.get_text() for text in figure.findobj(Text))
    assert "<svg" in (tmp_path / "s.svg").read_text(encoding="utf-8")
    with pytest.raises(renyi.errors.OutputError):
        save_figure(figure, tmp_path / "s.svg")


def test_numbers_are_judged_on_their_own_scale():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 2))
    table = {"a": x[:, 0], "b": x[:, 1], "y": x[:, 0] + 0.3 * rng.normal(size=60)}
    found = renyi.compare(table, target="y", score=["mim", "jmi"], runs=4)
    (axes,) = scores_figure(found).axes
    assert axes.get_ylabel() == "R\N{SUPERSCRIPT TWO}"
    assert axes.get_ylim()[1] < 1.5
