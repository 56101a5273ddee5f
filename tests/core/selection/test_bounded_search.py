"""A search by bounds: the oracle's path, the same for any number of workers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import oracle
import renyi
import tables
from renyi.bounds import Opening
from renyi.information import Thresholds
from renyi.order2 import Passes
from renyi.selection import ForwardSearch

RECIPE = "CCRCNC"


@pytest.fixture(scope="module")
def table():
    return tables.random_table(RECIPE, "delta", 400, seed=6)


def paths(table, **options):
    """Return the result for 1, 2 and 4 workers, as written, and what it says of the work."""
    answers, runs = [], []
    for jobs in (1, 2, 4):
        path = renyi.select(
            table.frame, target="y", alpha=1.01, bandwidth=1.0, jobs=jobs, **options
        )
        answers.append(path.to_dict())
        runs.append(answers[-1].pop("run"))
        assert runs[-1]["jobs"] == jobs
    return answers, runs


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["none", "mi-perm"])
def test_workers_do_not_change_the_answer(table, criterion):
    answers, _ = paths(table, criterion=criterion, permutations=19, max_features=3)
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("label", ["delta", "numeric"])
@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_bounds_choose_as_dense_values_do(label, alpha):
    table = tables.random_table(RECIPE, label, 260, seed=7)
    steps, _ = tables.search(table, alpha=alpha, max_features=4)
    path = oracle.greedy(table.grams, table.label, alpha, 4)
    assert [step.feature for step in steps] == [f"f{truth.index}" for truth in path]
    for step, truth in zip(steps, path, strict=True):
        assert step.mi == pytest.approx(truth.mi, abs=step.error_bound + 1e-11)
        assert step.cmi == pytest.approx(truth.cmi, abs=2 * step.error_bound + 1e-11)
        assert step.error_bound <= 4e-6
        assert step.runner_up.features == (f"f{truth.runner_up}",)


@pytest.mark.parametrize("recipe", ["CCRCNC", "BBNBNBBB"])
@pytest.mark.parametrize("label", ["delta", "onehot", "numeric"])
def test_bounds_on_many_candidates_choose_as_values_do_at_order_two(recipe, label, monkeypatch):
    pairs, ranks = ForwardSearch._pairs, []

    def watched(self, candidates, question, expected=()):
        found = pairs(self, candidates, question, expected)
        ranks.extend(pair.rank for pair in found if question.rough)
        return found

    monkeypatch.setattr(ForwardSearch, "_pairs", watched)
    table = tables.random_table(recipe, label, 120, seed=8)
    kernel = "onehot" if label == "onehot" else "delta"
    always = Thresholds(loose_values=0)
    for twice in (table, tables.with_copy(table, 1)):
        steps, _ = tables.search(
            twice, thresholds=always, alpha=2.0, max_features=4, label_kernel=kernel
        )
        path = oracle.greedy(twice.grams, twice.label, 2.0, 4)
        assert [step.feature for step in steps] == [f"f{truth.index}" for truth in path]
        for step, truth in zip(steps, path, strict=True):
            assert step.mi == pytest.approx(truth.mi, abs=1e-10)
            assert step.runner_up.features == (f"f{truth.runner_up}",)
    assert recipe != "CCRCNC" or max(ranks) > 0  # bounds, not values


ALWAYS = Thresholds(proxy_values=0)
"""Candidates are ordered at order 2 whatever their number."""


@pytest.fixture
def ordered(monkeypatch):
    """Return the pairs of each step in which candidates are ordered at order 2."""
    plain, found = Passes.pairs, []

    def watched(self, extensions):
        found.append(plain(self, extensions))
        return found[-1]

    monkeypatch.setattr(Passes, "pairs", watched)
    return found


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_candidates_ordered_by_order_two_are_chosen_as_dense_values_do(alpha, ordered, monkeypatch):
    openings = []
    to_compression = Opening.to_compression.fget

    def watched(self):
        openings.append(self)
        return to_compression(self)

    monkeypatch.setattr(Opening, "to_compression", property(watched))
    table = tables.random_table("CCCCCC", "delta", 260, seed=7)
    always = replace(ALWAYS, proxy_rows=0)
    steps, _ = tables.search(table, thresholds=always, alpha=alpha, max_features=4)
    path = oracle.greedy(table.grams, table.label, alpha, 4)
    assert [step.feature for step in steps] == [f"f{truth.index}" for truth in path]
    for step, truth in zip(steps, path, strict=True):
        assert step.mi == pytest.approx(truth.mi, abs=step.error_bound + 1e-11)
        assert step.runner_up.features == (f"f{truth.runner_up}",)
    # not in the first step: a column alone is of low rank
    assert [len(pairs) for pairs in ordered] == [5, 4, 3]
    # the first two of a step are looked at without any expectation, the others with one
    expected = [math.isfinite(opening.likely) for opening in openings]
    assert any(expected)
    assert not all(expected)


def test_equal_columns_ordered_by_order_two_are_ties(ordered):
    table = tables.with_copy(tables.random_table("CCCC", "delta", 300, seed=9), 1)
    steps, _ = tables.search(table, thresholds=ALWAYS, alpha=1.01, max_features=3)
    path = oracle.greedy(table.grams, table.label, 1.01, 3)
    assert any(ordered)
    assert [step.feature for step in steps] == [f"f{truth.index}" for truth in path]


@pytest.mark.slow
def test_workers_do_not_change_what_follows_from_order_two(ordered, with_thresholds):
    with_thresholds(ALWAYS)
    table = tables.random_table("CCCCCCC", "delta", 400, seed=6)
    answers, runs = paths(table, criterion="none", max_features=4)
    for run in runs:
        assert [sum(step["candidates"].values()) for step in run["steps"]] == [7, 6, 5, 4]
    assert any(ordered)
    assert answers[0] == answers[1] == answers[2]
