"""Outcomes that outlive an interruption: one JSON file a cell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from measuring import commit_of

__all__ = ["CellStore", "Outcomes"]

Outcomes = list[list[int]]
"""For each run, the column numbers selected, in order."""


class CellStore:
    """What each method selected in each run of one cell, written after every piece of work.

    Outcomes of another table, or of a method with other settings, are not continued: they are begun
    anew. Runs depend on their number alone, so that it does not matter when they are done.

    Parameters
    ----------
    path
        The JSON file.
    cell
        What the tables are, in JSON values.

    Attributes
    ----------
    methods
        By name: settings, commits, outcomes.
    seconds
        Of one core, all methods together.
    """

    def __init__(self, path: Path, cell: dict[str, Any]) -> None:
        self._path = path
        self._cell = cell
        self.methods: dict[str, dict[str, Any]] = {}
        self.seconds = 0.0
        if path.exists():
            record = json.loads(path.read_text(encoding="utf-8"))
            if record["cell"] == cell:
                self.methods, self.seconds = record["methods"], record["seconds"]
            else:
                print(f"{path.name}: of other tables, begun anew")

    def outcomes(self, method: str, settings: dict[str, Any] | None = None) -> Outcomes:
        """Return what is known of a method; nothing where its settings were other ones."""
        record = self.methods.get(method)
        if record is None or (settings is not None and record["settings"] != settings):
            return []
        return list(record["outcomes"])

    def settings(self, method: str) -> dict[str, Any]:
        """Return the settings behind a method's outcomes."""
        return dict(self.methods[method]["settings"])

    def add(self, method: str, settings: dict[str, Any], new: Sequence[list[int]]) -> None:
        """Append the outcomes of the next runs of a method."""
        record = self.methods.get(method)
        if record is None or record["settings"] != settings:
            record = {"settings": settings, "outcomes": [], "commits": []}
        commits = dict.fromkeys([*record["commits"], _commit()])
        self.methods[method] = {
            "settings": settings,
            "commits": list(commits),
            "outcomes": [*record["outcomes"], *new],
        }

    def write(self) -> None:
        """Put the file in place as a whole."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".part")
        record = {"cell": self._cell, "seconds": self.seconds, "methods": self.methods}
        fresh.write_text(json.dumps(record) + "\n", encoding="utf-8")
        fresh.replace(self._path)


@cache
def _commit() -> str:
    """Return the commit that this process began with: it is that code which runs."""
    return commit_of()
