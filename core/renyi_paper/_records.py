"""What one unit of the work finds: a set under one table's settings, or under the defaults."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from renyi._typing import JsonValue
from renyi.errors import ReadError

__all__ = ["Judged", "OwnUnit", "TableUnit", "read_unit"]

FORMAT: Final = 1
"""Of a unit's file; raised where an older one cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """How many features a criterion chose, and how well they predict.

    Attributes
    ----------
    features
        Their number; as printed, of a permutation criterion with the one whose test failed.
    stopped
        False where the criterion had not stopped at the end of what was looked at.
    accuracy, spread
        Mean and standard deviation over the bootstrap runs, shares of 1.
    runs
        The accuracy of each run: runs of the same number share their draw on one set.
    """

    features: int
    stopped: bool
    accuracy: float
    spread: float
    runs: tuple[float, ...]

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Judged:
        """Rebuild it from its JSON values."""
        return cls(**{**record, "runs": tuple(record["runs"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class TableUnit:
    """One set under the settings of Table 1 or 2.

    Attributes
    ----------
    name, table, alpha, sigma, standardise
        The set, the table and its settings.
    rows, candidates
        Rows used, and features of the set; those that are the same count once on a path.
    seed, runs, version
        Seed, bootstrap runs, and the renyi that worked it out.
    target_entropy
        H(y), bits.
    path, mi, cmi
        Features in the order of the path, and both in bits at each; None where CMI is not computed.
    sizes, accuracy, spread
        Numbers of features that were judged, and mean and standard deviation of their accuracy.
    optimal
        The smallest size that predicts no worse than the best, by a paired t-test.
    criteria
        Criterion -> what it chose.
    narrow_sigma, narrow
        The bandwidth of the second setting, and what `cmi-heuristic` chose under it.
    seconds
        What took how long.
    """

    name: str
    table: int
    alpha: float
    sigma: float
    standardise: str
    rows: int
    candidates: int
    seed: int
    runs: int
    version: str
    target_entropy: float
    path: tuple[str, ...]
    mi: tuple[float, ...]
    cmi: tuple[float | None, ...]
    sizes: tuple[int, ...]
    accuracy: tuple[float, ...]
    spread: tuple[float, ...]
    optimal: int
    criteria: Mapping[str, Judged]
    narrow_sigma: float
    narrow: Judged
    seconds: Mapping[str, float]

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the unit as JSON values."""
        return {"format": FORMAT, "kind": "table", **asdict(self)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> TableUnit:
        """Rebuild a unit from `to_dict`."""
        given = {name: record[name] for name in cls.__dataclass_fields__}
        for name in ("path", "mi", "cmi", "sizes", "accuracy", "spread"):
            given[name] = tuple(given[name])
        given["criteria"] = {k: Judged.from_dict(v) for k, v in given["criteria"].items()}
        given["narrow"] = Judged.from_dict(given["narrow"])
        return cls(**given)

    def accuracy_at(self, size: int) -> tuple[float, float]:
        """Return mean and standard deviation of the accuracy at a size that was judged."""
        place = self.sizes.index(size)
        return self.accuracy[place], self.spread[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnUnit:
    """One set under the defaults of `renyi.select`.

    Attributes
    ----------
    name, rows, seed, runs, version
        As of `TableUnit`.
    options
        Criterion, alpha, bandwidth, standardisation and permutations, in words.
    selected
        The features it selects.
    judged
        Their number, without one whose test failed, and how they predict.
    seconds
        What took how long.
    """

    name: str
    rows: int
    seed: int
    runs: int
    version: str
    options: str
    selected: tuple[str, ...]
    judged: Judged
    seconds: Mapping[str, float]

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the unit as JSON values."""
        return {"format": FORMAT, "kind": "own", **asdict(self)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> OwnUnit:
        """Rebuild a unit from `to_dict`."""
        given = {name: record[name] for name in cls.__dataclass_fields__}
        given["selected"] = tuple(given["selected"])
        given["judged"] = Judged.from_dict(given["judged"])
        return cls(**given)


def read_unit(place: Path) -> TableUnit | OwnUnit:
    """Read a unit's file.

    Raises
    ------
    ReadError
        If it is not one.
    """
    try:
        record = json.loads(place.read_text(encoding="utf-8"))
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']}")  # noqa: TRY301 - told as any other flaw
        kind = {"table": TableUnit, "own": OwnUnit}[record["kind"]]
        return kind.from_dict(record)  # type: ignore[attr-defined,no-any-return]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReadError(
            f"`{place}` is no finished unit of a reproduction.", "Remove it to have it done again."
        ) from error
