"""How the work was done, in lines for stderr."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from renyi import SelectionPath

__all__ = ["run_lines"]


def run_lines(path: SelectionPath) -> Iterator[tuple[str, str]]:
    """Return the facts of a run, each with its name in words; the steps in a line each."""
    run = dict(path.run)
    steps = run.pop("steps", ())
    if steps:
        run.pop("seconds_by_step", None)  # they stand in the lines of the steps
    yield from _flat(run)
    for step, work in zip(path.steps, steps, strict=False):
        yield f"step {step.index}", "; ".join([" + ".join(step.features), *_work(work)])


def _work(work: Mapping[str, Any]) -> Iterator[str]:
    yield f"{work['seconds']:.2f} s"
    for what in ("candidates", "replicates"):
        if work[what]:
            ways = (f"{count} {_way(way)}" for way, count in work[what].items())
            yield f"{what}: {', '.join(ways)}"


def _way(way: str) -> str:
    """Write in which way a value was settled.

    Examples
    --------
    >>> _way("rank 64"), _way("eigen")
    ('at rank 64', 'by eigen')
    """
    return f"at {way}" if way.startswith("rank ") else f"by {way}"


def _item(one: object) -> str:
    if isinstance(one, Mapping):  # a worker
        return " ".join(f"{key} {value}" for key, value in one.items())
    return str(one)


def _flat(record: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    """Return the facts of a nested record, each with its whole name in words."""
    for key, value in record.items():
        name = f"{within} {key.replace('_', ' ')}".strip()
        if isinstance(value, Mapping):
            yield from _flat(value, name)
        elif isinstance(value, list | tuple):
            yield name, ", ".join(_item(one) for one in value)
        else:
            yield name, str(value)
