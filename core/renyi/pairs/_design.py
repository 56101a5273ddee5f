r"""Which pairs of rows a sum is estimated from, and how far such an estimate may be off.

The rows, in one random order, are cut into an odd number G of blocks. Pairs of rows within a block
are all taken. Of pairs across blocks those of blocks a and a + d (mod G) make up the lag d, one of
M = (G - 1) / 2; m of these are drawn without replacement. With S_0 the sum of a symmetric matrix
over pairs within blocks and S_d that over the pairs of lag d, the estimate

    S_0 + 2 (M / m) sum_{d drawn} S_d

of the sum over all pairs is unbiased (Horvitz and Thompson, JASA 47, 1952). Each row meets as many
others as every other row does: what rows have on average cancels as in the sum over all pairs, and
only what is a matter of pairs is estimated (Blom, Biometrika 63, 1976).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from renyi._random import permutation, stream
from renyi._typing import FloatArray, IntArray

__all__ = ["INTERVAL", "PairDesign", "fewest_rows", "turned"]

GROUPS: Final = 12
"""Parts of the lags drawn, among which an error is told: an interval of 95% is then 2.2 standard
errors to either side, where 1.96 would do with very many."""

INTERVAL: Final = 2.201
"""That number: the quantile .975 of Student's t with 11 degrees of freedom."""

LEAST_BLOCK: Final = 4
"""Rows of a block at least: of fewer the work is all overhead."""

MOST_BLOCK: Final = 1024
"""Rows of a block beyond which lags become more instead: tiles stay within a cache."""

ROUNDED: Final = 1e-12
"""An error below it, as a share of its number, is rounding: the number is exact."""

LEAST_PAIRS: Final = LEAST_BLOCK * (2 * GROUPS + 1)
"""Rows times the share of pairs, at least."""


def fewest_rows(share: float) -> int:
    """Return the rows from which such a share of pairs can be drawn.

    Examples
    --------
    >>> fewest_rows(0.05)
    2000
    """
    return int(np.ceil(LEAST_PAIRS / share - 1e-9))


@dataclass(frozen=True, eq=False)
class PairDesign:
    """The pairs that are drawn.

    Attributes
    ----------
    order
        (n,) order of the rows that is cut into blocks.
    edges
        (G + 1,) where the blocks begin and end.
    lags
        (m,) those drawn, in the order of the groups that they make up.
    """

    order: IntArray
    edges: IntArray
    lags: IntArray

    @classmethod
    def of(cls, n: int, share: float, seed: int) -> Self:
        """Draw a share of all pairs.

        Parameters
        ----------
        n
            Rows, at least `fewest_rows`.
        share
            Of all pairs of rows, above 0 and below 1.
        seed
            The user's.
        """
        drawn = GROUPS
        while n * share / (2 * drawn + 1) > MOST_BLOCK:
            drawn *= 2
        blocks = max(round((2 * drawn + 1) / share - 1) // 2 * 2 + 1, 2 * drawn + 1)
        return cls.cut(n, blocks, drawn, seed)

    @classmethod
    def cut(cls, n: int, blocks: int, drawn: int, seed: int) -> Self:
        """Cut rows into an odd number of blocks, and draw so many lags, a multiple of 12."""
        edges = np.linspace(0, n, blocks + 1).round().astype(np.int64)
        lags = 1 + stream(seed, "lags of pairs").permutation(blocks // 2)[:drawn]
        return cls(permutation(n, seed, "pairs"), edges, lags.astype(np.int64, copy=False))

    def by_class(self, classes: IntArray) -> Self:
        """Return the same with the rows of each block by class (n,), which changes no sum."""
        block = np.repeat(np.arange(self.blocks), np.diff(self.edges))
        return replace(self, order=self.order[np.lexsort((classes[self.order], block))])

    @property
    def blocks(self) -> int:
        """How many there are."""
        return len(self.edges) - 1

    @property
    def lags_there(self) -> int:
        """How many lags there are to draw from."""
        return self.blocks // 2

    @property
    def groups(self) -> int:
        """Parts of the lags drawn, of as many each."""
        return min(GROUPS, len(self.lags))

    @property
    def in_group(self) -> int:
        """Lags of each part."""
        return len(self.lags) // self.groups

    @property
    def share(self) -> float:
        """Of all pairs of rows, those that are drawn."""
        return (1 + 2 * len(self.lags)) / self.blocks

    @property
    def left(self) -> float:
        """Share of the lags that was not drawn: with none there is no error."""
        return 1 - len(self.lags) / self.lags_there

    def block(self, number: int) -> slice:
        """Return where a block is, counted round."""
        own = number % self.blocks
        return slice(int(self.edges[own]), int(self.edges[own + 1]))

    def estimates(self, within: FloatArray, groups: FloatArray, power: int = 1) -> FloatArray:
        """Return sums over all pairs: from all lags, then leaving out one group after the other.

        Parameters
        ----------
        within
            (...) the sum over ordered pairs within blocks.
        groups
            (groups, ...) those over the pairs of each group's lags, each pair once.
        power
            Of the weight that pairs across blocks have: 2 for sums of the squares of weighed
            entries.

        Returns
        -------
        (1 + groups, ...)
        """
        drawn, there = len(self.lags), self.lags_there
        total = groups.sum(axis=0)
        fewer = drawn - self.in_group
        every = within + 2 * (there / drawn) ** power * total
        without = within + 2 * (there / fewer) ** power * (total - groups)
        return np.concatenate((every[None], without))

    def errors(self, estimates: FloatArray) -> FloatArray:
        """Return the standard errors of numbers made from `estimates`, by the jackknife.

        Parameters
        ----------
        estimates
            (1 + groups, ...) of any smooth function of the sums.
        """
        some = estimates[1:]
        spread = ((some - some.mean(axis=0)) ** 2).sum(axis=0)
        found = np.sqrt(self.left * (len(some) - 1) / len(some) * spread)
        return np.where(found <= ROUNDED * (1 + np.abs(estimates[0])), 0.0, found)

    def row_variances(self, products: FloatArray) -> FloatArray:
        """Return the variances of estimated row sums, added up over rows, as in `estimates`.

        By so much squared row sums, or products of those of two matrices, are too large in the
        mean.

        Parameters
        ----------
        products
            (groups, groups) products over rows of the row sums of one matrix over the pairs of each
            group with those of another, or of the same.

        Returns
        -------
        (1 + groups,)
        """
        count, there, size = len(products), self.lags_there, self.in_group
        means = products.mean(axis=0) + products.mean(axis=1)
        own = (np.diagonal(products) - means + products.mean()) / size**2
        spreads = np.append(
            own.sum() / (count - 1), (own.sum() - own * count / (count - 1)) / (count - 2)
        )
        counts = np.append(count, np.full(count, count - 1))
        return np.asarray(there**2 * (1 - counts * size / there) * spreads / counts)


def turned(order: IntArray, cut: IntArray) -> IntArray:
    """Return an order of the table's rows as one of the rows that have been put into order `cut`.

    Parameters
    ----------
    order
        (n,) row k of a shuffled table is row order[k].
    cut
        (n,) row k of the rows that were put into order is row cut[k] of the table.
    """
    back = np.empty_like(cut)
    back[cut] = np.arange(len(cut))
    return back[order[cut]]
