"""Pairs that matter only together."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.errors import OptionError
from renyi.options import method_options
from renyi.stopping import LargestGainCriterion

N = 200
RNG = np.random.default_rng(11)
A, B = RNG.integers(0, 2, size=(2, N))
FLIPPED = RNG.random(N) < 0.1
NOISE = {f"n{k}": RNG.normal(size=N) for k in range(5)}
Y = [f"c{code}" for code in A ^ B ^ FLIPPED]
COLUMNS = {**NOISE, "a": A.astype(float), "b": [f"v{code}" for code in B]}


def selection(columns=COLUMNS, y=Y, **given):
    chosen = {
        "target": "y",
        "criterion": "cmi-max",
        "alpha": 2,
        "permutations": 39,
        "lookahead": 2,
        **given,
    }
    return renyi.select(pl.DataFrame({**columns, "y": y}), **chosen)


@pytest.fixture(scope="module")
def found():
    return selection()


def test_a_pair_that_matters_only_together_is_found(found):
    assert selection(lookahead=1).selected == ()
    step = found.steps[0]
    assert step.features == ("a", "b")
    assert step.feature is None
    assert step.selected
    assert found.selected == ("a", "b")
    assert not found.steps[1].selected
    truth = renyi.measure(
        pl.DataFrame({**COLUMNS, "y": Y}), x=["a", "b"], y="y", alpha=2, kind={"y": "nominal"}
    )
    assert step.mi == pytest.approx(truth["I(x;y)"], abs=1e-9)
    assert step.gain == step.mi
    report = step.criteria[0]
    assert not report.stop
    assert report.statistic == step.gain
    assert (report.exceedances, report.drawn) == (0, 39)
    assert report.reason == (
        "the best of 21 pairs of candidates shuffled together gained as much in 0 of 39 draws "
        "(level 0.025)"
    )


def test_the_second_best_pair_is_the_runner_up(found):
    runner_up = found.steps[0].runner_up
    assert len(runner_up.features) == 2
    assert set(runner_up.features) != {"a", "b"}
    assert runner_up.gap > 0
    assert runner_up.mi == pytest.approx(found.steps[0].mi - runner_up.gap, abs=1e-9)


def test_a_stop_says_what_both_looks_found(found):
    reason = found.verdict.reason
    assert reason.startswith("stopped before `n")
    assert "(level 0.025); nor did the best pair enter, `n" in reason
    assert reason.endswith("(level 0.025)")
    assert found.verdict.step == 2


def test_an_answer_does_not_depend_on_workers_or_on_a_cut(found, tmp_path):
    assert selection(jobs=3) == found
    place = tmp_path / "cut.json"
    selection(checkpoint=place)
    record = json.loads(place.read_text())
    record["steps"], record["run"]["steps"] = record["steps"][:1], record["run"]["steps"][:1]
    record["unselected"] = []
    record["verdict"] = {"stopped": "interrupted", "reason": "cut off", "step": 1, "criteria": []}
    place.unlink()
    renyi.SelectionPath.from_json(json.dumps(record)).save(place)
    assert selection(checkpoint=place) == found


def test_two_places_are_needed():
    assert selection(max_features=1).selected == ()
    assert selection(keep="n0", max_features=2).selected == ("n0",)
    path = selection(keep="n0", max_features=3)
    assert path.selected == ("n0", "a", "b")
    assert path.verdict.stopped == "max_features"
    assert path.verdict.reason.startswith("stopped at 3 features")


def test_given_a_kept_feature_the_pair_is_judged_with_it():
    third = np.random.default_rng(1).integers(0, 2, size=N)
    y = [f"c{code}" for code in A ^ B ^ third ^ FLIPPED]
    levels = {
        "a": A,
        "b": B,
        "c": third,
    }  # as levels: a Gaussian kernel tells two values less apart
    columns = {**NOISE, **{name: [f"v{code}" for code in codes] for name, codes in levels.items()}}
    path = selection(columns, y, keep="c", nominal="delta")
    assert path.selected == ("c", "a", "b")


def test_local_permutations_judge_pairs_too():
    assert selection(criterion="cmi-local").selected == ("a", "b")
    assert set(selection(criterion="cmi-local", keep="n0").selected) == {"n0", "a", "b"}


def test_a_gain_that_is_too_small_for_two_is_none():
    path = selection(min_gain=0.9)
    assert path.selected == ()
    assert "nor did the best pair enter" in path.verdict.reason


def test_without_a_test_two_places_go_to_what_gains_more_than_twice():
    path = selection(criterion="none", max_features=2)
    assert path.steps[0].features == ("a", "b")
    x = np.random.default_rng(2).normal(size=N)
    plain = {"x": x, **NOISE}
    y = [f"c{int(value > 0)}" for value in x]
    assert selection(plain, y, criterion="none", max_features=1).steps[0].features == ("x",)


def test_noise_does_not_ride_on_a_feature(monkeypatch):
    """A pair that passes for the sake of one of its two is refused."""
    rng = np.random.default_rng(0)
    noise = {f"n{k}": rng.normal(size=N) for k in range(5)}
    x = rng.normal(size=N)
    y = [f"c{int(value > 0)}" for value in x + rng.normal(size=N)]
    judge = LargestGainCriterion.judge
    looks = []

    def single_ones_fail_first(self, view):
        report = judge(self, view)
        looks.append(view)
        if len(looks) == 1:  # the single feature, as if by chance
            return replace(report, stop=True)
        return report

    monkeypatch.setattr(LargestGainCriterion, "judge", single_ones_fail_first)
    path = selection({"x": x, **noise}, y)
    assert looks[1].pairs is not None
    assert path.selected == ()
    assert len(looks) >= 3


def test_a_table_and_a_frame_show_both(found):
    frame = found.to_polars()
    assert frame["feature"][0] == "a+b"
    assert frame["runner_up"][0].count("+") == 1
    assert renyi.SelectionPath.from_json(found.to_json()) == found
    assert [why.code for why in found.unselected] == ["uninformative"] * 5


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"criteria": "cmi-perm"}, "`criterion` must be one of cmi-max, cmi-local, none"),
        ({"criteria": ("cmi-max", "mi-chi2")}, "got mi-chi2"),
        ({"alpha": 1.01}, "`lookahead` 2 needs alpha 2"),
        ({"solver": "dense"}, "`lookahead` 2 needs alpha 2 and solver auto"),
        ({"criteria": "none", "score": "chi2-gain"}, "`score` must be mi for lookahead 2"),
        ({"permutations": 38}, "`permutations` must be at least 39"),
        ({"lookahead": 3}, "`lookahead` must be 1 or 2, got 3"),
        ({"lookahead": 0}, "`lookahead` must be a whole number of at least 1"),
    ],
)
def test_what_does_not_go_together_is_refused(given, words):
    chosen = {"criteria": "cmi-max", "alpha": 2.0, "permutations": 39, "lookahead": 2, **given}
    with pytest.raises(OptionError) as refusal:
        method_options(**chosen)
    assert words in refusal.value.message
    assert refusal.value.message.endswith(".")


def test_too_many_pairs_are_refused_before_any_work():
    many = {f"n{k}": column for k, column in enumerate(RNG.normal(size=(1001, N)))}
    with pytest.raises(
        OptionError, match="compares 500500 pairs of 1001 features over 200 rows"
    ) as refusal:
        selection(many)
    assert "at most 1000 features" in refusal.value.hint
