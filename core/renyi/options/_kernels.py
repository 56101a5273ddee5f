"""What kernels there are: their names, what they compare, and which option offers them.

Light to import, so that options, help and descriptions can read it. The kernel itself is the module
of `renyi.kernels` that its record names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from renyi._typing import LabelKernel, NominalKernel, NumberKernel

__all__ = [
    "KERNELS",
    "LABEL_KERNELS",
    "NOMINAL_KERNELS",
    "NUMBER_KERNELS",
    "KernelRecord",
    "kernels_for",
    "record_of",
]

Compared: TypeAlias = Literal["numbers", "levels"]
Option: TypeAlias = Literal["kernel", "nominal", "label_kernel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRecord:
    """One kernel.

    Attributes
    ----------
    name
        What options and results call it; its module is `renyi.kernels._<name>`.
    compares
        `numbers` (continuous and ordinal variables) or `levels` (nominal ones).
    options
        Options of a method that offer it.
    bandwidth
        Whether it has one.
    formula
        Its value for two rows.
    """

    name: str
    compares: Compared
    options: tuple[Option, ...]
    bandwidth: bool
    formula: str

    @property
    def module(self) -> str:
        """Where it is built."""
        return f"renyi.kernels._{self.name}"


KERNELS: Final = (
    KernelRecord(
        name="gaussian",
        compares="numbers",
        options=("kernel",),
        bandwidth=True,
        formula="exp(-(a - b)^2 / (2 sigma^2))",
    ),
    KernelRecord(
        name="laplacian",
        compares="numbers",
        options=("kernel",),
        bandwidth=True,
        formula="exp(-|a - b| / sigma)",
    ),
    KernelRecord(
        name="soft",
        compares="levels",
        options=("nominal",),
        bandwidth=True,
        formula="a Gaussian on levels equally far apart, with the spread of a number",
    ),
    KernelRecord(
        name="delta",
        compares="levels",
        options=("kernel", "nominal", "label_kernel"),
        bandwidth=False,
        formula="1 where a = b, else 0",
    ),
    KernelRecord(
        name="onehot",
        compares="levels",
        options=("label_kernel",),
        bandwidth=False,
        formula="1 where a = b, else 1/e",
    ),
)
"""All kernels; an option offers its own in this order."""


def kernels_for(option: Option) -> tuple[str, ...]:
    """Return the names that an option offers.

    Examples
    --------
    >>> kernels_for("label_kernel")
    ('delta', 'onehot')
    """
    return tuple(record.name for record in KERNELS if option in record.options)


NUMBER_KERNELS: Final = cast("tuple[NumberKernel, ...]", kernels_for("kernel"))
NOMINAL_KERNELS: Final = cast("tuple[NominalKernel, ...]", kernels_for("nominal"))
LABEL_KERNELS: Final = cast("tuple[LabelKernel, ...]", kernels_for("label_kernel"))


def record_of(name: str) -> KernelRecord:
    """Return the record of a kernel by its name."""
    return next(record for record in KERNELS if record.name == name)
