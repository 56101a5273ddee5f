"""Elements of SVG as escaped text, numbers without idle digits, and names that cannot mislead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from markupsafe import Markup, escape

__all__ = ["drawing", "element", "lines_of", "number", "path_of", "shown", "with_names"]

JOINERS: Final = "\u200c\u200d"
"""What joins or parts letters within words and emoji: invisible, and harmless."""

NAMED: Final = re.compile("`([^`]+)`")

WRITTEN_OUT: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of what a browser would obey or not show: control, direction, surrogates."""


def shown(text: str) -> str:
    r"""Return text with each letter that is obeyed or unseen written out, as ``\u202e``.

    Examples
    --------
    >>> shown("a\x00b"), shown("caf\u00e9")
    ('a\\x00b', 'café')
    """
    if text.isprintable():  # the usual case: none of those categories, nor a line's end
        return text
    return "".join(_written(letter) for letter in text)


def _written(letter: str) -> str:
    if letter in JOINERS or unicodedata.category(letter) not in WRITTEN_OUT:
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 256 else letter.encode("ascii", "backslashreplace").decode()


def lines_of(text: str) -> Markup:
    """Return text of several lines as HTML; nothing but their ends is obeyed."""
    return Markup("\n").join(shown(line) for line in text.split("\n"))


def with_names(text: str) -> Markup:
    """Return a sentence as HTML, what stands between backticks in it as a name.

    Examples
    --------
    >>> print(with_names("before `x<1`: it"))
    before <b class="n"><bdi>x&lt;1</bdi></b>: it
    """
    return Markup(NAMED.sub(r'<b class="n"><bdi>\1</bdi></b>', str(escape(shown(text)))))


def number(value: float) -> str:
    """Write a coordinate to a tenth.

    Examples
    --------
    >>> number(12.04), number(0.5), number(-0.01)
    ('12', '.5', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    text = text.removeprefix("0") if text.startswith("0.") else text
    return "0" if text in {"-0", ""} else text


def element(tag: str, *inside: str, **attributes: object) -> Markup:
    """Return an element; attributes that are None are left out, and `class_` is `class`.

    Examples
    --------
    >>> print(element("text", "a<b", x=1.25, class_="name"))
    <text x="1.2" class="name">a&lt;b</text>
    """
    said = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    body = "".join(part if isinstance(part, Markup) else escape(shown(part)) for part in inside)
    return Markup(f"<{tag}{said}>{body}</{tag}>") if body else Markup(f"<{tag}{said}/>")


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(escape(shown(str(value))))


def path_of(points: Iterable[tuple[float, float]]) -> str:
    """Return the description of a line through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def drawing(
    title: str, about: str, name: str, size: tuple[float, float], inside: Iterable[Markup]
) -> Markup:
    """Return a figure that is read aloud by its title and what it is about.

    Parameters
    ----------
    title, about
        In words.
    name
        Unique on the page.
    size
        Width and height, pixels.
    inside
        Its elements.
    """
    width, height = size
    return element(
        "svg",
        element("title", title, id=f"{name}-t"),
        element("desc", about, id=f"{name}-d"),
        Markup().join(inside),
        class_="figure",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_labelledby=f"{name}-t {name}-d",
    )
