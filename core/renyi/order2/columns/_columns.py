"""Columns of factors in the order of a pass: what they are made of, so that a worker can make them.

They are large, and what they are made of is not: factors that many orders share, and the orders.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend
from renyi.factors import spans
from renyi.kernels import KernelProduct, pack_codes
from renyi.order2._blocks import added_up, weighed
from renyi.order2.columns._stack import SINGLE_LEAST, Extension, Places, Stack, offsets_of

__all__ = ["Columns", "Extended", "Ordered", "PassRows"]

CACHED_ENTRIES: Final = 2**17
"""Products of a tile and factors that are made at once: what a cache holds."""


@dataclass(frozen=True, eq=False)
class PassRows:
    """How the rows of a pass come from those of a table.

    Attributes
    ----------
    order
        (n,) rows of the table, equal ones side by side.
    starts
        (m,) where the equal ones begin.
    weights
        (n,) how much each row of `order` counts, None where all count alike.
    """

    order: IntArray
    starts: IntArray
    weights: FloatArray | None

    @classmethod
    def of(cls, base: KernelProduct, label: IntArray, codes: IntArray, levels: int) -> PassRows:
        """Order the rows of a product by hard code and class, equal ones side by side.

        Parameters
        ----------
        base
            The product.
        label, codes
            (n,) classes, and hard codes.
        levels
            How many classes there are.
        """
        n = len(base)
        groups, count = pack_codes(base.rows, base.distinct, label, levels)
        if 2 * count > n:  # to add up so few rows takes longer than it saves
            groups = np.arange(n)
        order = np.lexsort((groups, label, codes))
        ordered = groups[order]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        return cls(order, starts, None if base.weights is None else base.weights[order])

    @property
    def merged(self) -> bool:
        """Whether rows that are equal are added up."""
        return len(self.starts) < len(self.order)

    def taken(self, values: FloatArray, rows: IntArray) -> FloatArray:
        """Return the rows of a pass from those of a table, in the order `rows`."""
        if self.merged:
            return added_up(values, rows, self.starts, self.weights)
        return weighed(values[rows], self.weights)


class Columns(ABC):
    """Columns of some factors, made when they are asked for.

    Parameters
    ----------
    rows
        Of the pass.
    widths
        Columns of each factor.
    single
        Whether they are in single precision.
    """

    def __init__(self, rows: PassRows, widths: Sequence[int], *, single: bool) -> None:
        self.rows, self.single = rows, single
        self.offsets = offsets_of(widths)
        self.width = int(sum(widths))
        self._made: FloatArray | None = None
        self._cut: tuple[slice, list[Array]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made."""
        return {**self.__dict__, "_made": None, "_cut": None}

    @abstractmethod
    def _make(self, stack: Stack | None) -> FloatArray:
        """Return them, (m, width)."""

    def made(self, stack: Stack | None = None) -> FloatArray:
        """Return them, (m, width), out of the stack that they are of, if of one."""
        if self._made is None:
            self._made = self._make(stack)
        return self._made

    def cut(
        self, rows: slice, tall: int, backend: Backend, stack: Stack | None = None
    ) -> list[Array]:
        """Return some of their rows, on a device, in pieces for tiles of some height."""
        if self._cut is None or self._cut[0] != rows:
            self._cut = rows, self._pieces(rows, tall, backend, stack)
        return self._cut[1]

    def _pieces(self, rows: slice, tall: int, backend: Backend, stack: Stack | None) -> list[Array]:
        own = backend.to_device(self.made(stack)[rows])
        width = columns_at_once(own.shape[0], tall)
        if own.shape[1] <= width:
            return [own]
        parts = spans(0, own.shape[1], width)
        return [backend.xp.asarray(own[:, some], copy=True) for some in parts]


class Extended(Columns):
    """Those of single variables, each in an order of its own.

    Parameters
    ----------
    rows
        Of the pass.
    extensions
        The variables.
    single
        Whether they are to be in single precision.
    """

    def __init__(self, rows: PassRows, extensions: Sequence[Extension], *, single: bool) -> None:
        widths = [extension.factor.values.shape[1] for extension in extensions]
        super().__init__(rows, widths, single=single)
        self._extensions = extensions

    def _make(self, stack: Stack | None) -> FloatArray:  # noqa: ARG002 - they are of none
        precision = np.float32 if self.single else np.float64
        stacked = np.empty((len(self.rows.starts), self.width), precision)
        for extension, column in zip(self._extensions, self.offsets, strict=False):
            values = extension.factor.values
            if self.single:
                values = np.where(np.abs(values) < SINGLE_LEAST, 0.0, values).astype(np.float32)
            values = weighed(values[extension.rows[self.rows.order]], self.rows.weights)
            if self.rows.merged:
                values = np.add.reduceat(values, self.rows.starts, axis=0, dtype=np.float64)
            stacked[:, column : column + values.shape[1]] = values
        return stacked


class Ordered(Columns):
    """Those of some variables of a stack, in several orders.

    Parameters
    ----------
    rows
        Of the pass.
    stack
        The variables, which are not kept: `made` is told of them again.
    places
        Which of them, for each order.
    orders
        (n,) rows of the table for each row of the pass, for each order.
    double
        Whether they are to be in double precision whatever the stack is in.
    """

    def __init__(
        self,
        rows: PassRows,
        stack: Stack,
        places: Sequence[Places],
        orders: Sequence[IntArray],
        *,
        double: bool,
    ) -> None:
        widths = np.concatenate([stack.widths[some] for some in places]).tolist()
        super().__init__(rows, widths, single=not double and stack.values.dtype == np.float32)
        self._places, self._orders, self._double = places, orders, double

    def _pieces(self, rows: slice, tall: int, backend: Backend, stack: Stack | None) -> list[Array]:
        """Take them out of the stack piece by piece where that is all: they are copied once."""
        (places, *others), (order, *_) = self._places, self._orders
        if others or not isinstance(places, slice) or self.rows.merged or self._double:
            return super()._pieces(rows, tall, backend, stack)
        assert stack is not None
        values, order = stack.columns(places), order[rows]
        weights = None if self.rows.weights is None else self.rows.weights[rows]
        parts = spans(0, values.shape[1], columns_at_once(len(order), tall))
        return [backend.to_device(weighed(values[order, some], weights)) for some in parts]

    def _make(self, stack: Stack | None) -> FloatArray:
        assert stack is not None  # they are of one
        columns = [
            self.rows.taken(stack.columns(some), order)
            for some, order in zip(self._places, self._orders, strict=True)
        ]
        stacked = columns[0] if len(columns) == 1 else np.hstack(columns)
        return stacked.astype(np.float64) if self._double else stacked


def columns_at_once(rows: int, tall: int) -> int:
    """Return how many columns a cache holds with a tile, each piece by itself in memory."""
    return CACHED_ENTRIES // min(max(rows, 1), tall)
