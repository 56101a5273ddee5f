"""Columns that are the same to the method: one stands for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from renyi.kernels import KernelModel
from renyi.variables import Dataset, Note

__all__ = ["alias_note", "alias_table", "first_of_each"]


def alias_table(
    names: Sequence[str], groups: Sequence[Sequence[int]], keep: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return which columns each one stands for, by name, in the table's order.

    A column of `keep` stands for its group, the first of them in the order of `keep`; in a group
    without one it is the first column.

    Parameters
    ----------
    names
        All columns.
    groups
        Numbers of columns that are the same, see `renyi.kernels.equal_kernels`.
    keep
        Names of the columns forced in.
    """
    found = {}
    for group in groups:
        same = [names[number] for number in group]
        first = next((name for name in keep if name in same), same[0])
        found[first] = tuple(name for name in same if name != first)
    return {name: found[name] for name in names if name in found}


def first_of_each(
    dataset: Dataset, model: KernelModel, aliases: Mapping[str, Sequence[str]]
) -> tuple[Dataset, KernelModel]:
    """Return the columns and their kernels without those that another stands for."""
    hidden = {name for others in aliases.values() for name in others}
    if not hidden:
        return dataset, model
    kept = [number for number, name in enumerate(dataset.names) if name not in hidden]
    return (
        replace(dataset, features=tuple(dataset.features[number] for number in kept)),
        replace(model, features=tuple(model.features[number] for number in kept)),
    )


def alias_note(aliases: Mapping[str, Sequence[str]]) -> tuple[Note, ...]:
    """Return the note that names columns which are the same, none where there are none."""
    if not aliases:
        return ()
    groups = [[name, *others] for name, others in aliases.items()]
    shown = "; ".join(" = ".join(f"`{name}`" for name in names[:4]) for names in groups[:5])
    more = len(groups) - 5
    rest = f"; and {more} more group{'s' if more > 1 else ''}" if more > 0 else ""
    message = (
        "The same but for names, unit or sign, so that the first of each stands for the others: "
        f"{shown}{rest}."
    )
    return (Note("duplicate_column", message, tuple(name for names in groups for name in names)),)
