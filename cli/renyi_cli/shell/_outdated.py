"""Which of the files that were installed are those of another version."""

from __future__ import annotations

from renyi_cli.shell._completion import places
from renyi_cli.shell._manual import manual_folder
from renyi_cli.shell._owned import written_by

__all__ = ["outdated"]


def outdated(version: str) -> list[str]:
    """Return the other versions that wrote completion or manual pages, each once."""
    paths = [*places(), *manual_folder().glob("renyi*.1")]
    return sorted({old for old in map(written_by, paths) if old} - {version})
