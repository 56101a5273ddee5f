"""Columns that are one and the same to the method: their kernel matrices are equal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.kernels._part import KernelPart

__all__ = ["equal_kernels"]

SAME: Final = 1e-9
"""Difference of scaled values, as a share of the largest, up to which they are the same: rounding
of a change of unit stays far below it, and single precision far above."""

SEED: Final = 1905
"""Of the random direction along which columns are sorted; it decides no answer."""


def equal_kernels(parts: Sequence[KernelPart]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of parts whose kernel matrices are equal, each two or more numbers.

    Delta kernels are equal if they part the rows in the same way, whatever the levels are called;
    so are soft ones of more than two levels, at one width. Gaussian kernels of one value a row are
    equal if the values divided by sigma are, but for their sign and `SAME`, and so is a soft kernel
    of two levels; kernels known by their values go the same way, where they do not look at a sign.
    Kernels of two sorts are never equal. It takes a pass over the values and a comparison of those
    that are alike along one direction. Where there are groups of columns, Gaussian kernels of
    several values a row are equal if all distances of two rows are, and so are Laplacian ones.

    Parameters
    ----------
    parts
        Parts over the same rows.

    Returns
    -------
    tuple of tuple of int
        Numbers of parts in increasing order, groups in the order of their first.
    """
    groups = [*_equal_partitions(parts), *_equal_values(parts), *_equal_distances(parts)]
    return tuple(sorted(tuple(group) for group in _merged(groups)))


def _equal_partitions(parts: Sequence[KernelPart]) -> Iterable[list[int]]:
    """Group kernels of levels by a digest of their codes, numbered by first appearance."""
    same: dict[tuple[bytes, float | None, str], list[int]] = {}
    for number, part in enumerate(parts):
        soft = part.is_soft and part.distinct > 2 and len(part.members) < 2  # one simplex
        if not part.is_hard and not soft:
            continue
        places = np.empty(part.distinct, dtype=np.int64)
        places[np.argsort(part.representatives())] = np.arange(part.distinct)
        digest = hashlib.sha256(places[part.rows].tobytes()).digest()
        same.setdefault((digest, part.sigma, part.growth), []).append(number)
    return same.values()


def _equal_values(parts: Sequence[KernelPart]) -> Iterable[list[int]]:
    """Group Gaussian kernels: sorted along a random direction, equal ones are neighbours."""
    lines = {number: line for number, part in enumerate(parts) if (line := _line(part)) is not None}
    return _grouped(lines, {number: _family(parts[number]) for number in lines})


def _grouped(
    lines: Mapping[int, FloatArray], alike: Mapping[int, tuple[object, ...]]
) -> list[list[int]]:
    """Group equal lines of one family."""
    if len(lines) < 2:
        return []
    direction = np.random.default_rng(SEED).standard_normal(len(next(iter(lines.values()))))
    found = {number: abs(float(direction @ line)) for number, line in lines.items()}
    reach = SAME * float(np.abs(direction).sum())
    widths = {number: float(np.abs(line).max(initial=0.0)) for number, line in lines.items()}
    return _neighbours(lines, found, {number: reach * widths[number] for number in lines}, alike)


def _equal_distances(parts: Sequence[KernelPart]) -> Iterable[list[int]]:
    """Group kernels exp(-E), those of groups of columns among them, by distances E of rows.

    E w says which matrix E is, for a vector w at random: of two matrices it is the same with
    probability 0, unless they are equal.
    """
    if not any(part.members for part in parts):
        return []
    weights = np.random.default_rng(SEED).random(parts[0].n)
    found = {number: _exponents(part, weights) for number, part in enumerate(parts)}
    lines = {number: line for number, line in found.items() if line is not None}
    alike: dict[int, tuple[object, ...]] = {}
    for number in lines:
        codes = parts[number].codes
        held = b"" if codes is None else hashlib.sha256(_numbered(codes).tobytes()).digest()
        alike[number] = (parts[number].growth, held)
    return _grouped(lines, alike)


def _exponents(part: KernelPart, weights: FloatArray) -> FloatArray | None:
    """Return E w (n,) for the kernel exp(-E) within hard codes, None for one that has no such."""
    if part.soft or not part.dimensions:
        return None
    points = part.coordinates
    norms = np.einsum("ij,ij->i", points, points)
    found = 0.5 * (norms * weights.sum() + weights @ norms) - points @ (points.T @ weights)
    for one in part.tiled:
        line = one.exponents(weights)
        if line is None:
            return None
        found = found + line
    return np.asarray(found)


def _numbered(codes: IntArray) -> IntArray:
    """Return codes by the order in which they first appear."""
    first, inverse = np.unique(codes, return_index=True, return_inverse=True)[1:]
    places = np.empty(len(first), dtype=np.int64)
    places[np.argsort(first)] = np.arange(len(first))
    return np.asarray(places[inverse.reshape(-1)])


def _merged(groups: Iterable[Sequence[int]]) -> list[list[int]]:
    """Return groups of two or more, those that share a number as one."""
    found: list[set[int]] = []
    for group in groups:
        if len(group) < 2:
            continue
        apart = [one for one in found if one.isdisjoint(group)]
        joined = set(group).union(*(one for one in found if not one.isdisjoint(group)))
        found = [*apart, joined]
    return [sorted(one) for one in found]


def _line(part: KernelPart) -> FloatArray | None:
    """Return the one number a row (n,) that says, but for its sign, what the kernel is, if any."""
    if not all(one.mirrored for one in part.tiled):
        return None
    if part.missing is not None:  # where a value is there is told by the family
        return part.tiled[0].points[:, 0] if part.tiled else part.coordinates[:, 0]
    return part.points[:, 0] if part.dimensions == 1 and not part.is_joint else None


def _family(part: KernelPart) -> tuple[object, ...]:
    """Return what kernels of equal values must share to be equal."""
    holes = b"" if part.missing is None else part.missing.tobytes()
    return *(type(one).__name__ for one in part.tiled), part.growth, holes


def _neighbours(
    lines: Mapping[int, FloatArray],
    places: Mapping[int, float],
    reach: Mapping[int, float],
    alike: Mapping[int, tuple[object, ...]],
) -> list[list[int]]:
    """Compare each line with the groups, of what is alike, within its reach of its place."""
    groups: list[list[int]] = []
    near: list[list[int]] = []  # the last of them can still be reached
    for number in sorted(lines, key=lambda k: (places[k], k)):
        near = [g for g in near if places[number] - places[g[-1]] <= reach[number]]
        for group in near:
            if alike[group[0]] == alike[number] and _same(lines[group[0]], lines[number]):
                group.append(number)
                break
        else:
            groups.append([number])
            near.append(groups[-1])
    return groups


def _same(one: FloatArray, other: FloatArray) -> bool:
    most = SAME * float(np.abs(one).max(initial=0.0))
    turned = -other if (one @ other) < 0 else other
    return bool((np.abs(one - turned) <= most).all())
