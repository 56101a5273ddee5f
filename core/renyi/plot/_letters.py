"""Letters that the figure's font can draw, and how much room they take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

__all__ = ["drawable", "fitted", "inches", "shortened", "wrapped"]

DOTS: Final = "\N{HORIZONTAL ELLIPSIS}"
"""What stands for the middle of a name."""

ROUNDED: Final = 1.02
"""By how much letters may be wider on a screen, where their edges are set on whole points."""

FEWEST: Final = 5
"""Letters of a name that are left, however little room there is."""


@cache
def _known(family: tuple[str, ...]) -> frozenset[int]:
    from matplotlib import font_manager

    place = font_manager.findfont(font_manager.FontProperties(family=list(family)))
    return frozenset(font_manager.get_font(place).get_charmap())


def drawable(text: str) -> str:
    r"""Return `text` with each letter that the font lacks written out, as in ``\u540d``.

    A figure must look the same on every machine, so no other font is looked for; a box would make
    names alike.
    """
    from matplotlib import rcParams

    known = _known(tuple(rcParams["font.family"]))
    return "".join(
        letter
        if letter == "\n" or (letter.isprintable() and ord(letter) in known)
        else _written_out(letter)
        for letter in text
    )


def _written_out(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 256 else letter.encode("ascii", "backslashreplace").decode()


@cache
def _width(letter: str, family: tuple[str, ...], weight: str) -> float:
    """Return a letter's width in sizes of the letters."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(family), weight=weight, size=100)

    def measured(text: str) -> float:
        return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])

    # between two strokes, for a space alone has no width
    return (measured(f"|{letter}|") - measured("||")) / 100


def inches(text: str, points: float, *, bold: bool = False) -> float:
    """Return the width of the longest line of a text, in inches, of letters of so many points.

    Letter by letter: kerning makes it a little less.
    """
    from matplotlib import rcParams

    family, weight = tuple(rcParams["font.family"]), "bold" if bold else "normal"
    lines = text.split("\n")
    most = max(sum(_width(letter, family, weight) for letter in line) for line in lines)
    return most * points / 72 * ROUNDED


def shortened(name: str, most: float, points: float) -> str:
    """Return a name of at most so many inches: its middle goes, since names differ at the ends."""
    if inches(name, points) <= most:
        return name
    low, high = FEWEST, len(name)  # letters that are kept: as many as fit
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if inches(_cut(name, middle), points) <= most else (low, middle)
    return _cut(name, low)


def _cut(name: str, keep: int) -> str:
    last = (keep - 1) // 2
    return name if keep >= len(name) else f"{name[: keep - last]}{DOTS}{name[len(name) - last :]}"


def fitted(
    names: Sequence[str], most: float, points: float, numbers: Sequence[int] = ()
) -> list[str]:
    """Return names of at most so many inches, of which none has become like another.

    Where the middles are all in which they differ, their numbers stand before them.
    """
    written = [drawable(name) for name in names]
    short = [shortened(name, most, points) for name in written]
    seen: dict[str, str] = {}
    alike = {
        one
        for one, whole in zip(short, written, strict=True)
        if seen.setdefault(one, whole) != whole
    }
    counts = numbers or range(1, len(names) + 1)
    return [
        shortened(f"{number} {whole}", most, points) if one in alike else one
        for one, whole, number in zip(short, written, counts, strict=True)
    ]


def wrapped(text: str, most: float, points: float, *, bold: bool = False) -> str:
    """Return a text in lines of at most so many inches; a longer word is broken."""
    lines = [""]
    for word in drawable(text).split():
        joined = f"{lines[-1]} {word}".lstrip()
        if inches(joined, points, bold=bold) <= most:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and inches(lines[-1] + letter, points, bold=bold) > most:
                lines.append("")
            lines[-1] += letter
    return "\n".join(lines)
