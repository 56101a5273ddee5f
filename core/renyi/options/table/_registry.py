"""The registry: every option of every verb, in the order of help pages and of the reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from renyi.options.table._of_figures import FIGURE_OPTIONS
from renyi.options.table._of_method import METHOD_OPTIONS
from renyi.options.table._of_stopping import STOPPING_OPTIONS
from renyi.options.table._of_tables import TABLE_OPTIONS
from renyi.options.table._option import Option

__all__ = ["FIELDS", "OPTIONS", "option_of", "options_of"]

OPTIONS: Final = (*TABLE_OPTIONS, *STOPPING_OPTIONS, *METHOD_OPTIONS, *FIGURE_OPTIONS)

FIELDS: Final[Mapping[str, Option]] = {one.field: one for one in reversed(OPTIONS)}
"""Field of a record -> its option, of two of one name the first."""


def options_of(verb: str) -> tuple[Option, ...]:
    """Return the options that a verb takes, in order."""
    return tuple(option for option in OPTIONS if verb in option.verbs)


def option_of(name: str, verb: str = "select") -> Option:
    """Return an option by its name: that of a verb, or the first of its name.

    Examples
    --------
    >>> option_of("purpose").typed, option_of("missing").default
    ('--for', 'error')
    """
    named = [option for option in OPTIONS if name == option.name]
    return next((option for option in named if verb in option.verbs), named[0])
