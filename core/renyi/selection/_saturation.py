"""Whether shuffled columns would tell as much: the answer then hangs on the width of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from renyi._random import permutation
from renyi.information import InformationEngine, Question
from renyi.selection._records import Step
from renyi.variables import Note

__all__ = ["chance_note"]

COPIES: Final = 5
"""Shuffled copies: of all selected features together, their MI hardly varies."""

CHANCE_SHARE: Final = 0.5
"""Share of the selected features' MI that shuffled ones reach, from which a reader is told."""

SUSPECT_BITS: Final = 3.0
"""log2 n - H(S') above which rows have many neighbours, so that nothing has to be tried."""

MI_BITS: Final = 1e-4
"""Error of the MI of a shuffled copy."""


def chance_note(
    engine: InformationEngine, names: Sequence[str], steps: Sequence[Step], seed: int
) -> Note | None:
    """Say so where rows of the selected features in any order tell nearly as much of the target.

    Near saturation every row is alone in kernel space, H(S', y) is near H(S'), and MI near H(y)
    whatever the columns are.

    Parameters
    ----------
    engine
        Entropies over the features.
    names
        The features, in the engine's order.
    steps
        The path.
    seed
        The user's seed.
    """
    chosen = [step for step in steps if step.selected]
    if not chosen or chosen[-1].saturation > SUSPECT_BITS or chosen[-1].mi <= 0:
        return None
    last, columns = chosen[-1], tuple(name for step in chosen for name in step.features)
    selected = frozenset(names.index(name) for name in columns)
    question = Question(max(MI_BITS, engine.tolerance))
    found = []
    for copy in range(COPIES):
        order = permutation(engine.n, seed, "chance", copy)
        shuffled = InformationEngine(
            replace(engine.model, target=engine.model.target.take(order)),
            engine.alpha,
            engine.backend,
            solver=engine.solver,
            tolerance=engine.tolerance,
            jobs=engine.jobs,
            max_memory=engine.max_memory,
        )
        found.append(engine.mutual_information(shuffled.pair(selected, question)))
    chance = sum(found) / COPIES
    if chance < CHANCE_SHARE * last.mi:
        return None
    return Note(
        "saturated_answer",
        f"Of the MI of the {len(columns)} selected features, {last.mi:.3g} bits, shuffled copies "
        f"of them reach {chance:.3g}: rows are so far apart at this bandwidth (saturation "
        f"{last.saturation:.2g} bits) that MI rises whatever the columns are. Use a larger "
        "bandwidth, or one that grows.",
        columns,
    )
