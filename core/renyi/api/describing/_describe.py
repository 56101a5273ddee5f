"""`renyi.describe`: what a table is taken for, before anything is selected."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from renyi._typing import ClassWeights, JsonValue, LabelKernel, NominalKernel, NumberKernel
from renyi.api._entropies import entropies_for
from renyi.api._given import Groups, Kinds, Names, Targets, data_options, own_bandwidths, pairs
from renyi.api._paper import choices_for
from renyi.api._session import MEASURING, Session, open_session
from renyi.entropies import needs_eigenvalues
from renyi.errors import MemoryBudgetError
from renyi.options import (
    SOLVERS,
    Bandwidth,
    MemoryBudget,
    MethodOptions,
    RunOptions,
    method_options,
)
from renyi.selection import SATURATED_BITS
from renyi.variables import ColumnReport, DataReport, Note

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ColumnDescription", "Description", "describe"]

MOST_OPERATIONS: Final = 3e12
"""Cubed rows, summed over columns, up to which entropies are computed: about two minutes."""

LEAK_SHARE: Final = 0.999
"""Share of H(y) from which one column all but is the target."""


@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """What one feature holds.

    Attributes
    ----------
    name
        The column, or the group.
    entropy
        H(x), bits; None where it was not computed.
    mi_with_target
        I(x; y), bits; None where it was not computed.
    saturation
        log2 n - H(x), bits; near 0 every row is alone.
    alias_of
        The column that stands for it in a selection, being the same but for names, unit or sign;
        None where it stands for itself.
    """

    name: str
    entropy: float | None
    mi_with_target: float | None
    saturation: float | None
    alias_of: str | None = None


@dataclass(frozen=True)
class Description:
    """What `describe` returns.

    Attributes
    ----------
    data
        Every column of the table: use, kind, kernel, bandwidth and the reasons.
    columns
        What each feature holds.
    target_entropy
        H(y), bits; None where it was not computed.
    options
        The kernels and the order.
    notes
        What the reader should know.
    missing_patterns
        Which columns lack a value together and in how many rows, the most frequent first; that of
        the complete rows has no column. Empty where nothing is missing.
    """

    data: DataReport
    columns: tuple[ColumnDescription, ...]
    target_entropy: float | None
    options: MethodOptions
    notes: tuple[Note, ...]
    missing_patterns: tuple[tuple[tuple[str, ...], int], ...] = ()

    @property
    def rows(self) -> tuple[ColumnReport, ...]:
        """What each column of the table is taken for, and each group after them."""
        groups = tuple(
            ColumnReport(
                name=group.name,
                dtype="group",
                role="feature",
                kind="group",
                reason=f"{len(group.columns)} columns taken together: {_shown(group.columns)}",
            )
            for group in self.data.group_columns
        )
        return (*self.data.columns, *groups)

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the description as JSON values."""
        options = self.options.to_dict()
        columns: list[JsonValue] = [
            {
                "name": column.name,
                "entropy": column.entropy,
                "mi_with_target": column.mi_with_target,
                "saturation": column.saturation,
                "alias_of": column.alias_of,
            }
            for column in self.columns
        ]
        return {
            "data": self.data.to_dict(),
            "columns": columns,
            "missing_patterns": [
                {"columns": list(names), "rows": rows} for names, rows in self.missing_patterns
            ],
            "target_entropy": self.target_entropy,
            "options": {field: options[field] for field in MEASURING},
            "warnings": [note.to_dict() for note in self.notes],
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return the description as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)

    def to_polars(self) -> pl.DataFrame:
        """Return one row a column of the table, and one a group."""
        import polars as pl

        found = {column.name: column for column in self.columns}
        rows = []
        for report in self.rows:
            held = found.get(report.name)
            rows.append(
                {
                    **report.to_dict(),
                    "entropy": held.entropy if held else None,
                    "mi_with_target": held.mi_with_target if held else None,
                    "saturation": held.saturation if held else None,
                    "alias_of": held.alias_of if held else None,
                }
            )
        numbers = ("bandwidth", "entropy", "mi_with_target", "saturation")
        schema: dict[str, pl.DataType] = {name: pl.Float64() for name in numbers}
        schema |= {name: pl.Int64() for name in ("distinct", "missing")}
        schema["alias_of"] = pl.String()
        return pl.DataFrame(rows, schema_overrides=schema, infer_schema_length=None)


def describe(  # noqa: PLR0913 - one keyword for each choice, none hidden
    data: object,
    y: object = None,
    *,
    target: Targets = None,
    features: Names = (),
    exclude: Names = (),
    keep: Names = (),
    group_columns: Groups = None,
    kind: Kinds = None,
    table: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    missing: str = "drop",
    rows: int | None = None,
    weights: object = None,
    weight_kind: str = "importance",
    groups: str | int | None = None,
    shuffle: str = "auto",
    blocks: int | str | None = None,
    preset: str | None = None,
    alpha: float | None = None,
    bandwidth: Bandwidth | None = None,
    bandwidths: Mapping[str, Bandwidth] | None = None,
    standardise: str | None = None,
    kernel: NumberKernel | None = None,
    nominal: NominalKernel | None = None,
    label_kernel: LabelKernel | None = None,
    class_weights: ClassWeights | None = None,
    solver: str | None = None,
    tolerance: float | None = None,
    seed: int = 0,
    backend: str = "auto",
    jobs: int | None = None,
    max_memory: MemoryBudget | None = None,
) -> Description:
    """Say what each column of a table is taken for, and what it alone tells of the target.

    All parameters are as in `select`; nothing is selected. Missing values are counted, and the
    entropies are those of the complete rows, unless `missing` says otherwise. Entropies of large
    tables that need eigenvalues are left out with a note; alpha 2 or `rows` brings them back.

    Returns
    -------
    Description
        Columns with use, kind, kernel, bandwidth, reason, H(x) and I(x; y) in bits.

    Raises
    ------
    UsageError, DataError
        As in `select`.

    Examples
    --------
    >>> found = describe({"a": [0.5, 1.5, 2.5, 9.0], "y": ["p", "q", "p", "q"]}, alpha=2)
    >>> [(c.name, c.kind, c.kernel) for c in found.data.columns]
    [('a', 'continuous', 'gaussian'), ('y', 'nominal', 'delta')]
    """
    own = choices_for(preset, data, standardise)
    method = method_options(
        preset,
        alpha=alpha,
        bandwidth=bandwidth,
        bandwidths=own_bandwidths(bandwidths),
        standardise=own.standardise,
        kernel=kernel,
        nominal=nominal,
        label_kernel=label_kernel,
        class_weights=class_weights,
        solver=solver,
        tolerance=tolerance,
        seed=seed,
    )
    options = data_options(
        target=target,
        features=features,
        exclude=exclude,
        keep=keep,
        group_columns=group_columns,
        kind=(*own.kinds, *pairs("kind", kind)),
        table=table,
        decimal=decimal,
        thousands=thousands,
        missing=missing,
        rows=rows,
        weights=weights,
        weight_kind=weight_kind,
        seed=seed,
        groups=groups,
        shuffle=shuffle,
        blocks=blocks,
    )
    run = RunOptions(backend=backend, jobs=jobs, max_memory=max_memory)
    session = open_session(data, y, options, method, run, notes=own.notes, weights=weights)
    others = {alias: name for name, same in session.aliases.items() for alias in same}
    if _is_too_much(session):
        note = Note(
            "entropies_skipped",
            f"Entropies of {session.report.rows_used} rows at alpha {method.alpha:g} take "
            "minutes and were left out; use alpha 2 or fewer rows to see them.",
        )
        columns = tuple(
            ColumnDescription(part.name, None, None, None, others.get(part.name))
            for part in session.entropies.computation.model.features
        )
        notes = (*session.report.notes, note)
        patterns = session.loaded.patterns
        return Description(session.report, columns, None, method, notes, patterns)
    return _described(session, others)


def _is_too_much(session: Session) -> bool:
    solver, alpha = SOLVERS[session.method.solver], session.method.alpha
    if not solver.by_eigenvalues and not needs_eigenvalues(alpha):
        return False
    try:
        session.entropies.check_memory()
    except MemoryBudgetError:
        return True
    model = session.entropies.computation.model
    parts = [*model.features, model.target]
    return sum(float(part.distinct) ** 3 for part in parts if not part.is_hard) > MOST_OPERATIONS


def _described(session: Session, others: Mapping[str, str]) -> Description:
    entropies = session.entropies
    parts = entropies.computation.model.features
    target = entropies.target.value
    pairs = entropies.candidates((), range(len(parts)), lambda done: None)  # noqa: ARG005
    hard = _told_apart(session)
    columns, leaks, saturated, widths = [], [], [], False
    for part, pair in zip(parts, pairs, strict=True):
        information = entropies.mutual_information(pair)
        saturation = math.log2(entropies.computation.n) - pair.features.value
        entropy = pair.features.value
        alias = others.get(part.name)
        columns.append(ColumnDescription(part.name, entropy, information, saturation, alias))
        if saturation < SATURATED_BITS:
            saturated.append(part.name)
            widths = widths or not part.is_hard
        elif target > 0 and hard.get(part.name, information) >= LEAK_SHARE * target:
            leaks.append(part.name)
    notes = list(session.report.notes)
    if leaks:
        message = (
            f"{_shown(leaks)} alone {'tells' if len(leaks) == 1 else 'tell'} the target "
            f"`{session.report.target}` (all but) exactly: is it known before the target is?"
        )
        notes.append(Note("possible_leak", message, tuple(leaks)))
    if saturated:
        message = (
            f"H(x) is within {SATURATED_BITS} bits of log2 n for {_shown(saturated)}: nearly every "
            "row is alone in kernel space, where I(x;y) says nothing. Use fewer levels or bins"
            f"{', or a larger bandwidth' if widths else ''}."
        )
        notes.append(Note("saturated", message, tuple(saturated)))
    patterns = session.loaded.patterns
    return Description(
        session.report, tuple(columns), target, session.method, tuple(notes), patterns
    )


def _told_apart(session: Session) -> dict[str, float]:
    """Return I(x; y) of the columns with a soft kernel as if they had a delta kernel.

    A soft kernel never tells all of a target that its levels do. Columns where nearly every row
    is alone are left out.
    """
    model = session.entropies.computation.model
    parts = tuple(part.hardened() for part in model.features if part.is_soft)
    if not parts:
        return {}
    entropies = entropies_for(
        replace(model, features=parts),
        session.method,
        session.backend,
        session.asked.jobs,
        session.max_memory,
    )
    pairs = entropies.candidates((), range(len(parts)), lambda done: None)  # noqa: ARG005
    return {
        part.name: entropies.mutual_information(pair)
        if math.log2(entropies.computation.n) - pair.features.value >= SATURATED_BITS
        else -math.inf
        for part, pair in zip(parts, pairs, strict=True)
    }


def _shown(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:5]) + (", ..." if len(names) > 5 else "")
