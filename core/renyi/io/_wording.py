"""Lists of columns in sentences, short however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["counted", "named", "plural"]


def plural(count: int, noun: str) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> plural(1, "row"), plural(3, "row")
    ('1 row', '3 rows')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def named(names: Sequence[str], most: int = 5) -> str:
    """Return names in backquotes, the first few of them.

    Examples
    --------
    >>> named(["a", "b", "c"], most=2)
    '`a`, `b` and 1 more'
    """
    return _joined([_quoted(name) for name in names], most)


def counted(counts: Mapping[str, int], most: int = 10) -> str:
    """Return names with their counts, the first few of them.

    Examples
    --------
    >>> counted({"age": 3, "fare": 1})
    '`age` (3), `fare` (1)'
    """
    return _joined([f"{_quoted(name)} ({count})" for name, count in counts.items()], most)


def _quoted(name: str) -> str:
    """Return a name in backquotes; a column without one as it has to be typed."""
    return f"`{name}`" if name else '`""` (the column without a name)'


def _joined(words: list[str], most: int) -> str:
    rest = len(words) - most
    return ", ".join(words) if rest <= 0 else f"{', '.join(words[:most])} and {rest} more"
