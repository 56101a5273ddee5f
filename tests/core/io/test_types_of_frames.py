"""A column of any library's type is the same column: its kind, its values, what it tells."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import narwhals as nw
import narwhals.stable.v1 as nw_v1
import narwhals.stable.v2 as nw_v2
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import renyi
from renyi.errors import ReadError, UsageError
from renyi.io import load
from renyi.options import DataOptions

N = 84
RNG = np.random.default_rng(7)
Y = np.where(np.arange(N) % 2, "yes", "no").tolist()
NUMBERS = np.round(np.arange(N) % 2 + RNG.normal(size=N), 2)
WORDS = ["low", "mid", "high"]
CODES = np.clip(NUMBERS + 1, 0, 2).astype(int)
HOLES = np.arange(N) % 7 == 3
START = dt.datetime(2020, 3, 1, 12)


def holed(values: Any) -> list[Any]:
    return [None if hole else value for value, hole in zip(values, HOLES, strict=True)]


WHOLE = holed((NUMBERS * 10).astype(int).tolist())
FLOATS = holed(NUMBERS.tolist())
TRUTHS = holed((NUMBERS > 0.5).tolist())
TEXT = holed([WORDS[code] for code in CODES])
MONEY = holed([Decimal(round(v * 100)) / 100 for v in NUMBERS])
SPANS = holed([dt.timedelta(seconds=float(v)) for v in NUMBERS])
DAYS = holed([(START + dt.timedelta(days=int(v * 20))).date() for v in NUMBERS])
MOMENTS = holed([START + dt.timedelta(seconds=float(v) * 900) for v in NUMBERS])
HOURS = holed([(START + dt.timedelta(seconds=float(v) * 900)).time() for v in NUMBERS])
LEVELS = pl.Enum(WORDS)


def arrow_backed(values: Any, kind: pa.DataType) -> Any:
    return pd.Series(values, dtype=pd.ArrowDtype(kind))


def ordered(values: Any) -> Any:
    return pd.Series(pd.Categorical(values, categories=WORDS, ordered=True))


PLAIN: dict[str, pl.Series] = {
    "whole": pl.Series(WHOLE),
    "float": pl.Series(FLOATS),
    "truth": pl.Series(TRUTHS),
    "text": pl.Series(TEXT),
    "decimal": pl.Series(MONEY, dtype=pl.Decimal(10, 2)),
    "span": pl.Series(SPANS),
    "day": pl.Series(DAYS),
    "moment": pl.Series(MOMENTS),
    "hour": pl.Series(HOURS),
}
"""Each as a plain polars column."""

OTHERWISE: dict[str, tuple[str, Callable[[], Any]]] = {
    "Int64": ("whole", lambda: pd.Series(WHOLE, dtype="Int64")),
    "int64[pyarrow]": ("whole", lambda: arrow_backed(WHOLE, pa.int64())),
    "whole objects": ("whole", lambda: pd.Series([pd.NA if v is None else v for v in WHOLE])),
    "Int128": ("whole", lambda: pl.Series(WHOLE, dtype=pl.Int128)),
    "Float64": ("float", lambda: pd.Series(FLOATS, dtype="Float64")),
    "double[pyarrow]": ("float", lambda: arrow_backed(FLOATS, pa.float64())),
    "float narwhals": ("float", lambda: nw.from_native(pl.Series(FLOATS), series_only=True)),
    "boolean": ("truth", lambda: pd.Series(TRUTHS, dtype="boolean")),
    "bool[pyarrow]": ("truth", lambda: arrow_backed(TRUTHS, pa.bool_())),
    "bool objects": ("truth", lambda: pd.Series(TRUTHS, dtype=object)),
    "bool categories": ("truth", lambda: pd.Series(TRUTHS).astype("category")),
    "string[python]": ("text", lambda: pd.Series(TEXT, dtype="string[python]")),
    "string[pyarrow]": ("text", lambda: arrow_backed(TEXT, pa.string())),
    "string view": ("text", lambda: arrow_backed(TEXT, pa.string_view())),
    "category": ("text", lambda: pd.Series(TEXT, dtype="category")),
    "dictionary": ("text", lambda: arrow_backed(TEXT, pa.dictionary(pa.int32(), pa.string()))),
    "Categorical": ("text", lambda: pl.Series(TEXT, dtype=pl.Categorical)),
    "Enum": ("text", lambda: pl.Series(TEXT, dtype=LEVELS)),
    "Enum narwhals": (
        "text",
        lambda: nw_v1.from_native(pl.Series(TEXT, dtype=LEVELS), series_only=True),
    ),
    "decimal objects": ("decimal", lambda: pd.Series(MONEY, dtype=object)),
    "decimal128": ("decimal", lambda: arrow_backed(MONEY, pa.decimal128(12, 2))),
    "decimal256": ("decimal", lambda: pa.array(MONEY, pa.decimal256(40, 2))),
    "timedelta64": ("span", lambda: pd.Series(pd.to_timedelta(SPANS))),
    "duration[pyarrow]": ("span", lambda: arrow_backed(SPANS, pa.duration("us"))),
    "span objects": ("span", lambda: pd.Series(SPANS, dtype=object)),
    "interval": ("span", lambda: as_intervals(SPANS)),
    "date objects": ("day", lambda: pd.Series(DAYS, dtype=object)),
    "date32[pyarrow]": ("day", lambda: arrow_backed(DAYS, pa.date32())),
    "datetime64[D]": ("day", lambda: np.array(DAYS, dtype="M8[D]")),
    "datetime64": ("moment", lambda: pd.Series(pd.to_datetime(MOMENTS))),
    "timestamp[pyarrow]": ("moment", lambda: arrow_backed(MOMENTS, pa.timestamp("ns"))),
    "zoned": ("moment", lambda: pl.Series(MOMENTS).dt.replace_time_zone("UTC")),
    "time objects": ("hour", lambda: pd.Series(HOURS, dtype=object)),
    "time64[pyarrow]": ("hour", lambda: arrow_backed(HOURS, pa.time64("us"))),
}
"""Name -> the plain column that it is, and the same values in another type."""


def as_intervals(spans: list[dt.timedelta | None]) -> pa.Array[Any]:
    """Calendar time, as databases have it: days and the rest apart."""
    parts = [
        None if s is None else (0, s.days, (s.seconds * 10**6 + s.microseconds) * 1000)
        for s in spans
    ]
    return pa.array(parts, pa.month_day_nano_interval())


def facts(column: Any) -> tuple[Any, ...]:
    """What is found of a column beside another and a target, and what it tells."""
    table = {"x": column, "other": RNG_OTHER, "y": Y}
    report = load(table, options=DataOptions(missing="level")).report
    kinds = [(c.name, c.kind, c.missing) for c in report.columns]
    path = renyi.select(table, missing="level")
    told = renyi.measure(table, x="x", y="y", missing="level").mi
    return kinds, report.fingerprint, path.selected, round(told, 9)


RNG_OTHER = RNG.normal(size=N)


@pytest.mark.parametrize("form", list(OTHERWISE))
def test_a_type_of_another_library_is_the_plain_column(form: str) -> None:
    plain, build = OTHERWISE[form]
    assert facts(build()) == facts(PLAIN[plain])


@pytest.mark.parametrize("form", ["category", "Arrow", "Arrow in pandas", "narwhals", "codes"])
def test_declared_order_is_kept(form: str) -> None:
    category = ordered(TEXT)
    numbered = pd.Categorical(holed(CODES.tolist()), categories=[0, 1, 2], ordered=True)
    column = {
        "category": category,
        "Arrow": pa.array(category),
        "Arrow in pandas": pd.Series(pd.arrays.ArrowExtensionArray(pa.array(category))),
        "narwhals": nw_v2.from_native(category, series_only=True),
        "codes": pd.Series(numbered),
    }[form]
    report, loaded = facts(column), load({"x": column, "y": Y}, options=DataOptions(missing="drop"))
    enum = pl.DataFrame({"x": pl.Series(TEXT, dtype=LEVELS), "other": RNG_OTHER, "y": Y})
    asked = renyi.measure(enum, x="x", y="y", kind={"x": "ordinal"}, missing="level").mi
    assert report[0][0] == ("x", "ordinal", int(HOLES.sum()))
    assert report[3] == round(asked, 9)
    variable = loaded.dataset.features[0]
    assert variable.levels == (("0", "1", "2") if form == "codes" else tuple(WORDS))


def test_intervals_of_pandas_are_ordered_with_and_without_categories() -> None:
    cut = pd.cut(pd.Series(NUMBERS), [-9, 0, 1, 9])
    plain = pd.Series(pd.arrays.IntervalArray(cut.array))
    assert str(plain.dtype).startswith("interval")
    assert facts(plain) == facts(cut)


def test_months_of_calendar_time_are_thirty_days() -> None:
    spans = pa.array(
        [(1, 0, 0), (0, 1, 500_000_000), None, (0, 0, -250_000_000), (-2, 3, 0)][:5],
        pa.month_day_nano_interval(),
    )
    numbers = (
        load({"x": spans.slice(1), "y": [0.5, 1.5, 2.5, 3.5]}, options=DataOptions(missing="drop"))
        .dataset.features[0]
        .values[:, 0]
    )
    assert numbers.tolist() == [86_400.5, -0.25, -57 * 86_400.0]


FRAME = pl.DataFrame(PLAIN).with_columns(pl.Series("enum", TEXT, dtype=LEVELS), pl.Series("y", Y))
PANDAS = FRAME.drop("day", "enum")  # it has dates as moments, and an Enum as an order
FRAMES: dict[str, Callable[[], Any]] = {
    "lazy": FRAME.lazy,
    "Arrow": FRAME.to_arrow,
    "pandas": PANDAS.to_pandas,
    "pandas, Arrow inside": lambda: PANDAS.to_pandas(use_pyarrow_extension_array=True),
    "pandas, nullable": lambda: PANDAS.to_pandas().convert_dtypes(),
    "narwhals v1": lambda: nw_v1.from_native(FRAME),
    "narwhals v2, lazy": lambda: nw_v2.from_native(FRAME.lazy()),
    "narwhals of Arrow": lambda: nw.from_native(FRAME.to_arrow()),
    "narwhals of pandas": lambda: nw.from_native(PANDAS.to_pandas()),
    "rows": FRAME.to_dicts,
}


@pytest.mark.parametrize("form", list(FRAMES))
def test_whole_frames_give_the_same_data(form: str) -> None:
    frame = FRAMES[form]()
    columns = (PANDAS if "pandas" in form else FRAME).columns
    found = load(frame, options=DataOptions(missing="level"))
    plain = load(FRAME.select(columns), options=DataOptions(missing="level"))
    assert found.dataset.names == plain.dataset.names
    for mine, other in zip(found.dataset.features, plain.dataset.features, strict=True):
        assert mine.kind == other.kind
        assert mine.levels == other.levels
        assert np.allclose(mine.values, other.values, rtol=1e-12, atol=0, equal_nan=True)
    assert found.report.rows == plain.report.rows


@pytest.mark.filterwarnings("ignore:Dask support is moving:FutureWarning")
def test_dask_frames() -> None:
    dask = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    columns = ["whole", "float", "text", "span", "moment", "y"]
    frame = FRAME.select(columns)
    found = load(
        dask.from_pandas(frame.to_pandas(), npartitions=3), options=DataOptions(missing="level")
    )
    assert (
        found.report.fingerprint
        == load(frame, options=DataOptions(missing="level")).report.fingerprint
    )


def test_duckdb_relations() -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    connection = duckdb.connect()
    connection.register("t", FRAME.to_arrow())
    for relation in (connection.sql("SELECT * FROM t"), nw.from_native(connection.sql("FROM t"))):
        found = load(relation, options=DataOptions(missing="level"))
        plain = load(FRAME, options=DataOptions(missing="level"))
        assert [c.kind for c in found.report.columns] == [c.kind for c in plain.report.columns]
        assert (
            found.dataset.features[1].values.tobytes() == plain.dataset.features[1].values.tobytes()
        )
        assert (
            found.dataset.features[5].values.tobytes() == plain.dataset.features[5].values.tobytes()
        )
    broken = connection.sql("SELECT text::INTEGER AS bad, float, truth, y FROM t")
    asked = {"target": "y", "features": ["float"], "missing": "drop"}
    assert renyi.select(broken, **asked).selected == renyi.select(FRAME, **asked).selected
    with pytest.raises(
        ReadError, match=r"duckdb\.DuckDBPyRelation cannot be collected: Conversion"
    ):
        renyi.select(broken, target="y", missing="drop")


class Failing:
    """A query of which nothing can be had."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise RuntimeError("the server has gone away\nand more")


def test_what_another_library_raises_is_one_sentence() -> None:
    with pytest.raises(
        ReadError, match=r"^The \S*Failing cannot be collected: the server has gone away\. "
    ):
        load(Failing())
    with pytest.raises(UsageError, match="`data` must be a table"):
        load(pl.Series([1.5]))


def test_nested_columns_tell_nothing_of_what_is_missing() -> None:
    nested = pl.DataFrame({"l": [[1]] * N, "x": NUMBERS, "y": Y})
    for frame in (
        nested,
        nested.to_arrow(),
        nw.from_native(nested.to_arrow()),
        pd.DataFrame({"l": [[1]] * N, "x": NUMBERS, "y": Y}),
    ):
        column = load(frame).report.columns[0]
        assert (column.code, column.missing) == ("nested_column", None)
