"""Joint information by nearest neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.errors import ColumnError, OptionError, Way
from renyi.kernels import KernelPart
from renyi.scores._terms import Terms

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

__all__ = ["knn", "ksg_information", "ross_information"]

LN2: Final = math.log(2.0)


def knn(
    terms: Terms, selected: Sequence[int], candidates: Sequence[int], neighbours: float = 3
) -> FloatArray:
    """I({S, x}; y) by k nearest neighbours, bits (Francois et al., Neurocomputing 70, 2007).

    For a target of numbers the first estimate of Kraskov, Stoegbauer, Grassberger (Phys. Rev. E
    69, 2004), for one of classes that of Ross (PLoS ONE 9, 2014). Rows are compared by the largest
    difference over columns, on the scale that their kernels have; levels are corners of a simplex,
    equally far apart.

    Raises
    ------
    ColumnError
        If a column has a kernel of equality, which says of no two rows how far apart they are.
    OptionError
        If there are no more rows than neighbours.
    """
    model, k = terms.entropies.computation.model, int(neighbours)
    parts = model.features
    base = [_points(parts[s]) for s in selected]
    target = model.target
    if k >= len(_points(target) if target.classes is None else target.classes):
        raise OptionError(
            f"`score` knn:K must have fewer neighbours than there are rows, got knn:{k}.",
            "Three is usual: ",
            Way("score", "knn"),
            ".",
        )
    found = np.empty(len(candidates))
    for place, candidate in enumerate(candidates):
        points = _points(parts[candidate])
        if terms.order is not None:
            points = points[terms.order]
        together = np.hstack([*base, points])
        if target.classes is not None:
            found[place] = ross_information(together, target.classes, k)
        else:
            found[place] = ksg_information(together, _points(target), k)
        terms.tick(place + 1)
    return found


def _points(part: KernelPart) -> FloatArray:
    if not part.dimensions:
        raise ColumnError(
            f"`score` knn compares rows by how far apart they are; `{part.name}` has a kernel "
            "of equality.",
            "Use ",
            Way("nominal", "soft"),
            ", or leave the column out.",
        )
    return part.points


def ksg_information(x: FloatArray, y: FloatArray, k: int) -> float:
    """Return I(x; y) of numbers (n, d) and (n, e), bits; at most n - 1 neighbours are taken.

    psi(n) + mean(psi(k) - psi(n_x + 1) - psi(n_y + 1)), n_x being the rows strictly nearer in x
    than the k-th neighbour in both. Of numbers that do not repeat that one alone is so far, in x
    or in y. Where more are, in either, k, n_x and n_y count all up to there, and nothing is added:
    the rule of Mesner and Shalizi (IEEE Trans. Inf. Theory 67, 2021) for values that repeat.
    """
    from scipy.special import digamma

    n = len(x)
    k = min(k, n - 1)
    if k < 1:
        return 0.0
    together = np.hstack([x, y])
    radius = _kth(together, k)
    nearer = [_nearer(one, radius) for one in (x, y)]
    upto = [_within(one, radius) for one in (x, y)]
    tied = upto[0] - nearer[0] + upto[1] - nearer[1] > 1
    terms = np.full(n, float(digamma(k)))
    terms[tied] = digamma(_within(together, radius)[tied])
    for inside, all_of_them in zip(nearer, upto, strict=True):
        terms -= digamma(np.where(tied, all_of_them, inside + 1))
    return float(digamma(n) + terms.mean()) / LN2


def ross_information(x: FloatArray, classes: IntArray, k: int) -> float:
    """Return I(x; class) of numbers (n, d), bits.

    psi(N) + mean(psi(k) - psi(N_c) - psi(m)), m being the rows of any class no farther than the
    k-th neighbour of the own class; where several are as far as that one, k counts all of the own
    class up to there. A class of k rows or fewer takes as many neighbours as it has; rows alone in
    theirs are left out.
    """
    from scipy.special import digamma

    sizes = np.bincount(classes)
    kept = sizes[classes] > 1
    x, classes = x[kept], classes[kept]
    n = len(x)
    if n == 0:
        return 0.0
    radius, own = np.empty(n), np.empty(n)
    for label in np.unique(classes):
        rows = np.flatnonzero(classes == label)
        radius[rows] = _kth(x[rows], min(k, len(rows) - 1))
        own[rows] = _within(x[rows], radius[rows])
    terms = digamma(own) - digamma(sizes[classes]) - digamma(_within(x, radius))
    return float(digamma(n) + terms.mean()) / LN2


def _tree(points: FloatArray) -> cKDTree:
    from scipy.spatial import cKDTree

    return cKDTree(points)


def _kth(points: FloatArray, k: int) -> FloatArray:
    """Return the distance of each row to its k-th neighbour, (n,)."""
    found = np.asarray(_tree(points).query(points, k=[k + 1], p=np.inf)[0])
    return found.reshape(len(points))


def _within(points: FloatArray, radius: FloatArray) -> FloatArray:
    """Return how many other rows are no farther from each than `radius`, (n,)."""
    count = _tree(points).query_ball_point(points, radius, p=np.inf, return_length=True)
    return np.asarray(count - 1, dtype=np.float64)


def _nearer(points: FloatArray, radius: FloatArray) -> FloatArray:
    """Return how many other rows are strictly nearer to each than `radius`, (n,)."""
    found = _within(points, np.nextafter(radius, 0.0))
    return np.where(radius > 0, found, 0.0)
