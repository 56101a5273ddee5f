"""Which sets are at hand, and whether they are what they should be."""

from __future__ import annotations

from pathlib import Path

from renyi.datasets._places import places
from renyi.datasets._records import Place, SetRecord, SetStatus
from renyi.datasets._registry import REGISTRY, find_record
from renyi.errors import RenyiError
from renyi.io import content_hash, read_frame

__all__ = ["find_status", "list_sets", "locate"]


def locate(name: str) -> Path | None:
    """Return the file of a set, or None where it is not at hand or the name is unknown.

    The folder named by the environment variable ``RENYI_DATA_HOME`` comes first, then the cache of
    `fetch`, then the tables that travel with the package.
    """
    found = _find(name) if name in REGISTRY else None
    return None if found is None else found[1]


def find_status(name: str) -> SetStatus:
    """Return where one set was found and whether its content is right; its file is read whole.

    Raises
    ------
    UsageError
        If there is no set of that name.
    """
    return _status(find_record(name))


def list_sets() -> tuple[SetStatus, ...]:
    """Return all sets known by name, where each was found, and whether its content is right.

    Files are read whole to be verified.
    """
    return tuple(_status(record) for record in REGISTRY.values())


def _find(name: str) -> tuple[Place, Path] | None:
    for place, folder in places():
        path = folder / f"{name}.parquet"
        if path.is_file():
            return place, path
    return None


def _status(record: SetRecord) -> SetStatus:
    found = _find(record.name)
    if found is None:
        return SetStatus(record)
    place, path = found
    wanted = record.generated_content if place == "bundled" else record.content
    try:
        verified = content_hash(read_frame(path)) == wanted
    except RenyiError:
        verified = False
    return SetStatus(record, place, path, verified)
