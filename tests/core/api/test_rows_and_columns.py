"""What is said of rows and what is said of columns, together."""

import threading
import time

import numpy as np
import polars as pl
import pytest

import renyi
from renyi._progress import CancelToken, ignore_progress
from renyi.errors import ColumnError, OptionError
from renyi.execution import followed, lone, one_blas_thread, run


def names(codes, word="l"):
    return [f"{word}{code}" for code in codes]


@pytest.mark.parametrize("alpha", [1.01, 1.5])
def test_two_onehot_targets_have_the_entropies_of_dense(alpha):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 260))
    frame = pl.DataFrame(
        {"a": a, "b": b, "u": names(a > 0), "v": names(b + rng.normal(size=260) > 0)}
    )
    given = {"target": ["u", "v"], "alpha": alpha, "label_kernel": "onehot", "criterion": "none"}
    auto, dense = (renyi.select(frame, solver=solver, **given) for solver in ("auto", "dense"))
    assert auto.selected == dense.selected
    for one, other in zip(auto.steps, dense.steps, strict=True):
        assert one.mi == pytest.approx(other.mi, abs=2e-6)


def test_a_group_of_names_is_no_copy_of_their_combination():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, 200))
    frame = pl.DataFrame(
        {"a": names(a), "b": names(b), "ab": names(2 * a + b), "y": names(a ^ b, "c")}
    )
    path = renyi.select(frame, target="y", group_columns={"pair": ["a", "b"]})
    assert not path.aliases
    assert path.selected[0] == "ab"  # each of its levels has one class; the pair is smoother


@pytest.mark.parametrize("solver", ["dense", "tiles"])
def test_series_have_one_chance_whatever_the_solver(solver):
    rng = np.random.default_rng(3)
    level = np.cumsum(rng.normal(size=90)) / 4
    columns = {f"x{k}": level * (k == 0) + rng.normal(size=90) for k in range(3)}
    frame = pl.DataFrame({**columns, "y": names(level + rng.normal(size=90) > 0)})
    given = {"target": "y", "blocks": 7, "criterion": "none"}
    auto, other = (renyi.select(frame, solver=one, **given) for one in ("auto", solver))
    assert auto.selected == other.selected
    for one, two in zip(auto.steps, other.steps, strict=True):
        assert one.z == pytest.approx(two.z, abs=1e-4)


def test_columns_that_few_orders_move_do_not_hide_others():
    """Forty columns of a single one, beside one that tells: as without groups."""
    found = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(12), 8)
        x = rng.normal(size=96)
        sparse = np.zeros((96, 40))
        sparse[rng.integers(0, 96, 40), np.arange(40)] = 1.0
        frame = pl.DataFrame(sparse, schema=[f"s{k}" for k in range(40)]).with_columns(
            pl.Series("x", x),
            pl.Series("g", groups),
            pl.Series("y", names(x + 0.7 * rng.normal(size=96) > 0)),
        )
        path = renyi.select(frame, target="y", groups="g", max_features=2, seed=seed)
        found += "x" in path.selected
    assert found == 6


def test_what_is_shuffled_is_decided_before_rows_are_drawn():
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(200), 4)
    frame = pl.DataFrame(
        {"x": rng.normal(size=800), "g": groups, "y": names(rng.integers(0, 2, 800))}
    )
    for rows in (None, 400, 40):
        path = renyi.select(frame, target="y", groups="g", rows=rows)
        assert "within" in path.data.together.reason
        assert path.data.rows_used % 4 == 0  # whole groups are drawn


def test_gaps_are_not_judged_where_rows_belong_together():
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(30), 8)
    y, gap = rng.integers(0, 2, (2, 30))[:, groups]
    x = y + rng.normal(size=240)
    frame = pl.DataFrame({"x": np.where(gap == 1, np.nan, x), "g": groups, "y": names(y)})
    frame = frame.with_columns(pl.col("x").fill_nan(None))
    given = {"target": "y", "missing": "level", "keep": "x", "max_features": 1}
    path = renyi.select(frame, groups="g", **given)
    assert "missing_tells" not in {note.code for note in path.warnings}


def test_frequencies_are_no_subjects():
    rng = np.random.default_rng(4)
    x = rng.normal(size=120)
    frame = pl.DataFrame({"x": x, "w": rng.integers(1, 6, 120), "y": names(x > 0)})
    path = renyi.select(frame, target="y", weights="w", weight_kind="frequency")
    assert "repeated_subject" not in {note.code for note in path.warnings}
    with pytest.raises(OptionError, match="`blocks` needs each row once"):
        renyi.select(frame, target="y", weights="w", weight_kind="frequency", blocks=5)


def test_one_column_has_one_part():
    frame = pl.DataFrame({"x": range(40), "w": [1, 2] * 20, "y": ["a", "b"] * 20})
    for given, taken in (
        ({"weights": "w", "groups": "w"}, "that of `weights`"),
        ({"weights": "w", "features": "w"}, "asked for as a feature"),
        ({"weights": "w", "keep": "w"}, "forced in"),
        ({"weights": "w", "group_columns": {"g": ["x", "w"]}}, "in the group `g`"),
    ):
        with pytest.raises(ColumnError, match=taken):
            renyi.select(frame, target="y", **given)
    with pytest.raises(ColumnError, match="asked for as a feature"):
        renyi.measure(frame, x=["x", "w"], y="y", weights="w")
    with pytest.raises(OptionError, match="`weight_kind` frequency is for weights"):
        renyi.select(frame, target="y", weight_kind="frequency")


def test_a_lookahead_takes_more_orders():
    groups = np.repeat(np.arange(8), 6)
    rng = np.random.default_rng(6)
    frame = pl.DataFrame(
        {"x": rng.normal(size=48), "z": rng.normal(size=48), "g": groups, "y": names(groups < 4)}
    )
    renyi.select(frame, target="y", groups="g")
    with pytest.raises(OptionError, match=r"p-value of 0\.025 takes 40 orders"):
        renyi.select(frame, target="y", groups="g", lookahead=2)


@pytest.mark.slow
def test_work_that_was_left_holds_no_state_of_the_libraries():
    """A worker that ends long after its caller has gone must not keep others waiting."""
    token, left, ended = CancelToken(), threading.Event(), threading.Event()

    def slow(_):
        token.cancel()
        left.wait(600)

    def nested():
        try:
            list(run(slow, [1, 2], rows=10_000, jobs=2))
        finally:
            ended.set()

    with pytest.raises(KeyboardInterrupt), followed(ignore_progress, token):
        lone(nested, 10_000)
    left.set()
    assert ended.wait(600)
    time.sleep(0.5)
    done = threading.Event()

    def other():
        with one_blas_thread():
            done.set()

    threading.Thread(target=other, daemon=True).start()
    assert done.wait(60)
