"""Entropies and information of values given one by one."""

from __future__ import annotations

from collections.abc import Mapping

from renyi._typing import LabelKernel
from renyi.api._engines import check_given_bandwidth
from renyi.api._sides import Entropy, side_entropies
from renyi.backend import get_backend
from renyi.errors import UsageError
from renyi.io import typed_variables
from renyi.kernels import build_part
from renyi.options import Bandwidth, method_options
from renyi.variables import Variable

__all__ = ["conditional_mutual_information", "entropy", "mutual_information"]


def entropy(
    x: object,
    *,
    kind: str | None = None,
    alpha: float = 2.0,
    bandwidth: Bandwidth = 2.0,
    standardise: str = "zscore",
    backend: str = "numpy",
) -> float:
    """Return the matrix-based Renyi entropy of values, bits.

    Parameters
    ----------
    x
        n values, an array (n, d) or a table; several columns count as one joint variable.
    kind
        `continuous`, `ordinal` or `nominal`; inferred from the type if None.
    alpha, bandwidth, standardise, backend
        As in `select`.

    Returns
    -------
    float
        0 for a constant, at most log2 n.

    Raises
    ------
    UsageError
        If an option breaks its rule.
    DataError
        If values are missing or infinite.

    References
    ----------
    Sanchez Giraldo, Rao, Principe, "Measures of entropy from data using infinitely divisible
    kernels", IEEE Trans. Inf. Theory 61 (2015).

    Examples
    --------
    >>> round(entropy(["a", "b", "c", "d"], alpha=2), 6)
    2.0
    """
    sides = {"x": typed_variables("x", x, kind=kind)}
    return _given_entropies(sides, alpha, bandwidth, standardise, "delta", backend)("x").value


def mutual_information(  # noqa: PLR0913 - one keyword for each choice, none hidden
    x: object,
    y: object,
    *,
    kind: str | None = None,
    y_kind: str | None = None,
    alpha: float = 2.0,
    bandwidth: Bandwidth = 2.0,
    standardise: str = "zscore",
    label_kernel: LabelKernel = "delta",
    backend: str = "numpy",
) -> float:
    """Return the matrix-based Renyi mutual information I(x; y), bits.

    Parameters
    ----------
    x, y
        n values each, arrays (n, d) or tables. Whole numbers in `y` are read as a target's are:
        few distinct ones are classes.
    kind, y_kind
        `continuous`, `ordinal` or `nominal` for x and y; inferred if None.
    alpha, bandwidth, standardise, label_kernel, backend
        As in `select`.

    Returns
    -------
    float
        Can be negative for alpha other than 1.

    Raises
    ------
    UsageError
        If an option breaks its rule, or lengths differ.
    DataError
        If values are missing or infinite.

    Examples
    --------
    >>> round(mutual_information(["a", "a", "b", "b"], [0, 0, 1, 1], alpha=2), 6)
    1.0
    """
    sides = {
        "x": typed_variables("x", x, kind=kind),
        "y": typed_variables("y", y, kind=y_kind, target=True),
    }
    of = _given_entropies(sides, alpha, bandwidth, standardise, label_kernel, backend)
    return of("x").value + of("y").value - of("xy").value


def conditional_mutual_information(  # noqa: PLR0913 - one keyword for each choice
    x: object,
    y: object,
    given: object,
    *,
    kind: str | None = None,
    y_kind: str | None = None,
    given_kind: str | None = None,
    alpha: float = 2.0,
    bandwidth: Bandwidth = 2.0,
    standardise: str = "zscore",
    label_kernel: LabelKernel = "delta",
    backend: str = "numpy",
) -> float:
    """Return I(x; y | given) = H(x, g) + H(y, g) - H(x, y, g) - H(g), bits.

    Parameters
    ----------
    x, y, given
        n values each, arrays (n, d) or tables.
    kind, y_kind, given_kind
        `continuous`, `ordinal` or `nominal` for each; inferred if None.
    alpha, bandwidth, standardise, label_kernel, backend
        As in `select`.

    Returns
    -------
    float
        Can be negative for alpha other than 1.

    Raises
    ------
    UsageError
        If an option breaks its rule, or lengths differ.
    DataError
        If values are missing or infinite.

    Examples
    --------
    XOR: nothing alone, everything together.

    >>> x, z, y = [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]
    >>> round(conditional_mutual_information(x, y, z, alpha=2), 6)
    1.0
    """
    sides = {
        "x": typed_variables("x", x, kind=kind),
        "y": typed_variables("y", y, kind=y_kind, target=True),
        "g": typed_variables("given", given, kind=given_kind),
    }
    of = _given_entropies(sides, alpha, bandwidth, standardise, label_kernel, backend)
    return of("xg").value + of("yg").value - of("xyg").value - of("g").value


def _given_entropies(
    sides: Mapping[str, tuple[Variable, ...]],
    alpha: float,
    bandwidth: Bandwidth,
    standardise: str,
    label_kernel: LabelKernel,
    backend: str,
) -> Entropy:
    method = method_options(
        alpha=alpha, bandwidth=bandwidth, standardise=standardise, label_kernel=label_kernel
    )
    check_given_bandwidth(method)
    lengths = {side: variables[0].n for side, variables in sides.items()}
    n = lengths[next(iter(lengths))]
    if any(length != n for length in lengths.values()):
        told = ", ".join(f"{'given' if s == 'g' else s} {length}" for s, length in lengths.items())
        raise UsageError(f"All sides must have the same number of values, got {told}.")
    parts = {
        side: tuple(
            build_part(
                variable,
                scale=method.standardise,
                bandwidth=method.bandwidth,
                label_kernel=method.label_kernel if side == "y" else "delta",
            )
            for variable in variables
        )
        for side, variables in sides.items()
    }
    return side_entropies(parts, n, method.alpha, get_backend(backend))
