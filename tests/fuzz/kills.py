"""Searches that are killed at any moment, and go on from their checkpoint to the identical byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from fuzz import tables
from fuzz.children import forked, run_program

WORDS = ("select", "t.parquet", "--criterion", "none", "--solver", "dense", "--json", "-q")
CHECKPOINT = "part.json"


def killed(count: int, folder: Path, seed: int = 0) -> list[str]:
    """Kill so many searches, each at its own moment, and let each go on.

    Returns what came of each: `identical`, or what is wrong. The moments are spread evenly over the
    time that a search takes from its first sign of life, so that some fall into a write.
    """
    rng = np.random.default_rng(seed)
    pq.write_table(tables.plain(rng, 120), folder / "t.parquet")
    words = [*WORDS, "--checkpoint", CHECKPOINT]
    whole = forked(lambda: run_program([*WORDS]), folder)
    truth = _answer(whole.out)
    found = []
    for number in range(count):
        (folder / CHECKPOINT).unlink(missing_ok=True)
        moment = whole.seconds * (number + 0.5) / count
        forked(lambda: run_program(words), folder, limit=moment)
        again = forked(lambda: run_program(words), folder)
        if again.code != 0:
            found.append(f"after {moment:.3f} s: exit code {again.code}: {again.err.strip()[:200]}")
        elif _answer(again.out) != truth:
            found.append(f"after {moment:.3f} s: another answer")
        else:
            found.append("identical")
        for part in folder.glob(".*.part"):  # what a killed write leaves beside the file
            part.unlink()
    return found


def _answer(out: bytes) -> bytes:
    """Return the answer without how the work was done, as bytes."""
    record = json.loads(out)
    return json.dumps({name: part for name, part in record.items() if name != "run"}).encode()
