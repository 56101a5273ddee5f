"""Whether the orders that the rows allow are enough for the tests asked for."""

from __future__ import annotations

from typing import Final

import numpy as np

from renyi.errors import OptionError, Way
from renyi.options import MethodOptions, criterion_traits, draw_rule
from renyi.resampling import count_orders, lowered, scheme_of, seams_of
from renyi.variables import Dataset, Note, RowStructure

__all__ = ["check_orders", "together_notes"]

WHOLE: Final = "Use as many rows of each group, or one row of each, such as their means."


def check_orders(dataset: Dataset, method: MethodOptions) -> None:
    """Refuse tests that no data could pass, and orders that cannot be had.

    Raises
    ------
    OptionError
        If there are fewer orders than a p-value at the level takes, or rows that are alike are to
        be shuffled in a series that is turned as a whole.
    """
    structure = dataset.structure
    permuting = [name for name in method.criteria if criterion_traits(name).permutes]
    if structure is None or not permuting:
        return
    local = [name for name in permuting if criterion_traits(name).permutes == "alike rows"]
    if local and structure.rotates:
        raise OptionError(
            f"`criterion` {local[0]} shuffles rows that are alike, and a series that is turned as "
            "a whole keeps none of them together.",
            "Use ",
            Way("criterion", "cmi-max"),
            ", or blocks of rows: ",
            Way("blocks", rule="N"),
            ".",
        )
    ways = count_orders(structure, dataset.target)
    level = method.significance / method.looks  # what a step shares among its tests
    if ways * level >= 1 - 1e-9:
        _check_seams(dataset, structure, method)
        return
    least = int(np.ceil(1 / level - 1e-9))
    raise OptionError(
        f"A p-value of {level:g} takes {least} orders of the rows, and there "
        f"{'is' if ways < 1.5 else 'are'} {round(ways)}: {_few(structure, dataset)}.",
        *_way(structure),
    )


def _check_seams(dataset: Dataset, structure: RowStructure, method: MethodOptions) -> None:
    """Refuse pieces so short for what neighbours have in common that no p-value could pass."""
    least = _least(method)
    scheme = scheme_of(structure, dataset.n, method.seed, 1)
    if structure.rotates or scheme.level(method.significance) >= least:
        return
    length, level = structure.blocks or 1, method.significance
    while length < dataset.n and lowered(level, seams_of(structure.memory, length)) < least:
        length += 1
    longer = f"Use blocks of {length} rows and more, or turn" if 4 * length <= dataset.n else "Turn"
    raise OptionError(
        f"Blocks of {structure.blocks} rows are too short for how much neighbouring rows have in "
        f"common (autocorrelations of target and column make {structure.memory:.2f}): no p-value "
        "of a test could pass.",
        f"{longer} the series in a circle: ",
        Way("blocks", "auto"),
        ".",
    )


def _least(method: MethodOptions) -> float:
    """Return the smallest p-value that the draws allow."""
    return 1 / (draw_rule(method.permutations).most + 1)


def _few(structure: RowStructure, dataset: Dataset) -> str:
    target, n = dataset.target.name, dataset.n
    if structure.moves_groups and structure.groups is not None:
        sizes = len(np.unique(np.bincount(structure.groups.codes)))
        many = f"of {sizes} sizes, " if sizes > 1 else ""
        return (
            f"the {structure.groups.distinct} groups of `{structure.groups.name}` are {many}moved "
            f"as a whole among those of as many rows, beside `{target}`"
        )
    if structure.blocks is not None and not structure.rotates:
        count = n // structure.blocks
        return f"{n} rows make {count} block{'s' if count != 1 else ''} of {structure.blocks}"
    if structure.rotates:
        return f"{n} rows are turned in a circle"
    return f"`{target}` hardly varies within groups"


def _way(structure: RowStructure) -> tuple[str | Way, ...]:
    if structure.moves_groups:
        return (WHOLE,)
    if structure.blocks is not None:
        return (
            ("Give it more rows.",)
            if structure.rotates
            else (
                "Use shorter blocks, or turn the series in a circle: ",
                Way("blocks", "auto"),
                ".",
            )
        )
    return ("Shuffle whole groups: ", Way("shuffle", "whole"), ".")


def together_notes(dataset: Dataset, method: MethodOptions) -> tuple[Note, ...]:
    """Say what the orders that the rows allow cannot judge."""
    structure = dataset.structure
    if structure is None:
        return ()
    notes = []
    if structure.groups is not None and not structure.moves_groups:
        codes = structure.groups.codes
        still = tuple(
            feature.name
            for feature in dataset.features
            if len(np.unique(codes * np.int64(feature.distinct) + feature.codes))
            == structure.groups.distinct
        )
        if still:
            shown = ", ".join(f"`{name}`" for name in still[:5]) + (", ..." if still[5:] else "")
            message = (
                f"Constant within groups of `{structure.groups.name}`, so that no order within "
                f"them can say whether they matter: {shown}."
            )
            notes.append(Note("constant_in_groups", message, still))
    permuting = [name for name in method.criteria if criterion_traits(name).permutes]
    level = scheme_of(structure, dataset.n, method.seed, 1).level(method.significance)
    if permuting and structure.rotates and level < max(_least(method), 1 / dataset.n):
        message = (
            f"The series of {dataset.n} rows is too short for how much neighbouring rows have in "
            f"common (autocorrelations of target and column make {structure.memory:.2f}): no "
            "p-value can pass, so that nothing is selected. Give it more rows; differences of rows "
            "have less in common."
        )
        notes.append(Note("short_series", message))
    independent = [name for name in method.criteria if criterion_traits(name).takes_rows_as_draws]
    if independent:
        message = (
            f"{', '.join(independent)} takes each row as a draw of its own: its level is not kept "
            "where rows belong together."
        )
        notes.append(Note("independent_rows", message))
    return tuple(notes)
