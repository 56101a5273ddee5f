"""From what is typed to what `renyi` takes, with one sentence where that fails."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from renyi.errors import OptionError

__all__ = ["assignments", "bandwidths", "given", "names", "number", "whole"]


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given: those that are neither None nor empty."""
    return {name: value for name, value in options.items() if value is not None and value != ()}


def number(option: str, text: str | None) -> float | None:
    """Return a typed number, None where the option is absent.

    Raises
    ------
    OptionError
        If `text` is not a number.
    """
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise OptionError(f"{option} must be a number, got {text!r}.") from None


def whole(option: str, text: str | None) -> int | None:
    """Return a typed whole number, None where the option is absent.

    Raises
    ------
    OptionError
        If `text` is not a whole number.
    """
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise OptionError(f"{option} must be a whole number, got {text!r}.") from None


_ITEM = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^\s",][^,]*)?)\s*(,|$)')


def names(option: str, texts: Sequence[str] | None) -> tuple[str, ...]:
    r"""Split comma separated column names of every repetition of an option.

    Blanks around a name do not count. A name that holds a comma, a quotation mark at its start or
    outer blanks stands in double quotes, a quotation mark in it doubled, as in a CSV file; ``""``
    is the column without a name.

    Raises
    ------
    OptionError
        If a quotation mark is not closed, or no name is given at all.

    Examples
    --------
    >>> names("--features", ["age, fare", '"weight, kg"'])
    ('age', 'fare', 'weight, kg')
    """
    found: list[str] = []
    for text in texts or ():
        at, more = 0, True
        while more:
            match = _ITEM.match(text, at)
            if match is None:
                raise OptionError(
                    f"{option} has a quotation mark that does not enclose a name, got {text!r}.",
                    'Write a name with a comma as "a,b" and double each quotation mark in it.',
                )
            quoted, plain, comma = match.groups()
            if quoted is not None:  # "" is the column without a name
                found.append(quoted.replace('""', '"'))
            elif plain and plain.strip():
                found.append(plain.strip())
            at, more = match.end(), comma == ","
    if texts and not found:
        raise OptionError(
            f"{option} names no column.",
            "Name one, or leave the option out; a column without a name is written '\"\"'.",
        )
    return tuple(found)


def assignments(option: str, texts: Sequence[str] | None, form: str) -> tuple[tuple[str, str], ...]:
    """Split ``COLUMN=VALUE`` at its last equals sign, so that a column's name may hold one.

    Raises
    ------
    OptionError
        If a text has no equals sign or nothing on one side of it.
    """
    pairs = []
    for text in texts or ():
        column, _, value = text.rpartition("=")
        if not column or not value:
            raise OptionError(f"{option} must have the form {form}, got {text!r}.")
        pairs.append((column, value))
    return tuple(pairs)


def bandwidths(texts: Sequence[str] | None) -> tuple[str | None, dict[str, str] | None]:
    """Return the bandwidth of all columns, if given, and those of single columns.

    Raises
    ------
    OptionError
        If two bandwidths for all columns are given, or a ``COLUMN=VALUE`` has an empty side.
    """
    general = [text for text in texts or () if "=" not in text]
    single = [text for text in texts or () if "=" in text]
    if len(general) > 1:
        raise OptionError(
            f"--bandwidth must be given once for all columns, got {' and '.join(general)}.",
            "Write COLUMN=VALUE for a single column.",
        )
    pairs = assignments("--bandwidth", single, "COLUMN=VALUE")
    return (general[0] if general else None), (dict(pairs) or None)
