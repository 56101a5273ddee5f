"""What a table is said to be taken for, before anything is selected."""

from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.errors import MissingValuesError, OptionError


@pytest.fixture
def table() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 60)
    return pl.DataFrame(
        {
            "copy": np.where(label == 1, "p", "n"),
            "noise": rng.normal(size=60),
            "gaps": [None, None, None, *rng.normal(size=57)],
            "same": [1.0] * 60,
            "y": label,
        }
    )


def codes(found: renyi.Description) -> set[str]:
    return {note.code for note in found.notes}


def test_missing_values_are_counted_and_do_not_end_it(table: pl.DataFrame) -> None:
    found = renyi.describe(table, alpha=2)
    missing = {column.name: column.missing for column in found.data.columns}
    assert missing["gaps"] == 3
    assert found.data.rows_used == 57
    assert "rows_dropped" in codes(found)
    with pytest.raises(MissingValuesError):
        renyi.describe(table, alpha=2, missing="error")


def test_a_column_that_gives_the_target_away_is_named(table: pl.DataFrame) -> None:
    found = renyi.describe(table, alpha=2)
    (leak,) = (note for note in found.notes if note.code == "possible_leak")
    assert leak.columns == ("copy",)
    held = {column.name: column for column in found.columns}
    assert held["copy"].mi_with_target < 0.8 * found.target_entropy  # by a soft kernel
    (plain,) = (c for c in renyi.describe(table, nominal="delta").columns if c.name == "copy")
    assert plain.mi_with_target == pytest.approx(found.target_entropy)
    assert "same" not in held


def test_saturation_is_not_taken_for_a_leak(table: pl.DataFrame) -> None:
    found = renyi.describe(table, bandwidth=1e-4, exclude="copy", class_weights="none")
    assert "possible_leak" not in codes(found)
    (note,) = (note for note in found.notes if note.code == "saturated")
    assert "noise" in note.columns
    noise = next(column for column in found.columns if column.name == "noise")
    assert noise.entropy == pytest.approx(math.log2(57))


def test_a_soft_kernel_is_said_and_has_a_width(table: pl.DataFrame) -> None:
    kernels = {c.name: (c.kernel, c.bandwidth) for c in renyi.describe(table).data.columns}
    assert kernels["copy"] == ("soft", 2.0)
    assert kernels["noise"] == ("gaussian", 2.0)
    assert kernels["y"] == ("delta", None)


def test_too_many_levels_for_a_soft_kernel_are_noted() -> None:
    rng = np.random.default_rng(4)
    levels = [f"level {number}" for number in [*range(300), *rng.integers(0, 300, 300)]]
    many = {"many": levels, "x": rng.normal(size=600), "y": rng.choice(["p", "q"], 600)}
    found = renyi.describe(many, target="y")
    (note,) = (note for note in found.notes if note.code == "many_levels")
    assert note.columns == ("many",)
    assert "`many` has more than 256 levels" in note.message
    (column,) = (column for column in found.data.columns if column.name == "many")
    assert column.kernel == "delta"
    path = renyi.select(many, target="y", criterion="none", max_features=1)
    assert "many_levels" in {note.code for note in path.warnings}
    assert "many_levels" not in codes(renyi.describe(many, target="y", nominal="delta"))


@pytest.mark.parametrize("standardise", ["zscore", "minmax"])
@pytest.mark.parametrize("column", ["x", "y"])
def test_a_value_so_far_out_that_all_others_look_alike_is_noted(
    column: str, standardise: str
) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    values = {"x": x, "gaps": [None, *x[1:]], "y": x + rng.normal(size=300) / 2}
    options = {"target": "y", "missing": "level", "class_weights": "none"}
    options |= {"standardise": standardise}
    assert "far_rows" not in codes(renyi.describe(values, **options))
    far = values | {column: [999_999.0, *values[column][1:]]}
    (note,) = (n for n in renyi.describe(far, **options).notes if n.code == "far_rows")
    assert note.columns == (column,)
    assert note.message.endswith(f"standardise by rank): `{column}`.")
    path = renyi.select(far, **options, criterion="none", max_features=1)
    assert "far_rows" in {one.code for one in path.warnings}
    assert "far_rows" not in codes(renyi.describe(far, **options | {"standardise": "rank"}))
    by_ranks = renyi.describe(far, **options | {"class_weights": "balanced"})
    ranked = column == "y" and standardise == "zscore"  # such a target counts by its ranks
    assert ("far_rows" in codes(by_ranks)) == (not ranked)


def test_values_that_are_rare_or_have_heavy_tails_are_not_far_out() -> None:
    rng = np.random.default_rng(2)
    rare = np.zeros(300)
    rare[:2] = 1, 7
    tables = {"rare": rare, "tails": rng.standard_cauchy(300), "y": rng.normal(size=300)}
    assert "far_rows" not in codes(renyi.describe(tables, target="y"))


def test_forms_hold_the_same(table: pl.DataFrame) -> None:
    found = renyi.describe(table, alpha=2)
    record = json.loads(found.to_json())
    frame = found.to_polars()
    assert frame["name"].to_list() == table.columns
    assert [c["name"] for c in record["data"]["columns"]] == table.columns
    by_name = {c["name"]: c["entropy"] for c in record["columns"]}
    for name, entropy in zip(frame["name"], frame["entropy"], strict=True):
        assert by_name.get(name) == entropy
    assert record["target_entropy"] == found.target_entropy


def test_entropies_that_take_minutes_are_left_out_with_a_note() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(15000, 1))
    positive = (values[:, 0] > 0).astype(int)
    found = renyi.describe(values, positive, alpha=1.01)
    assert codes(found) >= {"entropies_skipped"}
    assert found.target_entropy is None
    assert found.columns[0].entropy is None
    assert renyi.describe(values, positive, alpha=1.01, rows=200).columns[0].entropy


def test_bandwidths_that_are_none_are_told_in_one_sentence(table: pl.DataFrame) -> None:
    for ask in (
        lambda: renyi.describe(table, bandwidths=5),  # type: ignore[arg-type]
        lambda: renyi.measure(table, x="noise", y="y", bandwidths=5),  # type: ignore[arg-type]
    ):
        with pytest.raises(OptionError, match="bandwidths"):
            ask()
