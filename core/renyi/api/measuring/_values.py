"""Entropies and information of values given one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renyi._typing import ClassWeights, LabelKernel, NominalKernel, NumberKernel
from renyi.api._entropies import check_given_bandwidth
from renyi.api.measuring._sides import CMI_SIDES, MI_SIDES, Entropy, side_entropies
from renyi.backend import get_backend
from renyi.errors import UsageError
from renyi.io import typed_variables
from renyi.kernels import balanced, build_part, joint_target
from renyi.options import Bandwidth, MethodOptions, method_options
from renyi.variables import Variable

__all__ = ["conditional_mutual_information", "entropy", "mutual_information"]


def entropy(
    x: object,
    *,
    kind: str | None = None,
    alpha: float = 2.0,
    bandwidth: Bandwidth = "steady",
    standardise: str = "zscore",
    kernel: NumberKernel = "gaussian",
    nominal: NominalKernel = "soft",
    backend: str = "numpy",
) -> float:
    """Return the matrix-based Renyi entropy of values, bits.

    Parameters
    ----------
    x
        n values, an array (n, d) or a table; several columns count as one joint variable.
    kind
        `continuous`, `ordinal` or `nominal`; inferred from the type if None.
    alpha, bandwidth, standardise, kernel, nominal, backend
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
    >>> round(entropy(["a", "b", "c", "d"], nominal="delta"), 6)
    2.0
    """
    sides = {"x": typed_variables("x", x, kind=kind)}
    method = method_options(
        alpha=alpha,
        bandwidth=bandwidth,
        standardise=standardise,
        kernel=kernel,
        nominal=nominal,
    )
    return _given_entropies(sides, method, backend)("x").value


def mutual_information(  # noqa: PLR0913 - one keyword for each choice, none hidden
    x: object,
    y: object,
    *,
    kind: str | None = None,
    y_kind: str | None = None,
    alpha: float = 2.0,
    bandwidth: Bandwidth = "steady",
    standardise: str = "zscore",
    kernel: NumberKernel = "gaussian",
    nominal: NominalKernel = "soft",
    label_kernel: LabelKernel = "delta",
    class_weights: ClassWeights | None = None,
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
    alpha, bandwidth, standardise, kernel, backend
        As in `select`.
    nominal, label_kernel
        As in `select`: of nominal values of other sides than y, and of y.
    class_weights
        As in `select`, of y: nominal columns, or columns of numbers.

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
    >>> round(mutual_information(["a", "a", "b", "b"], [0, 0, 1, 1], nominal="delta"), 6)
    1.0
    """
    sides = {
        "x": typed_variables("x", x, kind=kind),
        "y": typed_variables("y", y, kind=y_kind, target=True),
    }
    method = method_options(
        alpha=alpha,
        bandwidth=bandwidth,
        standardise=standardise,
        kernel=kernel,
        nominal=nominal,
        label_kernel=label_kernel,
        class_weights=class_weights,
    )
    of = _given_entropies(sides, method, backend)
    return _sum(of, *MI_SIDES)


def conditional_mutual_information(  # noqa: PLR0913 - one keyword for each choice
    x: object,
    y: object,
    given: object,
    *,
    kind: str | None = None,
    y_kind: str | None = None,
    given_kind: str | None = None,
    alpha: float = 2.0,
    bandwidth: Bandwidth = "steady",
    standardise: str = "zscore",
    kernel: NumberKernel = "gaussian",
    nominal: NominalKernel = "soft",
    label_kernel: LabelKernel = "delta",
    class_weights: ClassWeights | None = None,
    backend: str = "numpy",
) -> float:
    """Return I(x; y | given) = H(x, g) + H(y, g) - H(x, y, g) - H(g), bits.

    Parameters
    ----------
    x, y, given
        n values each, arrays (n, d) or tables.
    kind, y_kind, given_kind
        `continuous`, `ordinal` or `nominal` for each; inferred if None.
    alpha, bandwidth, standardise, kernel, backend
        As in `select`.
    nominal, label_kernel
        As in `select`: of nominal values of other sides than y, and of y.
    class_weights
        As in `select`, of y: nominal columns, or columns of numbers.

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
    >>> kinds = {"kind": "nominal", "given_kind": "nominal", "nominal": "delta"}
    >>> round(conditional_mutual_information(x, y, z, **kinds), 6)
    1.0
    """
    sides = {
        "x": typed_variables("x", x, kind=kind),
        "y": typed_variables("y", y, kind=y_kind, target=True),
        "g": typed_variables("given", given, kind=given_kind),
    }
    method = method_options(
        alpha=alpha,
        bandwidth=bandwidth,
        standardise=standardise,
        kernel=kernel,
        nominal=nominal,
        label_kernel=label_kernel,
        class_weights=class_weights,
    )
    of = _given_entropies(sides, method, backend)
    return _sum(of, *CMI_SIDES)


def _sum(of: Entropy, plus: Sequence[str], minus: Sequence[str]) -> float:
    return sum(of(side).value for side in plus) - sum(of(side).value for side in minus)


def _given_entropies(
    sides: Mapping[str, tuple[Variable, ...]], method: MethodOptions, backend: str
) -> Entropy:
    check_given_bandwidth(method)
    lengths = {side: variables[0].n for side, variables in sides.items()}
    n = lengths[next(iter(lengths))]
    if any(length != n for length in lengths.values()):
        told = ", ".join(f"{'given' if s == 'g' else s} {length}" for s, length in lengths.items())
        raise UsageError(
            f"All sides must have the same number of values, got {told}.",
            "Value k of each side belongs to row k.",
        )
    parts = {
        side: tuple(
            build_part(
                variable,
                scale=method.target_scale if side == "y" else method.standardise,
                bandwidth=method.bandwidth,
                label_kernel=method.label_kernel if side == "y" else "delta",
                nominal="delta" if side == "y" else method.nominal,
                kernel=method.kernel,
            )
            for variable in variables
        )
        for side, variables in sides.items()
    }
    weights = None
    labels = parts.get("y", ())
    if method.class_weights == "balanced" and labels and all(part.is_label for part in labels):
        target = joint_target("y", labels)
        weights = balanced(target.rows, target.distinct)
    return side_entropies(parts, n, method.alpha, get_backend(backend), weights=weights)
