"""One function per check; each raises one sentence: argument, rule, value, way out."""

from __future__ import annotations

import math
import numbers
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from renyi.errors import MemoryBudgetError, OptionError, Way

__all__ = [
    "address_limit",
    "address_room",
    "choice",
    "fraction",
    "left_out",
    "memory_bytes",
    "memory_size",
    "near_words",
    "nearest",
    "non_negative_number",
    "positive_integer",
    "positive_number",
    "tolerance",
    "whole_number",
]

Word = TypeVar("Word", bound=str)

MEMORY_SHARE: Final = "80%"
"""Of what is free: the rest is for the table, the interpreter and other programs."""


LEAST_ADDRESSES: Final = 3_000_000_000
"""Bytes of addresses that the libraries take for a small table, most of them never used (2.7 GB
measured): with fewer some abort the process, or wait for a thread that cannot begin."""

ADDRESSES_OF_A_CORE: Final = 150_000_000
"""Bytes of addresses more for each core: a thread with its stack and its arena of malloc."""


def address_limit() -> int | None:
    """Return how many bytes of addresses this process may have, None for no limit."""
    if sys.platform == "win32":
        return None
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def address_room() -> None:
    """Check that there are addresses enough for the libraries to begin.

    Raises
    ------
    MemoryBudgetError
        If their number is limited to fewer.
    """
    limit = address_limit()
    least = LEAST_ADDRESSES + ADDRESSES_OF_A_CORE * (os.cpu_count() or 1)
    if limit is not None and limit < least:
        raise MemoryBudgetError(
            f"This process must be allowed {least / 1e9:.1f} GB of addresses at least, and is "
            f"limited to {limit / 1e9:.1f} GB.",
            "Raise the limit (ulimit -v), or limit the memory that is in use instead.",
        )


def nearest(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known words closest to `word`, best first, whatever their case.

    Examples
    --------
    >>> nearest("Sexx", ["age", "sex", "fare"])
    ['sex']
    """
    import difflib  # for mistakes only

    by_fold: dict[str, str] = {}
    for name in known:
        by_fold.setdefault(name.casefold(), name)
    close = difflib.get_close_matches(word.casefold(), list(by_fold), n=most, cutoff=0.6)
    return [by_fold[name] for name in close]


def _number(name: str, value: object, rule: str, hint: str) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise OptionError(f"`{name}` must be {rule}, got {value!r}.", hint)
    try:
        number = float(value)
    except OverflowError:  # an integer beyond all doubles
        number = math.inf
    if not math.isfinite(number):
        raise OptionError(f"`{name}` must be {rule}, got {number}.", hint)
    return number


def positive_number(name: str, value: object, hint: str = "") -> float:
    """Return `value` as a float, or raise unless it is finite and above 0."""
    number = _number(name, value, "a positive number", hint)
    if number <= 0:
        raise OptionError(f"`{name}` must be a positive number, got {value}.", hint)
    return number


LEAST_TOLERANCE: Final = 1e-12
"""Bits that rounding alone may move an entropy by: what is stated of a value is never less."""


def tolerance(value: object) -> float:
    """Return a tolerance as a float, or raise unless it is above what rounding does."""
    hint = "1e-6 bits is usual."
    bits = positive_number("tolerance", value, hint)
    if bits < LEAST_TOLERANCE:
        raise OptionError(
            f"`tolerance` must be at least {LEAST_TOLERANCE:g} bits, by which rounding alone may "
            f"move an entropy; got {bits:g}.",
            hint,
        )
    return bits


def non_negative_number(name: str, value: object, hint: str = "") -> float:
    """Return `value` as a float, or raise unless it is finite and at least 0."""
    number = _number(name, value, "a number of at least 0", hint)
    if number < 0:
        raise OptionError(f"`{name}` must be a number of at least 0, got {value}.", hint)
    return number


def fraction(name: str, value: object, hint: str = "") -> float:
    """Return `value` as a float, or raise unless it lies strictly between 0 and 1."""
    number = _number(name, value, "a number between 0 and 1", hint)
    if not 0 < number < 1:
        raise OptionError(f"`{name}` must be a number between 0 and 1, got {value}.", hint)
    return number


def whole_number(name: str, value: object, least: int, hint: str = "") -> int:
    """Return `value` as an int, or raise unless it is a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or int(value) < least:
        raise OptionError(
            f"`{name}` must be a whole number of at least {least}, got {value!r}.", hint
        )
    return int(value)


def positive_integer(name: str, value: object, hint: str = "") -> int:
    """Return `value` as an int, or raise unless it is a whole number above 0."""
    return whole_number(name, value, 1, hint)


_BYTES: Final = {"": 1, "b": 1} | {
    f"{letter}{suffix}": base**power
    for power, letter in enumerate("kmgt", start=1)
    for suffix, base in (("b", 1000), ("ib", 1024))
}


def memory_size(name: str, value: object) -> int | str:
    """Return a size as bytes, or a share of what is free as text such as ``50%``.

    Examples
    --------
    >>> memory_size("max_memory", "8GiB"), memory_size("max_memory", "50 %")
    (8589934592, '50%')
    """
    text = str(value).strip().lower() if isinstance(value, str | numbers.Real) else ""
    found = re.fullmatch(r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)\s*([a-z]*|%)", text)
    number, unit = (float(found[1]), found[2]) if found else (0.0, "")
    if unit == "%" and 0 < number <= 100:
        return f"{number:g}%"
    size = number * _BYTES.get(unit, 0)
    if not 1 <= size < math.inf:
        raise OptionError(
            f"`{name}` must be a size such as 8GiB, 800MB or 2e9 (bytes), or a share of what is "
            f"free such as 50%; got {value!r}.",
            "Leave ",
            Way(name),
            f" out for {MEMORY_SHARE} of what is free.",
        )
    return int(size)


def left_out(name: str, usual: str) -> tuple[str | Way, ...]:
    """Return the way out by an option's default, as parts of a hint."""
    return "Leave ", Way(name), f" out for the default ({usual})."


def _edits(word: str, other: str) -> int:
    """Return by how many letters two words differ."""
    import difflib  # for mistakes only

    codes = difflib.SequenceMatcher(None, word, other).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in codes if tag != "equal")


def near_words(word: object, known: Iterable[str]) -> str:
    """Return the known words that `word` may have been meant as, as a question; nothing for none.

    Examples
    --------
    >>> near_words("tmi", ["mi", "mim", "jmi", "mrmr"]), near_words("x", ["mi"])
    ('Did you mean `mi` or `jmi`?', '')
    """
    if not isinstance(word, str):
        return ""
    close = nearest(word, known, 99)
    least = min((_edits(word, one) for one in close), default=0)
    near = [f"`{one}`" for one in close if _edits(word, one) == least]
    if not near:
        return ""
    *others, last = near
    return f"Did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def choice(name: str, value: object, known: Sequence[Word], *hint: str | Way) -> Word:
    """Return `value`, or raise unless it is one of `known`, naming near ones or `hint`."""
    for word in known:
        if word == value:
            return word
    close = near_words(value, known)
    way = (close,) if close else hint
    shown = ", ".join(word if word[:1].isalnum() else repr(word) for word in known)
    raise OptionError(f"`{name}` must be one of {shown}; got {value!r}.", *way)


def memory_bytes(budget: int | str | None, free: int) -> int:
    """Return a memory budget in bytes, given the bytes that are free; None for the default share.

    Examples
    --------
    >>> memory_bytes("50%", 1000), memory_bytes(2000, 1000), memory_bytes(None, 1000)
    (500, 2000, 800)
    """
    asked = MEMORY_SHARE if budget is None else budget
    parsed = memory_size("max_memory", asked)
    return parsed if isinstance(parsed, int) else int(float(parsed[:-1]) * free / 100)
