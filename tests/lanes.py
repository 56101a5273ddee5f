"""Which cases of a test run with every change, and which with the studies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest


def every_other(*axes: Sequence[Any]) -> list[Any]:
    """All combinations of some axes, of which every other is a study, as the black of a chessboard.

    What is white has every value of every axis, beside half the values of each other axis. A value
    that is a tuple is several arguments.
    """
    cases = []
    for places in product(*(range(len(axis)) for axis in axes)):
        values = [axis[place] for axis, place in zip(axes, places, strict=True)]
        flat = [one for value in values for one in (value if isinstance(value, tuple) else [value])]
        cases.append(pytest.param(*flat, marks=[pytest.mark.study] if sum(places) % 2 else []))
    return cases
