"""Whether it tells of the target that a value is there at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from renyi.information import CandidateSums, SetEntropies
from renyi.kernels import KernelModel, build_part
from renyi.nulls import far_above
from renyi.selection.records._records import Step
from renyi.selection.records._step import selected_after
from renyi.variables import Dataset, Note

__all__ = ["lacking_note"]

SCALE: Final = 50
"""`far_above` answers without draws where a bound is a fiftieth of the level that it is given."""

LEVEL: Final = 0.01
"""Of the test, over all columns that are looked at, by a bound on its tail that needs no draws."""


def lacking_note(dataset: Dataset, entropies: SetEntropies, steps: Sequence[Step]) -> Note | None:
    """Return a note on selected columns of which even the gaps tell of the target, if any.

    For each, a column that says only whether a value is there is held against chance at order 2,
    over all orders of the rows: nothing is said where they are not exchangeable.

    Parameters
    ----------
    dataset
        The typed columns.
    entropies
        Of the search: it has the target's kernel and the weights.
    steps
        The finished search.
    """
    selected = set(selected_after(steps))
    columns = [v for one in dataset.features if one.name in selected for v in one.columns]
    holed = [variable for variable in columns if variable.missing is not None]
    if not holed or dataset.structure is not None:
        return None
    parts = [
        build_part(variable.lacks, scale="zscore", bandwidth=1.0, nominal="soft")
        for variable in holed
    ]
    by = entropies.computation
    model = KernelModel(tuple(parts), by.model.target, by.n, by.model.weights)
    sums = CandidateSums(SetEntropies(by.squared().over(model)), (), range(len(parts)))
    conditional = sums.observed[0]
    gains = sums.chance.above(sums.before - conditional)
    found = [
        f"`{variable.name}` ({gain:.3f} bits above chance)"
        for variable, gain, z in zip(holed, gains, sums.standardised(conditional), strict=True)
        if far_above(float(z), len(holed), sums.chance, by.n, SCALE * LEVEL)
    ]
    if not found:
        return None
    message = (
        "Whether there is a value tells of the target by itself: "
        f"{', '.join(found)}. Ask why values are missing before you lean on it."
    )
    names = tuple(v.name for v in holed if any(f"`{v.name}`" in one for one in found))
    return Note("missing_tells", message, names)
