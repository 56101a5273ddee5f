"""A long run says how long it will take, before it begins; a short one says nothing."""

import numpy as np
import pytest

import renyi

# which ways are named needs no run
from renyi.api._foreseen import _ways
from renyi.errors import Way
from renyi.information import Thresholds
from renyi.options import method_options
from renyi.selection import Speed, Task, seconds_of

ROWS = 4000


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    x = rng.standard_normal((ROWS, 6))
    return x, np.where(x[:, 0] + x[:, 1] + rng.standard_normal(ROWS) > 0, "a", "b")


@pytest.fixture
def every_run(with_thresholds):
    """Look at every run, and tell of all."""
    with_thresholds(Thresholds(looked_at_seconds=0.0, told_seconds=0.0))


def test_a_short_run_says_nothing(table):
    seen = []
    path = renyi.select(*table, max_features=1, progress=seen.append)
    assert all(progress.estimate is None for progress in seen)
    assert path.run["estimate_seconds"] is None


def test_an_estimate_comes_first_and_changes_no_result(table, with_thresholds):
    plain = renyi.select(*table, max_features=2)
    with_thresholds(Thresholds(looked_at_seconds=0.0, told_seconds=0.0))
    seen = []
    path = renyi.select(*table, max_features=2, progress=seen.append)
    assert path == plain
    assert path.warnings == plain.warnings
    assert seen[0].phase == "estimate"
    assert sum(progress.phase == "estimate" for progress in seen) == 1
    assert path.run["estimate_seconds"] == round(seen[0].estimate.seconds, 1) > 0
    assert renyi.SelectionPath.from_json(path.to_json()) == path


@pytest.mark.usefixtures("every_run")
@pytest.mark.parametrize(
    "asked",
    [
        {"sensitivity": True, "criterion": "none", "max_features": 1},
        {"stability": 2, "max_features": 1},
        {"alpha": 1.01, "criterion": "none", "max_features": 1},
    ],
    ids=["sensitivity", "stability", "alpha"],
)
def test_repeats_and_other_orders_are_counted(asked):
    rng = np.random.default_rng(5)
    x = rng.standard_normal((200, 3))
    path = renyi.select(x, (x[:, 0] > 0).astype(int), **asked)
    assert path.run["estimate_seconds"] > 0


@pytest.mark.usefixtures("every_run")
def test_a_comparison_says_so_too():
    rng = np.random.default_rng(5)
    x, seen = rng.standard_normal((200, 3)), []
    found = renyi.compare(x, (x[:, 0] > 0).astype(int), runs=3, progress=seen.append)
    assert seen[0].phase == "estimate"
    assert found.run["estimate_seconds"] > 0


@pytest.mark.usefixtures("every_run")
def test_several_scores_are_told_once_and_together():
    rng = np.random.default_rng(5)
    x, seen = rng.standard_normal((200, 3)), []
    asked = {"score": ["mi", "mim"], "runs": 30, "progress": seen.append}
    found = renyi.compare(x, (x[:, 0] > 0).astype(int), **asked)
    (told,) = (report.estimate for report in seen if report.estimate is not None)
    each = [one.run["estimate_seconds"] for one in found.comparisons]
    assert seen[0].estimate is told
    assert min(each) > 0
    assert told.seconds == pytest.approx(sum(each), abs=0.11)  # each is rounded to a tenth
    for way, seconds in told.ways:
        assert seconds <= told.seconds / 2, way


def speed(**changed):
    given = {
        "operation": 1e-10,
        "columns": 12.0,
        "slow": 0.0,
        "ranks": (12.0, 80.0, float("inf")),
        "distinct": (10**6,) * 20,
        "informative": 0.5,
    }
    return Speed(**{**given, **changed})


def task(rows=20_000, features=20, **asked):
    return Task(rows, features, 2, method_options(**asked), whole=True)


def test_time_grows_as_pairs_of_rows_do():
    one, two = (seconds_of(task(rows), speed()) for rows in (40_000, 80_000))
    assert 3.5 < two / one < 4.5


def test_time_grows_as_the_cube_of_the_rows_where_eigenvalues_are_taken():
    pairs = ((1, 0.01, 3.0),)
    asked = {"alpha": 1.01, "criteria": ("none",), "max_features": 3}
    one, two = (seconds_of(task(n, **asked), speed(pairs=pairs)) for n in (8_000, 16_000))
    assert 7 < two / one < 9


@pytest.mark.parametrize("alpha", [2, 1.01])
def test_other_searches_take_longer(alpha):
    def seconds(search, features=20):
        asked = {"alpha": alpha, "search": search}
        return seconds_of(task(8000, features, **asked), speed(pairs=((1, 0.01, 3.0),)))

    forward = seconds("forward")
    assert forward < seconds("floating") < seconds("beam:2") < seconds("beam:4")
    assert seconds("backward", 80) > 8 * seconds("backward") > 8 * forward
    assert task(search="backward").possible > task().possible


def test_a_limit_more_columns_and_draws_count():
    usual = seconds_of(task(), speed())
    assert seconds_of(task(max_features=3), speed()) < usual / 2
    assert seconds_of(task(features=200), speed()) > 2 * usual
    plain, drawn = (
        seconds_of(task(criteria=("mi-perm",), permutations=p), speed()) for p in (20, 500)
    )
    assert drawn > 3 * plain


@pytest.mark.usefixtures("every_run")
def test_only_what_helps_is_named(table):
    seen = []
    renyi.select(*table, max_features=2, progress=seen.append)
    told = seen[0].estimate
    assert all(seconds <= told.seconds / 2 for _, seconds in told.ways)
    named = {way.option for way, _ in told.ways}
    assert "alpha" not in named  # it is 2 already
    assert "criterion" not in named
    other = {way for way, _ in _ways(task(alpha=1.01, criteria=("cmi-perm",)), speed())}
    assert {Way("rows", 5000), Way("alpha", 2), Way("criterion", "mi-perm")} <= other
