"""Values as numbers, and values as named levels: the two readings of a column."""

from __future__ import annotations

from decimal import localcontext
from typing import Any, Final

import numpy as np
import polars as pl

from renyi._typing import FloatArray, IntArray

__all__ = ["as_numbers", "distinct", "level_names", "numbers_above"]

_EXACT: Final = 2**53
"""Up to here float64 holds every whole number."""
_DIGITS: Final = 100
"""More than a difference of two decimals can have."""
_SHORT: Final = 20_000
"""Rows below which NumPy sorts a column sooner than polars begins to."""
_NUMPY_INTEGERS: Final = (
    *(pl.Int8, pl.Int16, pl.Int32, pl.Int64),
    *(pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64),
)
"""All but those of 128 bits."""
_UNITS_A_SECOND: Final = {"ms": 10**3, "us": 10**6, "ns": 10**9}


def as_numbers(series: pl.Series) -> FloatArray:
    """Return a column as float64, shape (n,), missing values as NaN.

    Dates count in days since 1970-01-01; date-times in seconds since then (UTC where they carry a
    zone), durations in seconds, times in seconds since midnight; booleans are 0 and 1. Zero has no
    sign.
    """
    dtype = series.dtype
    if isinstance(dtype, (pl.Datetime, pl.Duration)):
        return _seconds(series, _UNITS_A_SECOND[dtype.time_unit])
    if isinstance(dtype, pl.Time):
        return _seconds(series, _UNITS_A_SECOND["ns"])
    if dtype.is_temporal():
        series = series.cast(pl.Int32)
    values: FloatArray = series.cast(pl.Float64).to_numpy()  # null becomes NaN
    lacking = np.isnan(values)
    return np.where(lacking, np.nan, values + 0.0) if lacking.any() else values + 0.0


def numbers_above(series: pl.Series) -> tuple[FloatArray, str]:
    """Return a column as float64 above an offset, and the offset, empty for none.

    Whole numbers and decimals too long for float64 are counted from the least of them, because
    only differences matter and float64 holds those; all else is as in `as_numbers`.
    """
    if not (series.dtype.is_integer() or series.dtype.is_decimal()):
        return as_numbers(series), ""
    present = series.drop_nulls() if series.null_count() else series
    if not len(present):
        return as_numbers(series), ""
    least: Any = present.min()
    most: Any = present.max()
    numbers = as_numbers(series)
    if max(-least, most) <= _EXACT and (
        series.dtype.is_integer()
        or present.n_unique() == len(np.unique(numbers[~np.isnan(numbers)]))
    ):
        return numbers, ""
    with localcontext() as context:
        context.prec = _DIGITS
        above = [np.nan if value is None else float(value - least) for value in series.to_list()]
    return np.array(above), str(least)


def _seconds(series: pl.Series, units: int) -> FloatArray:
    """Return whole and broken seconds apart, so that a finer unit gives the same float64."""
    counts = series.to_physical()
    whole = (counts // units).cast(pl.Float64).to_numpy()
    broken = (counts % units).cast(pl.Float64).to_numpy()
    out: FloatArray = whole + broken / units
    return out


def distinct(series: pl.Series) -> int:
    """Return how many different values there are, a missing one among them."""
    numbers = _short_integers(series)
    return series.n_unique() if numbers is None else len(np.unique(numbers))


def _short_integers(series: pl.Series) -> IntArray | None:
    """Return the values of a short column of whole numbers without holes, None of any other."""
    dtype = series.dtype
    if len(series) > _SHORT or dtype not in _NUMPY_INTEGERS or series.null_count():
        return None
    return np.asarray(series.to_numpy())


def level_names(series: pl.Series) -> tuple[IntArray, tuple[str, ...]]:
    """Return level numbers, -1 where missing, and the levels' names.

    Levels are sorted whatever the order of the rows: numbers and times by value, text by code
    point.

    Returns
    -------
    codes, names
        (n,) int64, and one name a level.
    """
    integers = _short_integers(series)
    if integers is not None:
        levels, codes = np.unique(integers, return_inverse=True)
        return codes.astype(np.int64), tuple(map(str, levels.tolist()))
    dtype = series.dtype
    if dtype.is_float() or dtype.is_decimal():
        numbers = series.cast(pl.Float64).fill_nan(None) + 0.0
        if dtype.is_float() or numbers.n_unique() == series.n_unique():
            series = numbers  # decimals too long for float64 stay as they are
    holes = series.null_count() > 0  # a call of polars takes as long as 2,000 values
    if isinstance(dtype, (pl.String, pl.Categorical, pl.Enum)):
        series = series.cast(pl.String)
        named = (series.drop_nulls() if holes else series).unique().sort()
        ranks = series.cast(pl.Enum(named)).to_physical()
        names = tuple(named.to_list())
    else:
        values = series.cast(pl.UInt8) if isinstance(dtype, pl.Boolean) else series
        ranks = values.rank("dense").cast(pl.Int64) - 1
        names = tuple(_name(value) for value in series.drop_nulls().unique().sort().to_list())
    ranks = ranks.cast(pl.Int64)
    return (ranks.fill_null(-1) if holes else ranks).to_numpy().astype(np.int64), names


def _name(value: object) -> str:
    """Name a level; a whole number is named alike whatever its type."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)
