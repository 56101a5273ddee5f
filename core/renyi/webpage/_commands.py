"""The options of a result beside their defaults, and the commands that give it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from renyi.errors import OptionError
from renyi.options import (
    FIELDS,
    PRESETS,
    DataOptions,
    MethodOptions,
    Option,
    method_options,
    option_of,
    options_of,
)
from renyi.webpage.drawing._svg import shown

__all__ = ["Chosen", "chosen", "python_call", "terminal_call"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """One option of a result.

    Attributes
    ----------
    name
        As a keyword.
    value, default
        In words.
    changed
        Whether it is another than the default.
    """

    name: str
    value: str
    default: str
    changed: bool


def chosen(data: DataOptions, method: MethodOptions, verb: str = "select") -> list[Chosen]:
    """Return every option of the table and the method with its default."""
    known = {one.field: one.name for one in options_of(verb)}
    found = []
    for record in (data, method):
        for field in fields(record):
            if field.name not in known or (record is data and field.name == "seed"):
                continue
            value, default = getattr(record, field.name), FIELDS[field.name].default
            unsaid = FIELDS[field.name].unsaid
            found.append(
                Chosen(
                    known[field.name],
                    _words(value, unsaid),
                    _words(default, unsaid),
                    value != default,
                )
            )
    return found


def _words(value: Any, unsaid: str) -> str:
    if value is None or value == ():
        return unsaid or "none"
    if isinstance(value, tuple):
        parts = ["=".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in value]
        return ", ".join(parts)
    return f"{value:g}" if isinstance(value, float) else str(value)


def said(data: DataOptions, method: MethodOptions, verb: str = "select") -> dict[str, Any]:
    """Return the options that must be said to have a result again, by the names of keywords.

    What a preset, a score or another option brings with it is left unsaid.
    """
    known = {one.field: one for one in options_of(verb)}
    found: dict[str, Any] = {}
    for field in fields(DataOptions):
        value = getattr(data, field.name)
        if field.name in known and field.name != "seed" and value != FIELDS[field.name].default:
            found[known[field.name].name] = value
    found |= {
        known[name].name: value for name, value in _of_method(method).items() if name in known
    }
    return found


def _of_method(method: MethodOptions) -> dict[str, Any]:
    """Return the fewest fields from which the rules for what is unsaid make these options."""
    wanted = {field.name: getattr(method, field.name) for field in fields(MethodOptions)}
    told: dict[str, Any] = {}
    preset = wanted.pop("preset")
    if preset != "default" and not (preset == "shannon" and wanted["score"] != "mi"):
        told["preset"] = preset
    for _ in range(4):  # what is said may change what is unsaid
        try:
            made = method_options(
                told.get("preset"),
                **{n: _given(n, v) for n, v in told.items() if n != "preset"},
            )
        except OptionError:  # said in part only; then all of it is said
            base = PRESETS.get(preset, MethodOptions())
            return told | {n: v for n, v in wanted.items() if v != getattr(base, n)}
        lacking = {n: v for n, v in wanted.items() if getattr(made, n) != v}
        if not lacking:
            break
        told |= lacking
    return told


def _given(name: str, value: Any) -> Any:
    return dict(value) if name == "bandwidths" else value


def python_call(source: str | None, options: Mapping[str, Any], verb: str = "select") -> str:
    """Return the call in Python; `source` is None for a table in memory."""
    lines = ["table" if source is None else repr(source)]
    lines += [f"{name}={_literal(name, value)}" for name, value in options.items()]
    if len(lines) == 1:
        return f"renyi.{verb}({lines[0]})"
    return f"renyi.{verb}(\n" + "".join(f"    {line},\n" for line in lines) + ")"


def _literal(name: str, value: Any) -> str:
    if name in {"kind", "bandwidths"}:
        return repr(dict(value))
    if name == "group_columns":
        grouped: dict[str, list[str]] = {}
        for group, column in value:
            grouped.setdefault(group, []).append(column)
        return repr(grouped)
    return repr(list(value) if isinstance(value, tuple) else value)


def terminal_call(source: str, options: Mapping[str, Any], verb: str = "select") -> str:
    """Return the command of the terminal, quoted for a shell."""
    words = [f"renyi {verb} {_word(source)}"]
    for name, value in options.items():
        one = option_of("bandwidth" if name == "bandwidths" else name, verb)
        flag = one.typed.split()[0]
        words += [_pair(flag, text) for text in _texts(one, name, value)]
    return " \\\n  ".join(words)


def _pair(flag: str, text: str) -> str:
    return f"{flag}={_word(text)}" if text.startswith("-") else f"{flag} {_word(text)}"


def _word(text: str) -> str:
    """Quote for a shell; what cannot be seen is written out, so that a reader sees it."""
    if shown(text) == text:
        return shlex.quote(text)
    escaped = "".join(_ansi(letter) for letter in text)
    return f"$'{escaped}'"


def _ansi(letter: str) -> str:
    if letter in "\\'":
        return f"\\{letter}"
    if shown(letter) == letter:
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 128 else f"\\U{code:08x}"


def _texts(one: Option, name: str, value: Any) -> Iterator[str]:
    """Yield what is typed for an option, several times where it is repeated."""
    if name == "bandwidths":
        yield from (f"{column}={_number(width)}" for column, width in value)
    elif one.reads == "names":
        yield ",".join(map(_named, value))
    elif one.reads == "many":
        yield from (value if isinstance(value, tuple) else (value,))
    elif one.reads == "pairs":
        yield from (f"{column}={kind}" for column, kind in value)
    elif one.reads == "groups":
        yield from (f"{group}={_named(column)}" for group, column in value)
    else:
        yield _number(value)


def _number(value: Any) -> str:
    return repr(value) if isinstance(value, float) and value != int(value) else _plain(value)


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _named(name: str) -> str:
    """Write a name as options of several names read it."""
    plain = name and name == name.strip() and "," not in name and not name.startswith('"')
    return name if plain else '"' + name.replace('"', '""') + '"'
