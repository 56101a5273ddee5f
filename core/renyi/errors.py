"""Everything `renyi` raises on purpose.

::

    RenyiError                    code       CLI exit
    |-- UsageError (ValueError)   usage      2   the caller asked for something that cannot be
    |   |-- OptionError           option     2   an option's value breaks its rule
    |   `-- ColumnError           column     2   a column that is not there, or not fit for its role
    |-- DataError                 data       1   the table cannot be used as it is
    |   |-- ReadError             read       1   a file cannot be read
    |   |-- MissingValuesError    missing    1   missing values under `missing="error"`
    |   `-- MemoryBudgetError     memory     1   the work does not fit into memory
    |-- OutputError               output     1   a result cannot be written
    |-- BackendError              backend    1   an array backend cannot be used
    |-- ExecutorError             executor   1   workers elsewhere cannot be reached, or fail
    |-- IntegrityError            integrity  1   content is not that of the hash that goes with it
    `-- MissingExtraError (ImportError)  extra  1   an optional part is not installed

    Interrupted (KeyboardInterrupt)  interrupted  130   carries what was finished in `.path`

A message says, in this order: the argument, the rule, the value. The way out is the `hint`. What to
set an option to is a `Way` in it, no text: Python, the terminal and R each write it in words of
their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

__all__ = [
    "BackendError",
    "ColumnError",
    "DataError",
    "ExecutorError",
    "IntegrityError",
    "Interrupted",
    "MemoryBudgetError",
    "MissingExtraError",
    "MissingValuesError",
    "OptionError",
    "OutputError",
    "ReadError",
    "RenyiError",
    "UsageError",
    "Way",
]


class Way(NamedTuple):
    """An option that leads out of an error.

    Attributes
    ----------
    option
        Its name as a keyword.
    value
        What to set it to; for an option by column a dict.
    rule
        What stands for the value where the caller has to choose it, such as ``N``.
    """

    option: str
    value: bool | float | str | dict[str, str] | None = None
    rule: str = ""

    def __str__(self) -> str:
        """Write it as Python does."""
        if self.value is None and not self.rule:
            return f"`{self.option}`"
        return f"`{self.option}={self.rule if self.value is None else repr(self.value)}`"


class RenyiError(Exception):
    """Base of all expected failures.

    Parameters
    ----------
    message
        One sentence: the argument, the rule, the value.
    hint
        The way out, one sentence or nothing: text, or parts of it and the options that it names.

    Examples
    --------
    >>> error = OptionError("`rank` chance needs score mi.", "Use ", Way("rank", "raw"), ".")
    >>> error.hint, error.ways
    ("Use `rank='raw'`.", (Way(option='rank', value='raw', rule=''),))
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *hint: str | Way) -> None:
        super().__init__(message, *hint)
        self.message = message
        self.parts = tuple(part for part in hint if part)

    @property
    def hint(self) -> str:
        """The way out in the words of Python."""
        return self.hint_in(str)

    @property
    def ways(self) -> tuple[Way, ...]:
        """The options that the way out names."""
        return tuple(part for part in self.parts if isinstance(part, Way))

    def hint_in(self, words: Callable[[Way], str], text: Callable[[str], str] = str) -> str:
        """Return the way out with each option in other words."""
        return "".join(words(p) if isinstance(p, Way) else text(p) for p in self.parts)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class UsageError(RenyiError, ValueError):
    """The caller asked for something that cannot be."""

    code = "usage"
    exit_code = 2


class OptionError(UsageError):
    """An option's value breaks its rule."""

    code = "option"


class ColumnError(UsageError):
    """A named column is not there, or not fit for the role asked of it."""

    code = "column"


class DataError(RenyiError):
    """The table cannot be used as it is."""

    code = "data"


class ReadError(DataError):
    """A file cannot be read."""

    code = "read"


class MissingValuesError(DataError):
    """Columns in use have missing values and the caller did not say what to do with them."""

    code = "missing"


class MemoryBudgetError(DataError):
    """The work asked for does not fit into memory; raised before it starts."""

    code = "memory"


class OutputError(RenyiError):
    """A result cannot be written where the caller wants it."""

    code = "output"


class BackendError(RenyiError):
    """An array backend cannot be used on this machine."""

    code = "backend"


class ExecutorError(RenyiError):
    """Workers elsewhere cannot be reached, differ from this process, or fail."""

    code = "executor"


class IntegrityError(RenyiError):
    """Content does not match its hash: that which a registry names, or a file carries."""

    code = "integrity"


class MissingExtraError(RenyiError, ImportError):
    """An optional part is not installed."""

    code = "extra"

    @classmethod
    def for_extra(cls, extra: str, purpose: str) -> MissingExtraError:
        """Build the one sentence that says how to install `extra`."""
        return cls(
            f"{purpose} needs the extra `{extra}`.",
            f"Install it: pip install 'renyi[{extra}]' (in a checkout: pip install '.[{extra}]')",
        )


class Interrupted(KeyboardInterrupt):
    """Work was interrupted; `path` holds what was finished.

    Parameters
    ----------
    path
        Of a selection its `SelectionPath`, the verdict `interrupted`; of a comparison a
        `PartialComparison`, or the `ScoreComparison` of the scores that were finished.
    """

    code: ClassVar[str] = "interrupted"
    exit_code: ClassVar[int] = 130

    def __init__(self, path: Any) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        count = len(getattr(self.path, "steps", ()))
        steps = f"{count} finished step" if count == 1 else f"{count} finished steps"
        return f"The work was interrupted; `.path` holds {steps}."
