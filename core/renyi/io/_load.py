"""From a table to typed variables, with every decision on record."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from renyi._typing import IntArray
from renyi.errors import DataError
from renyi.io._columns import Column, Family, Table
from renyi.io._content import dataset_hash
from renyi.io._encode import Encoded, encode
from renyi.io._kinds import Decision, decide_kind
from renyi.io._notes import column_notes, dataset_notes, target_note
from renyi.io._open import open_table
from renyi.io._refusals import (
    few_complete,
    missing_beyond_category,
    missing_values,
    rows_without,
    unfit_column,
)
from renyi.io._roles import INDEX_REASON, Roles, assign_roles
from renyi.io._rows import best_without, complete_rows, stratified_sample
from renyi.io._wording import counted, named, plural
from renyi.options import DataOptions, MemoryBudget
from renyi.variables import ColumnReport, DataReport, Dataset, Kind, Note

__all__ = ["Loaded", "load", "read_frame"]

_REASONS = {
    "nested_column": "it holds nested values",
    "binary_column": "it holds binary values",
    "all_null_column": "it has no value at all",
    "constant_column": "it has one value only in the rows used",
    "id_like_column": "it has more levels than half the rows that have a value, as an id has",
    "index_column": INDEX_REASON,
}
"""Why a column is left out where nobody asked for it, and refused where somebody did."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What `load` returns.

    Attributes
    ----------
    dataset
        Features in the table's order, and the target.
    report
        What was read and decided.
    """

    dataset: Dataset
    report: DataReport


def load(
    data: object,
    y: object = None,
    *,
    options: DataOptions | None = None,
    source_name: str | None = None,
    max_memory: MemoryBudget | None = None,
    check_names: Callable[[tuple[str, ...]], None] | None = None,
) -> Loaded:
    """Read a table and turn the columns in use into typed variables.

    Parameters
    ----------
    data
        A path, a glob or directory of Parquet files, ``"-"`` for standard input; a polars, pandas
        or Arrow table, or whatever narwhals or the Arrow PyCapsule interface knows; a mapping of
        columns; or an array of shape (n, F), whose columns are named x1 to xF.
    y
        The target, n values, where it is not a column of `data`; named as the series is, else `y`.
    options
        What of the table is used, and as what.
    source_name
        What to call the data in the report.
    max_memory
        Memory that the table of a file may take, None for the usual share of what is free.
    check_names
        Gets the names of the columns first; for a caller with names of its own for what it asks.

    Returns
    -------
    Loaded
        The variables and the report.

    Raises
    ------
    ReadError
        If a file is not there, damaged, or not what its name says.
    ColumnError
        If a column asked for is not there or not fit for its role.
    MissingValuesError
        If columns in use have missing values that `options` does not deal with.
    MemoryBudgetError
        If a file's table does not fit.
    DataError
        If the table cannot be used: no rows, one column, infinite values, mixed types.

    Examples
    --------
    >>> loaded = load({"x": [0.5, 1.0, 2.5, 3.0], "y": ["a", "a", "b", "b"]})
    >>> loaded.dataset.names, loaded.report.target
    (('x',), 'y')
    """
    options = options or DataOptions()
    table = open_table(data, y, options=options, source_name=source_name, max_memory=max_memory)
    if check_names is not None:
        check_names(table.names)
    return _Loading(table, assign_roles(table, options), options).run()


def read_frame(source: str | os.PathLike[str]) -> pl.DataFrame:
    """Read all columns of a file as they are, with the types that `load` finds.

    Raises
    ------
    ReadError
        If it is not there, damaged, or not what its name says.
    DataError
        If two columns have one name.
    """
    table = open_table(source)
    return pl.DataFrame([column.values for column in table.read(table.names)])


class _Loading:
    """One table on its way: what is in use, what was left out and why."""

    def __init__(self, table: Table, roles: Roles, options: DataOptions) -> None:
        self.table, self.roles, self.options = table, roles, options
        self.left_out = dict(roles.left_out)
        self.columns: dict[str, Column] = {}
        self.decisions: dict[str, Decision] = {}
        self.encoded: dict[str, Encoded] = {}  # in use: features in order, then the target
        self.notes = list(table.notes)

    def run(self) -> Loaded:
        self._read()
        self._type()
        self._refuse_infinite()
        rows = self._sampled(self._rows_with_values())
        features = [self.encoded[name] for name in self.roles.features if name in self.encoded]
        if not features:
            raise self._no_feature()
        dataset = Dataset(
            tuple(feature.variable(rows) for feature in features),
            (self._target.variable(rows),),
        )
        return Loaded(dataset, self._report(dataset))

    @property
    def _target(self) -> Encoded:
        return self.encoded[self.roles.target]

    @property
    def n(self) -> int:
        """Rows of the table."""
        return len(self.columns[self.roles.target].values)

    def _read(self) -> None:
        """Read the columns that a type known beforehand does not rule out."""
        wanted = [*self.roles.features, self.roles.target]
        for name in wanted:
            self._check_family(name, self.table.families.get(name))
        wanted = [name for name in wanted if name not in self.left_out]
        self.columns = {column.name: column for column in self.table.read(wanted)}
        self.notes += self.table.noticed
        if self.n < 2:
            raise DataError(
                f"A table must have at least 2 rows; {self.table.source} has {self.n}.",
                "Give it more rows: nothing can be learnt from fewer.",
            )

    def _check_family(self, name: str, family: Family | None) -> None:
        if family is Family.NESTED:
            self._leave_out(name, "nested_column")
        elif family is Family.BINARY:
            self._leave_out(name, "binary_column")

    def _type(self) -> None:
        for name, column in self.columns.items():
            self._check_family(name, column.family)
            if name not in self.left_out and column.values.null_count() == self.n:
                self._leave_out(name, "all_null_column")
            if name in self.left_out:
                continue
            is_target = name == self.roles.target
            decision = decide_kind(column, self.roles.kinds.get(name), target=is_target)
            self.decisions[name] = decision
            self.encoded[name] = encode(column, decision.kind)

    def _leave_out(self, name: str, code: str, dropped: str = "") -> None:
        """Leave a column out, or raise where it was asked for by name."""
        reason = _REASONS[code]
        target = name == self.roles.target
        if target or name in self.roles.asked:
            missing = self._missing() if dropped else {}
            raise unfit_column(name, reason, target=target, missing=missing, dropped=dropped)
        self.left_out[name] = (code, reason)
        self.encoded.pop(name, None)

    def _refuse_infinite(self) -> None:
        counts = {}
        for name, encoded in self.encoded.items():
            count = encoded.infinite_count
            column = self.columns[name]
            if encoded.kind is not Kind.CONTINUOUS and column.family is Family.FLOAT:
                count = int(column.values.is_infinite().sum())
            if count:
                counts[name] = count
        if counts:
            raise DataError(
                f"Values must be finite; infinite ones are in {counted(counts)}.",
                "Replace them, or exclude the columns.",
            )

    def _rows_with_values(self) -> IntArray:
        """Deal with missing values as the options say."""
        everything = np.arange(self.n, dtype=np.int64)
        match self.options.missing:
            case "drop":
                return self._dropped(everything)
            case "category":
                for name, encoded in self.encoded.items():
                    if name != self.roles.target:
                        self.encoded[name] = encoded.with_missing_level()
                self._judge(everything)
                self._refuse_missing_beyond_category()
            case "error":
                self._judge(everything)
                self._refuse_missing()
        return everything

    def _dropped(self, everything: IntArray) -> IntArray:
        # A column that is no use where it has values must not cost rows where it has none.
        self._judge(everything, present_only=True)
        while True:
            rows = complete_rows(list(self.encoded.values()), self.n)
            if len(rows) < 2:
                raise few_complete(self._missing(), self.roles.target, len(rows), self.n)
            lost = self.n - len(rows)
            were = f"{lost} of {plural(self.n, 'row')} {'was' if lost == 1 else 'were'}"
            gone = self._judge(rows, dropped=were if lost else "")
            if not any(encoded.missing_count for encoded in gone):
                break
        if len(rows) < self.n:
            counts = self._missing()
            better = best_without(list(self.encoded.values()), self.roles.target, self.n)
            message = (
                f"{self.n - len(rows)} of {plural(self.n, 'row')} left out for missing values in "
                f"{counted(counts, 5)}{rows_without(better)}."
            )
            self.notes.append(Note("rows_dropped", message, tuple(counts)))
        return rows

    def _sampled(self, rows: IntArray) -> IntArray:
        size = self.options.rows
        if size is None or size >= len(rows):
            return rows
        drawn = stratified_sample(self._target, rows, size, self.options.seed)
        self._judge(drawn)
        by = "quantiles" if self._target.kind is Kind.CONTINUOUS else "classes"
        message = (
            f"{len(drawn)} of {plural(len(rows), 'row')} drawn, spread over the {by} of "
            f"`{self.roles.target}`, seed {self.options.seed}."
        )
        self.notes.append(Note("rows_sampled", message))
        return drawn

    def _judge(
        self, rows: IntArray, *, present_only: bool = False, dropped: str = ""
    ) -> list[Encoded]:
        """Leave out what is constant or like an id in some rows; return what went."""
        gone = []
        for name, encoded in list(self.encoded.items()):
            code = _unfit(encoded, rows, present_only=present_only)
            if code:
                self._leave_out(name, code, dropped)
                gone.append(encoded)
        return gone

    def _missing(self) -> dict[str, int]:
        """Return the columns in use with missing values, in the table's order, and how many."""
        order = self.table.names
        return {
            name: self.encoded[name].missing_count
            for name in order
            if name in self.encoded and self.encoded[name].missing_count
        }

    def _refuse_missing(self) -> None:
        counts = self._missing()
        if not counts:
            return
        everything = np.arange(self.n, dtype=np.int64)
        columns = [
            encoded
            for encoded in self.encoded.values()
            if not _unfit(encoded, everything, present_only=True)
        ]
        complete = len(complete_rows(columns, self.n))
        nominal = all(self.encoded[name].kind is Kind.NOMINAL for name in counts)
        better = best_without(columns, self.roles.target, self.n)
        raise missing_values(
            counts, self.roles.target, complete, self.n, nominal=nominal, better=better
        )

    def _refuse_missing_beyond_category(self) -> None:
        counts = self._missing()
        if counts:
            raise missing_beyond_category(counts, self.roles.target)

    def _no_feature(self) -> DataError:
        groups: dict[str, list[str]] = {}
        for name, (_, reason) in self.left_out.items():
            groups.setdefault(reason, []).append(name)
        why = "; ".join(f"{named(names, 3)}: {reason}" for reason, names in groups.items())
        return DataError(f"No feature is left to use ({why}).", "Give it other columns.")

    def _report(self, dataset: Dataset) -> DataReport:
        columns = [self.columns[name] for name in self.table.names if name in self.columns]
        codes = {name: code for name, (code, _) in self.left_out.items() if code in _REASONS}
        codes |= {n: d.note for n, d in self.decisions.items() if d.note and n in self.encoded}
        target = self.roles.target
        if codes.get(target, "").endswith("_target"):
            self.notes.append(target_note(codes.pop(target), dataset.target))
        self.notes += [*column_notes(codes, columns, self.encoded), *dataset_notes(dataset)]
        return DataReport(
            source=self.table.source,
            fingerprint=dataset_hash(dataset, {n: e.offset for n, e in self.encoded.items()}),
            rows=self.n,
            rows_used=dataset.n,
            target=target,
            target_reason=self.roles.target_reason,
            columns=tuple(self._column_reports(dataset)),
            notes=tuple(self.notes),
        )

    def _column_reports(self, dataset: Dataset) -> Sequence[ColumnReport]:
        used = {variable.name: variable for variable in (*dataset.features, dataset.target)}
        reports = []
        for name in self.table.names:
            column, variable = self.columns.get(name), used.get(name)
            dtype = self.table.dtypes.get(name, "not read") if column is None else column.dtype
            missing = None if column is None else column.values.null_count()
            if variable is None:
                code, reason = self.left_out[name]
                report = ColumnReport(
                    name=name,
                    dtype=dtype,
                    role="dropped",
                    reason=reason,
                    code=code,
                    missing=missing,
                )
            else:
                report = ColumnReport(
                    name=name,
                    dtype=dtype,
                    role="target" if name == self.roles.target else "feature",
                    kind=variable.kind.value,
                    reason=self.decisions[name].reason,
                    distinct=variable.distinct,
                    missing=missing,
                )
            reports.append(report)
        return reports


def _unfit(encoded: Encoded, rows: IntArray, *, present_only: bool = False) -> str:
    """Return why a column is no use in some rows, as a code, or an empty word.

    With `present_only` a level count is held against the rows that have a value.
    """
    if encoded.is_constant(rows):
        return "constant_column"
    count = len(rows) - (encoded.missing_count if present_only else 0)
    if encoded.kind is Kind.NOMINAL and encoded.level_count(rows) > count / 2:
        return "id_like_column"
    return ""
