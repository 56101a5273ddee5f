"""Small tables: plain ones to be damaged, and ones with odd names, types and values."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

ODD_NAMES = (
    "",
    " ",
    "y",
    "target",
    "a,b",
    'quo"te',
    "it's",
    "line\nbreak",
    "tab\there",
    "carriage\rreturn",
    "\x1b[31mred\x1b[0m",
    "bell\x07",
    "nul\x00here",
    "[red]markup[/red]",
    "[/]",
    "*",
    "x?",
    "[ab]",
    "--alpha",
    "-",
    "a=b",
    "=1+1",
    "é",
    "e\u0301",
    "\u202eright to left",
    "\ufeffmark",
    "\u200b",
    "\U0001f600",
    "名前",
    "null",
    "NaN",
    "1",
    "1.5",
    "__index_level_0__",
    "renyi.target",
    "$x_1^2$",
    "\\alpha",
    "<b>&amp;</b>",
    "%s%n{0}",
    "x" * 5000,
    "..",
    "a/b",
)

ODD_CELLS = (
    *("", " ", "NA", "N/A", "nan", "NaN", "null", "None", "?", "-", "inf", "-Infinity", "1e999"),
    *(
        "1,5",
        "1.234,5",
        "1 000",
        "12%",
        "$3",
        "0x1F",
        "1_000",
        "\uff11\uff12",
        "٣",
        "-0",
        "+7",
        "007",
    ),
    *("9223372036854775808", "-9223372036854775809", "1" * 400, "1e-400", "4.9e-324", "True"),
    *("yes", "2020-01-01", "01/02/2020", "2020-13-45", "12:61", "2020-01-01T00:00:00Z"),
    *('say ""hi""', "semi;colon", "tab\tin", "\x00", "\x1b[2J", "\U0001f600", "é", "#N/A", "1e5"),
)


def plain(rng: np.random.Generator, rows: int = 40) -> pa.Table:
    """Return a table of every common type, some values missing, whose last column is the target."""
    x = rng.normal(size=rows)
    word = rng.choice(["ab", "cd", "é f", "long word here"], rows)
    return pa.table(
        {
            "x": x.round(3),
            "count": rng.integers(-5, 2000, rows),
            "word": word,
            "flag": rng.random(rows) < 0.5,
            "z": rng.normal(size=rows).round(4),
            "y": np.where(x + 0.5 * rng.normal(size=rows) > 0, "up", "down"),
        }
    )


def with_holes(table: pa.Table, rng: np.random.Generator) -> pa.Table:
    """Return the table with a few values of one feature missing."""
    at = int(rng.integers(0, table.num_columns - 1))
    mask = pa.array(rng.random(table.num_rows) < 0.1)
    column = table.column(at)
    holes = pa.compute.if_else(mask, pa.scalar(None, column.type), column)
    return table.set_column(at, table.schema.names[at], holes)


def oddly_named(rng: np.random.Generator) -> pa.Table:
    """Return a plain table with other names."""
    table = plain(rng)
    names = rng.choice(np.array(ODD_NAMES, dtype=object), table.num_columns, replace=False)
    if rng.random() < 0.2:
        names[0] = names[1]
    return table.rename_columns([str(name) for name in names])


def _run_ends(rng: np.random.Generator, rows: int) -> pa.Array:
    half = rows // 2
    return pa.RunEndEncodedArray.from_arrays(pa.array([half, rows], pa.int32()), [1.0, 2.0])


def _dictionary(index: Any, values: Any, rng: np.random.Generator, rows: int) -> pa.Array:
    codes = pa.array(rng.integers(0, len(values), rows), index)
    return pa.DictionaryArray.from_arrays(codes, values)


def _stamps(rng: np.random.Generator, rows: int, unit: str, zone: str | None) -> pa.Array:
    ticks = rng.integers(-(10**6), 10**6, rows)
    return pa.array(ticks, pa.int64()).cast(pa.timestamp(unit, zone))


def _decimals(rng: np.random.Generator, rows: int, kind: pa.DataType) -> pa.Array:
    return pa.array([decimal.Decimal(int(v)) / 100 for v in rng.integers(-999, 999, rows)], kind)


ODD_TYPES: dict[str, Callable[[np.random.Generator, int], Any]] = {
    "null": lambda _, n: pa.nulls(n),
    "int8": lambda g, n: pa.array(g.integers(-128, 128, n), pa.int8()),
    "uint64": lambda g, n: pa.array(g.integers(2**63, 2**64 - 1, n, dtype=np.uint64)),
    "int64 large": lambda g, n: pa.array(g.integers(-(2**63), 2**63 - 1, n)),
    "float16": lambda g, n: pa.array(g.normal(size=n).astype(np.float16)),
    "float32": lambda g, n: pa.array(g.normal(size=n), pa.float32()),
    "decimal": lambda g, n: _decimals(g, n, pa.decimal128(12, 2)),
    "decimal wide": lambda g, n: _decimals(g, n, pa.decimal256(60, 2)),
    "date32": lambda g, n: pa.array(g.integers(-9000, 9000, n), pa.int32()).cast(pa.date32()),
    "date64": lambda g, n: pa.array(g.integers(0, 9000, n) * 86_400_000).cast(pa.date64()),
    "time32": lambda g, n: pa.array(g.integers(0, 86_399, n), pa.int32()).cast(pa.time32("s")),
    "time64": lambda g, n: pa.array(g.integers(0, 86_399, n)).cast(pa.time64("ns")),
    "stamp s": lambda g, n: _stamps(g, n, "s", None),
    "stamp ns zone": lambda g, n: _stamps(g, n, "ns", "Europe/Berlin"),
    "stamp odd zone": lambda g, n: _stamps(g, n, "ms", "Nowhere/Never"),
    "stamp offset": lambda g, n: _stamps(g, n, "us", "+05:30"),
    "duration": lambda g, n: pa.array(g.integers(0, 99, n)).cast(pa.duration("s")),
    "interval": lambda _, n: pa.array([(1, 2, 3)] * n, pa.month_day_nano_interval()),
    "binary": lambda g, n: pa.array(
        [bytes(g.integers(0, 256, 3, dtype=np.uint8)) for _ in range(n)]
    ),
    "fixed binary": lambda _, n: pa.array([b"abcd", b"efgh"] * (n // 2), pa.binary(4)),
    "large text": lambda g, n: pa.array(g.choice(["a", "b"], n).tolist(), pa.large_string()),
    "text view": lambda g, n: pa.array(g.choice(["a", "b"], n).tolist(), pa.string_view()),
    "list": lambda _, n: pa.array([[1, 2], None] * (n // 2)),
    "fixed list": lambda _, n: pa.array([[1.0, 2.0]] * n, pa.list_(pa.float64(), 2)),
    "struct": lambda _, n: pa.array([{"a": 1, "b": "c"}] * n),
    "map": lambda _, n: pa.array([[("k", 1)]] * n, pa.map_(pa.string(), pa.int64())),
    "dictionary": lambda g, n: _dictionary(pa.int8(), pa.array(["u", "v", "w"]), g, n),
    "dictionary int64": lambda g, n: _dictionary(pa.int64(), pa.array(["u", "v"]), g, n),
    "dictionary twice": lambda g, n: _dictionary(pa.int32(), pa.array(["u", "u"]), g, n),
    "dictionary of null": lambda g, n: _dictionary(pa.int32(), pa.array(["u", None]), g, n),
    "dictionary of numbers": lambda g, n: _dictionary(pa.uint16(), pa.array([1.5, 2.5]), g, n),
    "run ends": _run_ends,
}

ODD_VALUES: dict[str, Callable[[np.random.Generator, int], Any]] = {
    "nan": lambda g, n: np.where(g.random(n) < 0.2, np.nan, g.normal(size=n)),
    "inf": lambda g, n: np.where(g.random(n) < 0.1, np.inf, g.normal(size=n)),
    "all nan": lambda _, n: np.full(n, np.nan),
    "constant": lambda _, n: np.ones(n),
    "huge": lambda g, n: g.normal(size=n) * 1e308,
    "tiny": lambda g, n: g.normal(size=n) * 5e-324,
    "nearly constant": lambda g, n: 1e16 + g.integers(0, 3, n),
    "zeros of both signs": lambda g, n: np.where(g.random(n) < 0.5, 0.0, -0.0),
    "ids": lambda _, n: [f"id{i}" for i in range(n)],
    "rows": lambda _, n: np.arange(n),
    "one odd": lambda _, n: [1.0] + [0.0] * (n - 1),
    "all null": lambda _, n: pa.array([None] * n, pa.float64()),
    "long text": lambda g, n: [str(v) * 3000 for v in g.integers(0, 3, n)],
    "empty text": lambda _, n: [""] * n,
    "controls": lambda g, n: g.choice(["\x1b[2J", "\x00", "\x07", "\n"], n).tolist(),
    "truths": lambda g, n: g.random(n) < 0.5,
    "two": lambda g, n: g.integers(0, 2, n),
}


def oddly_filled(rng: np.random.Generator, pool: dict[str, Any]) -> tuple[str, pa.Table]:
    """Return a table some of whose columns are of `pool`, maybe the target, and what they are."""
    rows = int(rng.choice([0, 1, 2, 3, 40, 40, 40, 40]))
    table = plain(rng, max(rows, 4)).slice(0, rows)
    chosen = rng.choice(list(pool), int(rng.integers(1, 4)), replace=False)
    for name in chosen:
        at = int(rng.integers(0, table.num_columns))
        values = pool[name](rng, max(rows, 4) // 2 * 2)
        column = pa.array(values) if not isinstance(values, (pa.Array, pa.ChunkedArray)) else values
        table = table.set_column(at, table.schema.names[at], column.slice(0, rows))
    return ", ".join(map(str, chosen)), table
