"""Colours can be told apart and read, in light and in dark (WCAG 2.2, 1.4.3 and 1.4.11)."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

STYLE = (files("renyi.webpage") / "templates" / "style.css").read_text(encoding="utf-8")
TEXT = ("ink", "quiet", "link")
GRAPHICS = ("mi", "cmi", "chance", "rival", "c1", "c2", "c3", "c4", "c5", "c6")


def palettes() -> dict[str, dict[str, str]]:
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    named = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", block)) for block in blocks]
    return dict(zip(("light", "dark", "print"), named, strict=True))


def luminance(colour: str) -> float:
    text = colour[1:]
    text = "".join(2 * letter for letter in text) if len(text) == 3 else text
    parts = [int(text[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_measure_is_that_of_the_standard() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_colours_are_strong_enough(scheme: str) -> None:
    palette = palettes()[scheme]
    grounds = [palette[name] for name in ("paper", "soft", "mark") if name in palette]
    for ground in grounds:
        assert not [n for n in TEXT if contrast(palette[n], ground) < 4.5], ground
        assert not [n for n in GRAPHICS if contrast(palette[n], ground) < 3], ground


def test_nothing_is_told_by_colour_alone() -> None:
    """Classes differ by dashes too; what was not done is hollow."""
    dashes = {}
    for number in range(2, 7):
        rule = re.search(rf"^\.c{number}, [^{{]*\{{([^}}]*)\}}", STYLE, re.MULTILINE)
        assert rule is not None
        dashes[number] = re.search(r"stroke-dasharray: ([^;}]*)", rule[1])[1]  # type: ignore[index]
    assert len(set(dashes.values())) == 5
    assert ".hollow" in STYLE


def test_the_page_needs_no_other_file() -> None:
    assert not re.search(r"url\(|@import|@font-face", STYLE)
