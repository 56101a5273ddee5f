"""Entropies and information between columns of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from renyi._typing import ClassWeights, JsonValue, LabelKernel, NominalKernel, NumberKernel
from renyi.api._entropies import check_given_bandwidth
from renyi.api._given import (
    Groups,
    Kinds,
    Names,
    data_options,
    names,
    own_bandwidths,
    pairs,
    refuse_values,
)
from renyi.api._paper import choices_for
from renyi.api._session import MEASURING, open_session
from renyi.api.measuring._sides import (
    CMI_SIDES,
    MI_SIDES,
    Entropy,
    searched_entropies,
)
from renyi.errors import ColumnError, OptionError
from renyi.io import unknown_column
from renyi.options import Bandwidth, MemoryBudget, MethodOptions, RunOptions, method_options
from renyi.variables import DataReport, Note

__all__ = ["Measurement", "Quantity", "measure"]

_SIDES: Final = {"x": "x", "y": "y", "g": "given"}
"""The argument that each side comes from."""

_VALUES: Final = (
    "Add the values to the data as a column, and name that; `renyi.mutual_information` takes "
    "values as they are."
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One measured number.

    Attributes
    ----------
    name
        Such as ``H(x)``, ``I(x;y)`` or ``I(x;y|given)``.
    value, error_bound
        Bits; the truth lies within `error_bound` of `value`.
    text
        The same with the columns' names.
    """

    name: str
    value: float
    error_bound: float
    text: str


@dataclass(frozen=True, repr=False)
class Measurement(Mapping[str, float]):
    """What `measure` returns: a mapping from the names of quantities to their values in bits.

    Attributes
    ----------
    quantities
        Entropies first, then information.
    data
        What was read, column by column.
    options
        The kernels and the order.
    notes
        What the reader should know.

    Examples
    --------
    >>> table = {"a": [0, 1, 0, 1], "b": [0, 0, 1, 1], "y": ["p", "q", "q", "p"]}
    >>> found = measure(table, x="a", y="y", given="b", nominal="delta")
    >>> round(found.mi, 6), round(found.cmi, 6)
    (0.0, 1.0)
    >>> round(found["I(x;y|given)"], 6), round(found["I(a; y | b)"], 6)
    (1.0, 1.0)
    >>> list(found)
    ['H(x)', 'H(y)', 'H(x,y)', 'H(given)', 'I(x;y)', 'I(x;y|given)']
    """

    quantities: tuple[Quantity, ...]
    data: DataReport
    options: MethodOptions
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        """Write the quantities; `to_json` writes all of it."""
        return f"Measurement({', '.join(f'{q.name}={q.value!r}' for q in self.quantities)})"

    def __getitem__(self, name: str) -> float:
        """Return a quantity's value by its name or text.

        Raises
        ------
        KeyError
            If there is none of that name.
        """
        bare = "".join(name.split())
        for quantity in self.quantities:
            if name == quantity.text or bare == quantity.name:
                return quantity.value
        raise KeyError(f"{name!r} was not measured; there are {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (quantity.name for quantity in self.quantities)

    def __len__(self) -> int:
        return len(self.quantities)

    @property
    def mi(self) -> float:
        """I(x;y), bits."""
        return self["I(x;y)"]

    @property
    def cmi(self) -> float | None:
        """I(x;y|given), bits; None without `given`."""
        return self.get("I(x;y|given)")

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the measurement as JSON values."""
        options = self.options.to_dict()
        return {
            "quantities": [
                {"name": q.name, "value": q.value, "error_bound": q.error_bound, "text": q.text}
                for q in self.quantities
            ],
            "data": self.data.to_dict(),
            "options": {field: options[field] for field in MEASURING},
            "warnings": [note.to_dict() for note in self.notes],
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return the measurement as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)


def _quantities(entropy_of: Entropy, sides: Mapping[str, str]) -> tuple[Quantity, ...]:
    """Apply the chain rules to the entropies of x, y and, if there, given.

    See `MI_SIDES` and `CMI_SIDES`.
    """
    found: list[Quantity] = []

    def add(name: str, text: str, plus: tuple[str, ...], minus: tuple[str, ...] = ()) -> None:
        terms = [(1, entropy_of(side)) for side in plus] + [(-1, entropy_of(s)) for s in minus]
        value = sum(sign * solution.value for sign, solution in terms)
        error = sum(solution.error for _, solution in terms)
        found.append(Quantity(name, value, error, text))

    x, y, given = sides["x"], sides["y"], sides.get("g", "")
    add("H(x)", f"H({x})", ("x",))
    add("H(y)", f"H({y})", ("y",))
    add("H(x,y)", f"H({x}, {y})", ("xy",))
    if given:
        add("H(given)", f"H({given})", ("g",))
    add("I(x;y)", f"I({x}; {y})", *MI_SIDES)
    if given:
        text = f"I({x}; {y} | {given})"
        add("I(x;y|given)", text, *CMI_SIDES)
    return tuple(found)


def measure(  # noqa: PLR0913 - one keyword for each choice, none hidden
    data: object,
    *,
    x: Names,
    y: Names,
    given: Names = (),
    group_columns: Groups = None,
    kind: Kinds = None,
    table: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    missing: str = "error",
    rows: int | None = None,
    weights: object = None,
    weight_kind: str = "importance",
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
) -> Measurement:
    """Measure entropies and mutual information between named columns of a table, in bits.

    Parameters
    ----------
    data
        As in `select`.
    x, y, given
        Columns on either side, and those already known; several count as one joint variable. Those
        of `y` are read as targets are. Those of `x` and `given` may be groups of `group_columns`.
    group_columns, kind, table, decimal, thousands, missing, rows, weights, weight_kind
        As in `select`.
    preset, alpha, bandwidth, bandwidths, standardise, kernel
        As in `select`.
    nominal, label_kernel
        As in `select`: of nominal columns of `x` and `given`, and of those of `y`.
    class_weights
        As in `select`.
    solver, tolerance, seed, backend, jobs, max_memory
        As in `select`.

    Returns
    -------
    Measurement
        H(x), H(y), H(x,y), I(x;y), and with `given` H(given) and I(x;y|given), each with an error
        bound.

    Raises
    ------
    ColumnError
        If a column is not there, or named twice.
    DataError
        If the data cannot be used as they are.

    Examples
    --------
    >>> table = {"a": [0, 1, 0, 1], "y": ["no", "yes", "no", "yes"]}
    >>> found = measure(table, x="a", y="y", nominal="delta")
    >>> round(found.mi, 6), round(found["H(x)"], 6)
    (1.0, 1.0)
    """
    for argument, value in (("x", x), ("y", y), ("given", given)):
        refuse_values(argument, value, _VALUES)
    sides = {"x": names("x", x), "y": names("y", y), "g": names("given", given)}
    _check_sides(sides)
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
    check_given_bandwidth(method)
    options = data_options(
        target=sides["y"],
        features=(*sides["x"], *sides["g"]),
        exclude=(),
        keep=(),
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
    )
    session = open_session(
        data,
        None,
        options,
        method,
        RunOptions(backend=backend, jobs=jobs, max_memory=max_memory),
        check_names=lambda known: _check_names(sides, known, options.group_columns),
        about_rows=False,
        notes=own.notes,
        weights=weights,
    )
    model = session.entropies.computation.model
    _check_whole_groups(sides, session.report)
    session.entropies.check_memory()
    parts = {part.name: part for part in model.features}
    of_sides = {
        "x": tuple(parts[name] for name in sides["x"]),
        "y": (model.target,),
        "g": tuple(parts[name] for name in sides["g"]),
    }
    by = session.entropies.computation
    asked = ("x", "y", "xy", *(("g", "xg", "yg", "xyg") if sides["g"] else ()))
    words = {side: ", ".join(columns) for side, columns in sides.items()}
    quantities = _quantities(searched_entropies(of_sides, by, asked), words)
    return Measurement(quantities, session.report, method, session.report.notes)


def _check_sides(sides: Mapping[str, tuple[str, ...]]) -> None:
    seen: dict[str, str] = {}
    for side in ("x", "y"):
        if not sides[side]:
            raise OptionError(
                f"`{side}` must name at least one column.", "Give a name, or a list of names."
            )
    for side, columns in sides.items():
        for name in columns:
            if name in seen:
                here, before = _SIDES[side], seen[name]
                if here == before:
                    raise ColumnError(
                        f"`{here}` must name each column once, got `{name}` twice.",
                        "Name it once; values are no names, and go into the data as a column.",
                    )
                raise ColumnError(
                    f"`{here}` must name other columns than `{before}`, got `{name}`.",
                    "Leave it out there.",
                )
            seen[name] = _SIDES[side]


def _check_names(
    sides: Mapping[str, tuple[str, ...]],
    known: tuple[str, ...],
    groups: tuple[tuple[str, str], ...],
) -> None:
    """Refuse what is no full name of a column or group, by the argument it was given as."""
    grouped = tuple(group for group, _ in groups)
    for side, columns in sides.items():
        for name in columns:
            if side == "y" and name in grouped:
                raise ColumnError(
                    f"`y` must name columns, got the group `{name}`.",
                    "Name its columns, which are taken together there.",
                )
            if name not in (*known, *grouped):
                raise unknown_column(_SIDES[side], name, (*known, *grouped))


def _check_whole_groups(sides: Mapping[str, tuple[str, ...]], report: DataReport) -> None:
    """Refuse a column that has been taken into a group."""
    for group in report.group_columns:
        for side, columns in sides.items():
            part = next((name for name in columns if name in group.columns), None)
            if part is not None:
                raise ColumnError(
                    f"`{_SIDES[side]}` must name a group as a whole, got `{part}` of "
                    f"`{group.name}`.",
                    f"Name `{group.name}`, or leave the group out.",
                )
