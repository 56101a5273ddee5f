"""The tables that are measured on: public sets at hand, parts of them, generated ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from measuring._process import measure

__all__ = ["Table", "TableMissingError", "Tables"]

ROOT = Path(__file__).resolve().parents[2]
MAKER = ROOT / "benchmarks" / "in_child" / "make_table.py"
TARGETS = {"breast": "diagnosis", "heart": "class"}
"""Target of a public set where it is not `y`."""


class TableMissingError(Exception):
    """A public set is not at hand."""


@dataclass(frozen=True)
class Table:
    """A Parquet file and its target."""

    path: Path
    target: str


class Tables:
    """Finds and makes tables; what is made goes to a folder that is thrown away.

    Parameters
    ----------
    folder
        Where they are made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def public(self, name: str) -> Table:
        """Return a public set from RENYI_DATA_HOME; `waveform` is else the project's own."""
        home = os.environ.get("RENYI_DATA_HOME")
        path = Path(home, f"{name}.parquet") if home else None
        if path is not None and path.is_file():
            return Table(path, TARGETS.get(name, "y"))
        if name == "waveform":
            return self.own()
        raise TableMissingError(f"{name}.parquet is not in RENYI_DATA_HOME")

    def own(self) -> Table:
        """Return the waveform table that the project carries."""
        return Table(ROOT / "data" / "waveform.parquet", "class")

    def generated(self, rows: int) -> Table:
        """Make a waveform table of any length, 21 features."""
        path = self._folder / f"waveform-{rows}.parquet"
        if not path.exists():
            command = [str(Path(sys.executable).with_name("renyi")), "datasets", "generate"]
            self._make([*command, "waveform", "--rows", str(rows), "-q", "-o", str(path)])
        return Table(path, "class")

    def first(self, source: Table, rows: int, features: int) -> Table:
        """Cut the first rows and features of a table."""
        path = self._folder / f"{source.path.stem}-{rows}x{features}.parquet"
        words = [str(source.path), str(path), source.target, str(rows), str(features)]
        return self._cut("cut", words, path, source.target)

    def wide(self, rows: int, features: int) -> Table:
        """Make a table of many features: waveforms, then columns of other waveform tables."""
        path = self._folder / f"wide-{rows}x{features}.parquet"
        return self._cut("wide", [str(path), str(rows), str(features)], path, "class")

    def arrays(self, source: Table) -> Path:
        """Write X, y and the names as NumPy arrays, for programs that read no Parquet."""
        path = self._folder / f"{source.path.stem}.npz"
        self._cut("arrays", [str(source.path), str(path), source.target], path, source.target)
        return path

    def _cut(self, what: str, words: Sequence[str], path: Path, target: str) -> Table:
        if not path.exists():
            self._make([sys.executable, str(MAKER), what, *words])
        return Table(path, target)

    @staticmethod
    def _make(command: Sequence[str]) -> None:
        made = measure(command, 900)
        if made.failure:
            raise RuntimeError(f"{' '.join(command)}: {made.failure}")
