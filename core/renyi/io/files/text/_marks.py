"""How numbers are written in text files: decimal marks, thousands, leading zeros."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from renyi.errors import Way
from renyi.options import DataOptions

__all__ = ["Marks", "has_leading_zeros", "other_marks"]

_SPACES: Final = " \u00a0\u202f"
_LOOK: Final = 200
"""Values that are looked at before all of them are."""


@dataclass(frozen=True)
class Marks:
    """The marks of a file.

    Attributes
    ----------
    decimal
        `.` or `,`; None where a dot is one, and a comma too if `comma` is set.
    thousands
        Mark between groups of three digits, None for none.
    comma
        Whether 1,5 is a number where nothing is said, as in files whose separator is a semicolon.
    """

    decimal: str | None = None
    thousands: str | None = None
    comma: bool = False

    @classmethod
    def asked(cls, options: DataOptions | None, separator: str) -> Marks:
        """Return what a caller asked for, or what the separator suggests."""
        decimal, thousands = (options.decimal, options.thousands) if options else (None, None)
        if decimal is None and thousands is not None:
            return cls.of(thousands)
        return cls(decimal, thousands, comma=decimal is None and separator == ";")

    @classmethod
    def of(cls, thousands: str) -> Marks:
        """Return a mark for thousands with the decimal mark that goes with it."""
        return cls("," if thousands == "." else ".", thousands)

    def fit(self, present: pl.Series) -> bool:
        """Whether all fields are numbers under these marks."""
        pattern = self._pattern()
        some = present.head(_LOOK).str.contains(pattern).all()
        return bool(some and present.str.contains(pattern).all())

    def occur(self, present: pl.Series) -> bool:
        """Whether some field has each of these marks that would have to be asked for."""
        usual = self.thousands is not None and self == Marks.of(self.thousands)
        asked = [self.thousands, None if usual else self.decimal]
        return all(
            bool(present.str.contains(f"[{re.escape(_letters(mark))}]").any())
            for mark in asked
            if mark
        )

    def plain(self, values: pl.Series) -> pl.Series:
        """Return fields as a machine writes numbers; what is no number under these marks is null.

        Where nothing is said a field that is no number stays as it is.
        """
        if self.decimal is None:
            return values.str.replace(",", ".", literal=True) if self.comma else values
        fits = values.str.contains(self._pattern())
        bare = values
        if self.thousands is not None:
            bare = bare.str.replace_all(f"[{re.escape(_letters(self.thousands))}]", "")
        bare = bare.str.replace(self.decimal, ".", literal=True)
        frame = pl.DataFrame({"bare": bare, "fits": fits})
        return frame.select(pl.when(pl.col("fits")).then(pl.col("bare")))["bare"]

    def may_be_thousands(self, values: pl.Series) -> bool:
        """Whether numbers that were read with a decimal mark look like groups of three digits.

        Then all that have the mark have three digits after it and no leading zero, and all that
        have none are below 1,000. Numbers rounded to three places look so too where all have the
        mark; in a file without semicolons those are not doubted, nor are commas in one with them.
        """
        if self.decimal is not None:
            return False
        first = [value.strip() for value in values.head(_LOOK).to_list() if value is not None]
        for mark in ".," if self.comma else ".":
            pattern = rf"^[+-]?([1-9]\d{{0,2}}[{mark}]\d{{3}}|\d{{1,3}})$"
            if not all(re.match(pattern, value) for value in first):
                continue
            present = values.drop_nulls().str.strip_chars()
            if not present.str.contains(pattern).all():
                continue
            with_mark = int(present.str.contains(mark, literal=True).sum())
            if with_mark and (with_mark < len(present) or (self.comma and mark == ".")):
                return True
        return False

    def _pattern(self) -> str:
        decimal = re.escape(self.decimal or ".")
        whole = r"\d+"
        if self.thousands is not None:
            whole = rf"(\d{{1,3}}([{re.escape(_letters(self.thousands))}]\d{{3}})+|\d+)"
        number = rf"({whole}({decimal}\d*)?|{decimal}\d+)([eE][+-]?\d+)?"
        return rf"^[+-]?({number}|(?i)nan|inf|infinity)$"


def has_leading_zeros(values: pl.Series) -> bool:
    """Whether all fields are digits alone, and one of several begins with zero: names, as 00870."""
    first = [value.strip() for value in values.head(_LOOK).to_list() if value is not None]
    if not all(value.isdecimal() for value in first):
        return False
    present = values.drop_nulls().str.strip_chars()
    return bool(present.str.contains(r"^0\d").any() and present.str.contains(r"^\d+$").all())


def other_marks(values: pl.Series, known: Marks) -> tuple[str, tuple[str | Way, ...]] | None:
    """Return a field that is a number under other marks, as all are, and what to set for that.

    None where it is known which marks there are.
    """
    if known.decimal is not None:
        return None
    present = values.drop_nulls()
    fitting = [other for other in _others() if other.occur(present) and other.fit(present)]
    if not fitting:
        return None
    example = present.filter(~present.str.contains(r"^[+-]?\d+$"))[0]
    parts: list[str | Way] = []
    for other in fitting[:2]:
        parts += [" or "] if parts else []
        if other.thousands is None or other != Marks.of(other.thousands):
            parts += [Way("decimal", other.decimal)]
            parts += [" and "] if other.thousands else []
        parts += [Way("thousands", other.thousands)] if other.thousands else []
    return str(example), tuple(parts)


def _others() -> Iterator[Marks]:
    for thousands in (",", ".", "space", "'", "_"):
        usual = Marks.of(thousands)
        yield usual
        if thousands not in ",.":
            yield Marks(",", thousands)
    yield Marks(",", None)


def _letters(mark: str) -> str:
    return _SPACES if mark == "space" else mark
