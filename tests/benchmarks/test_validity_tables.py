"""The tables of the experiment on levels and power are what its page says of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


def test_the_null_covers_what_was_asked() -> None:
    from validity import all_cells

    null = {cell.name: cell for cell in all_cells() if cell.part == "null"}
    for kind in ("continuous", "discrete", "mixed", "correlated"):
        for rows in (50, 100, 400):
            for count in (1, 5, 20, 50, 200):
                cell = null[f"{kind}-{rows}-{count}"]
                made = cell.table(0)
                assert (len(made.columns), len(made.target.values)) == (count, rows)
                assert cell.runs["cmi-max"] == 400
                assert {"cmi-max", "cmi-perm", "mi-perm", "mi-chi2", "default"} <= {*cell.methods}
    for kind in ("levels-40", "classes-95-5", "heavy", "binary", "near-copies", "few-mixed"):
        assert any(name.startswith(f"{kind}-30-") for name in null), kind


def test_further_tables_are_as_said() -> None:
    from validity import cell_of

    def table(name: str) -> Any:
        return cell_of(f"null/{name}").table(0)

    rare = [table(f"classes-95-5-{rows}").target.values.sum() for rows in ("30-5", "100-20")]
    assert rare == [2, 5]
    names = table("levels-40-100-20").columns
    assert names["x1"].nominal
    assert len(set(names["x1"].values)) > 30
    assert {len(set(c.values)) for name, c in names.items() if c.nominal and name != "x1"} == {3}
    copies = table("near-copies-100-20").numbers()
    assert np.corrcoef(copies[:, 0], copies[:, 1])[0, 1] > 0.99
    assert np.array_equal(np.round(copies[:, 2], 1), copies[:, 3])
    assert {*table("binary-100-20").numbers().ravel()} == {0, 1}


def test_rows_hang_together_as_said() -> None:
    from validity import cell_of

    series = [cell_of("null/rows-in-time").table(run).target.values for run in range(30)]
    later = np.mean([np.mean(y[1:] * y[:-1]) / np.mean(y**2) for y in series])
    assert later == pytest.approx(0.9, abs=0.06)
    subjects = cell_of("null/rows-in-subjects").table(0).target.values.reshape(30, 6)
    assert subjects.std(axis=1, ddof=1).mean() == pytest.approx(0.5, abs=0.1)
    classes = cell_of("null/classes-of-subjects").table(0).target.values.reshape(30, 6)
    assert np.all(classes == classes[:, :1])
    assert classes[:, 0].sum() == 15


def test_a_random_column_is_all_that_is_added() -> None:
    from validity import cell_of
    from validity._added import set_problem

    if problem := set_problem("heart"):
        pytest.skip(problem)
    alone, more = (cell_of(f"added/heart-{which}").table(3) for which in ("alone", "20"))
    assert more.names == [*alone.names, "random"]
    assert len(set(more.columns["random"].values)) == 20
    assert all(np.array_equal(c.values, more.columns[k].values) for k, c in alone.columns.items())


def test_a_run_draws_the_same_table_whenever_it_is_done() -> None:
    from validity import cell_of

    cell = cell_of("null/mixed-50-5")
    first, again, other = cell.table(3), cell.table(3), cell.table(4)
    assert np.array_equal(first.numbers(), again.numbers())
    assert not np.array_equal(first.numbers(), other.numbers())
    assert cell.identity() == cell.identity()
    assert cell.identity() != cell_of("null/mixed-100-5").identity()


def test_candidates_depend_on_each_other_as_said() -> None:
    from validity import cell_of

    made = cell_of("null/correlated-400-200").table(0).numbers()
    neighbours = [np.corrcoef(made[:, j], made[:, j + 1])[0, 1] for j in range(199)]
    assert np.mean(neighbours) == pytest.approx(0.9, abs=0.01)
    later = cell_of("null/later-correlated-400").table(0)
    x = later.numbers()
    with_x1 = [np.corrcoef(x[:, 0], x[:, j])[0, 1] for j in range(1, 21)]
    assert np.mean(with_x1) == pytest.approx(0.8, abs=0.03)


def test_true_effects_are_as_large_as_the_rule_says() -> None:
    from validity._truth import JUDGED, PROBLEMS, smallest_effect

    assert [p.name for p in JUDGED] == [
        *("linear", "copies", "nested", "interaction", "xor", "friedman")
    ]
    assert all(smallest_effect(problem, 50_000) >= 6 for problem in JUDGED)
    for problem in PROBLEMS:
        made = problem.table(np.random.default_rng(0))
        assert set(problem.true) < set(made.columns)
        assert len(made.target.values) == problem.rows


def test_a_smallest_effect_is_that_of_least_squares() -> None:
    """Against the textbook: t = b sd(x) sqrt(n) / sigma for independent columns."""
    from validity._tables import Column
    from validity._truth import Drawn, Problem, smallest_effect

    def draw(rng: np.random.Generator, rows: int) -> Drawn:
        x = rng.standard_normal((rows, 2)) * [1.0, 3.0]
        columns = {"a": Column(x[:, 0]), "b": Column(x[:, 1])}
        return Drawn(columns, x * [2.0, 0.5])

    problem = Problem("p", "", 100, ("a", "b"), draw, noise=2.5)
    assert smallest_effect(problem) == pytest.approx(0.5 * 3 * 10 / 2.5, rel=0.02)


def test_copies_are_copies() -> None:
    """The claim about copies is about columns of equal kernels."""
    from validity import cell_of
    from validity._claims import SAME

    made = cell_of("claims/copies").table(5)
    for one, other in SAME:
        a, b = made.columns[one], made.columns[other]
        assert a.nominal == b.nominal
        if a.nominal:
            assert len({*zip(a.values, b.values, strict=True)}) == len(set(a.values)) == 3
        else:
            assert abs(np.corrcoef(a.values, b.values)[0, 1]) == pytest.approx(1)
    assert len(made.columns) == 10


def test_madelons_relevant_columns_have_rank_five() -> None:
    from validity import cell_of
    from validity._claims import madelon_problem, relevant_columns

    if problem := madelon_problem():
        pytest.skip(problem)
    made = cell_of("claims/madelon").table(0)
    relevant = relevant_columns(made)
    assert len(relevant) == 20
    x = made.numbers()[:, relevant]
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    values = np.linalg.svd(x / np.sqrt(len(x)), compute_uv=False)
    assert values[4] > 1.4
    assert values[5] < 0.12
