"""What every call returns: a value or an error, and warnings, all of it builtins."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from renyi.errors import Interrupted, RenyiError, Way
from renyi.variables import Note

__all__ = ["BRIDGE_PROTOCOL", "Answer", "CallbackError", "Reply", "reply"]

BRIDGE_PROTOCOL: Final = 1
"""Number of the protocol; one more for each change that an older caller would not understand."""

Reply: TypeAlias = dict[str, Any]

_PACKAGE: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call came to.

    Attributes
    ----------
    value
        Builtins.
    notes
        What the reader should know.
    """

    value: Any
    notes: tuple[Note, ...] = ()


class CallbackError(Exception):
    """The caller's own function failed; the cause is its exception."""


def reply(work: Callable[[], Answer], partial: Callable[[Any], Answer] | None = None) -> Reply:
    """Run `work` and return its answer, or its failure, as data.

    Parameters
    ----------
    work
        The call.
    partial
        Turns the path that an interruption carries into an answer.
    """
    with warnings.catch_warnings(record=True) as raised:
        out = _outcome(work, partial)
    out["warnings"] += [_library_warning(item) for item in raised]
    return out


def _outcome(work: Callable[[], Answer], partial: Callable[[Any], Answer] | None = None) -> Reply:
    try:
        answer = work()
    except BaseException as error:  # panics of extension modules are no `Exception`
        if isinstance(error, (SystemExit, GeneratorExit)):
            raise
        if partial is None or not isinstance(error, Interrupted):
            return _failed(error)
        path, finish = error.path, partial
    else:
        return {"ok": True, "value": answer.value, "warnings": _told(answer.notes)}
    whole = _outcome(lambda: finish(path))  # a second Ctrl-C may come here
    count = len(path.steps)
    finished = f"{count} finished step{'' if count == 1 else 's'}"
    failure = _failure("interrupted", f"The selection was interrupted after {finished}.")
    return failure | {"value": whole["value"], "warnings": whole["warnings"]}


def _failed(error: BaseException) -> Reply:
    match error:
        case KeyboardInterrupt():
            return _failure("interrupted", "The work was interrupted.")
        case RenyiError():
            return _failure(error.code, error.message, *error.parts)
        case CallbackError():
            kind = type(error.__cause__).__name__
            return _failure("callback", f"The progress function failed with {kind}.")
        case ImportError():
            package = f"The package `{error.name}`" if error.name else "A package"
            said = f"{package} cannot be imported."
            return _failure("extra", said, "Install renyi anew with everything that it needs.")
        case MemoryError():
            said = "The memory of this machine is not enough for this."
            return _failure("memory", said, "Use fewer rows or columns.")
        case _:
            return _failure("internal", _where(error), "Please report it with what `doctor` says.")


def _failure(code: str, message: str, *hint: str | Way) -> Reply:
    parts = [part._asdict() if isinstance(part, Way) else part for part in hint]
    words = "".join(map(str, hint))
    error = {"code": code, "message": message, "hint": words, "parts": parts}
    return {"ok": False, "error": error, "value": None, "warnings": []}


def _told(notes: Iterable[Note]) -> list[dict[str, Any]]:
    return [
        {"code": note.code, "message": note.message, "columns": list(note.columns)}
        for note in notes
    ]


def _library_warning(item: warnings.WarningMessage) -> dict[str, Any]:
    message = f"{item.category.__name__}: {item.message}"
    return {"code": "python", "message": message, "columns": []}


def _where(error: BaseException) -> str:
    """Name an exception's type and the last line of this package that it passed: never its text."""
    passed = [
        (Path(frame.filename).relative_to(_PACKAGE.parent), frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(_PACKAGE)
    ]
    file, line = passed[-1]  # this module at least, which caught it
    kind = type(error).__name__
    return f"An unexpected {kind} was raised at line {line} of {file.as_posix()}."
