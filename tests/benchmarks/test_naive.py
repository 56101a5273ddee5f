"""The naive loop is right, and counts what it does."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import oracle
import renyi
import tables
from renyi.resampling import PlainPermutations

N, FEATURES, PERMUTATIONS = 60, 6, 19


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("naive") / "t.parquet"
    renyi.datasets.generate("waveform", N, seed=3).select(
        *(f"x{k}" for k in (1, 7, 11, 15, 16, 21)), "class"
    ).write_parquet(path)
    return path


def task(file: Path, **changed: Any) -> Any:
    import naive

    record = {
        "file": str(file),
        "target": "class",
        "alpha": 1.01,
        "sigma": 2.0,
        "permutations": PERMUTATIONS,
    }
    return naive.Task.from_dict({**record, **changed})


@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.01, 2.0])
def test_it_answers_as_renyi_does(file: Path, alpha: float) -> None:
    import naive

    given = task(file, alpha=alpha)
    found = naive.run_whole(naive.read(given), given)
    path = renyi.select(
        str(file),
        kind={"*": "continuous", "class": "nominal"},
        criterion="cmi-perm",
        alpha=alpha,
        permutations=19,
        bandwidth=2.0,
        **tables.PLAIN,
    )
    assert found["path"] == [step.feature for step in path.steps]
    assert found["mi"] == pytest.approx([step.mi for step in path.steps], abs=1e-6)
    assert found["cmi"] == pytest.approx([step.cmi for step in path.steps], abs=1e-6)
    assert found["selected"] == [step.selected for step in path.steps]
    for exceeded, step in zip(found["exceeded"], path.steps, strict=True):
        report = step.criteria[0]
        assert len(exceeded) == PERMUTATIONS
        assert sum(exceeded[: report.drawn]) == report.exceedances


def test_it_says_what_the_oracle_says(file: Path) -> None:
    import naive

    given = task(file, criterion="none", max_features=3)
    found = naive.run_whole(naive.read(given), given)
    frame = pl.read_parquet(file)
    *names, target = frame.columns
    grams = [oracle.gaussian(oracle.zscore(frame[name].to_numpy()), 2.0) for name in names]
    truth = oracle.greedy(grams, oracle.delta(frame[target].to_numpy()), 1.01, steps=3)
    assert found["path"] == [names[step.index] for step in truth]
    assert found["mi"] == pytest.approx([step.mi for step in truth], abs=1e-10)
    assert found["cmi"] == pytest.approx([step.cmi for step in truth], abs=1e-10)


@pytest.mark.parametrize("criterion", ["none", "cmi-perm"])
def test_the_count_is_that_of_the_loop(file: Path, criterion: str) -> None:
    """Three entropies a candidate, four a CMI: counted while they are computed, and by formula."""
    import naive

    given = task(file, criterion=criterion, max_features=3)
    found = naive.run_whole(naive.read(given), given)
    replicates = PERMUTATIONS if criterion == "cmi-perm" else 0
    counts = naive.Counts(FEATURES, len(found["path"]), replicates)
    assert found["entropies"] == counts.entropies
    sample = {"path": found["path"], "step": 1, "candidates": 2, "replicates": 3}
    given = task(file, criterion=criterion, sample=sample)
    scaled = naive.run_sample(naive.read(given), given, given.sample)
    assert scaled["entropies"] == counts.entropies
    assert scaled["entropies_timed"] == 3 * 2 + 4 * 3
    assert scaled["mi"] == pytest.approx(found["mi"][0], abs=1e-12)
    assert scaled["cmi"] == pytest.approx(found["cmi"][0], abs=1e-12)


def test_scaling_is_by_the_counts() -> None:
    import naive

    counts = naive.Counts(features=10, steps=2, replicates=100)
    assert (counts.information, counts.conditional, counts.products) == (10 + 9, 202, 9 + 8)
    assert counts.entropies == 3 * 19 + 4 * 202
    ones = naive.Timings(information=1, conditional=0, gram=0, product=0)
    assert naive.scaled_seconds(ones, counts) == 19
    all_alike = naive.Timings(1, 1, 1, 1)
    assert naive.scaled_seconds(all_alike, counts) == 19 + 202 + 10 + 17


def test_shuffled_copies_are_those_of_renyi() -> None:
    import naive

    order = naive.orders_of(12, 5, 2)(7)
    assert np.array_equal(order, PlainPermutations(12, 5, 2).order(7))
    assert sorted(order) == list(range(12))


def test_a_constant_column_is_left_out(tmp_path: Path) -> None:
    import naive

    path = tmp_path / "c.parquet"
    pl.DataFrame({"a": [1.0, 2.0, 3.0], "c": [5.0] * 3, "y": ["u", "v", "u"]}).write_parquet(path)
    data = naive.read(task(path, target="y"))
    assert list(data.columns) == ["a"]
    assert data.classes.tolist() == [0, 1, 0]
    assert math.isclose(naive.delta_gram(data.classes).sum(), 5)
