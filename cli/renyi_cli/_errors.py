"""Everything that can end a run early, told in one sentence and turned into an exit status.

0 done, 1 the work failed, 2 wrong use, 130 interrupted.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Collection
from typing import Final

import typer

from renyi.errors import MemoryBudgetError, OptionError, RenyiError, Way
from renyi.options import OPTIONS
from renyi_cli._console import ClosedPipe, say
from renyi_cli._interrupts import INTERRUPTED
from renyi_cli._session import Session

__all__ = ["guarded"]

SPELLED: Final = {one.name: one.typed.split()[0] for one in OPTIONS}
"""Option -> how it is typed."""

ProgramError: type[Exception] = typer.BadParameter.__mro__[2]
"""What typer raises about the command line itself; its home has moved between versions."""


def guarded(work: Callable[[], object], session: Session, options: Collection[str]) -> int:
    """Run the program's work and return its exit status; nothing escapes but `SystemExit`.

    Parameters
    ----------
    work
        Runs the command; an int it returns is the status it asked for.
    session
        Says whether a traceback may be shown.
    options
        Names of all options, to call them as they are typed.
    """
    try:
        answer = work()
    except ClosedPipe:
        return 0
    except (KeyboardInterrupt, typer.Abort):
        answer = INTERRUPTED
    except RenyiError as error:
        return _expected(error, session, options)
    except ProgramError as error:
        return _misused(error)
    except SystemExit:
        raise
    except MemoryError as error:
        return _expected(_out_of_memory(error), session, options)
    except BaseException as error:  # a panic of another language is no `Exception`
        return _unexpected(error, session)
    status = answer if isinstance(answer, int) else 0
    if status == INTERRUPTED:
        say("Interrupted.", "", "bold yellow")
    return status


def _out_of_memory(error: MemoryError) -> RenyiError:
    told = MemoryBudgetError(
        "The memory that this process may have is not enough for this.",
        "Use fewer rows or columns, or raise the limit on it.",
    )
    told.__cause__ = error
    return told


def _expected(error: RenyiError, session: Session, options: Collection[str]) -> int:
    if session.debug:
        _show_traceback(error)
    message = as_typed(error.message, options, everywhere=isinstance(error, OptionError))
    say("Error:", message, "bold red", error.hint_in(typed_way))
    return error.exit_code


def spelled(option: str) -> str:
    """Return an option as it is typed."""
    return SPELLED.get(option, f"--{option.replace('_', '-')}")


def typed_way(way: Way) -> str:
    """Write an option that leads out of an error as it is typed."""
    flag, value = spelled(way.option), way.value
    if isinstance(value, bool):
        return flag if value else f"--no-{flag[2:]}"
    if isinstance(value, dict):
        return f"{flag} {', '.join(f'{column}={one}' for column, one in value.items())}"
    if value is None:
        return f"{flag} {way.rule}".rstrip()
    if value in {",", ".", "'", "_"}:  # a mark alone would look like one of the sentence
        value = f'"{value}"'
    return f"{flag} {value}"


def as_typed(text: str, options: Collection[str], *, everywhere: bool = True) -> str:
    """Write an option's Python name as it is typed: `` `stop_when` `` is ``--stop-when``.

    So is a choice, ``missing `drop` ``, and the subject `` `name` `` of a page's argument NAME.

    A quoted word may as well be a column's name. In a message about an option, which begins with
    it, quoted words are options up to what was "got" or a colon; behind them a checkpoint names
    those that differ. In other messages only the subject of "must" is one.

    Examples
    --------
    >>> as_typed("`p_rule` must be one of paper, valid; got 'x'.", {"--p-rule"})
    "--p-rule must be one of paper, valid; got 'x'."
    >>> as_typed("`output` must end in .csv; got `seed`.", {"--output", "--seed"})
    '--output must end in .csv; got `seed`.'
    >>> as_typed("`table` must say which one is meant: a has `seed`.", {"--table", "--seed"})
    '--table must say which one is meant: a has `seed`.'
    >>> as_typed("There are 3 groups of `seed`.", {"--seed"})
    'There are 3 groups of `seed`.'
    >>> as_typed("`seed` is constant.", {"--seed"}, everywhere=False)
    '`seed` is constant.'
    >>> as_typed("There are some under missing `error`.", {"--missing"})
    'There are some under --missing error.'
    """

    def typed(match: re.Match[str]) -> str:
        option = spelled(match[1])
        return option + (match[2] or "") if option in options else match[0]

    def chosen(match: re.Match[str]) -> str:
        option = "--" + match[1].replace("_", "-")
        choices = [word for one in OPTIONS if one.name == match[1] for word in one.choices]
        known = option in options and match[2] in choices
        return f"{option} {match[2]}" if known else match[0]

    text = re.sub("^`(name|data|result|set)`(?= must)", lambda match: match[1].upper(), text)
    text = re.sub("^`folder`(?= must)", "--out", text)  # of `reproduce`
    text = re.sub(r"\b([a-z_]+) `([a-z]+)`", chosen, text)
    quoted = r"`([a-z_]+)( [^`]*)?`"
    if not (everywhere and text.startswith("`")):
        return re.sub(f"^{quoted}(?= must)", typed, text)
    head, end, rest = re.split(r"(\bgot |: |$)", text, maxsplit=1)
    return re.sub(quoted, typed, head) + end + re.sub(rf"{quoted}(?= was .* there )", typed, rest)


def _misused(error: Exception) -> int:
    """Tell what is wrong with the command line, in typer's words, and where its help is."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    first, *rest = re.split(r"[.?]? +(?=Did you mean|\(Possible)", message, maxsplit=1)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "renyi"
    near = [f"{words.strip('().?')}{'?' if words.endswith('?') else '.'}" for words in rest]
    hint = " ".join([*near, f"`{command} --help` shows what there is."])
    say("Error:", first.removesuffix(".") + ".", "bold red", hint)
    return int(getattr(error, "exit_code", 2))


def _unexpected(error: BaseException, session: Session) -> int:
    if session.debug:
        _show_traceback(error)
        hint = "Please report it with the traceback above."
    else:
        hint = "Run again with --debug for a traceback to report; it holds no data."
    kind = type(error).__name__
    say("Error:", f"This is a bug in renyi: an unexpected {kind} ended the work.", "bold red", hint)
    return 1


def _show_traceback(error: BaseException) -> None:
    """Print the calls that led to `error`, without messages.

    A library's message may quote values of the table; the calls never do.
    """
    if error.__cause__ is not None:
        _show_traceback(error.__cause__)
    calls = "".join(traceback.format_tb(error.__traceback__))
    sys.stderr.write(f"Traceback (most recent call last):\n{calls}{type(error).__name__}\n\n")
