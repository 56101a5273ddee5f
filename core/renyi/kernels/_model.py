"""From typed variables to kernels: which kernel, which width."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np

from renyi import _validate
from renyi._typing import FloatArray, IntArray, LabelKernel, NominalKernel
from renyi.errors import ColumnError, DataError, Way
from renyi.kernels._bandwidth import growth_factor, growth_of, level_sigma, resolve_sigma
from renyi.kernels._part import KernelPart, SoftCodes
from renyi.kernels._product import KernelProduct
from renyi.options import Bandwidth, MethodOptions
from renyi.transforms import standardise
from renyi.variables import Dataset, Kind, Variable

__all__ = ["MOST_SOFT_LEVELS", "KernelModel", "balanced", "build_part"]

DAMPING: Final = 10.0
"""Rows added to each class before it is weighed by its size. Without it seven classes of 5 to 15
rows each cost a table of genes a sixth of its accuracy (docs/decisions/0027)."""

MOST_SOFT_LEVELS: Final = 256
"""Levels up to which a soft kernel is made: as many coordinates as that, less one."""

ONEHOT_OFF_LEVEL: Final = math.exp(-1.0)
"""exp(-|e_a - e_b|^2 / 2): a Gaussian with sigma 1 on one-hot codes, across levels."""


def build_part(
    variable: Variable,
    *,
    scale: str,
    bandwidth: Bandwidth,
    label_kernel: LabelKernel = "delta",
    nominal: NominalKernel = "delta",
) -> KernelPart:
    """Build one variable's kernel: Gaussian for continuous and ordinal, by its levels for nominal.

    Parameters
    ----------
    variable
        The variable.
    scale
        A standardisation rule.
    bandwidth
        Sigma on the standardised values, or a rule.
    label_kernel
        `onehot` turns the delta kernel of a nominal variable into one that is 1/e across levels.
    nominal
        `delta`, or `soft`: a Gaussian on levels that are equally far from each other and have the
        spread of a z-score as a whole. Of more than 256 levels a delta kernel all the same.

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
        if nominal == "soft" and distinct <= MOST_SOFT_LEVELS:
            return _soft_part(variable, bandwidth)
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


def _soft_part(variable: Variable, bandwidth: Bandwidth) -> KernelPart:
    """Put the levels at the corners of a regular simplex, one coordinate fewer than levels.

    The mean squared distance of two rows is 2, as of z-scores: a column of two levels has the
    kernel of its z-score.
    """
    rows, distinct = variable.codes, variable.distinct
    if distinct == 1:
        corners, sigma = np.zeros((1, 1)), 1.0
    else:
        shares = np.bincount(rows, minlength=distinct) / variable.n
        spread = math.sqrt(1 - float(shares @ shares))
        sigma = level_sigma(bandwidth, variable.n, math.sqrt(2.0) / spread)
        corners = _helmert(distinct) / (spread * sigma)
        corners = corners - shares @ corners
    return KernelPart(
        variable.name,
        "soft",
        np.ascontiguousarray(corners[rows]),
        None,
        None,
        rows,
        distinct,
        sigma,
        growth_of(bandwidth),
    )


def _helmert(levels: int) -> FloatArray:
    """Return corners of a regular simplex, sqrt 2 apart, shape (levels, levels - 1)."""
    found = np.zeros((levels, levels - 1))
    for k in range(1, levels):
        found[:k, k - 1] = 1 / math.sqrt(k * (k + 1))
        found[k, k - 1] = -math.sqrt(k / (k + 1))
    return found


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
    weights
        (n,) how much each row counts, 1 in the mean; None where all count alike.
    """

    features: tuple[KernelPart, ...]
    target: KernelPart
    n: int
    weights: FloatArray | None = None
    _scales: dict[int, tuple[float, ...]] = field(default_factory=dict, init=False, repr=False)

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
        _check_own_bandwidths(own, dataset, options.nominal)
        parts = [
            build_part(
                variable,
                scale=options.target_scale if variable in dataset.targets else options.standardise,
                bandwidth=own.get(variable.name, options.bandwidth),
                label_kernel=options.label_kernel if variable in dataset.targets else "delta",
                nominal="delta" if variable in dataset.targets else options.nominal,
            )
            for variable in variables
        ]
        weights = None
        if options.class_weights == "balanced" and parts[-1].is_label:
            weights = balanced(parts[-1].rows, parts[-1].distinct)
        return cls(tuple(parts[:-1]), parts[-1], dataset.n, weights)

    def take(self, index: IntArray) -> KernelModel:
        """Return the model on some rows."""
        features = tuple(part.some(index) for part in self.features)
        weights = None if self.weights is None else self.weights[index]
        if weights is not None:
            weights = weights * (len(index) / weights.sum())
        return KernelModel(features, self.target.some(index), len(index), weights)

    @cached_property  # asked for with every factor
    def grows(self) -> bool:
        """Whether a kernel's width depends on the number of features in a product."""
        return any(part.growth for part in self.features)

    def scale(self, feature: int, size: int) -> float:
        """Return by how much a feature's kernel is wider in a product of `size` features."""
        return self.scales(size)[feature]

    def scales(self, size: int) -> tuple[float, ...]:
        """Return by how much the kernel of each feature is wider in a product of `size` features.

        Kept for each size: thousands of features are asked about at every step.
        """
        known = self._scales.get(size)
        if known is None:
            growths = [part.growth for part in self.features]
            of = {growth: growth_factor(growth, self.n, size) for growth in set(growths)}
            known = self._scales[size] = tuple(of[growth] for growth in growths)
        return known

    def widens(self, size: int) -> bool:
        """Return whether kernels are wider in a product of `size` features than of one fewer."""
        return self.scales(size) != self.scales(size - 1)

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
        product = KernelProduct.of(self.n, parts)
        return product if self.weights is None else replace(product, weights=self.weights)


def balanced(classes: IntArray, count: int) -> FloatArray:
    """Return weights (n,) with which classes count alike, nearly so where they are small.

    A row counts 1 / (size of its class + 10), and 1 in the mean: classes of a few rows, that say
    little however much they count, do not drown the others.

    Parameters
    ----------
    classes
        (n,) class of each row.
    count
        How many there are.

    Examples
    --------
    >>> balanced(np.array([0, 0, 0, 1]), 2).round(3).tolist()
    [0.957, 0.957, 0.957, 1.13]
    """
    sizes = np.bincount(classes, minlength=count)
    weights = 1.0 / (sizes[classes] + DAMPING)
    found: FloatArray = weights * (len(classes) / weights.sum())
    return found


def _check_own_bandwidths(
    own: Mapping[str, Bandwidth], dataset: Dataset, nominal: NominalKernel
) -> None:
    kinds = {variable.name: variable.kind for variable in (*dataset.features, *dataset.targets)}
    soft = {variable.name for variable in dataset.features} if nominal == "soft" else set()
    for name in own:
        if name not in kinds:
            close = _validate.nearest(name, kinds)
            near = ", ".join(f"`{word}`" for word in close)
            hint = f"Did you mean {near}?" if close else "`renyi describe` lists them."
            raise ColumnError(f"`bandwidth` must name columns in use, got `{name}`.", hint)
        if kinds[name] is Kind.NOMINAL and name not in soft:
            raise ColumnError(
                f"`bandwidth` names `{name}`, which is nominal and has a delta kernel.",
                "Make it continuous: ",
                Way("kind", {name: "continuous"}),
            )
