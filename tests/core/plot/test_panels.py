"""The figures of accuracies: what is drawn, where."""

from __future__ import annotations

import io

import pytest

pytest.importorskip("matplotlib")

from renyi.plot import AccuracyPanel, information_figure, panels_figure


def panel(title: str = "heart", **printed: tuple[int, float]) -> AccuracyPanel:
    return AccuracyPanel(
        title=title,
        sizes=(1, 2, 3),
        accuracy=(70.0, 80.0, 79.0),
        spread=(3.0, 2.0, 2.5),
        ours={"cmi-perm": (2, 80.0), "mi-perm": (2, 80.0)},
        printed=printed or {"cmi-perm": (3, 81.0)},
    )


def hollow(line: object) -> bool:
    return getattr(line, "get_markerfacecolor")() == "white"  # noqa: B009 - any artist


def test_a_panel_a_set_and_the_rest_of_the_grid_empty() -> None:
    figure = panels_figure([panel(name) for name in ("a", "b", "c", "d")])
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in shown] == ["a", "b", "c", "d"]
    assert len(figure.axes) == 6


def test_the_curve_and_the_marks_lie_where_they_should() -> None:
    (axes,) = panels_figure([panel()]).axes
    curve, *marks = axes.get_lines()
    assert list(curve.get_xdata()) == [1, 2, 3]
    assert list(curve.get_ydata()) == [70.0, 80.0, 79.0]
    ours = [mark for mark in marks if not hollow(mark)]
    printed = [mark for mark in marks if hollow(mark)]
    assert [(m.get_xdata()[0], m.get_ydata()[0]) for m in ours] == [(2, 80.0), (2, 80.0)]
    assert [(m.get_xdata()[0], m.get_ydata()[0]) for m in printed] == [(3, 81.0)]
    assert printed[0].get_marker() == ours[0].get_marker()
    band = axes.collections[0].get_paths()[0].vertices
    assert (band[:, 1].min(), band[:, 1].max()) == (67.0, 82.0)


def test_marks_at_one_place_are_told_apart() -> None:
    (axes,) = panels_figure([panel()]).axes
    figure = axes.get_figure()
    assert figure is not None
    figure.savefig(io.BytesIO(), format="png")
    ours = [mark for mark in axes.get_lines()[1:] if not hollow(mark)]
    at = [mark.get_transform().transform([(2, 80.0)])[0, 0] for mark in ours]
    assert at[0] < at[1]
    assert ours[0].get_marker() != ours[1].get_marker()


def test_information_stands_above_the_accuracy() -> None:
    figure = information_figure(panel(), (0.2, 0.4, 0.5), (0.3, None, 0.0), 0.9)
    above, below = figure.axes
    reference, mi, cmi = above.get_lines()
    assert list(reference.get_ydata()) == [0.9, 0.9]
    assert list(mi.get_ydata()) == [0.2, 0.4, 0.5]
    assert list(cmi.get_xdata()) == [1, 3]
    assert below.get_ylabel() == "accuracy, %"


def test_the_legend_names_the_criteria_and_what_is_hollow() -> None:
    (legend,) = panels_figure([panel()]).legends
    words = [text.get_text() for text in legend.get_texts()]
    assert words[2:] == ["cmi-perm", "mi-perm", "hollow: as printed"]


def test_a_printed_mark_far_from_the_curve_is_seen() -> None:
    (axes,) = panels_figure([panel(**{"cmi-perm": (3, 55.0)})]).axes
    low, _ = axes.get_ylim()
    assert low < 55.0


def test_sizes_are_whole_and_those_of_a_long_path_are_spread() -> None:
    (axes,) = panels_figure([panel()]).axes
    assert all(tick == int(tick) for tick in axes.get_xticks())
    long = AccuracyPanel(
        title="lung",
        sizes=(1, 10, 100),
        accuracy=(50.0, 80.0, 85.0),
        spread=(7.0, 7.0, 7.0),
        ours={"cmi-perm": (10, 80.0)},
        printed={},
    )
    (axes,) = panels_figure([long]).axes
    assert axes.get_xscale() == "log"
    assert [float(label.get_text()) for label in axes.get_xticklabels()] == list(axes.get_xticks())
