"""Columns that repeat each other, the target, or the number of the row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from renyi.io import load
from renyi.variables import DataReport, Note

N = 30
RNG = np.random.default_rng(0)
X = RNG.normal(size=N)
Y = [*"pqq"] * 10


def report(**columns: object) -> DataReport:
    return load(pl.DataFrame({**columns, "y": Y})).report


def note(found: DataReport, code: str) -> Note | None:
    return next((item for item in found.notes if item.code == code), None)


def test_a_copy_of_the_target_is_named() -> None:
    found = report(x=X, same=Y, coded=[3 if y == "p" else 8 for y in Y], near=[*Y[:-1], "p"])
    copy = note(found, "target_copy")
    assert copy is not None
    assert copy.columns == ("same", "coded")


def test_a_copy_of_a_numeric_target_is_named() -> None:
    frame = pl.DataFrame({"x": X, "twice": 2 * X, "y": X})
    found = load(frame).report
    copy = note(found, "target_copy")
    assert copy is not None
    assert copy.columns == ("x", "twice")


def test_the_number_of_the_row_is_named() -> None:
    found = report(x=X, from0=np.arange(N), from1=np.arange(1, N + 1), from2=np.arange(2, N + 2))
    numbering = note(found, "row_number_column")
    assert numbering is not None
    assert numbering.columns == ("from0", "from1")
    assert note(report(x=X, shuffled=RNG.permutation(N)), "row_number_column") is None


def test_long_lists_of_columns_are_cut_in_the_message_only() -> None:
    found = report(x=X, **{f"c{k}": [k] * N for k in range(9)})
    constant = note(found, "constant_column")
    assert constant is not None
    assert len(constant.columns) == 9
    assert constant.message.endswith("`c4` and 4 more.")


def test_columns_of_all_different_values_are_no_copies() -> None:
    found = load(pl.DataFrame({"x": X, "log": np.log(X + 9), "y": RNG.normal(size=N)})).report
    assert note(found, "target_copy") is None


def test_a_target_on_another_scale_is_named() -> None:
    celsius = np.round(RNG.normal(20, 5, size=N), 1)
    found = load(
        pl.DataFrame({"f": celsius * 9 / 5 + 32, "near": celsius + 1e-6 * X, "y": celsius})
    )
    copy = note(found.report, "target_copy")
    assert copy is not None
    assert copy.columns == ("f",)


def test_a_column_without_a_name_is_shown_as_it_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,,y\n" + "".join(f"{X[k]},{k},{Y[k]}\n" for k in range(N)))
    numbering = note(load(path).report, "row_number_column")
    assert numbering is not None
    assert '`""`' in numbering.message
