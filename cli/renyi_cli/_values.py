"""From what is typed to what `renyi` takes, with one sentence where that fails."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from renyi.errors import OptionError
from renyi.options import Option

__all__ = [
    "assignments",
    "bandwidths",
    "given",
    "groups",
    "names",
    "number",
    "one_of",
    "sizes",
    "values",
    "whole",
]

MOST_SIZES: Final = 100_000
"""Of a list: a slip such as 1-1000000000 is told of, not worked through."""


def values(known: Iterable[Option], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was given of some options, each as its record says that it is read.

    Raises
    ------
    OptionError
        If a text cannot be read so.
    """
    found: dict[str, Any] = {}
    for one in known:
        try:
            _read(one, typed[one.name], found)
        except OptionError as error:
            raise one.led_out(error) from None
    return given(**found)


def _read(one: Option, text: Any, found: dict[str, Any]) -> None:
    """Put what an option says among what was found."""
    flag = one.typed.split()[0]
    match one.reads:
        case "whole":
            found[one.name] = whole(flag, text)
        case "number":
            found[one.name] = number(flag, text)
        case "names":
            found[one.name] = names(flag, text)
        case "many":
            found[one.name] = tuple(text or ())
        case "pairs":
            found[one.name] = assignments(flag, text, one.metavar)
        case "groups":
            found[one.name] = groups(flag, text, one.metavar)
        case "bandwidths":
            found["bandwidth"], found["bandwidths"] = bandwidths(text)
        case "sizes":
            found[one.name] = sizes(text)
        case "switch":
            found[one.name] = text or None
        case _:
            found[one.name] = text


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given: those that are neither None nor empty."""
    return {name: value for name, value in options.items() if value is not None and value != ()}


def number(option: str, text: str | None, hint: str = "") -> float | None:
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
        raise OptionError(f"{option} must be a number, got {text!r}.", hint) from None


def whole(option: str, text: str | None, hint: str = "") -> int | None:
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
        raise OptionError(f"{option} must be a whole number, got {text!r}.", hint) from None


def one_of(option: str, text: str, known: Sequence[str], hint: str) -> str:
    """Return a typed word that is one of those known.

    Raises
    ------
    OptionError
        If it is not.
    """
    if text not in known:
        close = difflib.get_close_matches(text, known, 1)
        hint = f"Did you mean {close[0]}?" if close else hint
        raise OptionError(f"{option} must be one of {', '.join(known)}; got {text!r}.", hint)
    return text


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
            raise OptionError(
                f"{option} must have the form {form}, got {text!r}.",
                "Put an equals sign between the two, without blanks.",
            )
        pairs.append((column, value))
    return tuple(pairs)


def groups(option: str, texts: Sequence[str] | None, form: str) -> tuple[tuple[str, str], ...]:
    """Split ``NAME=COLUMNS`` at its first equals sign, and the columns as `names` does.

    Raises
    ------
    OptionError
        If a text has no equals sign or nothing on one side of it.

    Examples
    --------
    >>> groups("--group-columns", ["colour=colour=*,shade"], "NAME=COLUMNS")
    (('colour', 'colour=*'), ('colour', 'shade'))
    """
    pairs = []
    for text in texts or ():
        group, _, columns = text.partition("=")
        if not group or not columns.strip():
            raise OptionError(
                f"{option} must have the form {form}, got {text!r}.",
                "Such as 'colours=colour_*': a name of your own, and columns that it stands for.",
            )
        pairs += [(group, column) for column in names(option, [columns])]
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


def sizes(text: str | None) -> tuple[int, ...] | None:
    """Return numbers of features from a list of numbers and ranges.

    Raises
    ------
    OptionError
        If it is no such list.
    """
    if text is None:
        return None
    found: list[int] = []
    hint = "Leave --sizes out for all to 80, and then every tenth."
    for item in text.split(","):
        first, dash, last = item.strip().partition("-")
        bounds = (first, last if dash else first)
        if not all(bound.isascii() and bound.isdigit() for bound in bounds):
            raise OptionError(f"--sizes must be numbers such as 1-10,20, got {text!r}.", hint)
        low, high = map(int, bounds)
        if high < low or high - low > MOST_SIZES:
            raise OptionError(
                f"--sizes must be ranges from low to high, got {item.strip()!r}.", hint
            )
        found += range(low, high + 1)
    return tuple(found)
