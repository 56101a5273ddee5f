"""Single true columns that chance, levels or unequal classes once hid, and many weak true ones."""

from __future__ import annotations

import numpy as np

from validity._tables import Column
from validity._truth import Drawn, Problem

__all__ = ["BINARY", "CASES"]

STRONG, BINARIES = 8, 50


def _agreeing(rng: np.random.Generator, rows: int) -> Drawn:
    y = rng.integers(0, 2, rows)
    agrees = rng.random(rows) < 0.68
    columns = {
        "true": Column(np.where(agrees, y, 1 - y), nominal=True),
        "city": Column(rng.integers(0, 40, rows), nominal=True),
        "noise": Column(rng.standard_normal(rows)),
    }
    return Drawn(columns, np.empty((rows, 0)), Column(y, nominal=True))


def _site(rng: np.random.Generator, rows: int) -> Drawn:
    t = rng.standard_normal(rows)
    columns = {"t": Column(t), "site": Column(rng.integers(0, 15, rows), nominal=True)}
    return Drawn(columns, t[:, None])


def _word(rng: np.random.Generator, rows: int) -> Drawn:
    common = np.arange(rows) < 0.625 * rows
    there = common & (rng.random(rows) < 0.35)
    word = np.where(there, rng.exponential(1, rows), 0.0)
    target = Column(common.astype(np.int64), nominal=True)
    return Drawn({"word": Column(word)}, np.empty((rows, 0)), target)


def _binary(rng: np.random.Generator, rows: int) -> Drawn:
    x = rng.integers(0, 2, (rows, BINARIES)).astype(float)
    columns = {f"x{j + 1}": Column(x[:, j]) for j in range(BINARIES)}
    return Drawn(columns, 2.5 * (x[:, :STRONG] - 0.5))


CASES = (
    Problem(
        "agreeing",
        "a fair coin y; *true*, two names, agrees with it in 68% of rows; a random city of 40 "
        "categories; a column of noise",
        300,
        ("true",),
        _agreeing,
    ),
    Problem(
        "site",
        "*t* standard normal, logit P(y = 1) = t; a random site of 15 categories",
        200,
        ("t",),
        _site,
    ),
    Problem(
        "word",
        "*word* alone: 0, but an exponential count in 35% of the rows of the commoner class, which "
        "has 250 of 400",
        400,
        ("word",),
        _word,
    ),
)
"""Three tables of one true column."""

BINARY = Problem(
    "binary",
    f"{BINARIES} fair columns of zeros and ones; logit P(y = 1) = 2.5 times the sum of x - 1/2 "
    f"over the first {STRONG}",
    400,
    tuple(f"x{j + 1}" for j in range(STRONG)),
    _binary,
)
