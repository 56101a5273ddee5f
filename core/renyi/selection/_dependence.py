"""Signs that rows belong together although nobody said so."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.resampling import autocorrelation, coordinates_of
from renyi.variables import Dataset, Kind, Note, Variable

__all__ = ["dependence_notes"]

FEWEST_ROWS: Final = 20
"""Rows below which chance makes neighbours alike too often."""

LEAST_PRODUCT: Final = 0.1
"""Autocorrelation of the target times that of a column from which a level of .05 is .07 and more:
the variance of a sum of products is (1 + r) / (1 - r) times as large."""

CHANCE: Final = 0.005
"""Of a false alarm, for the target and for the columns together; both must be alarming."""

SPAN: Final = 4
"""One of so many parts of the rows is the neighbourhood whose mean is taken out: what a sorted file
has in common goes with it, what neighbours have in common mostly not."""

FEWEST_GROUPS: Final = 8
"""Groups below which a column is a class or a stratum rather than a subject."""

BY_CHANCE: Final = 1e-6
"""Chance below which a target is not constant within the levels of a column by luck."""


def dependence_notes(dataset: Dataset) -> tuple[Note, ...]:
    """Return what points to rows that are no draws of their own, none where nothing does.

    Parameters
    ----------
    dataset
        The rows in file order.
    """
    if dataset.structure is not None or dataset.n < FEWEST_ROWS:
        return ()
    groups = _subject(dataset)
    if groups is not None:
        message = (
            f"`{groups.name}` looks like a subject: the target is constant in each of its "
            f"{groups.distinct} values, {dataset.n} rows in all, and rows of one value are alike "
            "in other columns. Then they are no draws of their own, and noise is selected: name "
            f"it by the option groups ('{groups.name}'), or exclude it if it is none."
        )
        return (Note("repeated_subject", message, (groups.name,)),)
    alike = _alike_neighbours(dataset)
    if alike:
        shown = ", ".join(f"`{name}`" for name in alike[:5]) + (", ..." if alike[5:] else "")
        message = (
            f"Neighbouring rows are alike in the target `{dataset.target.name}` and in {shown}: a "
            "series in time, or several rows of one subject. Then rows are no draws of their own, "
            "and noise is selected: use the option blocks ('auto') for rows in time, or groups "
            "for subjects. It means nothing if the file is sorted by these columns."
        )
        return (Note("alike_neighbours", message, tuple(alike)),)
    return ()


def _alike_neighbours(dataset: Dataset) -> list[str]:
    """Return the columns whose neighbours are alike, where those of the target are too."""
    if _is_sorted(dataset.target):
        return []
    n, features = dataset.n, dataset.features
    of_target = autocorrelation(_level(dataset.target), 1)
    normal = NormalDist()
    if of_target < normal.inv_cdf(1 - CHANCE) / math.sqrt(n):
        return []
    bar = normal.inv_cdf(1 - CHANCE / len(features)) / math.sqrt(n)
    bar = max(bar, LEAST_PRODUCT / of_target)
    found = [(autocorrelation(_level(f), 1), f.name) for f in features if not _is_sorted(f)]
    return [name for r, name in sorted(found, key=lambda one: -one[0]) if r >= bar]


def _level(variable: Variable) -> FloatArray:
    """Return what neighbours are compared by, less its mean among the rows around, (n, d)."""
    values = coordinates_of(variable)
    n = len(values)
    half = max(2, n // (2 * SPAN))
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    rows = np.arange(n)
    low, high = np.maximum(rows - half, 0), np.minimum(rows + half + 1, n)
    found = values - (sums[high] - sums[low]) / (high - low)[:, None]
    return np.asarray(found - found.mean(axis=0))


def _is_sorted(variable: Variable) -> bool:
    """Whether the file is sorted by it: each of its values stands in one place."""
    codes = variable.codes
    turns = int((codes[1:] != codes[:-1]).sum())
    if variable.kind is Kind.NOMINAL:
        return turns == variable.distinct - 1
    steps = np.diff(codes)
    return bool((steps >= 0).all() or (steps <= 0).all())


def _subject(dataset: Dataset) -> Variable | None:
    """Return the column that looks most like a subject, None where none does."""
    found: list[tuple[int, Variable]] = []
    target = dataset.target
    for one in dataset.features:
        sizes = np.bincount(one.codes)
        if not FEWEST_GROUPS <= one.distinct <= dataset.n * 2 / 3 or not _constant(one, target):
            continue
        # of rows beyond the first of each group, all have the target of the first
        shares = np.bincount(target.codes) / dataset.n
        luck = float((sizes - 1).sum()) * math.log(float((shares**2).sum()))
        if luck > math.log(BY_CHANCE) or target.distinct > one.distinct:
            continue
        if _alike_within(dataset, one):
            found.append((one.distinct, one))
    # the finest that does: a subject rather than its site
    return max(found, key=lambda some: some[0])[1] if found else None


def _constant(groups: Variable, target: Variable) -> bool:
    pairs = groups.codes * np.int64(target.distinct) + target.codes
    return len(np.unique(pairs)) == groups.distinct


def _alike_within(dataset: Dataset, groups: Variable) -> bool:
    """Whether rows of a group are alike in some other column, beyond what the target explains."""
    classes = _classes(dataset.target)
    rest = [f for f in dataset.features if f.name != groups.name and f.distinct > 1]
    sizes = np.bincount(groups.codes)
    pairs = float((sizes * (sizes - 1)).sum())
    bar = NormalDist().inv_cdf(1 - CHANCE / max(len(rest), 1)) * math.sqrt(2 * pairs) / pairs
    return any(_within(f, groups.codes, classes) > max(bar, LEAST_PRODUCT) for f in rest)


def _classes(target: Variable) -> IntArray:
    """Return the classes of a target, or five of numbers, from 0."""
    if target.kind is Kind.NOMINAL:
        return target.codes
    fifths = np.searchsorted(np.quantile(target.codes, (0.2, 0.4, 0.6, 0.8)), target.codes)
    return np.unique(fifths, return_inverse=True)[1].reshape(-1)


def _within(variable: Variable, groups: IntArray, classes: IntArray) -> float:
    """Return the correlation of two rows of a group, what the target explains taken out."""
    values = coordinates_of(variable)
    means = np.stack([np.bincount(classes, column) for column in values.T], axis=1)
    values = values - (means / np.bincount(classes)[:, None])[classes]
    total = float((values**2).sum()) / len(values)
    if total <= 1e-12:
        return 0.0
    sizes = np.bincount(groups)
    sums = np.stack([np.bincount(groups, column) for column in values.T], axis=1)
    of_pairs = float((sums**2).sum() - (values**2).sum())
    return of_pairs / float((sizes * (sizes - 1)).sum()) / total
