"""The content hash against its own description, written out by hand."""

from __future__ import annotations

import hashlib
import struct
from datetime import date

import numpy as np
import polars as pl
import pytest

from renyi.errors import DataError
from renyi.io import content_hash, load

# values that no reader of files gives
from renyi.io.columns._levels import as_numbers, level_names
from renyi.options import DataOptions


def text(value: str) -> bytes:
    return struct.pack("<I", len(value.encode())) + value.encode()


def number(value: float) -> bytes:
    return struct.pack("<d", value)


def sha(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()


def test_hash_is_what_its_description_says() -> None:
    frame = pl.DataFrame({"größe": [1, 2, None], "s": ["é", None, ""]})
    content = text("größe") + number(1.0) + number(2.0) + bytes.fromhex("000000000000f87f")
    content += text("s") + text("é") + b"\xff\xff\xff\xff" + text("")
    assert content_hash(frame) == sha(content)


def test_numbers_of_any_width_and_sign_of_zero_are_one() -> None:
    wide = pl.DataFrame({"a": [0.0, 3.0]})
    for other in (pl.Series([0, 3], dtype=pl.Int8), pl.Series([-0.0, 3.0], dtype=pl.Float32)):
        assert content_hash(pl.DataFrame({"a": other})) == content_hash(wide)


def test_every_nan_is_the_same_missing_value() -> None:
    odd = struct.unpack("<d", struct.pack("<Q", 0xFFF8_0000_0000_0001))[0]
    assert content_hash(pl.DataFrame({"a": [odd, 1.0]})) == content_hash(
        pl.DataFrame({"a": [None, 1.0]})
    )


def test_booleans_and_categories_count_as_text() -> None:
    words = pl.DataFrame({"a": ["true", "false", None]})
    truths = pl.DataFrame({"a": [True, False, None]})
    categories = words.cast(pl.Categorical)
    assert content_hash(truths) == content_hash(words) == content_hash(categories)


@pytest.mark.parametrize(
    "other",
    [
        {"a": [1.0, 2.0], "c": ["x", "y"]},
        {"b": ["x", "y"], "a": [1.0, 2.0]},
        {"a": [2.0, 1.0], "b": ["x", "y"]},
        {"a": [1.0, 2.0], "b": ["x", "Y"]},
        {"a": ["1", "2"], "b": ["x", "y"]},
    ],
)
def test_names_order_and_values_count(other: dict[str, list[object]]) -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    assert content_hash(pl.DataFrame(other)) != content_hash(frame)


def test_long_columns_are_joined_in_order() -> None:
    codes = np.random.default_rng(0).integers(0, 50, 300_000)
    values = [f"level {code}" for code in codes]
    expected = text("a") + b"".join(text(value) for value in values)
    assert content_hash(pl.DataFrame({"a": values})) == sha(expected)


def test_nested_columns_have_no_hash() -> None:
    with pytest.raises(DataError, match="`a` holds nested values"):
        content_hash(pl.DataFrame({"a": [[1], [2]]}))


def test_fingerprint_covers_the_used_columns_in_order() -> None:
    frame = pl.DataFrame(
        {"b": [1.5, 2.0, 0.5, 1.0], "unused": [1, 2, 3, 4], "a": [0, 1, 0, 1], "y": [*"ppqq"]}
    )
    expected = text("b") + b"".join(map(number, [1.5, 2.0, 0.5, 1.0]))
    expected += text("a") + b"".join(map(text, "0101")) + text("y") + b"".join(map(text, "ppqq"))
    report = load(frame, options=DataOptions(exclude=("unused",))).report
    assert report.fingerprint == sha(expected)


def test_times_count_in_days_and_seconds() -> None:
    dates = pl.Series([date(1970, 1, 2), None])
    np.testing.assert_array_equal(as_numbers(dates), [1.0, np.nan])
    for unit in ("ms", "us", "ns"):
        stamps = pl.Series(["2020-05-17 10:00:00.125", None]).str.to_datetime(time_unit=unit)
        np.testing.assert_array_equal(as_numbers(stamps), [1589709600.125, np.nan])
    early = pl.Series(["1969-12-31 23:59:59.750"]).str.to_datetime(time_unit="us")
    np.testing.assert_array_equal(as_numbers(early), [-0.25])
    length = pl.Series([1500], dtype=pl.Duration("ms"))
    np.testing.assert_array_equal(as_numbers(length), [1.5])
    clock = pl.Series(["00:01:00"]).str.to_time()
    np.testing.assert_array_equal(as_numbers(clock), [60.0])


def test_levels_are_sorted_by_value_or_code_point() -> None:
    for values, names in (
        ([10, 9, None, 2], ("2", "9", "10")),
        ([10.0, 2.5, -0.0, 0.0], ("0", "2.5", "10")),
        (["b", "B", "é", "10", "9"], ("10", "9", "B", "b", "é")),
        ([True, False, None], ("false", "true")),
        ([date(2020, 1, 2), date(2019, 1, 1)], ("2019-01-01", "2020-01-02")),
    ):
        codes, found = level_names(pl.Series(values))
        assert found == names
        again = level_names(pl.Series(values[::-1]))
        assert again[1] == names
        assert again[0].tolist() == codes.tolist()[::-1]


def test_missing_values_have_code_minus_one() -> None:
    for values in ([None, "a"], [None, 1], [None, 2.5], [None, True]):
        assert level_names(pl.Series(values))[0].tolist() == [-1, 0]
    assert level_names(pl.Series([None, None], dtype=pl.String))[1] == ()
