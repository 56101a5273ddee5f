"""What a notebook shows below an estimator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

__all__ = ["chosen_page", "named"]

MOST_NAMED: Final = 20
"""Columns that are named; of more their number is said."""


def chosen_page(sentences: Iterable[str]) -> str:
    """Return sentences as HTML, nothing of them taken for markup."""
    lines = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return f'<div class="renyi-chosen" style="font-family: sans-serif">{lines}</div>'


def named(names: Sequence[str]) -> str:
    """Return names in a row, of many the first."""
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
