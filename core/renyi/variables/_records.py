"""What the reader of a table decided about it, column by column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from renyi._typing import JsonValue

__all__ = ["ColumnReport", "DataReport", "Note", "Role", "RowsTogether"]

Role: TypeAlias = Literal["feature", "target", "weights", "groups", "dropped"]


@dataclass(frozen=True, slots=True)
class Note:
    """One thing the reader of a result should know.

    Attributes
    ----------
    code
        A stable word, such as `constant_column`.
    message
        One sentence.
    columns
        The columns it is about.
    """

    code: str
    message: str
    columns: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the note as JSON values."""
        return {"code": self.code, "message": self.message, "columns": list(self.columns)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Note:
        """Rebuild a note from `to_dict`."""
        return cls(record["code"], record["message"], tuple(record["columns"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReport:
    """What was decided about one column, and why.

    Attributes
    ----------
    name, dtype
        The column and its type in the table's own words.
    role
        `feature`, `target`, `weights` (how much each row counts), `groups` (names the groups of
        rows) or `dropped`.
    kind
        `continuous`, `ordinal` or `nominal`; None for a dropped column.
    reason
        Why it has this role and kind, in words.
    code
        For a dropped column the stable word of the reason, else empty.
    distinct
        Distinct values among the rows used, None where they were not counted.
    missing
        Missing values before any treatment, None where they were not counted.
    kernel, bandwidth
        Name of its kernel, and sigma on the standardised values where it has one; filled in once
        kernels are built.
    """

    name: str
    dtype: str
    role: Role
    kind: str | None = None
    reason: str = ""
    code: str = ""
    distinct: int | None = None
    missing: int | None = None
    kernel: str | None = None
    bandwidth: float | None = None

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the report as JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsTogether:
    """Which rows belong together, and how tests permute them.

    Attributes
    ----------
    groups
        The column that names the groups, None where there is none.
    count
        How many groups; None without.
    shuffle
        What permutations do: `whole` moves groups (blocks) as a whole, `within` rows within
        groups, `rotate` turns the rows in a circle.
    moved
        Rows that some permutation moves.
    blocks
        Rows of a block in time, None where their order says nothing.
    reason
        Why it is done so, in words.
    """

    groups: str | None
    count: int | None
    shuffle: Literal["whole", "within", "rotate"]
    moved: int
    blocks: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataReport:
    """What was read and what of it is used.

    Attributes
    ----------
    source
        A file's path or name, or the type of the object given.
    fingerprint
        ``sha256:`` and the hash of the used columns' content in order, target last.
    rows, rows_used
        Rows read, and rows after missing values and sampling.
    target
        Name of the target.
    target_reason
        Why this column, in words.
    columns
        Every column of the table, in its order.
    together
        Which rows belong together, None where all are exchangeable.
    notes
        What the reader should know.
    """

    source: str
    fingerprint: str
    rows: int
    rows_used: int
    target: str
    target_reason: str
    columns: tuple[ColumnReport, ...]
    together: RowsTogether | None = None
    notes: tuple[Note, ...] = field(default=())

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the report as JSON values; notes live in the result's `warnings`."""
        out: dict[str, JsonValue] = {
            "source": self.source,
            "fingerprint": self.fingerprint,
            "rows": self.rows,
            "rows_used": self.rows_used,
            "target": self.target,
            "target_reason": self.target_reason,
            "columns": [column.to_dict() for column in self.columns],
            "together": None if self.together is None else asdict(self.together),
        }
        return out

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> DataReport:
        """Rebuild a report from `to_dict`, without its notes."""
        known = ColumnReport.__dataclass_fields__
        columns = tuple(
            ColumnReport(**{k: v for k, v in column.items() if k in known})
            for column in record["columns"]
        )
        names = ("source", "fingerprint", "rows", "rows_used", "target", "target_reason")
        given = record.get("together")  # since version 1.4
        known = RowsTogether.__dataclass_fields__
        together = given and RowsTogether(**{k: v for k, v in given.items() if k in known})
        return cls(**{name: record[name] for name in names}, columns=columns, together=together)
