"""Which column is the target, which are features, and what kind the caller says they are."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from renyi import _validate
from renyi.errors import ColumnError, DataError
from renyi.io._columns import Table
from renyi.io._wording import named
from renyi.options import DataOptions

__all__ = ["INDEX_REASON", "Roles", "assign_roles", "unknown_column"]

TARGET_NAMES: Final = ("target", "label", "class", "y")
"""Names, in any case, that mark a target; the first of them that is there counts."""
INDEX_REASON: Final = "it is the index of the rows, as pandas and R write it"
_INDEX: Final = re.compile(r"__index_level_\d+__")
"""What pandas calls an index without a name in a Parquet file."""
_FIRST: Final = ("", "Unnamed: 0")
"""Names of a first column that is the index in a text file, as it stands there and in pandas."""


@dataclass(frozen=True)
class Roles:
    """What is asked of each column, before any value is looked at.

    Attributes
    ----------
    target, target_reason
        The target, and why it is this one.
    features
        In the table's order.
    asked
        Columns asked for by their full names, which must not be left out silently.
    left_out
        Column -> (code, reason) of those that are no candidates.
    kinds
        Column -> kind, where the caller says so.
    weights
        The column that says how much each row counts, None for none.
    groups
        The column that names groups of rows, None for none.
    """

    target: str
    target_reason: str
    features: tuple[str, ...]
    asked: frozenset[str]
    left_out: Mapping[str, tuple[str, str]]
    kinds: Mapping[str, str]
    weights: str | None = None
    groups: str | None = None


def assign_roles(table: Table, options: DataOptions) -> Roles:
    """Apply the caller's names and globs to a table.

    Raises
    ------
    ColumnError
        If a name or glob matches nothing, or a column has two roles.
    DataError
        If there are fewer than two columns.
    """
    if len(table.names) < 2:
        raise DataError(
            f"A table must have a target and at least one feature; {table.source} has "
            + (f"only `{table.names[0]}`." if table.names else "no column."),
            "Give it more columns; a text file separates them by comma, semicolon, tab or |.",
        )
    excluded = _matches("exclude", options.exclude, table.names)
    for name in options.keep:
        if name not in table.names:
            raise unknown_column("keep", name, table.names)
    index = _index(table) - excluded
    target, reason = _target(table, options, excluded | index)
    index -= {*options.features, *options.keep}
    wanted = _wanted(table.names, options, target, excluded) - index
    for argument, own in (("weights", options.weights), ("groups", options.groups)):
        if own is not None:
            _check_own(table, options, target, argument, own)
            wanted -= {own}
    left_out: dict[str, tuple[str, str]] = {}
    for name in table.names:
        if name in wanted or name in {target, options.weights, options.groups}:
            continue
        if name in excluded:
            left_out[name] = ("excluded", "excluded by name")
        elif name in index:
            left_out[name] = ("index_column", INDEX_REASON)
        else:
            left_out[name] = ("not_asked", "not among the features asked for")
    return Roles(
        target=target,
        target_reason=reason,
        features=tuple(name for name in table.names if name in wanted),
        asked=frozenset(name for name in (*options.features, *options.keep) if name in wanted),
        left_out=left_out,
        kinds=_kinds(table.names, options.kinds),
        weights=options.weights,
        groups=options.groups,
    )


def _check_own(table: Table, options: DataOptions, target: str, argument: str, name: str) -> None:
    """Refuse a column that is to say something of rows and is none, or has another role."""
    if name not in table.names:
        raise unknown_column(argument, name, table.names)
    taken = {**dict.fromkeys(options.keep, "forced in"), target: "the target"}
    if name in taken:
        raise ColumnError(
            f"`{argument}` must be a column of its own, got `{name}`, which is {taken[name]}.",
            "Name another column.",
        )


def _index(table: Table) -> frozenset[str]:
    """Return the columns that are the index of the rows: used only where somebody names them."""
    first = {table.names[0]} & set(_FIRST)
    return frozenset({*table.index} | first | {n for n in table.names if _INDEX.fullmatch(n)})


def unknown_column(argument: str, name: str, known: Sequence[str]) -> ColumnError:
    """Build the error for a name that no column has, with the nearest ones."""
    close = _validate.nearest(name, known)
    hint = (
        f"Did you mean {' or '.join(f'`{near}`' for near in close)}?"
        if close
        else (f"Columns: {named(known, 8)}.")
    )
    return ColumnError(f"`{argument}` must name columns of the data, got `{name}`.", hint)


def _target(table: Table, options: DataOptions, excluded: Iterable[str]) -> tuple[str, str]:
    if table.given_target is not None:
        if options.target not in {None, table.given_target}:
            raise ColumnError(
                f"`target` must be left out where `y` is given, got `{options.target}`."
            )
        return table.given_target, "given as `y`"
    if options.target is not None:
        if options.target not in table.names:
            raise unknown_column("target", options.target, table.names)
        if options.target in options.exclude:
            raise ColumnError(
                f"`exclude` must not hold the target `{options.target}`.",
                "Leave it out, or name another target.",
            )
        return options.target, "asked for"
    declared = table.declared_target
    if declared is not None and declared not in excluded:
        if declared not in table.names:
            raise ColumnError(
                f"The metadata of {table.source} names the target `{declared}`, and there is no "
                "such column.",
                "Name the target.",
            )
        return declared, "named by the table's metadata (renyi.target)"
    left = [n for n in table.names if n not in {*excluded, options.weights, options.groups}]
    if not left:
        raise ColumnError("`exclude` must leave a target and at least one feature.")
    for word in TARGET_NAMES:
        for name in left:
            if name.casefold() == word:
                return name, f"the column named {name}"
    return left[-1], "the last column"


def _wanted(
    names: Sequence[str], options: DataOptions, target: str, excluded: frozenset[str]
) -> frozenset[str]:
    """Return the features, forced ones included."""
    for argument, asked in (("features", options.features), ("keep", options.keep)):
        if target in asked:
            raise ColumnError(
                f"`{argument}` must not hold the target `{target}`.",
                "Leave it out, or name another target.",
            )
    for name in options.keep:
        if name in excluded:
            raise ColumnError(f"`keep` must not hold a column that is excluded, got `{name}`.")
    for name in options.keep:
        if options.keep.count(name) > 1:
            raise ColumnError(f"`keep` must name each column once, got `{name}` twice.")
    wanted = _matches("features", options.features, names) if options.features else frozenset(names)
    return (wanted - excluded | frozenset(options.keep)) - {target}


def _matches(argument: str, patterns: Sequence[str], names: Sequence[str]) -> frozenset[str]:
    """Return the columns that full names and globs match; each must match some."""
    found: set[str] = set()
    for pattern in patterns:
        hits = _hits(pattern, names)
        if not hits:
            raise unknown_column(argument, pattern, names)
        found.update(hits)
    return frozenset(found)


def _hits(pattern: str, names: Sequence[str]) -> list[str]:
    """Return what a pattern matches; a column of exactly that name is all it means."""
    if pattern in names:
        return [pattern]
    return [name for name in names if fnmatch.fnmatchcase(name, pattern)]


def _kinds(names: Sequence[str], asked: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Resolve kinds: a full name beats a glob, then the later wins."""
    exact: dict[str, str] = {}
    by_glob: dict[str, str] = {}
    for pattern, kind in asked:
        hits = _hits(pattern, names)
        if not hits:
            raise unknown_column("kind", pattern, names)
        (exact if pattern in names else by_glob).update(dict.fromkeys(hits, kind))
    return by_glob | exact
