"""Where the best of the shuffled candidates would have taken MI, and how far the feature leads."""

from __future__ import annotations

import pytest

from records import heart_path, permutation_report, step

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

from renyi.plot import path_figure


def test_the_band_lies_at_the_mi_before_and_the_gain_of_copies() -> None:
    report = permutation_report(
        False,
        drawn=100,
        exceedances=0,
        criterion="cmi-max",
        statistic_name="gain",
        statistic=0.12,
        null_quantiles=(0.01, 0.02, 0.05),
    )
    only = step(1, "thal", 0.33, 0.45, gain=0.12, criteria=(report,))
    upper, lower = path_figure(heart_path(steps=(only,))).axes[:2]
    (bar,) = [bar for group in upper.containers for bar in group]
    assert bar.get_y() == pytest.approx(0.33 - 0.12 + 0.01)
    assert bar.get_height() == pytest.approx(0.04)
    labels = upper.get_legend_handles_labels()[1]
    assert "MI with best of all shuffled, 5-95%" in labels
    (lead,) = [line for line in lower.lines if line.get_marker() == "o"]
    assert list(lead.get_ydata()) == pytest.approx([0.12 - 0.02])
