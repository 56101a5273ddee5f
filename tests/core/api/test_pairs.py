"""`select` from a share of all pairs: errors in the result, what is marked, what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

import renyi
from renyi import CancelToken
from renyi.datasets import generate
from renyi.errors import Interrupted, OptionError, UsageError


@pytest.fixture(scope="module")
def table():
    """600 rows: two columns that matter, and two that do not."""
    draw = np.random.default_rng(1)
    values = draw.normal(size=(600, 4))
    label = (values[:, 0] + 0.5 * values[:, 1] + 0.3 * draw.normal(size=600) > 0).astype(int)
    columns = {name: values[:, place] for place, name in enumerate("abcd")}
    return {**columns, "y": label.astype(str)}


def chosen(table, **options):
    return renyi.select(table, target="y", **{"pairs": "30%", "bandwidth": 1.0, **options})


@pytest.fixture(scope="module")
def path(table):
    return chosen(table)


def test_numbers_are_near_those_of_all_pairs_and_say_how_near(table, path):
    exact = chosen(table, pairs=None, criterion="none", max_features=2)
    assert path.selected[:2] == exact.selected == ("a", "b")
    for estimate, truth in zip(path.steps[:2], exact.steps, strict=True):
        errors = estimate.errors
        assert truth.errors is None
        for name in ("mi", "cmi", "gain", "z", "chance", "mi_chance"):
            off = abs(getattr(estimate, name) - getattr(truth, name))
            assert off <= 5 * getattr(errors, name) + 1e-5, name
        for name in ("selected", "joint", "target", "conditional_all"):
            off = abs(getattr(estimate.entropies, name) - getattr(truth.entropies, name))
            assert off <= 5 * getattr(errors, name) + 1e-5, name
    first, second = (step.errors for step in path.steps[:2])
    assert first.mi == first.gain == first.z == 0  # with nothing selected sums take no pairs
    assert first.cmi > 0
    assert 0 < second.gain < second.joint  # what sums have in common goes out
    assert second.target == 0


def test_numbers_agree_with_each_other(path):
    for step in path.steps:
        of = step.entropies
        assert step.mi == pytest.approx(of.selected + of.target - of.joint, abs=1e-9)
        assert step.runner_up is None or step.runner_up.gap >= 0


def test_it_says_which_pairs(path):
    note = next(note for note in path.warnings if note.code == "sampled_pairs")
    assert "30.1% of them" in note.message
    assert path.options.pairs == 0.3


def test_a_choice_that_the_error_could_turn_is_marked():
    draw = np.random.default_rng(5)
    one, two, apart = draw.normal(size=(3, 300))
    label = (one + two + draw.normal(size=300) > 0).astype(int).astype(str)
    # each row stands a second time with the two columns exchanged: all pairs rank them alike
    both = {"a": [*one, *two], "b": [*two, *one], "c": [*apart, *apart], "y": [*label, *label]}
    path = chosen(both, keep=("c",), criterion="none")
    first, second = path.steps[1:]
    assert first.runner_up.gap > 0
    assert first.errors.choice_open
    assert not second.errors.choice_open  # the last column has no rival
    said = next(note for note in path.warnings if note.code == "open_choice")
    assert "At step 2 another candidate" in said.message


def test_a_stop_that_the_error_could_turn_is_marked(table):
    gain = chosen(table, criterion="none").steps[1].gain
    for least, turns in ((gain * 0.99, True), (gain * 1.01, True), (gain / 2, False)):
        path = chosen(table, criterion="none", min_gain=least, max_features=2)
        assert path.steps[1].errors.stop_open is turns
        assert (path.verdict.stopped == "criterion") is (least > gain)
        assert ("open_stop" in {note.code for note in path.warnings}) is turns


@pytest.mark.parametrize("jobs", [1, 3])
def test_any_number_of_workers_gives_the_same_bytes(table, path, jobs):
    again = chosen(table, jobs=jobs)
    assert again == path
    assert json.dumps(again.to_dict() | {"run": None}) == json.dumps(path.to_dict() | {"run": None})


def test_another_seed_draws_other_pairs(table, path):
    other = chosen(table, seed=1)
    assert other.steps[1].mi != path.steps[1].mi
    assert other.selected[:2] == path.selected[:2]


def test_results_are_read_back(path):
    again = renyi.SelectionPath.from_json(path.to_json())
    assert again == path
    older = path.to_dict()
    for step in older["steps"]:
        del step["errors"]
    del older["options"]["pairs"]
    older["schema_version"] = "1.5"
    found = renyi.SelectionPath.from_dict(older)
    assert found.steps[0].errors is None
    assert found.options.pairs is None


def test_a_checkpoint_goes_on_to_the_same_result(table, path, tmp_path: Path):
    token, place = CancelToken(), tmp_path / "part.json"

    def stop(progress):
        if progress.phase == "step" and progress.step == 1:
            token.cancel()

    with pytest.raises(Interrupted) as interrupted:
        chosen(table, checkpoint=place, progress=stop, cancel=token)
    assert len(interrupted.value.path.steps) == 1
    assert chosen(table, checkpoint=place) == path
    with pytest.raises(UsageError, match="pairs"):
        chosen(table, pairs="40%", checkpoint=place)


def test_rows_that_belong_together_and_weights_have_errors_too(table):
    weights = np.random.default_rng(2).uniform(0.5, 2, size=600)
    found = chosen(table, weights=weights, max_features=2)
    assert found.selected[0] == "a"
    assert found.steps[1].errors.mi > 0
    groups = {**table, "site": [f"s{number % 30}" for number in range(600)]}
    found = chosen(groups, groups="site", max_features=2)
    assert found.selected[0] == "a"
    assert found.steps[1].errors.z > 0


def test_a_target_of_numbers_has_an_error_of_its_own(table):
    values = {**table, "y": np.asarray(table["a"]) + 0.5 * np.asarray(table["b"])}
    found = chosen(values, max_features=2)
    exact = chosen(values, max_features=2, pairs=None)
    assert found.selected == exact.selected == ("a", "b")
    for one, other in zip(found.steps, exact.steps, strict=True):
        assert one.errors.target > 0
        assert abs(one.mi - other.mi) <= 5 * one.errors.mi


def test_forced_columns_have_errors(table):
    found = chosen(table, keep=("c",), max_features=2)
    errors = found.steps[0].errors
    assert errors.gain > 0
    assert errors.mi > 0
    assert errors.gap is None


def test_too_few_rows_are_told_which_share_would_do(table):
    with pytest.raises(OptionError, match=r"at least 16.7% of the pairs of 600 rows") as refused:
        chosen(table, pairs="5%")
    assert refused.value.ways[0].value == "16.7%"
    assert chosen(table, pairs="16.7%", max_features=1).selected == ("a",)
    with pytest.raises(OptionError, match="300 rows"):
        chosen(table, pairs="20%", stability=2)
    few = {name: values[:90] for name, values in table.items()}
    with pytest.raises(OptionError, match="more than 100 rows"):
        chosen(few, pairs="90%")


def test_all_pairs_are_no_estimate(table):
    assert chosen(table, pairs="100%") == chosen(table, pairs=None)


def test_other_places_are_refused(table):
    with pytest.raises(OptionError, match="`pairs` must be left out where `executor` is given"):
        chosen(table, executor="local:2")
    with pytest.raises(OptionError, match="`pairs` needs backend numpy"):
        chosen(table, backend="cupy")


@pytest.mark.slow
def test_the_first_columns_are_those_of_all_pairs():
    frame = generate("waveform", rows=5000)
    exact = renyi.select(frame, criterion="none", max_features=6)
    assert (
        renyi.select(frame, criterion="none", max_features=6, pairs="10%").selected
        == exact.selected
    )
