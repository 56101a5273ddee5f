"""Figures that outlive an interruption: one JSON file a section."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

from measuring._machine import commit_of

__all__ = ["Store"]


class Store:
    """Figures by name, written after each.

    Figures of another machine or of other versions are not continued: the file is begun anew.

    Parameters
    ----------
    path
        The JSON file.
    machine
        As `describe_machine` returns it.
    """

    def __init__(self, path: Path, machine: dict[str, Any]) -> None:
        self._path = path
        self._machine = machine
        self.figures: dict[str, dict[str, Any]] = {}
        if path.exists():
            record = json.loads(path.read_text(encoding="utf-8"))
            if record["machine"] == machine:
                self.figures = record["figures"]
            else:
                print(f"{path.name}: of another machine or other versions, begun anew")

    def put(self, name: str, figure: dict[str, Any]) -> None:
        """Keep a figure, with the day and the commit."""
        day = date.today().isoformat()
        self.figures[name] = {**figure, "measured": day, "commit": commit_of()}
        record = {"machine": self._machine, "figures": self.figures}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".part")
        fresh.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self._path)
