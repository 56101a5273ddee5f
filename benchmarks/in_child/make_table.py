"""Make a table for a benchmark, in a process of its own so that the measuring one stays small.

python make_table.py cut SOURCE OUT TARGET ROWS FEATURES   its first rows and features
python make_table.py wide OUT ROWS FEATURES                waveforms and much noise
python make_table.py arrays SOURCE OUT TARGET              X, y, names as .npz
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import polars as pl


def cut(source: str, out: str, target: str, rows: str, features: str) -> None:
    frame = pl.read_parquet(source).head(int(rows))
    names = [name for name in frame.columns if name != target][: int(features)]
    frame.select(*names, target).write_parquet(out)


def wide(out: str, rows: str, features: str) -> None:
    """The columns of one waveform table, then those of others, which are noise for its target."""
    from renyi import datasets

    parts = [datasets.generate("waveform", int(rows), seed=0)]
    found = parts[0].width - 1
    seed = 1
    while found < int(features):
        other = datasets.generate("waveform", int(rows), seed=seed).drop("class")
        parts.append(other.rename({name: f"{name}_{seed}" for name in other.columns}))
        found += other.width
        seed += 1
    frame = pl.concat(parts, how="horizontal")
    names = [name for name in frame.columns if name != "class"][: int(features)]
    frame.select(*names, "class").write_parquet(out)


def arrays(source: str, out: str, target: str) -> None:
    frame = pl.read_parquet(source)
    names = [name for name in frame.columns if name != target]
    classes = np.unique(frame[target].cast(pl.String).to_numpy(), return_inverse=True)[1]
    values = frame.select(names).cast(pl.Float64).to_numpy()
    np.savez(out, X=values, y=classes.reshape(-1), names=np.array(names, dtype=str))


TASKS: dict[str, Callable[..., None]] = {"cut": cut, "wide": wide, "arrays": arrays}


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TASKS:
        sys.exit(__doc__)
    TASKS[sys.argv[1]](*sys.argv[2:])
