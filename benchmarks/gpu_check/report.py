"""What was found, as tables, and where."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

from renyi.backend import Backend

__all__ = ["as_tables", "machine"]

LIBRARIES = ("numpy", "scipy", "cupy-cuda12x", "cupy-cuda13x", "cupy-cuda11x", "cupy")


def machine(backend: Backend) -> dict[str, Any]:
    """Return what the figures were measured on."""
    versions = {}
    for name in LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {
        "backend": backend.name,
        "device": backend.device,
        "device_memory_free": backend.free_memory(),
        "cores": os.cpu_count(),
        "processor": platform.processor() or platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": versions,
    }


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}" if value < 1 else f"{value:.2f}"


def _agreement(comparison: Mapping[str, Any]) -> list[str]:
    return [
        comparison["name"],
        comparison["criterion"],
        f"{comparison['alpha']:g}",
        comparison["solver"],
        str(comparison["steps"]),
        f"{comparison['largest']:.1e}",
        f"{comparison['tolerance']:.0e}",
        "same" if comparison["decisions"] else "DIFFERENT",
        "yes" if comparison["agrees"] else "NO",
    ]


def _timing(timing: Mapping[str, Any]) -> list[str]:
    factor = timing["factor"]
    return [
        timing["work"],
        str(timing["rows"]),
        str(timing["count"]),
        _seconds(timing["device"]),
        _seconds(timing["cpu"]),
        "-" if factor is None else f"{factor:.1f}x",
        timing["note"],
    ]


def as_tables(record: Mapping[str, Any]) -> str:
    """Return agreement and timings as text."""
    place = record["machine"]
    verdict = "agrees with" if record["agrees"] else "DIFFERS FROM"
    return "\n".join(
        [
            f"{place['backend']} on {place['device']}, {place['cores']} cores, Python "
            f"{place['python']}: {verdict} the CPU, {record['seconds']:.0f} s",
            "",
            _table(
                (
                    "data",
                    "criterion",
                    "alpha",
                    "solver",
                    "steps",
                    "largest",
                    "allowed",
                    "decisions",
                    "agrees",
                ),
                [_agreement(comparison) for comparison in record["agreement"]],
            ),
            "",
            _table(
                ("work", "n", "count", "device s", "CPU s", "factor", "note"),
                [_timing(timing) for timing in record["timings"]],
            ),
        ]
    )
