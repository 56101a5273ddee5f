"""Units of a reproduction, made up."""

from __future__ import annotations

from typing import Any

from renyi._version import __version__
from renyi_paper import PRINTED_CRITERIA, Judged, OwnUnit, TableUnit
from renyi_paper._units import default_in_words

__all__ = ["judged", "own_unit", "table_unit"]


def judged(features: int, accuracy: float = 0.8, *, stopped: bool = True) -> Judged:
    runs = (accuracy - 0.1, accuracy + 0.1)
    return Judged(features=features, stopped=stopped, accuracy=accuracy, spread=0.1414, runs=runs)


def table_unit(name: str = "heart", table: int = 1, **changed: Any) -> TableUnit:
    sizes = tuple(range(1, 14))
    given: dict[str, Any] = {
        "name": name,
        "table": table,
        "alpha": {1: 1.01, 2: 2.0}[table],
        "sigma": 1.0,
        "standardise": "bins:5",
        "rows": 270,
        "candidates": 13,
        "seed": 0,
        "runs": 2,
        "version": __version__,
        "target_entropy": 0.99,
        "path": tuple(f"x{size}" for size in sizes),
        "mi": tuple(0.07 * size for size in sizes),
        "cmi": (*(0.9 - 0.07 * size for size in sizes[:-1]), None),
        "sizes": sizes,
        "accuracy": tuple(0.7 + 0.01 * size for size in sizes),
        "spread": (0.03,) * 13,
        "optimal": 6,
        "criteria": {
            criterion: judged(features)
            for criterion, features in zip(PRINTED_CRITERIA, (13, 4, 3, 4), strict=True)
        },
        "narrow_sigma": 0.7071,
        "narrow": judged(13),
        "seconds": {"paths": 1.5, "models": 2.0},
    }
    return TableUnit(**{**given, **changed})


def own_unit(name: str = "heart", **changed: Any) -> OwnUnit:
    given: dict[str, Any] = {
        "name": name,
        "rows": 270,
        "seed": 0,
        "runs": 2,
        "version": __version__,
        "options": default_in_words(),
        "selected": ("x1", "x2"),
        "judged": judged(2, 0.82),
        "seconds": {"paths": 1.0, "models": 1.0},
    }
    return OwnUnit(**{**given, **changed})
