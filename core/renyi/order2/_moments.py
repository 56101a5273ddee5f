r"""Mean and standard deviation of a gain over all orders of a candidate's rows, at order 2.

With W the squared Gram of what is given, Y that of the target and F that of a candidate, the gain
is log2(T2 / T1) and a constant, where T1 sums W_ij F_ij over all pairs of rows and T2 sums
W_ij Y_ij F_ij. In a random order of the rows of F both are Mantel statistics, whose first two
moments are known (Mantel, Cancer Research 27, 1967). For symmetric C and B of zero diagonal and a
mean of zero off it, with Q the sum of squares, R that of squared row sums and (n)_k = n (n - 1) ...
(n - k + 1), the variance of the sum of C_ij B_p(i)p(j) over all orders p is

    2 Q_C Q_B / (n)_2 + 4 U_C U_B / (n)_3 + (2 Q_C + 4 U_C) (2 Q_B + 4 U_B) / (n)_4,  U = R - Q;

a matrix is brought to mean zero without a change of it. The gain is taken to first order:
C = W Y / mu2 - W / mu1 with mu1, mu2 the means of T1 and T2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import FloatArray

__all__ = ["Chance", "GivenSums", "KernelSums", "chance_of"]

LEAST_BITS: Final = 1e-9
"""A standard deviation below it is one of rounding: no order of the rows changes the gain."""

TIE_BITS: Final = 1e-9
"""Gains that are closer count as equal, as in `renyi.racing`."""

LEAST_SPREAD: Final = 1e-6
"""Bits: ties are not told by the deviation of a gain that hardly varies."""

LEAST_BELIEVED: Final = 0.5
"""Of the deviation to expect of a candidate, what a few orders of the rows may undercut."""

ROWS_BYTES: Final = 2**26
"""Bytes of row sums of many candidates at once."""


@dataclass(frozen=True, eq=False)
class GivenSums:
    """Sums over W and W Y, the squared Grams of what is given, without and with the target.

    Attributes
    ----------
    rows, target_rows
        (n,) row sums of W and of W Y, their diagonals left out.
    total, target_total
        Sums of W and of W Y over pairs of different rows, each twice.
    squares, cross, target_squares
        Of W^2, of W times W Y and of (W Y)^2 over the same.
    diagonal
        The sum of W's diagonal: the number of rows, or more where they have weights.
    count
        Number of rows.
    products
        Where row sums are estimates, which are left out then: estimates of their squares, of W and
        of W Y, and between the two of their products, over all rows, their means taken off.
    """

    rows: FloatArray
    target_rows: FloatArray
    total: float
    target_total: float
    squares: float
    cross: float
    target_squares: float
    diagonal: float
    count: int = 0
    products: tuple[float, float, float] | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.count or len(self.rows)

    @property
    def conditional(self) -> float:
        """H(y | S'), bits."""
        return float(np.log2((self.diagonal + self.total) / (self.diagonal + self.target_total)))


@dataclass(frozen=True, slots=True)
class KernelSums:
    """Sums over one squared Gram, its diagonal left out.

    Attributes
    ----------
    total
        Of all entries.
    squares
        Of their squares.
    row_squares
        Of squared row sums.
    largest
        Largest distance of a row sum from their mean.
    """

    total: float
    squares: float
    row_squares: float
    largest: float

    @classmethod
    def of(cls, total: float, squares: float, rows: FloatArray) -> KernelSums:
        """Return those whose row sums (n,) are known, one by one."""
        largest = float(np.abs(rows - total / len(rows)).max())
        return cls(float(total), float(squares), float(rows @ rows), largest)


@dataclass(frozen=True, eq=False)
class Chance:
    """What chance gives each of many candidates.

    Attributes
    ----------
    gain
        (F,) the gain in the mean over all orders of the rows, bits.
    deviation
        (F,) its standard deviation over these, bits, at least 1e-9.
    reach
        (F,) how far one row alone may move a gain, in standard deviations.
    """

    gain: FloatArray
    deviation: FloatArray
    reach: FloatArray

    @classmethod
    def of_draws(cls, gains: FloatArray, known: Chance) -> Chance:
        """Return what is estimated from gains of a few orders of the rows.

        A column of few values other than one may not be moved by so few orders: no deviation is
        believed to be less than half of what that over all orders leads to expect.

        Parameters
        ----------
        gains
            (draws, F) of orders that the rows allow.
        known
            What chance gives over all orders of the rows, at order 2.
        """
        deviation = np.maximum(gains.std(axis=0, ddof=1), LEAST_SPREAD)
        varies = known.deviation > LEAST_SPREAD
        if varies.any():
            scale = float(np.median(deviation[varies] / known.deviation[varies]))
            deviation = np.maximum(deviation, LEAST_BELIEVED * scale * known.deviation)
        return cls(gains.mean(axis=0), deviation, np.full(gains.shape[1], np.inf))

    @classmethod
    def by_control(cls, gains: FloatArray, controls: FloatArray, known: Chance) -> Chance:
        """Return the same with the help of other gains in the same orders, whose chance is known.

        Each column of gains is regressed on its control: the mean moves by what the controls are
        off theirs, and of the variance that the control explains its own is put in.

        Parameters
        ----------
        gains
            (draws, F), three draws at least.
        controls
            (draws, F) gains that vary with them.
        known
            What chance gives the controls.
        """
        own, other = gains - gains.mean(axis=0), controls - controls.mean(axis=0)
        spread = (other**2).sum(axis=0)
        varies = (spread > 0) & (known.deviation > LEAST_SPREAD)
        slope = np.where(varies, (own * other).sum(axis=0) / np.where(varies, spread, 1.0), 0.0)
        left = ((own - slope * other) ** 2).sum(axis=0) / (len(gains) - 2)
        deviation = np.sqrt(left + (slope * known.deviation) ** 2)
        return cls(
            gains.mean(axis=0) + slope * (known.gain - controls.mean(axis=0)),
            np.maximum(deviation, LEAST_SPREAD),
            np.full(gains.shape[1], np.inf),
        )

    @property
    def tie(self) -> float:
        """What counts as a tie, standard deviations."""
        return TIE_BITS / max(float(self.deviation.min()), LEAST_SPREAD)

    def part(self, places: Sequence[int]) -> Chance:
        """Return what it gives some of the candidates."""
        some = list(places)
        return Chance(self.gain[some], self.deviation[some], self.reach[some])

    def above(self, gains: FloatArray) -> FloatArray:
        """Return the gains above chance, bits."""
        return np.asarray(gains - self.gain)

    def standardised(self, gains: FloatArray) -> FloatArray:
        """Return the gains above chance in standard deviations."""
        return np.asarray(self.above(gains) / self.deviation)


def chance_of(
    given: GivenSums, kernels: Sequence[KernelSums], rows_bytes: int = ROWS_BYTES
) -> Chance:
    """Return what chance gives candidates with such squared Grams.

    Parameters
    ----------
    given
        Sums over what is given.
    kernels
        Sums over each candidate.
    rows_bytes
        Bytes of row sums of many candidates at once.
    """
    n = float(given.n)
    pairs = n * (n - 1)
    total, squares, row_squares, largest = (
        np.array([getattr(one, name) for one in kernels], dtype=np.float64)
        for name in KernelSums.__slots__
    )
    first = given.diagonal + given.total * total / pairs
    second = given.diagonal + given.target_total * total / pairs
    gain = np.log2(second / first) + given.conditional
    c_squares, c_rows, c_largest = _contrasts(given, first, second, rows_bytes)
    b_squares = np.maximum(squares - total**2 / pairs, 0.0)
    b_rows = np.maximum(row_squares - total**2 / n, 0.0)
    variance = _variance(n, (c_squares, c_rows), (b_squares, b_rows))
    deviation = np.maximum(np.sqrt(variance) / np.log(2.0), LEAST_BITS)
    reach = 2.0 * c_largest * largest / (n * np.log(2.0) * deviation)
    return Chance(gain, deviation, reach)


def _contrasts(
    given: GivenSums, first: FloatArray, second: FloatArray, rows_bytes: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Q, R and the largest row sum of C, brought to mean zero, for each candidate."""
    n = float(given.n)
    total = given.target_total / second - given.total / first
    squares = (
        given.target_squares / second**2
        - 2 * given.cross / (first * second)
        + given.squares / first**2
    )
    squares = np.maximum(squares - total**2 / (n * (n - 1)), 0.0)
    rows, largest = np.empty(len(first)), np.full(len(first), np.inf)
    if given.products is not None:
        own, both, theirs = given.products
        rows = theirs / second**2 - 2 * both / (first * second) + own / first**2
        return squares, np.maximum(rows, 0.0), largest
    size = max(1, rows_bytes // (8 * given.n))
    for start in range(0, len(first), size):
        part = slice(start, start + size)
        # row by row, not by expanding the square: the two terms nearly cancel
        sums = given.target_rows / second[part, None] - given.rows / first[part, None]
        sums -= sums.mean(axis=1, keepdims=True)
        rows[part] = np.einsum("ij,ij->i", sums, sums)
        largest[part] = np.abs(sums).max(axis=1)
    return squares, rows, largest


def _variance(
    n: float, left: tuple[FloatArray, FloatArray], right: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Return the variance from Q and R of two families of matrices of mean zero."""
    (q_left, r_left), (q_right, r_right) = left, right
    u_left, u_right = r_left - q_left, r_right - q_right
    pairs, triples = n * (n - 1), n * (n - 1) * (n - 2)
    fours = triples * (n - 3)
    found = 2 * q_left * q_right / pairs
    if n > 2:
        found = found + 4 * u_left * u_right / triples
    if n > 3:  # with three rows there are no two pairs without a row in common
        found = found + 4 * (q_left + 2 * u_left) * (q_right + 2 * u_right) / fours
    return np.maximum(found, 0.0)
