"""From a table to typed variables, with every decision on record."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.errors import DataError
from renyi.io._content import dataset_hash
from renyi.io._notes import column_notes, dataset_notes, half_missing_notes, target_note
from renyi.io._open import open_table
from renyi.io._refusals import (
    few_complete,
    missing_beyond_category,
    missing_values,
    no_feature,
    rows_without,
    unfit_column,
)
from renyi.io._reports import Loaded, column_reports, groups_of
from renyi.io._roles import INDEX_REASON, Roles, assign_roles
from renyi.io._rows import best_without, complete_rows, missing_patterns, sample_of, unfit
from renyi.io._together import (
    check_together,
    encoded_groups,
    structure_of,
    together_of,
    with_memory,
)
from renyi.io._weights import counted_rows, row_weights, weights_of
from renyi.io._wording import counted, plural
from renyi.io.columns._column import Column, Family, Table
from renyi.io.columns._encode import Encoded, encode
from renyi.io.columns._kinds import Decision, decide_kind
from renyi.options import DataOptions, MemoryBudget
from renyi.variables import DataReport, Dataset, Kind, Note, RowStructure

__all__ = ["load"]

_REASONS = {
    "nested_column": "it holds nested values",
    "binary_column": "it holds binary values",
    "all_null_column": "it has no value at all",
    "constant_column": "it has one value only in the rows used",
    "id_like_column": "it has more levels than half the rows that have a value, as an id has",
    "index_column": INDEX_REASON,
}
"""Why a column is left out where nobody asked for it, and refused where somebody did."""


def load(
    data: object,
    y: object = None,
    *,
    options: DataOptions | None = None,
    weights: object = None,
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
    weights
        How much each row counts, n values, where that is not a column of `data` that `options`
        names; it gets the name that they give it.
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
    table = open_table(
        data,
        y,
        options=options,
        weights=weights,
        source_name=source_name,
        max_memory=max_memory,
    )
    if check_names is not None:
        check_names(table.names)
    return _Loading(table, assign_roles(table, options), options).run()


class _Loading:
    """One table on its way: what is in use, what was left out and why."""

    def __init__(self, table: Table, roles: Roles, options: DataOptions) -> None:
        self.table, self.roles, self.options = table, roles, options
        self.left_out = dict(roles.left_out)
        self.columns: dict[str, Column] = {}
        self.decisions: dict[str, Decision] = {}
        self.encoded: dict[str, Encoded] = {}  # in use: features in order, then targets
        self.weights: FloatArray | None = None
        self.groups: Encoded | None = None
        self.structure: RowStructure | None = None
        self.notes = list(table.notes)

    def run(self) -> Loaded:
        self._read()
        self._type()
        self._refuse_infinite()
        rows = self._sampled(self._weighed(self._rows_with_values()))
        features = [self.encoded[name] for name in self.roles.features if name in self.encoded]
        if not features:
            raise no_feature(self.left_out)
        weights = None if self.weights is None else self.weights[rows]
        dataset = Dataset(
            self.roles.grouped([feature.variable(rows) for feature in features]),
            tuple(target.variable(rows) for target in self._targets),
            None if weights is None else weights_of(weights, self.options.weight_kind),
            self._structure(rows),
        )
        dataset = with_memory(dataset)
        names = [name for name in self.table.names if name in self.encoded]
        holed = [name for name in names if self.columns[name].values.null_count()]
        lacking = [self.columns[name].values.is_null().to_numpy() for name in holed]
        return Loaded(dataset, self._report(dataset), missing_patterns(holed, lacking))

    def _structure(self, rows: IntArray) -> RowStructure | None:
        """Return which of some rows belong together."""
        groups = None if self.groups is None else self.groups.variable(rows)
        targets = Dataset((), tuple(target.variable(rows) for target in self._targets))
        self.structure = structure_of(self.options, groups, targets.target, self.structure)
        return self.structure

    @property
    def _grouping(self) -> tuple[Encoded, ...]:
        return () if self.groups is None else (self.groups,)

    @property
    def _targets(self) -> list[Encoded]:
        return [self.encoded[name] for name in self.roles.targets]

    @property
    def n(self) -> int:
        """Rows of the table."""
        return len(self.columns[self.roles.targets[0]].values)

    def _read(self) -> None:
        """Read the columns that a type known beforehand does not rule out."""
        wanted = [*self.roles.features, *self.roles.targets]
        check_together(self.options)
        for name in wanted:
            self._check_family(name, self.table.families.get(name))
        wanted = [name for name in wanted if name not in self.left_out]
        weights, groups = self.roles.weights, self.roles.groups
        asides = [name for name in (weights, groups) if name is not None]
        self.columns = {column.name: column for column in self.table.read([*wanted, *asides])}
        self.notes += self.table.noticed
        kind, dropping = self.options.weight_kind, self.options.missing == "drop"
        if groups is not None:
            self.groups = encoded_groups(self.columns[groups], dropping=dropping)
        if weights is not None:
            self.weights = row_weights(self.columns[weights], kind, dropping=dropping)
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
            if name in {self.roles.weights, self.roles.groups}:
                continue
            self._check_family(name, column.family)
            if name not in self.left_out and column.values.null_count() == self.n:
                self._leave_out(name, "all_null_column")
            if name in self.left_out:
                continue
            is_target = name in self.roles.targets
            decision = decide_kind(column, self.roles.kinds.get(name), target=is_target)
            self.decisions[name] = decision
            self.encoded[name] = encode(column, decision.kind)

    def _leave_out(self, name: str, code: str, dropped: str = "") -> None:
        """Leave a column out, or raise where it was asked for by name."""
        reason = _REASONS[code]
        target = name in self.roles.targets
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
            case "error":
                self._judge(everything)
                self._refuse_missing()
                return everything
            case "category" | "level" as rule:
                rows = self._rows_with_target(everything)
                for name, encoded in self.encoded.items():
                    nominal = encoded.kind is Kind.NOMINAL
                    if name not in self.roles.targets and (nominal or rule == "level"):
                        self.encoded[name] = encoded.with_missing_level()
                self._judge(rows)
                self._refuse_missing_beyond_category()
                features = [
                    self.columns[name] for name in self.encoded if name not in self.roles.targets
                ]
                self.notes += half_missing_notes(features)
                return rows

    def _rows_with_target(self, everything: IntArray) -> IntArray:
        """Return the rows that have a target: nothing else can be done with the others."""
        rows = complete_rows(self._targets, self.n)
        if len(rows) < 2:
            raise few_complete(self._missing(), self.roles.targets, len(rows), self.n)
        if len(rows) < len(everything):
            message = (
                f"{self.n - len(rows)} of {plural(self.n, 'row')} left out for having no value of "
                f"the {self.roles.target}."
            )
            self.notes.append(Note("rows_dropped", message, self.roles.targets))
        return rows

    def _dropped(self, everything: IntArray) -> IntArray:
        # A column that is no use where it has values must not cost rows where it has none.
        self._judge(everything, present_only=True)
        while True:
            rows = complete_rows([*self.encoded.values(), *self._grouping], self.n)
            if len(rows) < 2:
                raise few_complete(self._missing(), self.roles.targets, len(rows), self.n)
            lost = self.n - len(rows)
            were = f"{lost} of {plural(self.n, 'row')} {'was' if lost == 1 else 'were'}"
            gone = self._judge(rows, dropped=were if lost else "")
            if not any(encoded.missing_count for encoded in gone):
                break
        if len(rows) < self.n:
            counts = self._missing()
            better = best_without(
                [*self.encoded.values(), *self._grouping],
                {*self.roles.targets, *(one.name for one in self._grouping)},
                self.n,
            )
            message = (
                f"{self.n - len(rows)} of {plural(self.n, 'row')} left out for missing values in "
                f"{counted(counts, 5)}{rows_without(better)}."
            )
            self.notes.append(Note("rows_dropped", message, tuple(counts)))
        return rows

    def _weighed(self, rows: IntArray) -> IntArray:
        """Return the rows that count, as often as frequencies say."""
        if self.weights is None:
            return rows
        name, kind = str(self.roles.weights), self.options.weight_kind
        counted, note = counted_rows(name, rows, self.weights, kind)
        if note is not None:
            self.notes.append(note)
            self._judge(counted)
        return counted

    def _sampled(self, rows: IntArray) -> IntArray:
        size = self.options.rows
        if size is None or size >= len(rows):
            return rows
        drawn, how = sample_of(self._targets, rows, size, self._structure(rows), self.options.seed)
        self._judge(drawn)
        message = (
            f"{len(drawn)} of {plural(len(rows), 'row')} drawn, {how}, seed {self.options.seed}."
        )
        self.notes.append(Note("rows_sampled", message))
        return drawn

    def _judge(
        self, rows: IntArray, *, present_only: bool = False, dropped: str = ""
    ) -> list[Encoded]:
        """Leave out what is constant or like an id in some rows; return what went."""
        gone = []
        for name, encoded in list(self.encoded.items()):
            code = unfit(encoded, rows, present_only=present_only)
            if code:
                self._leave_out(name, code, dropped)
                gone.append(encoded)
        return gone

    def _missing(self) -> dict[str, int]:
        """Return the columns in use with missing values, in the table's order, and how many."""
        known = {encoded.name: encoded for encoded in (*self.encoded.values(), *self._grouping)}
        return {
            name: known[name].missing_count
            for name in self.table.names
            if name in known and known[name].missing_count
        }

    def _refuse_missing(self) -> None:
        counts = self._missing()
        if not counts:
            return
        everything = np.arange(self.n, dtype=np.int64)
        columns = [
            encoded
            for encoded in self.encoded.values()
            if not unfit(encoded, everything, present_only=True)
        ]
        complete = len(complete_rows(columns, self.n))
        better = best_without(columns, self.roles.targets, self.n)
        raise missing_values(counts, self.roles.targets, complete, self.n, better=better)

    def _refuse_missing_beyond_category(self) -> None:
        counts = self._missing()
        if counts := {n: count for n, count in counts.items() if n not in self.roles.targets}:
            raise missing_beyond_category(counts)

    def _report(self, dataset: Dataset) -> DataReport:
        columns = [self.columns[name] for name in self.table.names if name in self.columns]
        codes = {name: code for name, (code, _) in self.left_out.items() if code in _REASONS}
        codes |= {n: d.note for n, d in self.decisions.items() if d.note and n in self.encoded}
        for target in dataset.targets:
            if codes.get(target.name, "").endswith("_target"):
                self.notes.append(target_note(codes.pop(target.name), target))
        self.notes += [*column_notes(codes, columns, self.encoded), *dataset_notes(dataset)]
        return DataReport(
            source=self.table.source,
            fingerprint=dataset_hash(
                dataset, {e.name: e.offset for e in (*self.encoded.values(), *self._grouping)}
            ),
            rows=self.n,
            rows_used=dataset.n,
            target=dataset.target.name,
            targets=self.roles.targets,
            target_reason=self.roles.target_reason,
            columns=tuple(
                column_reports(
                    self.table, self.columns, self.roles, dataset, self.decisions, self.left_out
                )
            ),
            group_columns=groups_of(dataset),
            together=together_of(dataset.structure, self.options, dataset.target),
            notes=tuple(self.notes),
        )
