"""The figures of repeated selections and of redundancy show their numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from records import heart_path, repeats, step

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.text import Text

from renyi.errors import UsageError
from renyi.plot import redundancy_figure, sensitivity_figure, stability_figure
from renyi.selection import Redundancy


def dots(axes: Axes, label: str) -> set[tuple[float, str]]:
    """Place and row of each mark of a kind."""
    names = [text.get_text() for text in axes.get_yticklabels()]
    lines = [line for line in axes.lines if line.get_label() == label]
    assert all(isinstance(line, Line2D) for line in lines)
    return {
        (float(x), names[int(y)])
        for line in lines
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    }


def words(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def test_a_dot_stands_where_a_setting_selects() -> None:
    path = heart_path(**repeats())
    figure = sensitivity_figure(path)
    (axes,) = figure.axes
    result, growing, failed = axes.get_xticks()
    selected = dots(axes, "selected")
    assert {name for x, name in selected if x == result} == set(path.selected)
    assert {name for x, name in selected if x == growing} == {"thal"}
    assert {x for x, _ in dots(axes, "could not be run")} == {failed}
    labels = [text.get_text() for text in axes.get_xticklabels()]
    assert labels == ["2", "growing", "1"]
    said = words(figure)
    assert {"result", "alpha 1.01", "alpha 2", "1 of 1", "0 of 1"} <= set(said)
    assert "Of 8 settings 1 could be run." in said


def test_a_share_is_a_place_on_the_line() -> None:
    path = heart_path(**repeats())
    (axes,) = stability_figure(path).axes
    assert dots(axes, "selected") >= {(1.0, "thal")}
    assert dots(axes, "selected on halves only") == {(0.5, "sex")}
    assert "age" not in {name for _, name in dots(axes, "selected")}  # forced in: no share
    thresholds = [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == "--"]
    assert thresholds == [0.6, 0.75, 0.9]


def test_what_the_result_does_not_hold_is_said_with_a_way_out() -> None:
    with pytest.raises(UsageError, match="settings") as said:
        sensitivity_figure(heart_path())
    assert "sensitivity=True" in said.value.hint
    with pytest.raises(UsageError, match="halves") as said:
        stability_figure(heart_path())
    assert "stability=50" in said.value.hint


SHARES = Redundancy(
    given=("thal", "vessels"),
    features=("thal", "vessels", "sex"),
    left=((None, 0.9), (1.3, None), (0.1, 0.5)),
    little=0.2,
    rows=270,
)


@pytest.mark.parametrize("style", ["plain", "dark", "grey"])
def test_a_cell_is_shaded_by_what_is_left(style: str) -> None:
    figure = redundancy_figure(heart_path(), SHARES, style=style)
    axes = figure.axes[0]
    (mesh,) = axes.collections
    drawn = np.ma.filled(mesh.get_array(), np.nan)
    assert drawn.reshape(3, 2) == pytest.approx(
        np.array([[np.nan, 0.9], [1.0, np.nan], [0.1, 0.5]]), nan_ok=True
    )
    marks = {
        line.get_marker(): (line.get_xdata()[0], line.get_ydata()[0])
        for line in axes.lines
        if len(line.get_xdata()) == 1 and line.get_marker() in {"o", "+"}
    }
    assert marks == {"o": (0.5, 2.5), "+": (0.5, 1.5)}
    assert any("1 of 1 not selected" in text for text in words(figure))


def test_columns_without_room_are_told_of() -> None:
    names = tuple(f"x{k}" for k in range(40))
    left = tuple(tuple(None if j == k else 0.5 for j in range(40)) for k in range(40))
    path = heart_path(steps=tuple(step(k, name, 0.1, 0.2) for k, name in enumerate(names, 1)))
    many = replace(SHARES, given=names, features=names, left=left)
    figure = redundancy_figure(path, many, size="one")
    shown = len(figure.axes[0].get_xticks())
    assert shown < 40
    assert any(f"the first {shown} of 40" in text for text in words(figure))
    low = redundancy_figure(path, many, size="120x120")
    shown = len(low.axes[0].get_yticks())
    assert any(f"{40 - shown} more rows are not shown" in text for text in words(low))
