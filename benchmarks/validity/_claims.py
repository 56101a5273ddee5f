"""Two statements about single tables: copies never enter twice, and madelon's relevant columns."""

from __future__ import annotations

import numpy as np

from renyi import datasets
from renyi.errors import RenyiError
from validity._tables import Column, Made

__all__ = ["SAME", "copies_of_everything", "madelon", "madelon_problem", "relevant_columns"]

SAME = (("x1", "x1again"), ("x2", "x2turned"), ("g", "grenamed"), ("z1", "z1scaled"))
"""Columns of which one says all that the other says."""

RELATED = 0.5
"""Correlation with some other column from which a column of madelon counts as relevant. The 20
largest lie between .69 and .99, the 21st is .092: anything between tells the same."""


def copies_of_everything(rng: np.random.Generator) -> Made:
    """Return 200 rows in which true and useless columns have copies.

    logit P(y = 1) = 1.5 x1 + 1.5 x2 + (-1, 0, 1) by the level of g. Copies: x1 as it is, -3 x2 + 7,
    g with its levels renamed in another order, z1 / 1000; a copy stands before or after its source.
    """
    n = 200
    x1, x2, z1, z2, z3 = rng.standard_normal((5, n))
    g = rng.integers(0, 3, n)
    y = rng.random(n) < 1 / (1 + np.exp(-(1.5 * x1 + 1.5 * x2 + g - 1)))
    columns = {
        "x1again": Column(x1.copy()),
        "x1": Column(x1),
        "z1": Column(z1),
        "z2": Column(z2),
        "x2": Column(x2),
        "x2turned": Column(7 - 3 * x2),
        "grenamed": Column(np.array([2, 0, 1])[g], nominal=True),
        "g": Column(g, nominal=True),
        "z1scaled": Column(z1 / 1000),
        "z3": Column(z3),
    }
    return Made(columns, Column(y.astype(np.int64), nominal=True))


def madelon_problem() -> str:
    """Return why madelon cannot be looked at here, in words; empty where it can."""
    try:
        return "" if datasets.locate("madelon") else "the data set madelon is not at hand"
    except RenyiError as problem:
        return str(problem)


def madelon(_: np.random.Generator) -> Made:
    """Return the set of 2600 rows and 500 columns."""
    import polars as pl

    place = datasets.locate("madelon")
    if place is None:
        raise RuntimeError(madelon_problem())
    frame = pl.read_parquet(place)
    *names, target = frame.columns
    columns = {name: Column(frame[name].to_numpy().astype(float)) for name in names}
    codes = np.unique(frame[target].to_numpy(), return_inverse=True)[1]
    return Made(columns, Column(codes.astype(np.int64), nominal=True))


def relevant_columns(made: Made) -> tuple[int, ...]:
    """Return the columns of madelon that matter, from how the set was made.

    Five coordinates of 32 clusters that carry the classes, and 15 linear combinations of them, were
    hidden among 480 columns of independent noise, and the authors published no list of them. What
    is related to no other column is noise: the 20 columns with a correlation of at least `RELATED`
    with some other are the relevant ones. The tests check that they have five large singular values
    (1.45 and more, the other 15 at most .12, in units of standardised columns).
    """
    related = np.abs(np.corrcoef(made.numbers().T))
    np.fill_diagonal(related, 0)
    return tuple(int(j) for j in np.flatnonzero(related.max(axis=0) >= RELATED))
