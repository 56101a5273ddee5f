"""What is given as X: frames that narwhals knows, Arrow, and arrays, as named columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
import polars as pl
import pyarrow as pa
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from renyi.errors import Way
from renyi_sklearn._refusals import MissingInTableError, TableError

__all__ = ["Given", "check_names", "checked_array", "frame_of", "is_missing", "rows_of", "take"]


@dataclass(frozen=True, eq=False)
class Given:
    """A table in memory.

    Attributes
    ----------
    names
        Of its columns: those that `get_feature_names_out` goes by.
    columns
        Their values, each of the kind that the table holds.
    numbers, texts
        Which columns have a type of numbers, and which one of text or categories.
    rows
        How many there are.
    source
        What kind of table it is, as a result says it.
    """

    names: tuple[str, ...]
    columns: tuple[Any, ...]
    numbers: tuple[bool, ...]
    texts: tuple[bool, ...]
    rows: int
    source: str

    @classmethod
    def of(cls, estimator: Any, x: Any, missing: str) -> Given:
        """Take over what `fit` was given, and let the estimator know its columns.

        Raises
        ------
        ValueError
            If it is no table, or has columns of equal names or, under `missing="error"`, an array
            holds NaN.
        """
        frame = frame_of(x)
        if frame is None:
            array = checked_array(estimator, x, missing, reset=True)
            names = tuple(f"x{number}" for number in range(array.shape[1]))
            return cls._of_array(names, array)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
        check_names(estimator, frame, reset=True)
        known = getattr(estimator, "feature_names_in_", None)
        labels = frame.columns
        names = tuple(known if known is not None else (f"x{k}" for k in range(len(labels))))
        columns = tuple(nw.to_native(frame[:, k]) for k in range(len(labels)))
        types = [frame[:, k].dtype for k in range(len(labels))]
        return cls(
            names=names,
            columns=columns,
            numbers=tuple(dtype.is_numeric() for dtype in types),
            texts=tuple(dtype in {nw.String, nw.Categorical, nw.Enum} for dtype in types),
            rows=len(frame),
            source=_type_name(x),
        )

    @classmethod
    def _of_array(cls, names: tuple[str, ...], array: Any) -> Given:
        columns = tuple(_column_of(array[:, number]) for number in range(array.shape[1]))
        return cls(
            names=names,
            columns=columns,
            numbers=tuple(getattr(c, "dtype", np.dtype("O")).kind in "iuf" for c in columns),
            texts=tuple(isinstance(c, list) and not _are_bools(c) for c in columns),
            rows=len(array),
            source="numpy.ndarray",
        )


def frame_of(x: Any) -> Any:
    """Return a frame of narwhals, None for what is no frame.

    Raises
    ------
    TableError
        If it is sparse, a series, or has columns of equal names.
    """
    if issparse(x):
        raise TableError(
            "`X` must be dense, and is a sparse matrix: the kernels compare all values.",
            "Use X.toarray(), or have the step before give dense output, such as "
            "OneHotEncoder(sparse_output=False) or ColumnTransformer(..., sparse_threshold=0).",
        )
    if isinstance(x, np.ndarray | list | tuple):
        return None
    if nw.dependencies.is_pandas_dataframe(x) and not x.columns.is_unique:
        twice = x.columns[x.columns.duplicated()][0]
        raise TableError(
            f"`X` must have columns of different names, and has `{twice}` more than once.",
            "Rename one of them.",
        )
    found = nw.from_native(x, pass_through=True, allow_series=True)
    if isinstance(found, nw.Series):
        raise TableError(
            "`X` must be 2D, one column a feature; it is a series.", "Use X.to_frame()."
        )
    if isinstance(found, nw.LazyFrame) or (isinstance(found, nw.DataFrame) and _is_whole(found)):
        return found
    if hasattr(x, "__arrow_c_stream__"):
        return nw.from_native(pa.table(x), eager_only=True)
    if isinstance(found, nw.DataFrame):
        return nw.from_native(found.to_arrow(), eager_only=True)
    return None


def _is_whole(frame: Any) -> bool:
    """Whether narwhals can do all with a frame; of some it knows the columns only."""
    try:
        len(frame)
    except (AttributeError, NotImplementedError, TypeError):
        return False
    return True


def check_names(estimator: Any, frame: Any, *, reset: bool) -> None:
    """Let an estimator know the names of columns, or compare them with those that it knows."""
    names = frame.collect_schema().names()
    told = nw.to_native(frame)
    if not nw.dependencies.is_pandas_dataframe(told):  # whose labels need not be text
        told = pl.DataFrame(schema=dict.fromkeys(names, pl.Null))
    validate_data(estimator, told, reset=reset, skip_check_array=True)


def checked_array(estimator: Any, x: Any, missing: str, *, reset: bool) -> Any:
    """Return a checked array (n, F); with `missing="error"` none of its values may be NaN."""
    array = validate_data(
        estimator,
        x,
        reset=reset,
        dtype=None,
        ensure_all_finite=False,
        ensure_min_samples=2 if reset else 1,
    )
    if array.dtype.kind == "f":
        lacking, endless = np.isnan(array), np.isinf(array)
    elif array.dtype.kind == "O":
        lacking, endless = _lacks(array), np.zeros(1, dtype=np.bool_)
    else:
        return array
    if endless.any():
        raise TableError(
            f"`X` must be finite, and has {int(endless.sum())} infinite values (inf).",
            "Replace them, or leave the columns out.",
        )
    if lacking.any() and missing == "error":
        raise MissingInTableError(
            f"`X` must have no missing values, and has {int(lacking.sum())} (NaN).",
            "Use ",
            Way("missing", "level"),
            " or ",
            Way("missing", "drop"),
            ", or fill them in before.",
        )
    return array


def is_missing(value: Any) -> bool:
    """Whether one value is None, NaN, NaT or pandas' NA."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124 - NaN
    except TypeError:  # NA will not say
        return True


def _lacks(array: Any) -> Any:
    """Return which of some objects are missing."""
    flat = [is_missing(value) for value in array.reshape(-1)]
    return np.array(flat, dtype=np.bool_).reshape(array.shape)


def _column_of(values: Any) -> Any:
    """Return one column of an array: numbers as numbers, text and truth values as a list."""
    kind = values.dtype.kind
    if kind == "f" and values.dtype.itemsize not in {4, 8}:
        return values.astype(np.float64)
    if kind not in "OUS":
        return values
    found = [None if is_missing(value) else value for value in values.tolist()]
    strange = next((v for v in found if not isinstance(v, _SCALARS)), None)
    if strange is not None:
        raise TypeError(
            f"Each value in `X`, the argument must be a string or a number, got "
            f"{type(strange).__name__}."
        )
    if _are_bools(found) or not all(isinstance(v, _NUMBERS) for v in found):
        return found
    return np.array([np.nan if v is None else float(v) for v in found])


_NUMBERS = (int, float, np.number, type(None))
_SCALARS = (str, bytes, int, float, np.generic, type(None))


def _are_bools(values: Sequence[Any]) -> bool:
    return all(v is None or isinstance(v, bool | np.bool_) for v in values)


def _type_name(x: Any) -> str:
    native = type(nw.to_native(x, pass_through=True))
    return f"{native.__module__.partition('.')[0]}.{native.__qualname__}"


def take(frame: Any) -> Any:
    """Return a frame in memory."""
    return frame.collect() if isinstance(frame, nw.LazyFrame) else frame


def rows_of(x: Any, rows: Any) -> Any:
    """Return some rows of a table, of the same kind."""
    frame = frame_of(x)
    if frame is None:
        return np.asarray(x)[rows]
    return nw.to_native(take(frame)[rows.tolist()])
