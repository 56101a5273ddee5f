"""What a feature would gain if it only repeated what is selected: its echoes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.information import InformationEngine, Pair, Question
from renyi.kernels import KernelPart, KernelProduct
from renyi.resampling import neighbourhoods

__all__ = ["echoes", "is_above_echoes"]

ECHO_MARGIN: Final = 0.05
"""How much more than its echoes a feature has to gain. Without a margin a column that is a
selected one and a little noise passes in some 15% of tables, being the best of several; with it
in 5% (docs/decisions/0020)."""

FLAT: Final = 1e-9
"""Share of its spread below which a prediction is constant: adding it changes nothing."""


def is_above_echoes(
    engine: InformationEngine, given: tuple[int, ...], newest: int, pair: Pair, gain: float
) -> bool:
    """Return whether a feature gains a twentieth more than each of its echoes.

    A kernel resolves the selected features only as far as its width allows, so that reading one
    of them once more sharpens it and adds to I(S'; y). A column that repeats them in another form
    gains in the same way, without news. What it can gain so is measured by its echoes, put in its
    place: each selected feature once more, what is predicted of it from them, and its mean among
    rows that are alike in them, the latter two widened to its own spread.

    Parameters
    ----------
    engine
        Entropies of any set.
    given
        Features selected before (S'), at least one.
    newest
        The feature, no nominal one: its kernel is sharper than what it may echo.
    pair
        Its entropies with S'.
    gain
        Its gain I(x; y | S'), above 0, bits.
    """
    size = len(given) + 1
    part = engine.model.part(newest, size)
    selected = [engine.model.part(feature, size) for feature in sorted(given)]
    parts = [one for one in selected if one.coordinates.shape[1]]
    parts += echoes(part, engine.model.product(given))
    less = gain - gain / (1 + ECHO_MARGIN)
    question = Question(engine.tolerance, pair.upper + less, pair.lower + less)
    unclear = []
    for number, echo in enumerate(engine.additions(given, parts, question)):
        if echo.upper < pair.lower + less:
            return False
        if not echo.lower > pair.upper + less:
            unclear.append(parts[number])
    if not unclear:
        return True
    own = engine.pair({*given, newest}, engine.exact).conditional
    exact = engine.additions(given, unclear, engine.exact)
    return all(echo.conditional > own + less for echo in exact)


def echoes(part: KernelPart, product: KernelProduct) -> list[KernelPart]:
    """Return a feature's part with predictions of it in place of its values, of the same spread.

    The first is linear in the coordinates of the product, with an intercept for each of its
    strata; the second is the mean over neighbourhoods. One that is constant is left out.

    Parameters
    ----------
    part
        That of a feature with coordinates.
    product
        The kernel of the selected features.
    """
    groups = neighbourhoods(product.coordinates, product.codes)
    predicted = (
        _linear(part.coordinates, product.coordinates, product.codes),
        _means(part.coordinates, groups),
    )
    wide = (_as_wide(part, values) for values in predicted)
    return [echo for echo in wide if echo is not None]


def _linear(values: FloatArray, coordinates: FloatArray, codes: IntArray | None) -> FloatArray:
    """Return least squares predictions, shape (n, d)."""
    strata = np.zeros(len(values), dtype=np.int64) if codes is None else codes
    levels = _means(values, strata)
    if not coordinates.shape[1]:
        return levels
    design = coordinates - _means(coordinates, strata)
    slopes = np.linalg.lstsq(design, values - levels)[0]
    found: FloatArray = levels + design @ slopes
    return found


def _means(values: FloatArray, groups: IntArray) -> FloatArray:
    """Return each row's mean over its group, shape (n, d)."""
    counts = np.bincount(groups)
    sums = np.column_stack([np.bincount(groups, column) for column in values.T])
    found: FloatArray = (sums / np.maximum(counts, 1)[:, None])[groups]
    return found


def _as_wide(part: KernelPart, prediction: FloatArray) -> KernelPart | None:
    """Return the part with a prediction as wide as its values, None where it is constant."""
    centred = prediction - prediction.mean(axis=0)
    spread, size = (
        float(np.linalg.norm(values))
        for values in (part.coordinates - part.coordinates.mean(axis=0), centred)
    )
    if size <= FLAT * spread:
        return None
    coordinates = centred * (spread / size)
    rows = np.unique(coordinates, axis=0, return_inverse=True)[1].reshape(-1)
    return replace(part, coordinates=coordinates, rows=rows, distinct=int(rows.max()) + 1)
