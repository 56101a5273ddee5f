"""Whether shuffled columns would tell as much: the answer then hangs on the width of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from renyi._typing import IntArray
from renyi.bounds import Question
from renyi.information import SetEntropies
from renyi.kernels import KernelModel
from renyi.resampling import joint_orders
from renyi.selection.records._records import Step
from renyi.selection.records._step import selected_after
from renyi.variables import Note, RowStructure

__all__ = ["chance_note"]

COPIES: Final = 5
"""Shuffled copies: of all selected features together, their MI hardly varies."""

CHANCE_SHARE: Final = 0.5
"""Share of the selected features' MI that shuffled ones reach, from which a reader is told."""

SUSPECT_BITS: Final = 3.0
"""log2 n - H(S') above which rows have many neighbours, so that nothing has to be tried."""

MI_BITS: Final = 1e-4
"""Error of the MI of a shuffled copy."""


def _reordered(model: KernelModel, order: IntArray) -> KernelModel:
    """Return the model with its target, and the weights that follow it, in another order."""
    weights = None if model.weights is None else model.weights[order]
    return replace(model, target=model.target.take(order), weights=weights)


_OF_WIDTHS: Final = (
    "rows are so far apart at this bandwidth",
    "Use a larger bandwidth, or one that grows.",
)
_OF_LEVELS: Final = (
    "so few rows share all of their levels",
    "Take fewer columns, or fewer bins or levels.",
)


def chance_note(
    entropies: SetEntropies,
    names: Sequence[str],
    steps: Sequence[Step],
    seed: int,
    structure: RowStructure | None = None,
) -> Note | None:
    """Say so where rows of the selected features in any order tell nearly as much of the target.

    Near saturation every row is alone in kernel space, H(S', y) is near H(S'), and MI near H(y)
    whatever the columns are.

    Parameters
    ----------
    entropies
        Entropies over the features.
    names
        The features, in the order of the entropies.
    steps
        The path.
    seed
        The user's seed.
    structure
        Which rows belong together.
    """
    done, columns = [step for step in steps if step.done], selected_after(steps)
    if not columns or done[-1].saturation > SUSPECT_BITS or done[-1].mi <= 0:
        return None
    last = done[-1]
    chance = last.mi_chance
    if chance is None:
        chance = _of_copies(entropies, frozenset(map(names.index, columns)), seed, structure)
    if chance < CHANCE_SHARE * last.mi:
        return None
    parts = entropies.computation.model.features
    levels = all(parts[names.index(name)].is_hard for name in columns)
    why, way = _OF_LEVELS if levels else _OF_WIDTHS
    return Note(
        "saturated_answer",
        f"Of the MI of the {len(columns)} selected features, {last.mi:.3g} bits, shuffled copies "
        f"of them reach {chance:.3g}: {why} (saturation {last.saturation:.2g} bits) that MI rises "
        f"whatever the columns are. {way}",
        columns,
    )


def _of_copies(
    entropies: SetEntropies, selected: frozenset[int], seed: int, structure: RowStructure | None
) -> float:
    """Return the mean MI of features with the target in a few random orders, bits."""
    by = entropies.computation
    question = Question(max(MI_BITS, by.tolerance))
    found = []
    for order in joint_orders(structure, by.n, seed, "chance", range(COPIES)):
        shuffled = SetEntropies(by.over(_reordered(by.model, order)))
        found.append(entropies.mutual_information(shuffled.pair(selected, question)))
    return sum(found) / COPIES
