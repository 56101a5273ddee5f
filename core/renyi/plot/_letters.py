"""Letters that the figure's font can draw."""

from __future__ import annotations

from functools import cache

__all__ = ["drawable"]


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
