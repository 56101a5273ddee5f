"""Long work says so before it begins, on all ways out, and short work never does."""

import warnings

import numpy as np
import pytest

import renyi
from renyi import bridge
from renyi.api import _estimate
from renyi.api._estimate import in_words
from renyi.information import Plan

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 5))
TABLE = {f"x{j}": X[:, j].tolist() for j in range(5)} | {
    "y": np.where(X[:, 0] + X[:, 1] + 0.3 * RNG.normal(size=600) > 0, "p", "n").tolist()
}


@pytest.fixture
def slow(monkeypatch):
    """A clock on which a second is a day, no work that the formula lets pass, and long trials."""
    clock = _estimate.perf_counter
    monkeypatch.setattr(_estimate, "perf_counter", lambda: 86_400 * clock())
    monkeypatch.setattr(_estimate, "TRIED", 0.0)
    monkeypatch.setattr(_estimate, "TRIAL_SHARE", 1.0)


def reports(**options):
    seen = []
    path = renyi.select(TABLE, target="y", progress=seen.append, **options)
    return path, seen


def notes(seen):
    return [report.note for report in seen if report.note is not None]


@pytest.mark.usefixtures("slow")
def test_long_work_is_told_of_before_it_begins():
    _, seen = reports()
    (note,) = notes(seen)
    assert note.startswith("This takes about ")
    assert seen.index(next(r for r in seen if r.note)) == 0


def test_short_work_is_not_told_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        renyi.select(TABLE, target="y")
    assert notes(reports()[1]) == []


@pytest.mark.usefixtures("slow")
def test_who_watches_nothing_is_warned():
    with pytest.warns(UserWarning, match="This takes about") as caught:
        renyi.select(TABLE, target="y")
    assert [item.filename for item in caught] == [__file__]


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_it_is_told_with_a_trial_and_without_one(share, monkeypatch):
    """Without one by the pace of the machine: where all is too short, or rows are too few."""
    monkeypatch.setattr(_estimate, "TRIAL_SHARE", share)
    tried, own = [], _estimate.ForwardSearch

    def search(dataset, *rest, **more):
        tried.append(dataset.n)
        return own(dataset, *rest, **more)

    monkeypatch.setattr(_estimate, "ForwardSearch", search)
    assert notes(reports()[1])
    assert (len(tried) == 2) is (share > 0)
    assert all(rows < 600 for rows in tried)


def test_an_estimate_never_changes_an_answer(slow, monkeypatch):
    told, seen = reports(alpha=1.01, criterion="cmi-perm", permutations=39)
    assert notes(seen)
    monkeypatch.undo()
    plain, _ = reports(alpha=1.01, criterion="cmi-perm", permutations=39)
    records = [path.to_dict() for path in (told, plain)]
    for record in records:
        record.pop("run")
    assert records[0] == records[1]
    assert told == plain


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize(
    ("options", "way"),
    [
        ({"alpha": 1.01, "criterion": "none"}, "--alpha 2"),
        ({"sensitivity": True}, "no --sensitivity"),
        ({"stability": 100, "criterion": "none"}, "--stability 20"),
    ],
)
def test_a_faster_way_is_named(options, way, monkeypatch):
    def stop(session, *rest):
        raise KeyboardInterrupt(long_note(session, *rest))

    long_note = _estimate.long_note
    monkeypatch.setattr("renyi.api._search.long_note", stop)
    with pytest.raises(renyi.Interrupted) as caught:
        renyi.select(TABLE, target="y", **options)
    assert f"{way} (" in str(caught.value.__context__ or caught.value.__cause__)


@pytest.mark.parametrize(
    ("asked", "rows", "way"),
    [
        ({}, 40_000, "--rows 5000"),
        ({}, 6000, "--rows 3000"),
        ({"criteria": ("none",)}, 600, "--max-features 10"),
        ({"permutations": 999}, 600, "--permutations auto"),
    ],
)
def test_ways_are_named_by_what_takes_the_time(asked, rows, way):
    from renyi.api._reruns import Repeats
    from renyi.options import method_options

    method = method_options("default", **asked)
    plan = Plan(rows=rows, columns=40, steps=30.0, drawn="all", draws=200.0)
    work = _estimate.work_of(plan, method, Repeats())
    found = dict(_estimate.faster_ways(work, method, Repeats(), rows))
    assert found[way] < work.seconds


@pytest.mark.usefixtures("slow")
def test_repeats_are_counted(monkeypatch):
    def seconds(**options):
        reports(max_features=2, criterion="none", **options)
        return found.pop().seconds

    found, own = [], _estimate.estimated
    monkeypatch.setattr(_estimate, "estimated", lambda *a: found.append(own(*a)) or found[-1])
    assert 2 < seconds(stability=10) / seconds() < 30


@pytest.mark.usefixtures("slow")
def test_a_finished_checkpoint_is_not_told_of(tmp_path):
    place = tmp_path / "part.json"
    assert notes(reports(checkpoint=place)[1])
    assert notes(reports(checkpoint=place)[1]) == []


@pytest.mark.usefixtures("slow")
def test_other_languages_are_told_whatever_the_pace(tmp_path):
    import polars as pl

    place = tmp_path / "table.parquet"
    pl.DataFrame(TABLE).write_parquet(place)
    seen = []
    reply = bridge.select(str(place), {"target": "y"}, None, seen.append)
    assert reply["ok"]
    assert sum(report["note"] is not None for report in seen) == 1


def test_a_trial_has_rows_of_every_class():
    from renyi.api._session import data_options, open_session
    from renyi.options import RunOptions, method_options

    table = TABLE | {"y": ["rare"] * 30 + ["often"] * 570}
    data = data_options(
        target="y",
        features=(),
        exclude=(),
        keep=(),
        kind=None,
        missing="error",
        rows=None,
        seed=0,
    )
    session = open_session(table, None, data, method_options("default"), RunOptions())
    dataset = session.loaded.dataset
    rows = _estimate._spread(dataset, 60, 0)
    assert len(set(rows.tolist())) == 60
    counts = np.bincount(dataset.target.codes[rows])
    assert sorted(counts) == [3, 57]


def test_words():
    assert [in_words(s) for s in (1, 59, 200, 6000, 400_000)] == [
        "some 10 seconds",
        "about a minute",
        "about 3 minutes",
        "about 2 hours",
        "about 5 days",
    ]
