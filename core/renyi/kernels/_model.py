"""From typed variables to kernels: which kernel, which width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Final, Protocol, cast

import numpy as np

from renyi import _validate
from renyi._typing import FloatArray, IntArray, LabelKernel, NominalKernel, NumberKernel
from renyi.errors import ColumnError, Way
from renyi.kernels._bandwidth import growth_factor
from renyi.kernels._given import Given
from renyi.kernels._part import KernelPart
from renyi.kernels._product import KernelProduct
from renyi.options import Bandwidth, MethodOptions, record_of
from renyi.variables import Dataset, Kind, Variable

__all__ = ["KernelModel", "balanced", "build_part", "joined", "joint_target"]

DAMPING: Final = 10.0
"""Rows added to each class before it is weighed by its size. Without it seven classes of 5 to 15
rows each cost a table of genes a sixth of its accuracy (docs/decisions/0027)."""


class Builder(Protocol):
    """Builds the kernel of a variable: the function `build` of a kernel's module."""

    def __call__(self, variable: Variable, given: Given) -> KernelPart:
        """Return the kernel of a variable under the options given."""
        ...


def builder_of(name: str) -> Builder:
    """Return what builds a kernel, by the module that its record names."""
    return cast("Builder", import_module(record_of(name).module).build)


def build_part(
    variable: Variable,
    *,
    scale: str,
    bandwidth: Bandwidth,
    label_kernel: LabelKernel = "delta",
    nominal: NominalKernel = "delta",
    kernel: NumberKernel = "gaussian",
    weights: FloatArray | None = None,
) -> KernelPart:
    """Build one variable's kernel: by its numbers, or by its levels if it is nominal.

    Numbers some of which are missing have the product of two kernels: that of a nominal variable
    which says whether a value is there, and that of the values, where those missing are alike;
    where numbers are compared by equality, a missing one is a level more.
    A group of d columns has the geometric mean of their kernels: each to the power 1 / d, and
    multiplied. That of Gaussians is one whose mean squared distance is that of a single number.

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
    kernel
        That of numbers, `gaussian`, `laplacian` or `delta`.
    weights
        (n,) how much each row counts for a scale; None where all count alike.

    Raises
    ------
    DataError
        If values divided by sigma overflow.
    """
    if variable.members:
        parts = [
            build_part(
                member,
                scale=scale,
                bandwidth=bandwidth,
                label_kernel=label_kernel,
                nominal=nominal,
                kernel=kernel,
                weights=weights,
            )
            for member in variable.members
        ]
        return joined(variable.name, [part.root(len(parts)) for part in parts])
    if variable.kind is Kind.NOMINAL:
        name: str = "onehot" if label_kernel == "onehot" else nominal
    else:
        name = kernel
    given = Given(scale, bandwidth, weights)
    part = builder_of(name)(variable, given)
    if variable.missing is None or variable.kind is Kind.NOMINAL or part.is_hard:
        return part  # where only equal values are alike, none is a level like any other
    lacks = builder_of(nominal)(variable.lacks, given)
    return replace(joined(variable.name, (part, lacks)), missing=variable.missing, members=())


def joined(name: str, parts: Sequence[KernelPart]) -> KernelPart:
    """Return a product of kernels as one part, for what is taken or left together.

    Parameters
    ----------
    name
        What the whole is called.
    parts
        Over the same rows, whose widths, where they grow, grow alike. The first that compares
        numbers, else the first that has a width, says kernel and bandwidth.
    """
    columns = tuple(column for part in parts for column in part.columns)
    if len(parts) == 1:
        return replace(parts[0], name=name, members=columns)
    product = KernelProduct.of(parts[0].n, parts)
    first = max(parts, key=lambda part: (part.sigma is not None) + part.compares_numbers)
    return KernelPart(
        name,
        first.kernel,
        product.coordinates,
        product.codes,
        product.soft,
        product.rows,
        product.distinct,
        first.sigma,
        first.growth,
        product.tiled,
        members=columns,
    )


def joint_target(name: str, targets: Sequence[KernelPart]) -> KernelPart:
    """Return the kernel of one target as it is, of several their product.

    Widths that depend on the number of features go by the number of targets among themselves.
    """
    if len(targets) == 1:
        return targets[0]
    wide = [part.at(len(targets)) for part in targets]
    return replace(joined(name, wide), growth="")


@dataclass(frozen=True, eq=False)
class KernelModel:
    """The kernels of a data set under the options of a method.

    Attributes
    ----------
    features
        One part per feature, in column order.
    target
        The target's part, of several targets their product; it is the same in every product.
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
        own = dict(options.bandwidths)
        _check_own_bandwidths(own, dataset, options.nominal)
        features = tuple(
            build_part(
                variable,
                scale=options.standardise,
                bandwidth=own.get(variable.name, options.bandwidth),
                nominal=options.nominal,
                kernel=options.kernel,
                weights=dataset.weights,
            )
            for variable in dataset.features
        )
        targets = [
            build_part(
                variable,
                scale=options.target_scale,
                bandwidth=own.get(variable.name, options.bandwidth),
                label_kernel=options.label_kernel,
                kernel=options.kernel,
                weights=dataset.weights,
            )
            for variable in dataset.targets
        ]
        target = joint_target(dataset.target.name, targets)
        weights = dataset.weights
        if options.class_weights == "balanced" and all(part.is_label for part in targets):
            weights = balanced(target.rows, target.distinct, weights)
        return cls(features, target, dataset.n, weights)

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

    @cached_property
    def by_values(self) -> bool:
        """Whether of some feature's kernel no more is known than its values."""
        return any(part.is_tiled for part in self.features)

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


def balanced(classes: IntArray, count: int, weights: FloatArray | None = None) -> FloatArray:
    """Return weights (n,) with which classes count alike, nearly so where they are small.

    A row counts 1 / (size of its class + 10), and 1 in the mean: classes of a few rows, that say
    little however much they count, do not drown the others.

    Parameters
    ----------
    classes
        (n,) class of each row.
    count
        How many there are.
    weights
        (n,) how much each row counts within its class; None where all count alike.

    Examples
    --------
    >>> balanced(np.array([0, 0, 0, 1]), 2).round(3).tolist()
    [0.957, 0.957, 0.957, 1.13]
    """
    sizes = np.bincount(classes, weights, count)
    shares = 1.0 / (sizes[classes] + DAMPING)
    if weights is not None:
        shares = shares * weights
    found: FloatArray = shares * (len(classes) / shares.sum())
    return found


def _check_own_bandwidths(
    own: Mapping[str, Bandwidth], dataset: Dataset, nominal: NominalKernel
) -> None:
    kinds = {variable.name: variable.kind for variable in (*dataset.features, *dataset.targets)}
    groups = {column.name: one.name for one in dataset.features for column in one.members}
    soft = {variable.name for variable in dataset.features} if nominal == "soft" else set()
    for name in own:
        if name in groups:
            raise ColumnError(
                f"`bandwidth` must name a group as a whole, got `{name}` of `{groups[name]}`.",
                f"Give it to `{groups[name]}`.",
            )
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
