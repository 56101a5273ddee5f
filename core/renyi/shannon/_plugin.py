"""Plug-in Shannon entropies of counted levels, in bits.

H = -sum p log2 p with p = count / n, and I and I(.|.) by the chain rule (Cover and Thomas,
Elements of Information Theory, chapter 2). No bias correction: the chi-square criterion needs the
plain estimate.
"""

from __future__ import annotations

import numpy as np

from renyi._typing import IntArray

__all__ = [
    "conditional_mutual_information",
    "entropy",
    "joint_codes",
    "levels",
    "mutual_information",
]


def joint_codes(*codes: IntArray) -> IntArray:
    """Combine level numbers: rows are equal where they are equal in every part.

    Parameters
    ----------
    *codes
        At least one array of non-negative level numbers, each of shape (n,).

    Returns
    -------
    IntArray
        Level numbers 0..L-1 of the combinations that occur, in lexical order, shape (n,).

    Examples
    --------
    >>> joint_codes(np.array([0, 0, 1, 1]), np.array([0, 5, 0, 0])).tolist()
    [0, 1, 2, 2]
    """
    joint = _packed(codes[0])
    for part in codes[1:]:
        packed = _packed(part)
        # Both factors are at most n, so the product stays far below 2**63.
        joint = _packed(joint * levels(packed) + packed)
    return joint


def _packed(codes: IntArray) -> IntArray:
    if len(codes) == 0:
        return codes
    if int(codes.max()) <= 4 * len(codes) + 1024:  # a table of this size is cheaper than a sort
        present = np.bincount(codes) > 0
        return np.asarray((np.cumsum(present) - 1)[codes], dtype=np.int64)
    return np.unique(codes, return_inverse=True)[1].reshape(-1).astype(np.int64, copy=False)


def levels(codes: IntArray) -> int:
    """Return the number of levels that occur in `codes`, shape (n,)."""
    return int(np.count_nonzero(np.bincount(codes)))


def entropy(codes: IntArray) -> float:
    """Return the plug-in Shannon entropy, bits.

    Parameters
    ----------
    codes
        Non-negative level numbers, shape (n,), n at least 1.

    Examples
    --------
    >>> entropy(np.array([0, 0, 1, 1]))
    1.0
    """
    n = len(codes)
    # Counting the counts keeps the sum's order, and so its rounding, free of the levels' names.
    frequency = np.bincount(np.bincount(codes))
    sizes = np.arange(1, len(frequency))
    return float(np.log2(n) - (frequency[1:] * sizes * np.log2(sizes)).sum() / n)


def mutual_information(x: IntArray, y: IntArray) -> float:
    """Return the plug-in I(x; y) = H(x) + H(y) - H(x, y), bits; codes of shape (n,) each."""
    return entropy(x) + entropy(y) - entropy(joint_codes(x, y))


def conditional_mutual_information(x: IntArray, y: IntArray, given: IntArray | None) -> float:
    """Return the plug-in I(x; y | z) = H(x, z) + H(y, z) - H(x, y, z) - H(z), bits.

    Parameters
    ----------
    x, y
        Level numbers, shape (n,) each.
    given
        Level numbers of z, shape (n,); several variables as their `joint_codes`. None for no
        condition.
    """
    if given is None:
        return mutual_information(x, y)
    xz = joint_codes(x, given)
    yz = joint_codes(y, given)
    return entropy(xz) + entropy(yz) - entropy(joint_codes(xz, y)) - entropy(given)
