"""Outcomes that outlive an interruption: a file a method, a line an outcome."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = [
    "MethodStore",
    "Outcome",
    "read_facts",
    "read_machine",
    "read_stores",
    "write_facts",
    "write_machine",
]

FACTS = "sets.json"
MACHINE = "machine.txt"


@dataclass(frozen=True)
class Outcome:
    """What a method selected in one split of one set, and how well that predicts.

    Attributes
    ----------
    set, split, table
        The set, the number of the split, the digest of the whole table.
    scores
        On the test rows, by model.
    seconds
        Of one core, for the selection alone.
    selected
        Names in the method's order; `"*"` for every column.
    code
        Digest of renyi's source, where renyi selected.
    """

    set: str
    split: int
    table: str
    scores: dict[str, float]
    seconds: float
    columns: int
    selected: list[str] | str
    code: str = ""

    @property
    def score(self) -> float:
        """The mean over the models."""
        return sum(self.scores.values()) / len(self.scores)


class MethodStore:
    """The outcomes of one method, appended as they come.

    A later line of the same set and split takes the place of an earlier one. Outcomes of other
    settings are not continued: the file is begun anew with the first outcome that is put.

    Parameters
    ----------
    path
        The file: its settings in the first line, then an outcome a line.
    settings
        What the outcomes depend on; None takes the file as it is.
    """

    def __init__(self, path: Path, settings: dict[str, Any] | None = None) -> None:
        self._path = path
        self.settings = _plain(settings)
        self.outcomes: dict[tuple[str, int], Outcome] = {}
        lines = list(_lines(path))
        self._whole = bool(lines)
        if not lines:
            return
        if settings is None:
            self.settings = lines[0]["settings"]
        elif lines[0]["settings"] != self.settings:
            self._whole = False
            return
        for line in lines[1:]:
            outcome = Outcome(**line)
            self.outcomes[outcome.set, outcome.split] = outcome
        self._whole = path.read_text(encoding="utf-8").endswith("\n")

    def has(self, name: str, split: int, table: str) -> bool:
        """Whether the outcome of a split is known, of the very same table."""
        known = self.outcomes.get((name, split))
        return known is not None and known.table == table

    def forget(self) -> None:
        """Let the next outcome begin the file anew."""
        self.outcomes, self._whole = {}, False

    def put(self, outcome: Outcome) -> None:
        """Append an outcome; a file of other settings or with a torn end is written afresh."""
        self.outcomes[outcome.set, outcome.split] = outcome
        if self._whole:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(_line(vars(outcome)))
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".part")
        told = [_line({"settings": self.settings})]
        told += [_line(vars(known)) for known in self.outcomes.values()]
        fresh.write_text("".join(told), encoding="utf-8")
        fresh.replace(self._path)
        self._whole = True


def read_stores(folder: Path) -> dict[str, MethodStore]:
    """Return all that is kept in a folder, by method."""
    return {path.stem: MethodStore(path) for path in sorted(folder.glob("*.jsonl"))}


def read_facts(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what is known of the sets."""
    path = folder / FACTS
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_facts(folder: Path, facts: dict[str, dict[str, Any]]) -> None:
    """Keep what is known of the sets, with what was known before of others."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = {**read_facts(folder), **facts}
    fresh = folder / f"{FACTS}.part"
    fresh.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    fresh.replace(folder / FACTS)


def read_machine(folder: Path) -> str:
    """Return in a sentence what machine the last run was done on."""
    path = folder / MACHINE
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def write_machine(folder: Path, sentence: str) -> None:
    """Keep what machine a run is done on."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MACHINE).write_text(sentence + "\n", encoding="utf-8")


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":")) + "\n"


def _plain(settings: dict[str, Any] | None) -> dict[str, Any]:
    """Return settings as they come back from a file, where a tuple is a list."""
    plain: dict[str, Any] = json.loads(json.dumps(settings or {}))
    return plain


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the whole lines of a file; a last one that was torn by an interruption is none."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            return
