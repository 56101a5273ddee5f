"""Every type that another language has: taken over as what it is, the same numbers as in Python."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import renyi
from renyi import bridge

pytestmark = pytest.mark.slow  # some ten seconds together

N = 24
CLASSES = ["p", "q", "p", "q", "q", "p"] * (N // 6)
QUICK = {"criterion": "mi-chi2", "alpha": 2}


def levels(ordered: bool) -> pa.DictionaryArray[Any, Any]:
    """Levels that are not in the order of the alphabet, one of them without a row."""
    codes = pa.array([0, 1, 2, 1, 0, 2] * (N // 6), pa.int32())
    names = pa.array(["low", "middle", "high", "highest"], pa.large_string())
    return pa.DictionaryArray.from_arrays(codes, names, ordered=ordered)


COLUMNS: dict[str, tuple[Any, str, int]] = {
    "float64": (np.linspace(-1, 1, N) ** 2, "continuous", 0),
    "null": (pa.array([0.5, None, 2.5, -0.0] * (N // 4)), "continuous", N // 4),
    "nan": (pa.array([0.5, math.nan, 2.5, -0.0] * (N // 4), from_pandas=False), "continuous", 6),
    "null and nan": (pa.array([0.5, math.nan, None, 2.0] * (N // 4)), "continuous", N // 2),
    "int32": (pa.array(range(N), pa.int32()), "continuous", 0),
    "int32 with null": (pa.array([None, *range(N - 1)], pa.int32()), "continuous", 1),
    "int64": (pa.array([2**53 + 2 * i for i in range(N)], pa.int64()), "continuous", 0),
    "bool": (pa.array([True, False, None] * (N // 3)), "nominal", N // 3),
    "large_utf8": (pa.array(["", "\U0001f600", "NA", None] * 6, pa.large_string()), "nominal", 6),
    "ordered": (levels(ordered=True), "ordinal", 0),
    "unordered": (levels(ordered=False), "nominal", 0),
    "date32": (pa.array(range(N), pa.int32()).cast(pa.date32()), "continuous", 0),
    "timestamp": (
        pa.array([datetime(2024, 1, 1 + i, tzinfo=UTC) for i in range(N)]).cast(
            pa.timestamp("us", "Europe/Berlin")
        ),
        "continuous",
        0,
    ),
}


def answer(result: dict[str, Any]) -> dict[str, Any]:
    """A result without how the work was done and what the data are called."""
    data = {key: value for key, value in result["data"].items() if key != "source"}
    return {key: value for key, value in result.items() if key != "run"} | {"data": data}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_of_each_type(lender: Any, name: str) -> None:
    values, kind, missing = COLUMNS[name]
    table = pa.table({"noise": [float(i * i % 7) for i in range(N)], name: values, "y": CLASSES})
    options = QUICK | {"missing": "drop"}
    reply = bridge.select(lender.table(table, source="data.frame"), options)
    assert reply["ok"], reply
    result = reply["value"]["result"]
    assert lender.nothing_is_held

    column = next(c for c in result["data"]["columns"] if c["name"] == name)
    assert (column["kind"], column["missing"]) == (kind, missing)
    assert result["data"]["source"] == "data.frame"
    assert answer(result) == answer(renyi.select(table, **options).to_dict())


def test_a_flag_in_the_schema_alone_makes_levels_ordinal(lender: Any) -> None:
    """Order is told by the flag; the order of the levels is theirs, not the alphabet's."""
    moved = {}
    for ordered in (True, False):
        table = pa.table({"level": levels(ordered), "y": CLASSES})
        options = {"x": "level", "y": "y", "alpha": 2, "nominal": "delta"}
        reply = bridge.measure(lender.table(table), options)
        moved[ordered] = reply["value"]["result"]["quantities"][0]["value"]
    codes = {"level": [0.0, 1.0, 2.0, 1.0, 0.0, 2.0] * (N // 6), "y": CLASSES}
    as_numbers = renyi.measure(codes, x="level", y="y", alpha=2)["H(x)"]
    assert moved[True] == pytest.approx(as_numbers, abs=1e-12)
    assert moved[False] == pytest.approx(math.log2(3), abs=1e-12)  # three levels, equally often


def test_a_level_order_is_metadata_of_the_target_too(lender: Any) -> None:
    table = pa.table({"x": np.linspace(0, 1, N), "y": levels(ordered=True)})
    result = bridge.select(lender.table(table), QUICK)["value"]["result"]
    assert result["data"]["columns"][1]["kind"] == "ordinal"


def test_sliced_arrays_are_read_from_their_offset(lender: Any) -> None:
    whole = pa.table(
        {
            "number": [1e6, -1e6, *np.linspace(0, 1, N), 1e9],
            "flag": [None, True, *[i % 3 == 0 for i in range(N)], None],
            "text": pa.array(["?", "?", *["a", "b"] * (N // 2), "?"], pa.large_string()),
            "y": ["?", "?", *CLASSES, "?"],
        }
    )
    part = whole.to_batches()[0].slice(2, N)
    assert part.column(0).offset == 2
    found = bridge.select(lender.array(part), QUICK)["value"]["result"]
    copied = pa.table({name: part.column(name).to_pylist() for name in part.schema.names})
    expected = renyi.select(copied, **QUICK).to_dict()
    assert found["steps"] == expected["steps"]
    assert found["data"]["fingerprint"] == expected["data"]["fingerprint"]


def test_doubles_that_no_arrow_library_made(lender: Any) -> None:
    """Structs written by hand, one matrix column by column, and its target beside it."""
    matrix = np.random.default_rng(3).normal(size=(N, 3))
    lent = lender.doubles(np.ascontiguousarray(matrix.T).reshape(-1))
    y = lender.array(pa.array(CLASSES), name="class")
    data = lent | {"dim": [float(N), 3.0], "names": ["a", "b", "c"], "source": "matrix"}
    reply = bridge.select(data, QUICK, y)
    assert lender.nothing_is_held
    by_name = {name: matrix[:, j] for j, name in enumerate("abc")} | {"class": CLASSES}
    expected = renyi.select(by_name, target="class", **QUICK).to_dict()
    assert reply["value"]["result"]["steps"] == expected["steps"]
    assert reply["value"]["result"]["data"]["fingerprint"] == expected["data"]["fingerprint"]
    assert reply["value"]["result"]["data"]["target"] == "class"


@pytest.mark.parametrize(
    "values",
    [
        pa.array([*range(N), *([None, 1, 2] * 8)], pa.int32()),
        pa.array([True, False, False] * 16),
        pa.array(["u", "v", "w"] * 16, pa.large_string()),
    ],
    ids=lambda values: str(values.type),
)
def test_matrices_of_every_type(lender: Any, values: pa.Array[Any]) -> None:
    data = lender.array(values, dim=[N, 2])
    options = QUICK | {"missing": "drop"}
    reply = bridge.select(data, options, lender.array(pa.array(CLASSES)))
    table = {"x1": values[:N], "x2": values[N:], "y": CLASSES}
    assert reply["value"]["result"]["steps"] == renyi.select(table, **options).to_dict()["steps"]


def test_one_column_may_have_its_name_alone(lender: Any) -> None:
    data = lender.array(pa.array(np.linspace(0, 1, N)), dim=[N, 1], names="alone")
    reply = bridge.select(data, QUICK, lender.array(pa.array(CLASSES)))
    assert reply["value"]["result"]["data"]["columns"][0]["name"] == "alone"


def test_a_stream_of_chunks_with_dictionaries_of_their_own(lender: Any) -> None:
    half = N // 2
    words = [["b", "a"] * (half // 2), ["c", "a"] * (half // 2)]
    batches = [
        pa.record_batch(
            {
                "x": pa.array(np.linspace(part, part + 1, half)),
                "word": pa.array(words[part]).dictionary_encode(),
                "y": pa.array(CLASSES[:half]),
            }
        )
        for part in (0, 1)
    ]
    reader = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    reply = bridge.select(lender.stream(reader, source="Table"), QUICK)
    assert lender.nothing_is_held
    table = {
        "x": [*np.linspace(0, 1, half), *np.linspace(1, 2, half)],
        "word": [*words[0], *words[1]],
        "y": CLASSES[:half] * 2,
    }
    assert reply["value"]["result"]["steps"] == renyi.select(table, **QUICK).to_dict()["steps"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            pa.table({"x": pa.array([], pa.float64()), "y": pa.array([], pa.string())}),
            "frame has 0",
        ),
        (pa.table({}), "frame has no column"),
        (pa.table({"y": CLASSES}), "frame has only `y`"),
    ],
    ids=["no rows", "no columns", "one column"],
)
def test_tables_of_nothing(lender: Any, table: pa.Table, said: str) -> None:
    reply = bridge.select(lender.table(table, source="frame"))
    assert reply["error"]["code"] == "data"
    assert said in reply["error"]["message"]
    assert lender.nothing_is_held


def test_twenty_thousand_columns(lender: Any) -> None:
    width = 20_000
    values = np.random.default_rng(5).normal(size=width * N)
    values[-N:] = [3.0 if word == "p" else -3.0 for word in CLASSES]
    names = [f"gene {j}" for j in range(width)]
    options = {"alpha": 2, "criterion": "none", "features": ["gene 3", names[-1]], "bandwidth": 1}
    data = lender.doubles(values) | {"dim": [N, width], "names": names}
    result = bridge.select(data, options, lender.array(pa.array(CLASSES)))["value"]["result"]
    assert len(result["data"]["columns"]) == width + 1
    assert result["selected"][0] == names[-1]
    assert lender.nothing_is_held


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (
            pa.Array.from_buffers(
                pa.large_string(), 2, [None, pa.py_buffer(np.arange(3)), pa.py_buffer(b"\xff\xfe")]
            ),
            "UTF8",
        ),
        (
            pa.DictionaryArray.from_arrays(
                pa.array([0, 7], pa.int32()), pa.array(["a"]), safe=False
            ),
            "out of bounds",
        ),
        (pa.array([0, 1], pa.timestamp("us", "Nowhere/Nothing")), "time zone"),
    ],
    ids=["text", "codes", "zone"],
)
def test_broken_content_is_refused_by_column(lender: Any, column: pa.Array[Any], said: str) -> None:
    reply = bridge.select(lender.table(pa.table({"broken": column, "y": ["a", "b"]})))
    assert reply["error"]["code"] == "data"
    assert "`broken`" in reply["error"]["message"]
    assert said in reply["error"]["message"]
    assert lender.nothing_is_held
