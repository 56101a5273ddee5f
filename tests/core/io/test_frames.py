"""Tables in memory, of whatever library, are the same data."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import renyi
from renyi.errors import ColumnError, DataError, OptionError, ReadError, UsageError
from renyi.io import NamedColumn, NamedTable, load

# what only the libraries that are not installed here would reach
from renyi.io._frames import _narwhals
from renyi.options import DataOptions

COLUMNS = {
    "x": [0.5, 1.5, 2.5, 0.25, 4.0, 1.0],
    "n": [3, 1, 2, 9, 7, 8],
    "w": ["a", "b", "a", "a", "b", "b"],
    "y": ["p", "q", "p", "q", "q", "p"],
}
FRAME = pl.DataFrame(COLUMNS)


class Capsule:
    """A table that only the Arrow PyCapsule interface knows."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return FRAME.to_arrow().__arrow_c_stream__()


FORMS: dict[str, Callable[[], Any]] = {
    "polars.DataFrame": lambda: FRAME,
    "polars.LazyFrame": FRAME.lazy,
    "pandas.DataFrame": lambda: pd.DataFrame(COLUMNS),
    "pyarrow.Table": FRAME.to_arrow,
    "pyarrow.RecordBatch": lambda: FRAME.to_arrow().combine_chunks().to_batches()[0],
    "pyarrow.RecordBatchReader": lambda: FRAME.to_arrow().to_reader(),
    "narwhals.DataFrame": lambda: nw.from_native(FRAME),
    "narwhals.LazyFrame": lambda: nw.from_native(FRAME.lazy()),
    "dict": lambda: COLUMNS,
    "mixed dict": lambda: {
        "x": np.array(COLUMNS["x"]),
        "n": pd.Series(COLUMNS["n"], index=range(6, 12)),
        "w": pa.chunked_array([COLUMNS["w"]]),
        "y": pl.Series(COLUMNS["y"]),
    },
    "capsule": Capsule,
}


@pytest.mark.parametrize("form", list(FORMS))
def test_every_kind_of_frame_gives_the_same_data(form: str) -> None:
    expected = load(FRAME).report
    report = load(FORMS[form]()).report
    assert report.fingerprint == expected.fingerprint
    assert [c.kind for c in report.columns] == [c.kind for c in expected.columns]


def test_frames_that_only_narwhals_knows() -> None:
    for frame in (nw.from_native(FRAME), nw.from_native(FRAME.lazy())):
        table = _narwhals("other", frame)
        assert table.names == tuple(FRAME.columns)
        (column,) = table.read(["n"])
        assert column.values.to_list() == COLUMNS["n"]


@pytest.mark.parametrize("form", ["polars.DataFrame", "pandas.DataFrame", "pyarrow.Table", "dict"])
def test_source_is_the_type_unless_named(form: str) -> None:
    assert load(FORMS[form]()).report.source == form
    assert load(FORMS[form](), source_name="trial").report.source == "trial"


def test_arrays_get_names() -> None:
    x = np.array([[0.5, 3], [1.5, 1], [2.5, 2], [0.25, 9]])
    report = load(x, np.array([0, 1, 1, 0])).report
    assert [c.name for c in report.columns] == ["x1", "x2", "y"]
    assert (report.target, report.target_reason) == ("y", "given as `y`")
    assert load(x.tolist(), [0, 1, 1, 0]).report.fingerprint == report.fingerprint
    assert load(x).report.target == "x2"


@pytest.mark.parametrize(
    "y",
    [
        pl.Series("grade", COLUMNS["y"]),
        pd.Series(COLUMNS["y"], name="grade"),
        pd.Series(pd.Categorical(COLUMNS["y"]), name="grade"),
    ],
)
def test_target_given_apart_keeps_its_name(y: Any) -> None:
    expected = load(FRAME.rename({"y": "grade"}), options=DataOptions(target="grade")).report
    report = load(FRAME.drop("y"), y).report
    assert report.target == "grade"
    assert report.fingerprint == expected.fingerprint


def test_target_given_apart_may_be_a_column_of_an_array() -> None:
    y = np.array([[0], [1], [1], [0], [1], [0]])
    assert load(FRAME.drop("y"), y).dataset.target.levels == ("0", "1")


def test_target_given_apart_must_fit() -> None:
    with pytest.raises(DataError, match="it has 2 for 6 rows"):
        load(FRAME.drop("y"), [0, 1])
    with pytest.raises(UsageError, match="`w` is a column of the data too"):
        load(FRAME, FRAME["w"])
    with pytest.raises(ColumnError, match="must be left out where `y` is given"):
        load(FRAME.drop("y"), COLUMNS["y"], options=DataOptions(target="w"))
    with pytest.raises(DataError, match="must have one dimension, got 3 dimensions"):
        load(FRAME.drop("y"), np.zeros((6, 2, 2)))


Y = COLUMNS["y"]


@pytest.mark.parametrize(
    "y",
    [
        pd.DataFrame({"grade": Y}),
        pl.DataFrame({"grade": Y}),
        pl.LazyFrame({"grade": Y}),
        pa.table({"grade": Y}),
        {"grade": Y},
        nw.from_native(pl.DataFrame({"grade": Y})),
    ],
)
def test_a_target_given_apart_may_be_a_table_of_one_column(y: Any) -> None:
    expected = load(FRAME.drop("y"), pl.Series("grade", Y)).report
    report = load(FRAME.drop("y"), y).report
    assert (report.target, report.fingerprint) == ("grade", expected.fingerprint)


@pytest.mark.parametrize(
    ("y", "told"),
    [
        (FRAME[["w", "y"]].to_pandas(), "`y` must be one column, got 2 columns: `w`, `y`"),
        (FRAME[["w", "y"]], "`y` must be one column, got 2 columns"),
        (np.zeros((6, 2)), r"`y` must be one column, got 2 columns\. Add .* `target=NAMES`"),
        ("w", r"`y` must be values, got the text 'w'\. To name a column, use `target='w'`"),
        (3, "`y` must be values, one a row, got int"),
        ({1, 2}, "`y` must be values, one a row, got set"),
        (iter(Y), "`y` must be values, one a row, got list_iterator"),
    ],
)
def test_a_target_given_apart_is_one_column(y: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        load(FRAME.drop("y"), y)


@pytest.mark.parametrize("values", ["y", "weights"])
def test_what_is_given_apart_has_the_rows_of_the_frame(values: str) -> None:
    frame = FRAME.to_pandas()
    one = {"y": frame["y"], "weights": pd.Series([1.0, 2, 3, 4, 5, 6])}[values]
    options = DataOptions(weights="weights" if values == "weights" else None)
    table = frame.drop(columns="y") if values == "y" else frame
    expected = load(table, options=options, **{values: one}).report.fingerprint
    turned = one.iloc[::-1]
    for other in (turned, turned.to_frame(), one.set_axis(range(6, 12))):
        with pytest.raises(DataError, match=f"`{values}` must have the index of the data"):
            load(table, options=options, **{values: other})
    moved = load(table, options=options, **{values: turned.loc[table.index]})
    assert moved.report.fingerprint == expected
    with pytest.raises(DataError, match=f"`{values}` must have one value a row: it has 5"):
        load(table, options=options, **{values: one[:5]})


def test_values_in_place_of_a_name_are_refused_with_a_way() -> None:
    with pytest.raises(OptionError, match=r"`groups` must be a column's name, .*Add values to the"):
        renyi.select(FRAME, groups=FRAME["w"])
    with pytest.raises(OptionError, match=r"`target` must be a name .*, .* are given as `y`"):
        renyi.select(FRAME, target=FRAME["y"])
    assert renyi.describe(FRAME.to_pandas(), target=pd.Index(["y"])).data.target == "y"


@pytest.mark.parametrize("data", [None, 5, 2.5, b"bytes", pl.Series([1]), pa.array([1]), object()])
def test_what_is_no_table_is_refused(data: object) -> None:
    with pytest.raises(UsageError, match="`data` must be a table"):
        load(data)


def test_arrays_of_other_dimensions_are_refused() -> None:
    for shape in ((3,), (3, 2, 2)):
        with pytest.raises(DataError, match="two dimensions"):
            load(np.zeros(shape))
    with pytest.raises(UsageError, match="must be a table"):
        load([[1, 2], [3]])


def test_columns_of_mixed_types_are_refused() -> None:
    for data in ({"a": [1, "x"], "y": [0, 1]}, pd.DataFrame({"a": [1, "x"], "y": [0, 1]})):
        with pytest.raises(DataError, match="Column `a` mixes types"):
            load(data)
    with pytest.raises(DataError, match="Column `x1`"):
        load(np.zeros((4, 1), dtype=complex), [0, 1, 0, 1])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="`a` has 3 rows, `y` has 2"):
        load({"a": [1.0, 2.0, 3.0], "y": [0, 1]})


def test_duplicate_names_are_refused() -> None:
    for data in (
        pd.DataFrame([[1.0, 2.0, 0], [2.0, 1.0, 1]], columns=["a", "a", "y"]),
        pa.table([[1.0, 2.0], [1.0, 2.0], [0, 1]], names=["a", "a", "y"]),
        {"1": [1.0, 2.0], 1: [2.0, 1.0], "y": [0, 1]},
    ):
        with pytest.raises(DataError, match="more than once"):
            load(data)


def test_lazy_queries_that_fail_are_told(tmp_path: Any) -> None:
    broken = FRAME.lazy().with_columns(z=pl.col("w").str.to_integer())
    with pytest.raises(ReadError, match="cannot be collected"):
        load(broken)
    with pytest.raises(ReadError, match="cannot be collected"):
        load(FRAME.lazy().select("nowhere"))


def test_lazy_queries_compute_used_columns_only() -> None:
    broken = FRAME.lazy().with_columns(z=pl.col("w").str.to_integer())
    assert load(broken, options=DataOptions(target="y", exclude=("z",))).report.rows == 6


def test_pandas_types_keep_their_meaning() -> None:
    frame = pd.DataFrame(
        {
            "int": pd.array([3, None, 1, 2, 5, 9], dtype="Int64"),
            "bool": pd.array([True, None, False, True, True, False], dtype="boolean"),
            "nan": [0.5, np.nan, 2.5, 1.0, 4.0, 3.0],
            "time": pd.to_datetime(["2020-01-01", None, "2020-01-03", *["2020-02-01"] * 3]),
            "sparse": pd.arrays.SparseArray([0.0, 0.0, 1.5, 0.0, 2.5, 0.0]),
            "objects": ["a", None, "a", "b", "b", "a"],
            "y": [*"pqpqpq"],
        }
    )
    report = load(frame, options=DataOptions(missing="drop")).report
    kinds = {c.name: (c.kind, c.missing) for c in report.columns}
    assert kinds == {
        "int": ("continuous", 1),
        "bool": ("nominal", 1),
        "nan": ("continuous", 1),
        "time": ("continuous", 1),
        "sparse": ("continuous", 0),
        "objects": ("nominal", 1),
        "y": ("nominal", 0),
    }


def test_lists_in_pandas_columns_are_nested() -> None:
    frame = pd.DataFrame({"l": [[1], [2], [3], [4]], "x": [1.0, 2.0, 3.0, 4.0], "y": [*"pqpq"]})
    assert load(frame).report.columns[0].code == "nested_column"


def test_import_loads_no_pandas_and_no_sklearn() -> None:
    code = (
        "import sys, renyi.io, renyi.datasets;"
        "print([m for m in ('pandas', 'sklearn', 'matplotlib', 'pooch', 'requests')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_masked_values_are_missing() -> None:
    numbers = np.ma.masked_array([1.5, 2.5, 99.0, 4.5], [False, False, True, False])
    table = {"x": numbers, "k": np.ma.masked_equal([1, 2, 3, 3], 1), "y": [5.5, 6, 7, 8]}
    loaded = load(table, options=DataOptions(missing="drop", kinds=(("k", "continuous"),)))
    assert loaded.dataset.features[0].values[:, 0].tolist() == [2.5, 4.5]
    matrix = np.ma.masked_array(np.arange(8.0).reshape(4, 2), np.arange(8).reshape(4, 2) == 3)
    report = load(matrix, [5.5, 6, 7, 8], options=DataOptions(missing="drop")).report
    assert [column.missing for column in report.columns] == [0, 1, 0]


def test_intervals_of_pandas_are_ordered_levels() -> None:
    cut = pd.cut(pd.Series([0.5, 1.5, 2.5, 11.5, None, 2.5]), [0, 2, 10, 20])
    frame = pd.DataFrame({"x": cut, "y": [*"pqpqpq"]})
    variable = load(frame, options=DataOptions(missing="drop")).dataset.features[0]
    assert variable.kind == "ordinal"
    assert variable.levels == ("(0, 2]", "(2, 10]", "(10, 20]")
    assert variable.codes.tolist() == [0, 0, 1, 2, 1]


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="complex numbers, which are not supported"):
        load({"x": np.array([1j, 2.0]), "y": [*"pq"]})


def test_a_table_may_have_another_name_to_who_gave_it() -> None:
    ordered = pa.DictionaryArray.from_arrays([0, 1, 0, 1], ["low", "high"], ordered=True)
    table = NamedTable("data.frame", pa.table({"x": [0.5, 1.5, 2.5, 4.5]}))
    loaded = load(table, NamedColumn("level", ordered))
    assert (loaded.report.source, loaded.report.target) == ("data.frame", "level")
    assert loaded.dataset.target.kind.value == "ordinal"
    with pytest.raises(DataError, match="has 4 for 1 row"):
        load(NamedTable("data.frame", pa.table({"x": [0.5]})), NamedColumn("level", ordered))


def test_time_zones_that_nobody_knows_are_refused() -> None:
    times = pa.array([0, 1, 2, 3], pa.timestamp("us", "Nowhere/Nothing"))
    with pytest.raises(DataError, match=r"Column `when` cannot be taken over: .*time zone"):
        load(pa.table({"when": times, "y": ["p", "q", "p", "q"]}))
