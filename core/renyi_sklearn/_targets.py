"""What is given beside X: the target, weights and groups of rows, the seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Final

import narwhals.stable.v1 as nw
import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_array, check_random_state, column_or_1d
from sklearn.utils.multiclass import type_of_target

from renyi.errors import OptionError, UsageError, Way
from renyi_sklearn._refusals import MissingInTableError, TableError
from renyi_sklearn._tables import frame_of, is_missing, take

__all__ = ["Target", "free_name", "jobs_of", "row_values", "seed_of", "target_of"]

_LARGEST_SEED: Final = 2**31 - 1
KINDS: Final = ("continuous", "ordinal", "nominal")


@dataclass(frozen=True, eq=False)
class Target:
    """The target, of one or several columns.

    Attributes
    ----------
    columns
        Name -> values.
    kinds
        Name -> kind.
    """

    columns: dict[str, Any]
    kinds: dict[str, str]


def target_of(y: Any, names: Sequence[str], kind: str | None, rows: int) -> Target:
    """Take over a target, numbers or classes as scikit-learn's `type_of_target` says.

    Parameters
    ----------
    y
        (n,) values, or (n, T) of several targets.
    names
        Those of the features, which a target must not have.
    kind
        What it is, None to have it decided.
    rows
        How many values it must have.

    Raises
    ------
    ValueError
        If it is not there, or has missing, infinite or strange values or another length.
    """
    if kind is not None and kind not in KINDS:
        raise OptionError(
            f"`target_kind` must be None or one of {', '.join(KINDS)}, got {kind!r}.",
            "None leaves it to the values.",
        )
    if y is None:
        raise UsageError(
            "RenyiSelector requires y to be passed, but the target y is None.",
            "Give the target as the second argument of `fit`.",
        )
    if isinstance(y, str):
        raise UsageError(
            f"`y` must be the values of the target, one a row, got the text {y!r}.",
            "Take that column out of X and give its values.",
        )
    native = nw.to_native(y, pass_through=True)
    if _is_column(native):
        _check_present(nw.from_native(native, series_only=True).is_null().sum())
    array = check_array(native, ensure_2d=False, dtype=None, input_name="y", ensure_min_samples=0)
    if array.ndim == 2 and array.shape[1] == 1:
        array = column_or_1d(array, warn=True)
        native = array
    if len(array) != rows:
        raise TableError(f"`y` must have one value a row: it has {len(array)} for {rows} rows.")
    if array.dtype.kind == "O":
        _check_present(sum(map(is_missing, array.reshape(-1).tolist())))
    if array.ndim == 1:
        name = free_name((getattr(native, "name", None), "y", "target"), names)
        values = native if _is_column(native) else _plain(array)
        return Target({name: values}, {name: kind or _decided(array)})
    frame = frame_of(native)
    labels = [f"y{k + 1}" for k in range(array.shape[1])] if frame is None else frame.columns
    columns: dict[str, Any] = {}
    kinds: dict[str, str] = {}
    for number, label in enumerate(labels):
        name = free_name((label,), (*names, *columns))
        columns[name] = (
            _plain(array[:, number]) if frame is None else nw.to_native(take(frame)[:, number])
        )
        kinds[name] = kind or _decided(array[:, number])
    return Target(columns, kinds)


def _is_column(native: Any) -> bool:
    return isinstance(nw.from_native(native, pass_through=True, allow_series=True), nw.Series)


def _plain(array: Any) -> Any:
    """Return values that are no objects, as their own type where they have one."""
    return array.tolist() if array.dtype.kind in "OUS" else array


def _check_present(lacking: int) -> None:
    if lacking:
        raise MissingInTableError(
            f"`y` must have a value in every row, and has none (None, NaN) in {lacking}.",
            "Leave those rows out.",
        )


def _decided(array: Any) -> str:
    """Return what kind of target (n,) values are."""
    if array.dtype.kind == "O" and not any(isinstance(v, str) for v in array):
        array = np.array(array.tolist())  # numbers that came as objects
    if array.dtype.kind in "mM" or type_of_target(
        array, input_name="y", raise_unknown=True
    ).startswith("continuous"):
        return "continuous"
    distinct = len(np.unique(array)) if array.dtype.kind in "iuf" else 0
    if distinct > len(array) / 2:
        raise TableError(
            f"`y` must repeat its classes, and has {distinct} whole numbers in {len(array)} rows, "
            "which scikit-learn takes for classes.",
            "Use ",
            Way("target_kind", "continuous"),
            " if they are a quantity.",
        )
    return "nominal"


def row_values(argument: str, values: Any, rows: int) -> Any:
    """Return what says something of each row, (n,), None where nothing is given.

    Raises
    ------
    ValueError
        If it is not one value a row.
    """
    if values is None:
        return None
    native = nw.to_native(values, pass_through=True)
    array = np.asarray(native)
    if array.ndim != 1:
        raise TableError(f"`{argument}` must be 1D, one value a row; its shape is {array.shape}.")
    if len(array) != rows:
        raise TableError(
            f"`{argument}` must have one value a row: it has {len(array)} for {rows} rows."
        )
    if argument == "sample_weight" and not array.any():
        raise TableError("`sample_weight` must not be zero in every row.")
    return native if _is_column(native) else _plain(array)


def free_name(wanted: Sequence[Any], taken: Sequence[str]) -> str:
    """Return the first of some names that is not taken, else one made of the last of them."""
    texts = [str(name) for name in wanted if name not in {None, ""}]
    free = next((text for text in texts if text not in taken), None)
    if free is not None:
        return free
    name = texts[-1]
    while name in taken:
        name += "'"
    return name


def jobs_of(n_jobs: Any) -> int:
    """Return how many threads joblib takes `n_jobs` for.

    Raises
    ------
    OptionError
        If it is no number of them.
    """
    try:
        return int(effective_n_jobs(n_jobs))
    except (TypeError, ValueError):
        raise OptionError(
            f"`n_jobs` must be None or a whole number other than 0, got {n_jobs!r}.",
            "-1 is one a core.",
        ) from None


def seed_of(random_state: Any) -> int:
    """Return a whole number to seed the draws with.

    A whole number is it; a `RandomState` or `Generator` gives one and moves on; None takes one of
    NumPy's global generator.

    Raises
    ------
    OptionError
        If it is something else.
    """
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise OptionError(
                f"`random_state` must not be negative, got {random_state}.", "0 is usual."
            )
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(_LARGEST_SEED))
    try:
        return int(check_random_state(random_state).randint(_LARGEST_SEED))
    except ValueError:
        raise OptionError(
            "`random_state` must be a whole number, a RandomState, a Generator or None, got "
            f"{random_state!r}.",
            "Use ",
            Way("random_state", 0),
            ".",
        ) from None
