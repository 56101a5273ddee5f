"""Every kind of table gives the same answer, and comes back as what it was."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from renyi_sklearn import RenyiSelector

Mixed = tuple[pl.DataFrame, pl.Series]
LEVELS = ["low", "middle", "high"]


def as_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    found = frame.to_pandas()
    found.index = pd.RangeIndex(100, 100 + len(found))
    return found


class Stream:
    """A table of which nothing but its Arrow stream is known."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._table = frame.to_arrow()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


TABLES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pandas": as_pandas,
    "arrow": lambda frame: frame.to_arrow(),
    "stream": Stream,
    "narwhals": nw.from_native,
}
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def names_of(table: Any) -> list[str]:
    return [str(name) for name in nw.from_native(table).collect_schema().names()]


@every_table
def test_every_table_gives_the_same_steps(table: Any, mixed: Mixed) -> None:
    frame, y = mixed
    found = RenyiSelector().fit(table(frame), y)
    plain = RenyiSelector().fit(frame, y.to_list())
    assert set(found.path_.selected) == {"level", "size"}
    assert found.path_.steps == plain.path_.steps
    assert found.feature_names_in_.tolist() == frame.columns
    assert found.n_features_in_ == len(frame.columns)
    assert found.get_feature_names_out().tolist() == ["level", "size"]
    assert found.get_support().tolist() == [name in {"level", "size"} for name in frame.columns]


@every_table
@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
def test_a_table_comes_back_with_its_columns(table: Any, output: str, mixed: Mixed) -> None:
    frame, y = mixed
    selector = RenyiSelector().fit(table(frame), y).set_output(transform=output)
    found = selector.transform(table(frame))
    assert names_of(found) == ["level", "size"]
    if output == "default":
        native = nw.to_native(table(frame), pass_through=True)
        assert type(found) is (pa.Table if isinstance(native, Stream) else type(native))
    else:
        assert type(found) is {"pandas": pd.DataFrame, "polars": pl.DataFrame}[output]
    kept = nw.from_native(found).lazy().collect().to_arrow().column("size").to_pylist()
    assert kept == frame["size"].to_list()


@pytest.mark.parametrize("output", ["default", "polars"])
def test_an_enum_stays_one(output: str, mixed: Mixed) -> None:
    frame, y = mixed
    selector = RenyiSelector().set_output(transform=output)
    found = selector.fit_transform(frame, y)
    assert found.schema == {"level": pl.Enum(LEVELS), "size": pl.Float64()}
    assert found.equals(frame.select("level", "size"))


@pytest.mark.parametrize("output", ["default", "pandas"])
def test_categories_of_pandas_stay_and_so_does_the_index(output: str, mixed: Mixed) -> None:
    frame, y = mixed
    given = as_pandas(frame)
    before = given.copy()
    found = RenyiSelector().set_output(transform=output).fit_transform(given, y.to_numpy())
    pd.testing.assert_frame_equal(found, before[["level", "size"]])
    pd.testing.assert_frame_equal(given, before)


def test_categories_of_pandas_become_categories_of_polars(mixed: Mixed) -> None:
    frame, y = mixed
    selector = RenyiSelector().set_output(transform="polars")
    found = selector.fit_transform(as_pandas(frame), y.to_numpy())
    assert isinstance(found.schema["level"], pl.Categorical | pl.Enum)
    assert found["level"].cast(pl.String).to_list() == frame["level"].cast(pl.String).to_list()


@pytest.mark.parametrize("name", ["polars", "pandas", "arrow", "lazy"])
def test_the_way_back_puts_empty_columns_in(name: str, mixed: Mixed) -> None:
    frame, y = mixed
    given = TABLES[name](frame)
    selector = RenyiSelector().fit(given, y)
    whole = nw.from_native(selector.inverse_transform(selector.transform(given)))
    assert whole.columns == frame.columns
    if isinstance(given, pd.DataFrame):  # to an older pandas both text and nothing are objects
        assert nw.to_native(whole).dtypes.tolist() == given.dtypes.tolist()
        assert nw.to_native(whole).index.equals(given.index)
    else:
        assert whole.schema == nw.from_native(given).collect_schema()
    rows = whole.to_arrow().to_pydict()
    assert rows["size"] == frame["size"].to_list()
    assert rows["level"] == frame["level"].to_list()
    assert set(rows["noise"]) | set(rows["count"]) == {0}
    assert set(rows["flag"]) == {False}
    assert set(rows["word"]) == {None}
    with pytest.raises(ValueError, match="2 selected columns, and has 1"):
        selector.inverse_transform(frame.select("size"))


def test_the_way_back_of_an_array_is_that_of_scikit_learn(mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "size", "count").to_numpy()
    selector = RenyiSelector(max_features=1).fit(x, y)
    assert selector.get_feature_names_out().tolist() == ["x1"]
    back = selector.inverse_transform(selector.transform(x))
    assert back.tolist() == np.where([False, True, False], x, 0).tolist()


@pytest.mark.filterwarnings("ignore:RenyiSelector selected no column")
@every_table
def test_no_column_at_all_is_an_answer(table: Any, mixed: Mixed) -> None:
    frame, y = mixed
    noise = frame.select("noise", "count")
    selector = RenyiSelector().fit(table(noise), y)
    assert selector.path_.selected == ()
    found = selector.transform(table(noise))
    assert names_of(found) == []
    if isinstance(found, pd.DataFrame | pa.Table):  # an older polars has no rows without columns
        assert found.shape == (len(frame), 0)
    assert selector.get_feature_names_out().tolist() == []


def test_of_an_array_no_column_at_all_is_n_by_0_and_said_once(mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "count").to_numpy()
    with pytest.warns(UserWarning, match="selected no column: stopped before `x0`"):
        selector = RenyiSelector().fit(x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert selector.transform(x).shape == (len(frame), 0)
        assert selector.inverse_transform(selector.transform(x)).tolist() == [[0, 0]] * len(frame)
        selector.set_output(transform="pandas")
        assert selector.transform(x).shape == (len(frame), 0)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int16", "uint8", "bool", "object"])
def test_an_array_keeps_its_type(dtype: str, mixed: Mixed) -> None:
    frame, y = mixed
    level = frame["level"].to_physical().to_numpy() == 2
    x = np.stack([frame["count"].to_numpy() % 2 == 0, level], axis=1).astype(dtype)
    found = RenyiSelector().fit_transform(x, y)
    assert found.dtype == x.dtype
    assert found.tolist() == x[:, 1:].tolist()


@pytest.mark.parametrize("make", [np.array, list], ids=["array", "lists"])
def test_text_in_an_array_is_names(make: Any, mixed: Mixed) -> None:
    frame, y = mixed
    rows = [[str(word), str(level)] for word, level in frame.select("word", "level").rows()]
    selector = RenyiSelector().fit(make(rows), y)
    assert selector.path_.selected == ("x1",)
    kinds = {column.name: column.kind for column in selector.path_.data.columns}
    assert kinds["x0"] == kinds["x1"] == "nominal"
    assert selector.transform(make(rows)).tolist() == [[level] for _, level in rows]


def test_objects_are_numbers_or_text_by_column(mixed: Mixed) -> None:
    frame, y = mixed
    x = np.array(frame.select("size", "level", "flag").rows(), dtype=object)
    x[3, 0], x[4, 0], x[5, 0] = None, float("nan"), pd.NA
    selector = RenyiSelector(missing="level").fit(x, y)
    kinds = {column.name: column.kind for column in selector.path_.data.columns}
    assert kinds["x0"] == "continuous"
    assert kinds["x1"] == kinds["x2"] == "nominal"
    polars = selector.set_output(transform="polars").transform(x)
    assert polars.schema == {"x0": pl.Float64(), "x1": pl.String()}
    with pytest.raises(ValueError, match=r"no missing values, and has 3 \(NaN\). Use `missing="):
        RenyiSelector().fit(x, y)


def test_a_sparse_matrix_is_refused_with_a_way_out(mixed: Mixed) -> None:
    from scipy.sparse import csr_array

    frame, y = mixed
    sparse = csr_array(frame.select("count").to_numpy())
    with pytest.raises(ValueError, match=r"must be dense.*toarray.*sparse_threshold=0"):
        RenyiSelector().fit(sparse, y)
    selector = RenyiSelector(criterion="none").fit(frame.select("count"), y)
    with pytest.raises(ValueError, match="must be dense"):
        selector.transform(sparse)


def test_other_names_are_refused_in_transform(mixed: Mixed) -> None:
    frame, y = mixed
    selector = RenyiSelector().fit(frame, y)
    with pytest.raises(ValueError, match="feature names should match"):
        selector.transform(frame.rename({"size": "length"}))
    with pytest.raises(ValueError, match=r"feature names should match|must be in the same order"):
        selector.transform(as_pandas(frame.select(frame.columns[::-1])))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert selector.transform(np.array(frame.rows(), dtype=object)).shape == (len(frame), 2)


def test_labels_that_are_numbers_are_places(mixed: Mixed) -> None:
    frame, y = mixed
    given = as_pandas(frame).set_axis(range(10, 10 + len(frame.columns)), axis=1)
    selector = RenyiSelector().fit(given, y.to_numpy())
    assert not hasattr(selector, "feature_names_in_")
    assert set(selector.path_.selected) == {"x1", "x3"}
    assert selector.transform(given).columns.tolist() == [11, 13]
    with pytest.raises(ValueError, match="different names, and has `size` more than once"):
        RenyiSelector().fit(as_pandas(frame).set_axis(["size"] * 6, axis=1), y.to_numpy())


@pytest.mark.parametrize("dtype", ["Float64", "float64[pyarrow]", "Int64", "int32[pyarrow]"])
def test_extension_types_of_pandas_are_numbers(dtype: str, mixed: Mixed) -> None:
    frame, y = mixed
    given = as_pandas(frame.select("size", "count"))
    given["size"] = (given["size"] * 100).round().astype(dtype)
    selector = RenyiSelector().fit(given, y.to_numpy())
    assert selector.path_.selected == ("size",)
    assert selector.transform(given).dtypes["size"] == given.dtypes["size"]
    assert selector.path_.data.columns[0].kind == "continuous"


def test_holes_are_what_missing_says(mixed: Mixed) -> None:
    frame, y = mixed
    holes = frame.with_columns(pl.when(pl.int_range(pl.len()) % 7 != 0).then("size").alias("size"))
    level = RenyiSelector(missing="level").fit(holes, y)
    also = RenyiSelector(missing="level").fit(as_pandas(holes), y.to_numpy())
    assert level.path_.steps == also.path_.steps
    dropped = RenyiSelector(missing="drop").fit(holes, y)
    assert dropped.path_.data.rows_used == holes["size"].count()
    with pytest.raises(ValueError, match="`size`"):
        RenyiSelector().fit(holes, y)
    assert not RenyiSelector().__sklearn_tags__().input_tags.allow_nan
    assert level.__sklearn_tags__().input_tags.allow_nan
