"""Small tables with a known answer."""

from __future__ import annotations

import numpy as np
import pytest

from renyi.variables import Dataset, Variable


@pytest.fixture
def classes() -> Dataset:
    """Two informative columns of different weight, one of noise, three classes in text order."""
    rng = np.random.default_rng(5)
    codes = rng.integers(3, size=90)
    first = codes + rng.normal(scale=0.6, size=90)
    second = (codes == 1) + rng.normal(scale=0.7, size=90)
    noise = rng.normal(size=90)
    grade = Variable.nominal("grade", rng.integers(3, size=90), ("a", "b", "c"))
    columns = tuple(
        Variable.continuous(name, values)
        for name, values in (("first", first), ("second", second), ("noise", noise))
    )
    return Dataset((*columns, grade), (Variable.nominal("y", codes, ("l", "m", "n")),))


@pytest.fixture
def numbers() -> Dataset:
    """One informative column and one of noise, a number to be predicted."""
    rng = np.random.default_rng(6)
    x, noise = rng.normal(size=(2, 80))
    y = 2.0 * x + rng.normal(scale=0.5, size=80)
    features = (Variable.continuous("x", x), Variable.continuous("noise", noise))
    return Dataset(features, (Variable.continuous("y", y),))
