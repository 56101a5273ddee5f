"""Six made data sets, one for each structure that the numerics treat in its own way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from renyi.variables import Dataset, Variable

__all__ = ["Made", "made_sets", "wide_table"]


@dataclass(frozen=True)
class Made:
    """A data set with the label kernel it is meant for."""

    name: str
    dataset: Dataset
    label_kernel: str = "delta"


def _levels(count: int) -> tuple[str, ...]:
    return tuple(f"level {k}" for k in range(count))


def _classes(score: np.ndarray, count: int) -> Variable:
    """Cut a score into classes of equal size."""
    edges = np.quantile(score, np.linspace(0, 1, count + 1)[1:-1])
    return Variable.nominal("y", np.searchsorted(edges, score), _levels(count))


def made_sets(quick: bool) -> list[Made]:
    """Return the six sets; `continuous` has matrices too large to be solved in stacks."""
    draw = np.random.default_rng(20260101)
    n = 60 if quick else 200
    long = 80 if quick else 300
    x = draw.normal(size=(long, 5))
    continuous = tuple(Variable.continuous(f"x{k}", x[:, k]) for k in range(5))
    by_two = _classes(x[:, 0] + x[:, 1] ** 2, 3)

    z = draw.normal(size=(n, 4))
    codes = draw.integers(0, 4, size=(n, 5))
    nominal = tuple(Variable.nominal(f"c{k}", codes[:, k], _levels(4)) for k in range(5))
    of_codes = _classes(codes[:, 0] + 2 * (codes[:, 1] == 2) + 0.1 * z[:, 0], 2)

    mixed = (
        Variable.continuous("a", z[:, 0]),
        Variable.ordinal("b", codes[:, 0], _levels(4)),
        Variable.nominal("c", codes[:, 1], _levels(4)),
        Variable.continuous("d", z[:, 1:3]),
    )
    of_mixed = z[:, 0] + codes[:, 0] + z[:, 1]

    whole = np.rint(2 * z)
    duplicates = (
        *(Variable.continuous(f"r{k}", whole[:, k]) for k in range(3)),
        Variable.continuous("copy of r0", whole[:, 0]),
        Variable.continuous("one value", np.ones(n)),
    )
    smooth = tuple(Variable.continuous(f"z{k}", z[:, k]) for k in range(4))
    curve = Variable.continuous("y", np.sin(z[:, 0]) + 0.5 * z[:, 1] + 0.1 * z[:, 3])
    return [
        Made("continuous", Dataset(continuous, (by_two,))),
        Made("nominal", Dataset(nominal, (of_codes,))),
        Made("mixed", Dataset(mixed, (_classes(of_mixed, 3),))),
        Made("duplicates", Dataset(duplicates, (_classes(whole[:, 0] + 0.4 * whole[:, 1], 2),))),
        Made("regression", Dataset(smooth, (curve,))),
        Made("one-hot label", Dataset(mixed, (_classes(of_mixed, 3),)), "onehot"),
    ]


def wide_table(rows: int, features: int) -> Dataset:
    """Return continuous columns and a target of three classes that the first two explain."""
    x = np.random.default_rng(rows).normal(size=(rows, features))
    columns = tuple(Variable.continuous(f"x{k}", x[:, k]) for k in range(features))
    return Dataset(columns, (_classes(x[:, 0] + x[:, 1] ** 2, 3),))
