"""A small table for estimators."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

LEVELS = ["low", "middle", "high"]


@pytest.fixture(scope="session")
def mixed() -> tuple[pl.DataFrame, pl.Series]:
    """Columns of all sorts, of which `level` and `size` say what the target is."""
    rng = np.random.default_rng(5)
    n = 120
    level, size = rng.integers(0, 3, n), rng.standard_normal(n)
    frame = pl.DataFrame(
        {
            "noise": rng.standard_normal(n),
            "level": pl.Series([LEVELS[k] for k in level], dtype=pl.Enum(LEVELS)),
            "count": rng.integers(0, 9, n),
            "size": size,
            "flag": rng.random(n) < 0.5,
            "word": [str(rng.choice(["p", "q"])) for _ in range(n)],
        }
    )
    y = np.where(level == 2, "yes", np.where(size > 0, "maybe", "no"))
    return frame, pl.Series("outcome", y.tolist())
