"""Tables made on the spot: Breiman's waveforms.

Three triangular base waves of height 6 lie on 21 points, with peaks at points 7 (A), 15 (B) and
11 (C). Class 0 mixes A and B, class 1 A and C, class 2 B and C: a row is u times the first plus
1 - u times the second, u uniform on [0, 1], plus standard normal noise at every point. Points 1 and
21 are noise alone in every class. Breiman, Friedman, Olshen, Stone, Classification and Regression
Trees, 1984, pp. 43-49. The second version adds 19 columns of pure noise.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from renyi import _validate
from renyi._random import stream
from renyi._typing import FloatArray
from renyi.backend import get_backend
from renyi.errors import MemoryBudgetError
from renyi.io import write_table

__all__ = ["GENERATED", "generate", "write_generated"]

GENERATED: Final = ("waveform", "waveform_noise")
"""Names of the sets that can be made."""
TARGET: Final = "class"

_POINTS: Final = 21
_HEIGHT: Final = 6.0
_PEAKS: Final = (7, 15, 11)
_PAIRS: Final = ((0, 1), (0, 2), (1, 2))
"""The base waves that each class mixes."""
_NOISE_COLUMNS: Final = 19
_COPIES: Final = 5
"""Tables of the final size that are in memory at once while one is made."""
_DECIMALS: Final = 2
"""As the published sets have."""


def generate(name: str, rows: int, seed: int = 0) -> pl.DataFrame:
    """Make a table.

    Parameters
    ----------
    name
        `waveform` (x1 to x21) or `waveform_noise` (x1 to x40).
    rows
        How many.
    seed
        The same seed gives the same table; with it, the first 21 columns and the classes of
        both sets are the same.

    Returns
    -------
    polars.DataFrame
        Float64 features to two decimals, and the integer target `class`, 0 to 2.

    Raises
    ------
    OptionError
        If the name is unknown, or rows or seed are out of range.
    MemoryBudgetError
        If so many rows do not fit into memory.

    Examples
    --------
    >>> generate("waveform", rows=3, seed=0).shape
    (3, 22)
    """
    _validate.choice("name", name, GENERATED, "`waveform` has 21 columns.")
    rows = _validate.positive_integer("rows", rows, "5000 is usual.")
    seed = _validate.whole_number("seed", seed, 0, "0 is the default.")
    _check_memory(rows, _POINTS + (_NOISE_COLUMNS if name == "waveform_noise" else 0))
    classes = stream(seed, "waveform class").integers(len(_PAIRS), size=rows)
    waves = _base_waves()
    pairs = np.array(_PAIRS)[classes]
    share = stream(seed, "waveform share").random((rows, 1))
    values = share * waves[pairs[:, 0]] + (1 - share) * waves[pairs[:, 1]]
    values += stream(seed, "waveform noise").standard_normal((rows, _POINTS))
    if name == "waveform_noise":
        extra = stream(seed, "waveform extra").standard_normal((rows, _NOISE_COLUMNS))
        values = np.hstack([values, extra])
    values = np.round(values, _DECIMALS) + 0.0  # no -0.0
    columns = {f"x{number}": column for number, column in enumerate(values.T, start=1)}
    return pl.DataFrame({**columns, TARGET: classes.astype(np.int64)})


def write_generated(
    name: str, file: str | os.PathLike[str], *, rows: int, seed: int = 0, force: bool = False
) -> Path:
    """Make a table and write it; Parquet also carries the name of the target.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    OptionError
        As `generate`.
    OutputError
        If it cannot be written there.
    """
    return write_table(generate(name, rows, seed), file, target=TARGET, force=force)


def _check_memory(rows: int, columns: int) -> None:
    needed = _COPIES * 8 * rows * columns
    free = get_backend("numpy").free_memory()
    if needed > free:
        raise MemoryBudgetError(
            f"`rows` must fit into memory: {rows} need about {needed / 2**30:.1f} GiB, and "
            f"{free / 2**30:.1f} GiB are free.",
            "Make fewer rows.",
        )


def _base_waves() -> FloatArray:
    """Return the three triangles, shape (3, 21)."""
    points = np.arange(1, _POINTS + 1)
    waves: FloatArray = np.maximum(_HEIGHT - np.abs(points - np.array(_PEAKS)[:, None]), 0.0)
    return waves
