"""What callers give of a table and of columns, as records keep it."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from renyi.errors import OptionError, Way
from renyi.options import Bandwidth, DataOptions, option_of

__all__ = [
    "Groups",
    "Kinds",
    "Names",
    "Targets",
    "data_options",
    "is_number",
    "names",
    "one_name",
    "own_bandwidths",
    "pairs",
    "refuse_values",
]

Targets: TypeAlias = "str | int | Sequence[str | int] | None"
Groups: TypeAlias = "Mapping[str, Names] | Iterable[tuple[str, Names]] | None"
Kinds: TypeAlias = "Mapping[str, str] | Iterable[tuple[str, str]] | None"
Names: TypeAlias = "str | Sequence[str | int]"


def names(argument: str, value: Names | None) -> tuple[str, ...]:
    """Return one name or several as a tuple of text.

    Raises
    ------
    OptionError
        If they are no names.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise OptionError(
            f"`{argument}` must be a name or a list of names, got {_shown(value)}.",
            "Write several as ['age', 'fare'].",
        )
    return tuple(one_name(argument, name) for name in value)


def refuse_values(argument: str, value: object, hint: str) -> None:
    """Refuse values where names are asked for: a series, which no index of names is, or floats.

    Raises
    ------
    OptionError
        If they are values.
    """
    series = hasattr(value, "to_numpy") and not hasattr(value, "get_loc")
    if series or getattr(getattr(value, "dtype", None), "kind", "") in {"b", "f"}:
        raise OptionError(
            f"`{argument}` must be a name or a list of names, got {_shown(value)}.", hint
        )


def is_number(value: object) -> bool:
    """Return whether a value is one number: a name, in tables of pandas."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def one_name(argument: str, value: object) -> str:
    """Return a name as text: pandas tables may have numbers for names.

    Raises
    ------
    OptionError
        If it is neither text nor a number.
    """
    if isinstance(value, str):
        return value
    if is_number(value):
        return str(value)
    hint = "`list(frame.columns)` has the names."
    if hasattr(value, "__len__"):
        hint = "Add values to the data as a column, and name that."
    raise OptionError(f"`{argument}` must be a column's name, got {_shown(value)}.", hint)


def pairs(argument: str, value: object) -> tuple[tuple[str, Any], ...]:
    """Return a mapping of columns, or (column, value) pairs, as pairs.

    Raises
    ------
    OptionError
        If it is neither.
    """
    items = value.items() if isinstance(value, Mapping) else value or ()
    found = []
    for item in items if isinstance(items, Iterable) and not isinstance(items, str) else (items,):
        if isinstance(item, str) or not isinstance(item, Sequence) or len(item) != 2:
            raise OptionError(
                f"`{argument}` must map columns to values, got {_shown(value)}.",
                "Write it as {'column': value}.",
            )
        found.append((one_name(argument, item[0]), item[1]))
    return tuple(found)


def own_bandwidths(value: object) -> dict[str, Bandwidth] | None:
    """Return columns with bandwidths of their own, None where none were given."""
    return None if value is None else dict(pairs("bandwidths", value))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else type(value).__name__


def data_options(  # noqa: PLR0913 - one keyword for each choice, none hidden
    *,
    target: Targets,
    features: Names | None,
    exclude: Names | None,
    keep: Names | None,
    kind: Kinds,
    missing: str,
    rows: int | None,
    seed: int,
    table: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    weights: object = None,
    weight_kind: str = "importance",
    groups: str | int | None = None,
    shuffle: str = "auto",
    blocks: int | str | None = None,
    group_columns: Groups = None,
    start: Names = (),
) -> DataOptions:
    """Build validated data options from what a caller may give."""
    wanted = names("features", features)
    if not (wanted or features is None or features == ()):
        raise OptionError(
            "`features` must name at least one column, got an empty list.",
            "Leave it out for all columns.",
        )
    left_out = names("exclude", exclude)
    if wanted and set(wanted) <= set(left_out):
        raise OptionError(
            f"`exclude` must leave some of `features`, got {', '.join(left_out)}.",
            "Take one of them out of ",
            Way("exclude"),
            ".",
        )
    kinds = tuple((column, str(word)) for column, word in pairs("kind", kind))
    return DataOptions(
        target=_targets(target),
        features=wanted,
        exclude=left_out,
        keep=names("keep", keep),
        start=names("start", start),
        group_columns=_groups(group_columns),
        kinds=kinds,
        table=table,
        decimal=decimal,
        thousands=thousands,
        missing=option_of("missing").checked(missing),
        rows=rows,
        seed=seed,
        weights=_column_name("weights", weights),
        weight_kind=option_of("weight_kind").checked(weight_kind),
        groups=None if groups is None else one_name("groups", groups),
        shuffle=option_of("shuffle").checked(shuffle),
        blocks=blocks,
    )


def _targets(value: object) -> str | tuple[str, ...] | None:
    """Return a name, or those of several targets."""
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Iterable):
        return one_name("target", value)
    refuse_values("target", value, "Values of the target are given as `y`.")
    found = names("target", cast("Names", value))
    if not found:
        raise OptionError(
            "`target` must name at least one column, got an empty list.",
            "Leave it out to have it inferred.",
        )
    twice = next((name for name in found if found.count(name) > 1), None)
    if twice is not None:
        raise OptionError(
            f"`target` must name each column once, got `{twice}` twice.", "Name it once."
        )
    return found if len(found) > 1 else found[0]


def _groups(value: object) -> tuple[tuple[str, str], ...]:
    """Return groups of columns as pairs of a group and a name or glob."""
    found: list[tuple[str, str]] = []
    for group, columns in pairs("group_columns", value):
        members = names("group_columns", columns)
        if not members or not group:
            raise OptionError(
                "`group_columns` must give each group a name and a column, got "
                f"{_shown({group: columns})}.",
                "Write it as {'name': 'glob'}, or with a list of names.",
            )
        found += [(group, member) for member in members]
    return tuple(found)


def _column_name(argument: str, value: object) -> str | None:
    """Return the column that an option names; values of its own get the option's name."""
    if value is None or isinstance(value, str) or is_number(value):
        return None if value is None else one_name(argument, value)
    return argument
