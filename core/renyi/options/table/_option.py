"""What an option is: everything that is said of it, in one record."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from renyi import _validate
from renyi.errors import OptionError

__all__ = [
    "COLUMNS",
    "COMPARE",
    "PAIRED",
    "SEARCHES",
    "SELECT",
    "TABLES",
    "VALUES",
    "Named",
    "Option",
    "check_record",
    "imported",
    "section",
    "whole",
]

SELECT: Final = ("select",)
COMPARE: Final = ("compare",)
SEARCHES: Final = (*SELECT, *COMPARE)
COLUMNS: Final = (*SEARCHES, "describe")
TABLES: Final = (*COLUMNS, "measure")
PAIRED: Final = ("mutual_information", "conditional_mutual_information")
VALUES: Final = ("entropy", *PAIRED)
"""Verbs that take an option, which are functions of `renyi`."""

Reads: TypeAlias = Literal[
    "text",
    "whole",
    "number",
    "count",
    "names",
    "many",
    "pairs",
    "groups",
    "bandwidths",
    "sizes",
    "switch",
]
"""How what is typed becomes a value; `count` is a whole number or a rule."""


@dataclass(frozen=True)
class Named:
    """A choice with a record of its own: a criterion, a score, a solver.

    Attributes
    ----------
    name
        The word it is asked for by.
    help
        What it is, in one line.
    """

    name: str
    help: str


@dataclass(frozen=True)
class Option:
    """One option, said once: the records, the verbs, the terminal, tests of pages and R read it.

    Attributes
    ----------
    name
        As a keyword in Python and R.
    metavar
        What stands for the value in the terminal; empty where it is not taken there.
    help
        Text of the help page: `{default}` stands for the default, `{offered}` for the choices in
        words, `{named}` for those but `none`, `{explained}` for choices with what each is.
    default
        What holds where nothing is said.
    unsaid
        The default in words where the value alone does not tell.
    own
        Verb -> its own default.
    choices
        Words that are completed; records of them may be added at run time.
    rule
        Returns a value as records keep it, or raises `OptionError`; without it a value must be
        one of the choices, if there are any.
    reads
        How the terminal reads it.
    flags
        As it is typed, where that is not its name.
    field
        Its name in its record.
    required
        Whether its verbs cannot do without it.
    group
        Panel of the terminal's help page.
    verbs
        Functions of `renyi` that take it.
    """

    name: str
    metavar: str = ""
    help: str = ""
    default: Any = None
    unsaid: str = ""
    own: Mapping[str, object] = dataclasses.field(default_factory=dict)
    choices: Collection[str] = ()
    rule: Callable[[Any], object] | None = None
    reads: Reads = "text"
    flags: str = ""
    field: str = ""
    required: bool = False
    group: str = ""
    verbs: Collection[str] = ()

    @property
    def typed(self) -> str:
        """All spellings in the terminal."""
        return self.flags or f"--{self.name.replace('_', '-')}"

    @property
    def default_text(self) -> str:
        """The default as text; empty where no value says it."""
        if self.default is None and self.unsaid in self.choices:
            return self.unsaid
        known = self.default
        value = known[0] if isinstance(known, tuple) and known else known
        if isinstance(value, str):
            return value
        counts = isinstance(value, int | float) and not isinstance(value, bool)
        return f"{value:g}" if counts else ""

    @property
    def offered(self) -> str:
        """The choices in words, the default among them named."""
        words = [f"{w} (default)" if w == self.default_text else w for w in self.choices]
        return f"{', '.join(words[:-1])} or {words[-1]}"

    @property
    def text(self) -> str:
        """The text of its help page."""
        plain = [word for word in self.choices if word != "none"]
        return self.help.format(
            default=self.default_text,
            offered=self.offered if self.choices else "",
            named=", ".join(plain),
            explained="; ".join(self._explained()),
        )

    def completed(self, typed: str) -> list[tuple[str, str]]:
        """Return the choices that start with what is typed, each with what it is."""
        known = self.choices
        about = {w: r.help for w, r in known.items()} if isinstance(known, Mapping) else {}
        return [(word, about.get(word, "")) for word in known if word.startswith(typed)]

    def checked(self, value: Any) -> Any:
        """Return a value as records keep it.

        Raises
        ------
        OptionError
            If it breaks its rule.
        """
        if value is None and self.default is None:
            return None
        try:
            if self.rule is not None:
                return self.rule(value)
            if self.choices:
                return _validate.choice(self.name, value, tuple(self.choices))
        except OptionError as error:
            raise self.led_out(error) from None
        return value

    def led_out(self, error: OptionError) -> OptionError:
        """Return an error of its value with a way out, its default, where it names none."""
        usual = self.default_text or self.unsaid
        if self.own:
            usual += "".join(f", {value} in {verb}" for verb, value in self.own.items())
        if error.parts or not usual:
            return error
        return OptionError(error.message, *_validate.left_out(self.name, usual))

    def _explained(self) -> list[str]:
        records = self.choices.values() if isinstance(self.choices, Mapping) else ()
        return [
            f"{r.name}{' (default)' if r.name == self.default_text else ''}, {r.help}"
            for r in records
        ]


def section(group: str, verbs: Collection[str], *options: Option) -> tuple[Option, ...]:
    """Return options that stand in one panel and are taken by the same verbs."""
    return tuple(
        dataclasses.replace(one, group=group, verbs=verbs, field=one.field or one.name)
        for one in options
    )


def whole(name: str, least: int, hint: str = "") -> Callable[[Any], int]:
    """Return the rule of a whole number."""
    return lambda value: _validate.whole_number(name, value, least, hint)


def check_record(record: Any, known: Mapping[str, Option]) -> None:
    """Put every field of a frozen record as its option's rule has it, or raise `OptionError`."""
    for one in dataclasses.fields(record):
        value = known[one.name].checked(getattr(record, one.name))
        object.__setattr__(record, one.name, value)


def imported(place: str) -> Any:
    """Return what stands at ``module:name``, imported when it is needed."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)
