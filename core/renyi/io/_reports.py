"""What was decided about each column, as records."""

from __future__ import annotations

from collections.abc import Mapping

from renyi.io._columns import Column, Table
from renyi.io._kinds import Decision
from renyi.io._roles import Roles
from renyi.variables import ColumnReport, Dataset

__all__ = ["column_reports"]


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
    used = {variable.name: variable for variable in (*dataset.features, dataset.target)}
    reports = []
    for name in table.names:
        column, variable = columns.get(name), used.get(name)
        dtype = table.dtypes.get(name, "not read") if column is None else column.dtype
        missing = None if column is None else column.values.null_count()
        if variable is not None:
            report = ColumnReport(
                name=name,
                dtype=dtype,
                role="target" if name == roles.target else "feature",
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
        else:
            code, reason = left_out[name]
            report = ColumnReport(
                name=name, dtype=dtype, role="dropped", reason=reason, code=code, missing=missing
            )
        reports.append(report)
    return reports
