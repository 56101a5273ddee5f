"""What was read, and what was decided about each column, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from renyi.io._roles import Roles
from renyi.io.columns._column import Column, Table
from renyi.io.columns._kinds import Decision
from renyi.variables import ColumnGroup, ColumnReport, DataReport, Dataset

__all__ = ["Loaded", "column_reports", "groups_of"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What `load` returns: typed columns, and the report.

    Attributes
    ----------
    dataset
        Features in the table's order, and the targets.
    report
        What was read and decided.
    patterns
        Which columns in use lack a value together, and in how many rows of the table, the most
        frequent first; complete rows have no column. Empty where nothing is missing.
    """

    dataset: Dataset
    report: DataReport
    patterns: tuple[tuple[tuple[str, ...], int], ...] = ()


def column_reports(
    table: Table,
    columns: Mapping[str, Column],
    roles: Roles,
    dataset: Dataset,
    decisions: Mapping[str, Decision],
    left_out: Mapping[str, tuple[str, str]],
) -> list[ColumnReport]:
    """Return a record of each column, in the table's order.

    Parameters
    ----------
    table
        What was read.
    columns
        Its columns that were read.
    roles
        What was asked of each.
    dataset
        Those in use.
    decisions
        How each in use came by its kind.
    left_out
        Column -> (code, reason) of the others.
    """
    used = {variable.name: variable for variable in (*dataset.columns, *dataset.targets)}
    reports = []
    for name in table.names:
        column, variable = columns.get(name), used.get(name)
        dtype = table.dtypes.get(name, "not read") if column is None else column.dtype
        missing = None if column is None or not column.readable else column.values.null_count()
        if variable is not None:
            report = ColumnReport(
                name=name,
                dtype=dtype,
                role="target" if name in roles.targets else "feature",
                kind=variable.kind.value,
                reason=decisions[name].reason,
                distinct=variable.distinct,
                missing=missing,
            )
        elif name == roles.weights:
            report = ColumnReport(
                name=name,
                dtype=dtype,
                role="weights",
                reason="says how much each row counts",
                missing=missing,
            )
        elif name == roles.groups and dataset.structure is not None:
            groups = dataset.structure.groups
            report = ColumnReport(
                name=name,
                dtype=dtype,
                role="groups",
                reason="names the groups of rows",
                distinct=None if groups is None else groups.distinct,
                missing=missing,
            )
        else:
            code, reason = left_out[name]
            report = ColumnReport(
                name=name, dtype=dtype, role="dropped", reason=reason, code=code, missing=missing
            )
        reports.append(report)
    return reports


def groups_of(dataset: Dataset) -> tuple[ColumnGroup, ...]:
    """Return the columns of each group."""
    return tuple(
        ColumnGroup(name=feature.name, columns=tuple(one.name for one in feature.members))
        for feature in dataset.features
        if feature.members
    )
