"""Whether a record that was read holds what its fields are declared to hold."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

__all__ = ["check_fields"]

_WORDS = {
    float: "a finite number",
    int: "a whole number",
    str: "text",
    bool: "true or false",
    type(None): "null",
}


def check_fields(record: Any, at: str = "") -> None:
    """Compare every value of a dataclass, and of those within, with its field's type.

    Raises
    ------
    ValueError
        If one is not of that type: where it stands, what it must be, what it is.
    """
    cls: Any = type(record)
    for name, hint in _hints(cls).items():
        _check(getattr(record, name), hint, f"{at}.{name}" if at else name)


@cache
def _hints(cls: Any) -> dict[str, Any]:
    known = get_type_hints(cls)
    return {field.name: known[field.name] for field in fields(cls)}


def _check(value: Any, hint: Any, at: str) -> None:
    if is_dataclass(value) and type(value) is hint:
        check_fields(value, at)
    elif get_origin(hint) is tuple and isinstance(value, tuple):
        of_all, *more = get_args(hint)
        parts = [of_all] * len(value) if more == [Ellipsis] else [of_all, *more]
        if len(parts) != len(value):
            raise ValueError(f"`{at}` must have {len(parts)} items, got {len(value)}")
        for number, (item, part) in enumerate(zip(value, parts, strict=True)):
            _check(item, part, f"{at}[{number}]")
    elif get_origin(hint) in {Union, types.UnionType} and value is not None:
        choices = [part for part in get_args(hint) if part is not type(None)]
        if len(choices) == 1:
            _check(value, choices[0], at)
        elif not any(_is(value, part) for part in choices):
            raise ValueError(f"`{at}` must be {_rule(hint)}, got {_shown(value)}")
    elif not _is(value, hint):
        raise ValueError(f"`{at}` must be {_rule(hint)}, got {_shown(value)}")


def _is(value: Any, hint: Any) -> bool:
    """Whether a value without parts to look into is what it must be."""
    if hint is Any:
        return True
    if hint in {float, int}:
        kinds = (int, float) if hint is float else int
        return isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value)
    origin = get_origin(hint)
    if origin is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if origin in {Union, types.UnionType}:
        return any(_is(value, part) for part in get_args(hint))
    if origin is Mapping:
        inner = get_args(hint)[1]
        return isinstance(value, Mapping) and all(_is(v, inner) for v in value.values())
    return isinstance(value, origin or hint)


def _rule(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return f"one of {', '.join(get_args(hint))}"
    if get_origin(hint) in {Union, types.UnionType}:
        return " or ".join(map(_rule, get_args(hint)))
    if get_origin(hint) is tuple:
        return "a list"
    return _WORDS.get(hint, "an object")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
