"""What `transform` and `inverse_transform` give back, in the kind of table that came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
import polars as pl
import pyarrow as pa

from renyi_sklearn._tables import is_missing, take

__all__ = ["as_container", "picked", "undone"]


def picked(frame: Any, places: Sequence[int]) -> Any:
    """Return some columns of a frame, as the kind of table that it is; a lazy one stays lazy."""
    native = nw.to_native(frame)
    if nw.dependencies.is_pandas_dataframe(native):
        return native.iloc[:, list(places)]  # of no column too it keeps its rows
    names = frame.collect_schema().names()
    # a selection of no column would have no rows
    return nw.to_native(frame.drop([n for k, n in enumerate(names) if k not in set(places)]))


def as_container(native: Any, wanted: str) -> Any:
    """Return a table as the output asked for: `default` leaves it, `pandas`, `polars`."""
    if wanted == "default":
        return native
    if isinstance(native, np.ndarray):
        if wanted == "polars" and native.dtype.kind == "O":  # else columns of Python objects
            columns = native.T.tolist()
            return pl.DataFrame(
                {
                    f"x{k}": [None if is_missing(value) else value for value in column]
                    for k, column in enumerate(columns)
                }
            )
        return native  # scikit-learn puts it into a frame
    frame = take(nw.from_native(native))
    native = nw.to_native(frame)
    if nw.dependencies.is_pandas_dataframe(native):
        return native if wanted == "pandas" else pl.from_pandas(native)
    if not isinstance(native, pl.DataFrame):
        native = pl.from_arrow(frame.to_arrow())
    return native.to_pandas() if wanted == "pandas" else native


def undone(native: Any, template: Any, places: Sequence[int]) -> Any:
    """Return a frame with all columns of `fit`, of which it holds those at some places.

    Parameters
    ----------
    native
        The frame, of any kind that narwhals knows.
    template
        The frame of `fit` without rows: it says the types of what is put in.
    places
        Where its columns stood.

    Returns
    -------
    object
        A frame of the template's kind. A column that was not there is 0 where it holds numbers,
        False where it holds truth values, and missing elsewhere.
    """
    frame = take(nw.from_native(native))
    names = frame.columns
    given = dict(zip(places, names, strict=True))
    known = nw.from_native(template, eager_only=True)
    if nw.dependencies.is_pandas_dataframe(template):
        return _undone_pandas(as_container(nw.to_native(frame), "pandas"), template, given)
    columns = {}
    for place, name in enumerate(known.columns):
        if place in given:
            columns[name] = frame[given[place]].to_arrow()
            continue
        arrow = known[name].to_arrow().type
        blank = _blank(known[name].dtype)
        columns[name] = (
            pa.nulls(len(frame), arrow)
            if blank is None
            else pa.array(np.full(len(frame), blank)).cast(arrow)
        )
    table = pa.table(columns)
    if not isinstance(template, pl.DataFrame):
        return table
    types: Any = template.schema
    return pl.DataFrame(table).cast(types)


def _undone_pandas(frame: Any, template: Any, given: dict[int, str]) -> Any:
    pandas = nw.get_native_namespace(template)
    known = nw.from_native(template, eager_only=True)
    columns = []
    for place, (name, dtype) in enumerate(template.dtypes.items()):
        if place in given:
            columns.append(frame[given[place]].rename(name))
            continue
        blank = _blank(known[:, place].dtype)
        columns.append(pandas.Series(blank, index=frame.index, dtype=dtype, name=name))
    return pandas.concat(columns, axis=1)


def _blank(dtype: Any) -> Any:
    """Return what a column that is not known is filled with."""
    return 0 if dtype.is_numeric() else False if dtype == nw.Boolean else None
