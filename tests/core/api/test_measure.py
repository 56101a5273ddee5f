"""Entropies and information between named columns, and of values given one by one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import renyi
from renyi.errors import (
    ColumnError,
    DataError,
    MemoryBudgetError,
    OptionError,
    UsageError,
)


@pytest.fixture
def table() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    x = rng.normal(size=80)
    return pl.DataFrame(
        {
            "a": x,
            "b": x + rng.normal(size=80),
            "c": rng.choice(["u", "v", "w"], 80),
            "y": np.where(x > 0, "p", "n"),
        }
    )


@pytest.mark.parametrize("alpha", [0.7, 1.0, 1.01, 2.0])
def test_quantities_are_those_of_values_given_one_by_one(table: pl.DataFrame, alpha: float) -> None:
    found = renyi.measure(table, x=["a", "b"], y="y", given="c", alpha=alpha, class_weights="none")
    x, y, z = table[["a", "b"]], table["y"], table["c"]
    assert found["H(x)"] == pytest.approx(renyi.entropy(x, alpha=alpha), abs=1e-9)
    label = renyi.entropy(y, alpha=alpha, nominal="delta")
    assert found["H(y)"] == pytest.approx(label, abs=1e-9)
    alone = renyi.mutual_information(x, y, alpha=alpha, class_weights="none")
    assert found["I(x;y)"] == pytest.approx(alone, abs=1e-9)
    known = renyi.conditional_mutual_information(x, y, z, alpha=alpha, class_weights="none")
    assert found["I(x;y|given)"] == pytest.approx(known, abs=1e-9)
    assert all(0 < quantity.error_bound < 1e-3 for quantity in found.quantities)


def test_quantities_are_read_by_name(table: pl.DataFrame) -> None:
    found = renyi.measure(table, x=["a", "b"], y="y", given="c")
    assert found.mi == found["I(x;y)"] == found["I(x; y)"] == found["I(a, b; y)"]
    assert found.cmi == found["I(x;y|given)"] == found["I(a, b; y | c)"]
    assert list(found) == [quantity.name for quantity in found.quantities]
    assert dict(found) == {quantity.name: quantity.value for quantity in found.quantities}
    assert "H(given)" in found
    assert repr(found).startswith(f"Measurement(H(x)={found['H(x)']!r}, H(y)=")
    alone = renyi.measure(table, x=["a", "b"], y="y")
    assert alone.cmi is None
    assert "H(given)" not in alone
    with pytest.raises(KeyError, match=r"'I\(y;x\)' was not measured; there are H\(x\), H\(y\), "):
        alone["I(y;x)"]


@pytest.mark.parametrize("nominal", ["soft", "delta"])
@pytest.mark.parametrize("weights", ["balanced", "none"])
def test_values_count_rows_and_compare_levels_as_columns_do(
    table: pl.DataFrame, nominal: Any, weights: Any
) -> None:
    asked = {"nominal": nominal, "class_weights": weights}
    found = renyi.measure(table, x=["a", "c"], y="y", given="b", **asked)
    x, y, z = table[["a", "c"]], table["y"], table["b"]
    alone = renyi.mutual_information(x, y, **asked)
    assert found["I(x;y)"] == pytest.approx(alone, abs=1e-9)
    known = renyi.conditional_mutual_information(x, y, z, **asked)
    assert found["I(x;y|given)"] == pytest.approx(known, abs=1e-9)
    kernels = {column.name: column.kernel for column in found.data.columns}
    assert kernels["c"] == nominal
    path = renyi.select(table, target="y", features=["a", "c"], criterion="none", **asked)
    assert path.steps[-1].mi == pytest.approx(found["I(x;y)"], abs=2e-6)


def test_columns_of_y_have_the_kernel_of_a_target_and_rows_then_count_alike(
    table: pl.DataFrame,
) -> None:
    found = renyi.measure(table, x="a", y=["y", "c"])
    kernels = {column.name: column.kernel for column in found.data.columns}
    assert kernels["y"] == kernels["c"] == "delta"
    turned = renyi.measure(table, x="a", y=["c", "y"])
    assert found["I(x;y)"] == pytest.approx(turned["I(x;y)"], abs=1e-12)
    alone = renyi.mutual_information(table["a"], table[["y", "c"]])
    assert found["I(x;y)"] == pytest.approx(alone, abs=1e-9)


def test_a_measurement_as_json(table: pl.DataFrame) -> None:
    found = renyi.measure(table, x="a", y="y", alpha=2)
    record = json.loads(found.to_json())
    assert [q["name"] for q in record["quantities"]] == ["H(x)", "H(y)", "H(x,y)", "I(x;y)"]
    assert record["quantities"][3]["text"] == "I(a; y)"
    assert record["options"]["alpha"] == 2
    assert record["options"]["nominal"] == "soft"
    assert record["options"]["class_weights"] == "balanced"
    with pytest.raises(KeyError):
        found["H(z)"]


def test_columns_are_named_once_and_in_full(table: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match="`given` must name other columns than `x`, got `a`"):
        renyi.measure(table, x="a", y="y", given="a")
    with pytest.raises(ColumnError, match="`x` must name each column once, got `a` twice"):
        renyi.measure(table, x=["a", "a"], y="y")
    with pytest.raises(OptionError, match="`x` must name at least one column"):
        renyi.measure(table, x=[], y="y")
    with pytest.raises(ColumnError):
        renyi.measure(table, x="[ab]", y="y")


def test_a_constant_holds_nothing() -> None:
    assert renyi.entropy(np.ones(9)) == 0
    assert renyi.entropy(["same"] * 4, alpha=2) == 0


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ([1.0, float("nan"), 2.0], DataError, "missing"),
        ([1.0, float("inf"), 2.0], DataError, "finite"),
        ([], DataError, "at least one value"),
        ([None, None], DataError, "no value at all"),
        ("table.csv", UsageError, "must be values"),
        (5, UsageError, "must be values"),
        (np.empty((3, 0)), UsageError, "at least one column"),
    ],
)
def test_what_cannot_be_measured(values: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        renyi.entropy(values)


def test_sides_have_one_length() -> None:
    with pytest.raises(UsageError, match="same number of values"):
        renyi.mutual_information([1.0, 2.0], ["a", "b", "c"])


def test_kinds_can_be_said() -> None:
    codes = np.array([0, 1, 2, 3] * 5)
    assert renyi.entropy(codes, kind="nominal", nominal="delta") == pytest.approx(2.0)
    assert renyi.entropy(codes, alpha=2) < 1.5
    frame = {"a": codes, "b": codes % 2}
    assert renyi.entropy(frame, kind="nominal", nominal="delta") == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("sides", "argument"),
    [
        ({"x": "bet", "y": "y"}, "x"),
        ({"x": "beta", "y": "yy"}, "y"),
        ({"x": "beta", "y": ("y", "bet")}, "y"),
        ({"x": "beta", "y": "y", "given": "c*"}, "given"),
    ],
)
def test_an_unknown_column_is_refused_by_the_argument_it_was_given_as(
    sides: dict[str, Any], argument: str
) -> None:
    table = {"beta": [0.5, 1.5, 2.5, 0.0], "c1": [1.5, 0.5, 3.5, 2.0], "y": [*"pqpq"]}
    with pytest.raises(ColumnError, match=f"`{argument}` must name columns of the data") as caught:
        renyi.measure(table, **sides)
    if argument == "x":
        assert caught.value.hint == "Did you mean `beta`?"


def test_what_does_not_fit_into_memory_is_refused_first() -> None:
    values = np.random.default_rng(5).normal(size=(300_000, 2))
    with pytest.raises(MemoryBudgetError, match="may be used"):
        renyi.entropy(values, alpha=1.01)


@pytest.mark.parametrize("side", ["x", "y", "given"])
@pytest.mark.parametrize("values", [[0.5, 1.5, 0.25], [True, False, True], ["p", "q", "p"]])
@pytest.mark.parametrize("form", [pl.Series, pd.Series, np.array])
def test_values_given_for_names_are_told_from_names(side, values, form):
    table = pl.DataFrame({"a": [1.0, 2.0, 4.0], "b": [3.0, 2.0, 1.0], "c": [0.0, 1.0, 5.0]})
    asked = {"x": "a", "y": "b", "given": "c", side: form(values)}
    with pytest.raises(UsageError) as refusal:
        renyi.measure(table, **asked)
    message, hint = refusal.value.message, refusal.value.hint
    if form is np.array and isinstance(values[0], str):  # names may come so
        assert message == f"`{side}` must name each column once, got `p` twice."
        assert "go into the data as a column" in hint
    else:
        assert message.startswith(f"`{side}` must be a name or a list of names, got ")
        assert "Add the values to the data as a column" in hint
