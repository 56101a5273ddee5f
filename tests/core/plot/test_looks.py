"""Colours are told apart by every eye, and what is drawn by shape and dashes without any."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

from matplotlib.colors import LinearSegmentedColormap, to_rgb

# the colours, by what they stand for
from renyi.plot._looks import DASHES, LOOKS, MARKS

SEEN = {
    "all cones": np.eye(3),
    # Machado, Oliveira and Fernandes, IEEE Transactions on Visualization 15 (2009), severity 1
    "no red": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no blue": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> np.ndarray:
    value = np.array(to_rgb(colour))
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(colour: str, eye: str) -> np.ndarray:
    """CIELAB of a colour as an eye sees it."""
    x = XYZ @ np.clip(SEEN[eye] @ linear(colour), 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    a, b = sorted(float(XYZ[1] @ linear(colour)) for colour in (one, other))
    return (b + 0.05) / (a + 0.05)


@pytest.mark.parametrize(("style", "eye"), list(product(LOOKS, SEEN)))
def test_no_two_colours_are_alike(style: str, eye: str) -> None:
    series = LOOKS[style].series
    for one, other in combinations(series, 2):
        assert np.linalg.norm(lab(one, eye) - lab(other, eye)) > 10, (one, other)
    mi, cmi = LOOKS[style].mi, LOOKS[style].cmi
    assert np.linalg.norm(lab(mi, eye) - lab(cmi, eye)) > 40


@pytest.mark.parametrize("style", LOOKS)
def test_words_and_curves_stand_out(style: str) -> None:
    look = LOOKS[style]
    assert contrast(look.ink, look.paper) > 15
    assert contrast(look.quiet, look.paper) > 4.5
    assert min(contrast(colour, look.paper) for colour in (look.mi, look.cmi, look.good)) > 3
    assert contrast(look.nothing, look.all) > 5


@pytest.mark.parametrize(("style", "eye"), list(product(LOOKS, SEEN)))
def test_shades_go_one_way(style: str, eye: str) -> None:
    look = LOOKS[style]
    shades = LinearSegmentedColormap.from_list("shades", [look.nothing, look.all])
    light = [lab(shades(k / 20)[:3], eye)[0] for k in range(21)]
    steps = np.diff(light)
    assert (steps > 0).all() or (steps < 0).all()


@pytest.mark.parametrize("style", LOOKS)
def test_curves_are_told_apart_without_colour(style: str) -> None:
    count = len(LOOKS[style].series)
    drawn = [(k % count, DASHES[k % len(DASHES)], MARKS[k % len(MARKS)]) for k in range(20)]
    assert len(set(drawn)) == 20
    assert len({(dashes, mark) for _, dashes, mark in drawn}) == 20
