"""Selections that are repeated: under other settings, and on halves of the rows."""

import numpy as np
import pytest

import renyi
from renyi.errors import OptionError
from renyi.resampling import complementary_halves

pytestmark = pytest.mark.slow  # some ten seconds together

QUICK = {"target": "y", "criterion": "mi-perm", "permutations": 19}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 4))
    y = np.where(x[:, 0] + x[:, 1] + 0.3 * rng.normal(size=80) > 0, "p", "n")
    return {f"x{j}": x[:, j].tolist() for j in range(4)} | {"y": y.tolist()}


def taken(table, rows):
    return {name: [values[row] for row in rows] for name, values in table.items()}


def test_nothing_is_repeated_unasked(table):
    path = renyi.select(table, alpha=2, **QUICK)
    assert path.sensitivity is None
    assert path.stability is None


@pytest.mark.slow
def test_each_setting_is_a_selection_of_its_own(table):
    path = renyi.select(table, alpha=1.5, sensitivity=True, **QUICK)
    found = path.sensitivity
    assert found.asked == len(found.settings) == 8
    grid = [(s.alpha, s.bandwidth) for s in found.settings]
    assert grid == [(a, b) for a in (2.0, 1.01) for b in (1.0, 2.0, 3.0, "growing")]
    for setting in found.settings:
        asked = {"alpha": setting.alpha, "bandwidth": setting.bandwidth}
        alone = renyi.select(table, rank="raw", class_weights="none", **asked, **QUICK)
        assert setting.selected == alone.selected
        assert setting.reason == alone.verdict.reason
    assert {share.feature for share in found.features} >= {"x0", "x1"}


def test_settings_of_another_order_rank_by_raw_gains(table):
    path = renyi.select(table, sensitivity=True, **QUICK)
    assert path.options.rank == "chance"
    for setting in path.sensitivity.settings[3:5]:  # the last at 2, the first at 1.01
        asked = {"alpha": setting.alpha, "bandwidth": setting.bandwidth}
        alone = renyi.select(table, **asked, **QUICK)
        assert setting.selected == alone.selected
        assert setting.reason == alone.verdict.reason


def test_settings_rank_by_chance_where_that_was_asked_for_at_another_order(table):
    path = renyi.select(table, sensitivity=True, alpha=3, rank="chance", **QUICK)
    setting = path.sensitivity.settings[4]
    assert setting.alpha == 1.01
    asked = {"alpha": setting.alpha, "bandwidth": setting.bandwidth}
    alone = renyi.select(table, rank="chance", **asked, **QUICK)
    assert setting.selected == alone.selected
    assert setting.reason == alone.verdict.reason


def test_a_solver_of_one_order_gives_way_in_the_other_settings(table):
    path = renyi.select(table, alpha=2, solver="tiles", sensitivity=True, **QUICK)
    plain = renyi.select(table, alpha=2, sensitivity=True, **QUICK)
    assert [s.selected for s in path.sensitivity.settings] == [
        s.selected for s in plain.sensitivity.settings
    ]


@pytest.mark.slow
def test_a_setting_that_does_not_fit_memory_says_so():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 3))
    y = (x[:, 0] > 0).astype(int)
    path = renyi.select(
        {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2]},
        y,
        kind={"y": "nominal"},
        criterion="none",
        max_features=1,
        alpha=2,
        bandwidths={"a": 0.001, "b": 0.001, "c": 0.001},
        max_memory="1MB",
        sensitivity=True,
    )
    refused = [s for s in path.sensitivity.settings if s.stopped is None]
    assert {s.alpha for s in refused} == {1.01}
    assert all("GiB" in s.reason or "MiB" in s.reason for s in refused)
    assert all(share.count <= 8 - len(refused) for share in path.sensitivity.features)


def test_each_half_is_a_selection_of_its_own_rows(table):
    path = renyi.select(table, alpha=2, stability=4, seed=5, **QUICK)
    found = path.stability
    assert (found.asked, found.rows, found.stratified, found.candidates) == (4, 40, True, 4)
    assert [(h.pair, h.half) for h in found.halves] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    classes = np.array([0 if label == "n" else 1 for label in table["y"]])
    rows = complementary_halves(80, 5, 2, classes)[0]
    alone = renyi.select(taken(table, rows), alpha=2, target="y", criterion="none", max_features=1)
    assert found.halves[2].selected[:1] == alone.selected  # by the draws it differs later


def test_halves_of_a_continuous_target_are_plain(table):
    values = {**table, "y": (np.array(table["x0"]) * 2 + np.array(table["x2"])).tolist()}
    path = renyi.select(values, alpha=2, stability=2, **QUICK)
    assert path.stability.stratified is False
    assert path.stability.features[0].feature == "x0"


def test_kept_features_are_kept_in_every_repeat(table):
    path = renyi.select(table, alpha=2, keep="x3", stability=2, sensitivity=True, **QUICK)
    assert all(half.selected[0] == "x3" for half in path.stability.halves)
    assert all(setting.selected[0] == "x3" for setting in path.sensitivity.settings)
    assert path.stability.kept == ("x3",)
    assert "x3" not in {share.feature for share in path.stability.features}


def test_repeats_leave_the_selection_as_it_is(table):
    plain = renyi.select(table, alpha=2, **QUICK)
    path = renyi.select(table, alpha=2, stability=2, sensitivity=True, **QUICK)
    assert path.steps == plain.steps
    assert path.verdict == plain.verdict


def test_workers_change_nothing(table):
    one, two = (renyi.select(table, alpha=1.01, stability=4, jobs=jobs, **QUICK) for jobs in (1, 2))
    assert one == two


def test_it_comes_back_from_json(table):
    path = renyi.select(table, alpha=2, stability=2, sensitivity=True, **QUICK)
    assert renyi.SelectionPath.from_json(path.to_json()) == path


@pytest.mark.parametrize("stability", [0, 1, 3, 2.5, "ten", True])
def test_halves_come_in_pairs(table, stability):
    with pytest.raises(OptionError) as caught:
        renyi.select(table, stability=stability, **QUICK)
    assert "`stability`" in caught.value.message


def test_sensitivity_is_yes_or_no(table):
    with pytest.raises(OptionError) as caught:
        renyi.select(table, sensitivity="yes", **QUICK)
    assert "`sensitivity`" in caught.value.message


class Stop:
    """Cancels the work at the n-th report of a phase's unit."""

    def __init__(self, phase, done):
        self.token, self.at = renyi.CancelToken(), (phase, done)

    def __call__(self, progress):
        if (progress.phase, progress.done) == self.at:
            self.token.cancel()


@pytest.mark.parametrize(("phase", "done", "kept"), [("sensitivity", 3, 3), ("stability", 3, 2)])
def test_an_interruption_keeps_what_is_finished(table, phase, done, kept):
    """Halves are kept in pairs."""
    stop = Stop(phase, done)
    with pytest.raises(renyi.Interrupted) as caught:
        renyi.select(
            table,
            alpha=2,
            stability=6,
            sensitivity=phase == "sensitivity",
            progress=stop,
            cancel=stop.token,
            **QUICK,
        )
    path = caught.value.path
    assert path.verdict.stopped == "criterion"  # the selection itself was finished
    found = path.sensitivity.settings if phase == "sensitivity" else path.stability.halves
    assert len(found) == kept


@pytest.mark.slow
@pytest.mark.parametrize(("phase", "done"), [("sensitivity", 5), ("stability", 3)])
def test_a_checkpoint_goes_on_from_finished_repeats(table, tmp_path, phase, done):
    asked = {"alpha": 2, "stability": 4, "sensitivity": True, **QUICK}
    whole = renyi.select(table, **asked)
    stop = Stop(phase, done)
    place = tmp_path / "kept.json"
    with pytest.raises(renyi.Interrupted):
        renyi.select(table, progress=stop, cancel=stop.token, checkpoint=place, **asked)
    seen = set()
    again = renyi.select(
        table, checkpoint=place, progress=lambda p: seen.add((p.phase, p.done)), **asked
    )
    assert again == whole
    before = done if phase == "sensitivity" else done - 1
    assert (phase, before) in seen
    assert (phase, before - 1) not in seen


def test_progress_counts_the_repeats(table):
    seen = []
    renyi.select(table, alpha=2, stability=4, progress=seen.append, **QUICK)
    halves = [p for p in seen if p.phase == "stability"]
    assert {p.done for p in halves} == {0, 1, 2, 3}
    assert {p.total for p in halves} == {4}


def test_pairs_are_looked_at_where_they_can_be(table):
    path = renyi.select(
        table, criterion="none", max_features=1, lookahead=2, alpha=2, sensitivity=True
    )
    assert path.sensitivity is not None
    assert path.sensitivity.asked == len(path.sensitivity.settings) == 4
    assert {setting.alpha for setting in path.sensitivity.settings} == {2.0}
