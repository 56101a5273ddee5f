"""Streams of randomness keyed by what they are for.

Every draw comes from its own generator, keyed by (seed, purpose, indices). Nothing depends on
which worker draws, in which order, or on how many draws came before.
"""

from __future__ import annotations

import zlib

import numpy as np

from renyi._typing import IntArray

__all__ = ["permutation", "stream"]


def stream(seed: int, purpose: str, *indices: int) -> np.random.Generator:
    """Return the generator of one purpose.

    Parameters
    ----------
    seed
        The user's seed, a non-negative integer.
    purpose
        A word that names the use, such as ``"permutation"`` or ``"rows"``.
    *indices
        Further keys: step, replicate, ...

    Examples
    --------
    >>> stream(0, "rows").integers(100) == stream(0, "rows").integers(100)
    np.True_
    """
    key = (zlib.crc32(purpose.encode()), *indices)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def permutation(n: int, seed: int, purpose: str, *indices: int) -> IntArray:
    """Return a uniformly random order of `n` rows, shape (n,)."""
    return stream(seed, purpose, *indices).permutation(n).astype(np.int64, copy=False)
