"""How sets of features are searched, as an option says it."""

from __future__ import annotations

from typing import Final

from renyi.errors import OptionError

__all__ = ["SEARCH_RULES", "beam_width", "parse_search"]

SEARCH_RULES: Final = ("forward", "backward", "floating", "beam:K")

WIDEST: Final = 100
"""Sets that a beam keeps at most: each takes its share of the level, and of the permutations."""


def parse_search(value: object) -> str:
    """Return the canonical text of a search.

    Raises
    ------
    OptionError
        If it is not known, or a beam is of fewer than 2 or more than 100 sets.

    Examples
    --------
    >>> parse_search("forward"), parse_search(" Beam:03 ")
    ('forward', 'beam:3')
    """
    text = value.strip().lower() if isinstance(value, str) else ""
    name, colon, count = text.partition(":")
    if name in SEARCH_RULES and not colon:
        return name
    width = int(count) if count.isascii() and count.isdigit() and len(count) < 9 else 0
    if name == "beam" and 2 <= width <= WIDEST:
        return f"beam:{width}"
    hint = "`forward` is the usual one."
    if name == "beam":
        hint = "`beam:2` is the quickest beam; one of 1 is `forward`."
    raise OptionError(
        "`search` must be forward, backward, floating or beam:K with K from 2 to "
        f"{WIDEST}, got {value!r}.",
        hint,
    )


def beam_width(search: str) -> int:
    """Return how many sets a step extends: 1 but for a beam.

    Examples
    --------
    >>> beam_width("beam:3"), beam_width("floating")
    (3, 1)
    """
    return int(search.partition(":")[2] or 1)
