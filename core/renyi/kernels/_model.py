"""From typed variables to kernels: which kernel, which width."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from renyi import _validate
from renyi._typing import IntArray, LabelKernel
from renyi.errors import ColumnError, DataError
from renyi.kernels._bandwidth import growth_of, resolve_sigma
from renyi.kernels._part import KernelPart, SoftCodes
from renyi.kernels._product import KernelProduct
from renyi.options import Bandwidth, MethodOptions
from renyi.transforms import standardise
from renyi.variables import Dataset, Kind, Variable

__all__ = ["KernelModel", "build_part"]

ONEHOT_OFF_LEVEL: Final = math.exp(-1.0)
"""exp(-|e_a - e_b|^2 / 2): a Gaussian with sigma 1 on one-hot codes, across levels."""


def build_part(
    variable: Variable,
    *,
    scale: str,
    bandwidth: Bandwidth,
    label_kernel: LabelKernel = "delta",
) -> KernelPart:
    """Build one variable's kernel: Gaussian for continuous and ordinal, delta for nominal.

    Parameters
    ----------
    variable
        The variable.
    scale
        A standardisation rule.
    bandwidth
        Sigma on the standardised values, or a rule.
    label_kernel
        `onehot` turns the delta kernel of a nominal variable into a soft one.

    Raises
    ------
    DataError
        If values divided by sigma overflow.
    """
    rows, distinct = variable.codes, variable.distinct
    if variable.kind is Kind.NOMINAL:
        empty = np.empty((variable.n, 0))
        if label_kernel == "onehot":
            soft = SoftCodes(rows, ONEHOT_OFF_LEVEL)
            return KernelPart(variable.name, "onehot", empty, None, soft, rows, distinct)
        return KernelPart(variable.name, "delta", empty, rows, None, rows, distinct)
    values = standardise(variable.values, scale)
    sigma = resolve_sigma(bandwidth, values)
    with np.errstate(over="ignore"):
        coordinates = (values - values.mean(axis=0)) / sigma
    largest = np.abs(coordinates).max(initial=0.0)
    if not largest < 1e150:  # squares stay finite below
        raise DataError(
            f"`bandwidth` {sigma:g} is too small for the values of `{variable.name}`.",
            "Use a larger one: 1 to 3 suits standardised values.",
        )
    if scale.startswith("bins:"):
        # cutting into bins merges values: equal kernel rows are fewer than equal values
        rows = np.unique(coordinates, axis=0, return_inverse=True)[1].reshape(-1)
        distinct = int(rows.max()) + 1
    return KernelPart(
        variable.name,
        "gaussian",
        coordinates,
        None,
        None,
        rows,
        distinct,
        sigma,
        growth_of(bandwidth),
    )


@dataclass(frozen=True, eq=False)
class KernelModel:
    """The kernels of a data set under the options of a method.

    Attributes
    ----------
    features
        One part per feature, in column order.
    target
        The target's part; it is the same in every product.
    n
        Number of rows.
    """

    features: tuple[KernelPart, ...]
    target: KernelPart
    n: int

    @classmethod
    def build(cls, dataset: Dataset, options: MethodOptions) -> KernelModel:
        """Build every kernel.

        Raises
        ------
        ColumnError
            If a column's own bandwidth names no column in use, or a nominal one.
        """
        variables = (*dataset.features, *dataset.targets)
        own = dict(options.bandwidths)
        _check_own_bandwidths(own, variables)
        parts = [
            build_part(
                variable,
                scale=options.standardise,
                bandwidth=own.get(variable.name, options.bandwidth),
                label_kernel=options.label_kernel if variable in dataset.targets else "delta",
            )
            for variable in variables
        ]
        return cls(tuple(parts[:-1]), parts[-1], dataset.n)

    @cached_property  # asked for with every factor
    def grows(self) -> bool:
        """Whether a kernel's width depends on the number of features in a product."""
        return any(part.growth for part in self.features)

    def part(self, feature: int, size: int) -> KernelPart:
        """Return a feature's part as it is in a product of `size` features."""
        return self.features[feature].at(size)

    def product(
        self,
        features: Iterable[int],
        *,
        target: bool = False,
        permuted: Mapping[int, IntArray] | None = None,
        size: int | None = None,
    ) -> KernelProduct:
        """Return the kernel product of some features, with the target or without.

        Parameters
        ----------
        features
            Column numbers.
        target
            Whether the target takes part.
        permuted
            Orders (n,) for features whose rows are shuffled.
        size
            Number of features in the product that this one is to be extended to, where the width
            depends on it; by default that of `features`.
        """
        orders = permuted or {}
        numbers = sorted(features)
        every = len(numbers) if size is None else size
        parts = [
            self.part(j, every).take(orders[j]) if j in orders else self.part(j, every)
            for j in numbers
        ]
        if target:
            parts.append(self.target)
        return KernelProduct.of(self.n, parts)


def _check_own_bandwidths(own: Mapping[str, Bandwidth], variables: Iterable[Variable]) -> None:
    kinds = {variable.name: variable.kind for variable in variables}
    for name in own:
        if name not in kinds:
            close = _validate.nearest(name, kinds)
            near = ", ".join(f"`{word}`" for word in close)
            hint = f"Did you mean {near}?" if close else "`renyi describe` lists them."
            raise ColumnError(f"`bandwidth` must name columns in use, got `{name}`.", hint)
        if kinds[name] is Kind.NOMINAL:
            raise ColumnError(
                f"`bandwidth` names `{name}`, which is nominal and has a delta kernel.",
                f"Make it continuous: --kind {name}=continuous",
            )
