"""Kernels of which nothing is known but their values for given rows: the way for any new one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeAlias

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend

__all__ = ["Rows", "TiledKernel", "multiplied"]

Rows: TypeAlias = "slice | IntArray"


@dataclass(frozen=True, eq=False)
class TiledKernel(ABC):
    """A positive semidefinite kernel with values from 0 to 1, and 1 of a row and itself.

    Everything that reads a Gram by tiles, columns or as a whole works on it; what works on
    coordinates alone leaves it to these.

    Attributes
    ----------
    points
        (m, d) what describes each row, divided by the bandwidth: a wider kernel is the same kernel
        of smaller ones.
    exponent
        Power to which each value is taken.
    """

    points: FloatArray
    exponent: float = 1.0

    joins: ClassVar[bool] = False
    """Whether a product of such kernels is one such kernel, its points side by side."""

    mirrored: ClassVar[bool] = False
    """Whether one number a row, but for its sign, says which kernel it is."""

    @abstractmethod
    def values(self, left: Array, right: Array, xp: Array) -> Array:
        """Return the kernel of points (a, d) and (b, d), shape (a, b), in a new array."""

    @abstractmethod
    def dense(self) -> FloatArray:
        """Return every value, shape (m, m), from the definition: the plain truth of the tests."""

    @property
    @abstractmethod
    def entry_error(self) -> float:
        """Certain error of a value from rounding."""

    def exponents(self, weights: FloatArray) -> FloatArray | None:  # noqa: ARG002 - none by default
        """Return E w (m,) for the kernel exp(-E) and weights (m,), None where that takes long."""
        return None

    def take(self, rows: Rows) -> Self:
        """Return the kernel on some rows, in that order."""
        return replace(self, points=self.points[rows])

    def widened(self, factor: float) -> Self:
        """Return the kernel with a bandwidth so many times as large."""
        return replace(self, points=self.points / factor)

    def root(self, degree: int) -> Self:
        """Return the kernel with each value to the power 1 / degree."""
        return self.to_the(1 / degree)

    def to_the(self, exponent: float) -> Self:
        """Return the kernel with each value to a power."""
        return replace(self, exponent=self.exponent * exponent)

    def tile(self, backend: Backend, some: Rows, others: Rows, exponent: float = 1.0) -> Array:
        """Return rows `some` and columns `others`, each value to the `exponent`, on the device."""
        left, right = backend.to_device(self.points[some]), backend.to_device(self.points[others])
        found, power = self.values(left, right, backend.xp), self.exponent * exponent
        return found if power == 1 else found**power

    def columns(self, some: Rows, others: Rows) -> FloatArray:
        """Return the same, to the first power, on the host, shape (len(some), len(others))."""
        found: FloatArray = self.values(self.points[some], self.points[others], np)
        return found if self.exponent == 1 else np.asarray(found**self.exponent)


def multiplied(kernels: Iterable[TiledKernel]) -> tuple[TiledKernel, ...]:
    """Return the factors of a product, those that join as one."""
    joined: dict[tuple[type, float], list[TiledKernel]] = {}
    apart: list[TiledKernel] = []
    for one in kernels:
        if one.joins:
            joined.setdefault((type(one), one.exponent), []).append(one)
        else:
            apart.append(one)
    together = (
        alike[0]
        if len(alike) == 1
        else replace(alike[0], points=np.hstack([k.points for k in alike]))
        for alike in joined.values()
    )
    return (*together, *apart)
