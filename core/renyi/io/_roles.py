"""Which column is the target, which are features, and what kind the caller says they are."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from renyi import _validate
from renyi.errors import ColumnError, DataError, Way
from renyi.io._wording import named
from renyi.io.columns._column import Table
from renyi.options import DataOptions
from renyi.variables import Variable

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
    targets, target_reason
        The targets, and why it is these.
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
    group_columns
        Group -> those of its columns that are features, which are taken or left together.
    """

    targets: tuple[str, ...]
    target_reason: str
    features: tuple[str, ...]
    asked: frozenset[str]
    left_out: Mapping[str, tuple[str, str]]
    kinds: Mapping[str, str]
    weights: str | None = None
    groups: str | None = None
    group_columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def target(self) -> str:
        """The target in backquotes, of several all."""
        return f"target{'s' if len(self.targets) > 1 else ''} {named(self.targets)}"

    def grouped(self, features: Sequence[Variable]) -> tuple[Variable, ...]:
        """Return the features with the columns of each group as one, where the first of them is."""
        owners = {
            column: group for group, columns in self.group_columns.items() for column in columns
        }
        found: dict[str, list[Variable]] = {}
        for feature in features:
            found.setdefault(owners.get(feature.name, feature.name), []).append(feature)
        for name in self.asked:
            if name in self.group_columns and name not in found:
                raise ColumnError(
                    f"The group `{name}` has no column that can be used.",
                    "Leave it out; `renyi describe` says why of each column.",
                )
        return tuple(
            Variable.joint(name, members) if name in self.group_columns else members[0]
            for name, members in found.items()
        )


def assign_roles(table: Table, options: DataOptions) -> Roles:
    """Apply the caller's names and globs to a table.

    Raises
    ------
    ColumnError
        If a name or glob matches nothing, or a column has two roles or groups.
    DataError
        If there are fewer than two columns.
    """
    if len(table.names) < 2:
        raise DataError(
            f"A table must have a target and at least one feature; {table.source} has "
            + (f"only `{table.names[0]}`." if table.names else "no column."),
            "Give it more columns; a text file separates them by comma, semicolon, tab or |.",
        )
    groups = _groups(table.names, options.group_columns)
    excluded = _matches("exclude", _spelt_out(options.exclude, groups), table.names)
    for argument, asked in (("keep", options.keep), ("start", options.start)):
        _check_kept(argument, asked, table.names, groups)
    index = _index(table) - excluded
    targets, reason = _targets(table, options, excluded | index)
    index -= {
        *_spelt_out(options.features, groups),
        *_spelt_out(options.at_hand, groups),
        *(name for columns in groups.values() for name in columns),
    }
    wanted = _wanted(table.names, options, groups, targets, excluded) - index
    taken = {
        **{
            name: f"in the group `{group}`" for group, columns in groups.items() for name in columns
        },
        **dict.fromkeys(options.features, "asked for as a feature"),
        **dict.fromkeys(options.start, "one that the search starts from"),
        **dict.fromkeys(options.keep, "forced in"),
        **dict.fromkeys(targets, "the target"),
    }
    for argument, own in (("weights", options.weights), ("groups", options.groups)):
        if own is not None:
            _check_own(table, taken, argument, own)
            taken[own] = f"that of `{argument}`"
            wanted -= {own}
    left_out: dict[str, tuple[str, str]] = {}
    for name in table.names:
        if name in wanted or name in {*targets, options.weights, options.groups}:
            continue
        if name in excluded:
            left_out[name] = ("excluded", "excluded by name")
        elif name in index:
            left_out[name] = ("index_column", INDEX_REASON)
        else:
            left_out[name] = ("not_asked", "not among the features asked for")
    return Roles(
        targets=targets,
        target_reason=reason,
        features=tuple(name for name in table.names if name in wanted),
        asked=frozenset(
            name
            for name in (*options.features, *options.at_hand)
            if name in wanted or name in groups
        ),
        left_out=left_out,
        kinds=_kinds(table.names, options.kinds, groups),
        weights=options.weights,
        groups=options.groups,
        group_columns=_in_use(groups, targets, wanted),
    )


Groups: TypeAlias = Mapping[str, tuple[str, ...]]
"""Group -> its columns, in the table's order."""


def _groups(names: Sequence[str], asked: Sequence[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Resolve the names and globs of groups; no column may be in two."""
    owners: dict[str, str] = {}
    for group, pattern in asked:
        if group in names:
            raise ColumnError(
                f"`group_columns` must call a group what no column is called, got `{group}`.",
                "Choose another name.",
            )
        hits = _hits(pattern, names)
        if not hits:
            raise unknown_column("group_columns", pattern, names)
        for name in hits:
            if owners.setdefault(name, group) != group:
                raise ColumnError(
                    f"`group_columns` must put a column into one group, got `{name}` in "
                    f"`{owners[name]}` and `{group}`.",
                    "Name its columns more narrowly.",
                )
    return {
        group: tuple(name for name in names if owners.get(name) == group)
        for group in dict.fromkeys(group for group, _ in asked)
    }


def _in_use(
    groups: Groups, targets: Sequence[str], wanted: frozenset[str]
) -> dict[str, tuple[str, ...]]:
    """Return the groups with those of their columns that are features, where there are any."""
    found = {}
    for group, columns in groups.items():
        held = next((target for target in targets if target in columns), None)
        if held is not None:
            raise ColumnError(
                f"`group_columns` must not hold the target, got `{held}` in `{group}`.",
                "Name its columns more narrowly, or name another target.",
            )
        members = tuple(name for name in columns if name in wanted)
        if members:
            found[group] = members
    return found


def _spelt_out(patterns: Sequence[str], groups: Groups) -> list[str]:
    """Return names and globs with the columns of a group in place of its name."""
    return [name for pattern in patterns for name in groups.get(pattern, (pattern,))]


def _check_kept(argument: str, asked: Sequence[str], names: Sequence[str], groups: Groups) -> None:
    for name in asked:
        if name not in names and name not in groups:
            raise unknown_column(argument, name, (*names, *groups))
        owner = next((group for group, columns in groups.items() if name in columns), None)
        if owner is not None:
            raise ColumnError(
                f"`{argument}` must name a group as a whole, got `{name}` of `{owner}`.",
                f"{'Keep' if argument == 'keep' else 'Start from'} `{owner}`.",
            )


def _check_own(table: Table, taken: Mapping[str, str], argument: str, name: str) -> None:
    """Refuse a column that is to say something of rows and is none, or has another role."""
    if name not in table.names:
        raise unknown_column(argument, name, table.names)
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


def _targets(
    table: Table, options: DataOptions, excluded: Iterable[str]
) -> tuple[tuple[str, ...], str]:
    if table.given_target is not None:
        if options.targets not in {(), (table.given_target,)}:
            raise ColumnError(
                f"`target` must be left out where `y` is given, got {named(options.targets)}.",
                "Give one of the two.",
            )
        return (table.given_target,), "given as `y`"
    for name in options.targets:
        if name not in table.names:
            raise unknown_column("target", name, table.names)
        if name in options.exclude:
            raise ColumnError(
                f"`exclude` must not hold the target `{name}`.",
                "Leave it out, or name another target.",
            )
    if options.targets:
        return options.targets, "asked for"
    target, reason = _inferred(table, options, excluded)
    return (target,), reason


def _inferred(table: Table, options: DataOptions, excluded: Iterable[str]) -> tuple[str, str]:
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
        raise ColumnError(
            "`exclude` must leave a target and at least one feature.",
            "Take a column out of ",
            Way("exclude"),
            ".",
        )
    for word in TARGET_NAMES:
        for name in left:
            if name.casefold() == word:
                return name, f"the column named {name}"
    return left[-1], "the last column"


def _wanted(
    names: Sequence[str],
    options: DataOptions,
    groups: Groups,
    targets: Sequence[str],
    excluded: frozenset[str],
) -> frozenset[str]:
    """Return the features, forced ones included."""
    kept = _spelt_out(options.at_hand, groups)
    forced = (("keep", options.keep), ("start", options.start))
    for argument, asked in (("features", options.features), *forced):
        for target in targets:
            if target in asked:
                raise ColumnError(
                    f"`{argument}` must not hold the target `{target}`.",
                    "Leave it out, or name another target.",
                )
    for argument, asked in forced:
        for name in asked:
            if excluded.issuperset(groups.get(name, (name,))):
                raise ColumnError(
                    f"`{argument}` must not hold a column that is excluded, got `{name}`.",
                    "Take it out of one of the two.",
                )
    for name in options.keep:
        if options.keep.count(name) > 1:
            raise ColumnError(
                f"`keep` must name each column once, got `{name}` twice.", "Name it once."
            )
    features = _spelt_out(options.features, groups)
    wanted = _matches("features", features, names) if features else frozenset(names)
    return (wanted | frozenset(kept)) - excluded - frozenset(targets)


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


def _kinds(
    names: Sequence[str], asked: Sequence[tuple[str, str]], groups: Groups
) -> dict[str, str]:
    """Resolve kinds: a full name beats a glob or a group, then the later wins."""
    exact: dict[str, str] = {}
    by_glob: dict[str, str] = {}
    for pattern, kind in asked:
        hits = groups.get(pattern) or _hits(pattern, names)
        if not hits:
            raise unknown_column("kind", pattern, names)
        (exact if pattern in names else by_glob).update(dict.fromkeys(hits, kind))
    return by_glob | exact
