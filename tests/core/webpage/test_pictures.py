"""Small pictures: what they show is what the rows say, with weights and holes respected."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from renyi.variables import Dataset, Variable
from renyi.webpage import Pictures, pictures

RNG = np.random.default_rng(5)
CLASSES = np.array([0, 0, 0, 1] * 50)
Y = Variable.nominal("y", CLASSES, ("no", "yes"))


def drawn(
    *columns: Variable, target: Variable = Y, weights: Any = None, large: int = 0
) -> Pictures:
    data = Dataset(columns, (target,), weights)
    return pictures(data, [one.name for one in columns], large)


def points(path: str) -> list[tuple[float, float]]:
    """The points of a line that is written by its differences."""
    x, y, rest = re.fullmatch(r"M(\d+) (\d+)l(.*)", path).groups()  # type: ignore[union-attr]
    steps = [int(n) for n in re.findall(r"-?\d+", rest)]
    at = [(float(x), float(y))]
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        at.append((at[-1][0] + dx, at[-1][1] + dy))
    return at


def paths(picture: str) -> list[str]:
    return re.findall(r'd="([^"]*)"', picture)


def test_the_outline_of_each_class_is_its_histogram() -> None:
    x = np.where(CLASSES == 1, 4.0, 0.0) + RNG.uniform(0, 1, 200)
    first, second = (points(path) for path in paths(drawn(Variable.continuous("x", x)).drawn["x"]))
    assert len(first) == len(second) == 12
    low = [y for _, y in first]
    high = [y for _, y in second]
    assert min(low) == min(low[:3])  # up is small
    assert min(high) == min(high[-3:])
    assert low[-3:] == [31.0] * 3
    assert high[:3] == [31.0] * 3


def test_classes_of_other_sizes_have_outlines_of_one_area() -> None:
    x = RNG.permutation(np.tile(np.linspace(0, 1, 50), 4))
    x[CLASSES == 1] = np.linspace(0, 1, 50)
    x[CLASSES == 0] = np.repeat(np.linspace(0, 1, 50), 3)
    first, second = (points(path) for path in paths(drawn(Variable.continuous("x", x)).drawn["x"]))
    assert first == second


def test_levels_are_as_wide_as_they_are_frequent_and_cut_by_the_classes() -> None:
    codes = np.array([0] * 150 + [1] * 50)
    target = Variable.nominal("y", np.array([0] * 120 + [1] * 30 + [1] * 50), ("no", "yes"))
    found = drawn(Variable.nominal("x", codes, ("a", "b")), target=target).drawn["x"]
    boxes = re.findall(r'class=(f\d) d="M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)', found)
    assert [(kind, float(x)) for kind, x, *_ in boxes] == [("f1", 0), ("f2", 0), ("f2", 90)]
    heights = [float(tall) for *_, tall in boxes]
    assert heights == pytest.approx([32 * 0.8, 32 * 0.2, 32], abs=0.06)
    assert float(boxes[0][3]) == pytest.approx(90 - 0.7, abs=0.06)


def test_numbers_of_few_values_are_drawn_as_levels() -> None:
    x = np.array([0.0, 1.0, 2.0, 1.0] * 50)
    assert "class=f1" in drawn(Variable.continuous("x", x)).drawn["x"]


def test_rare_levels_are_drawn_together() -> None:
    codes = np.concatenate([np.repeat(np.arange(6), 30), np.arange(6, 26)])
    found = drawn(Variable.nominal("x", codes, tuple(f"l{k}" for k in range(26)))).drawn["x"]
    starts = set(re.findall(r'd="M([\d.]+) ', found))
    assert len(starts) == 7


def test_weights_count() -> None:
    codes = np.array([0, 1] * 100)
    x = Variable.nominal("x", codes, ("a", "b"))
    weights = np.where(codes == 0, 1.5, 0.5)
    found = drawn(x, weights=weights).drawn["x"]
    starts = sorted({float(at) for at in re.findall(r'd="M([\d.]+) ', found)})
    assert starts == [0.0, 90.0]


def test_missing_values_have_a_part_of_their_own() -> None:
    x = RNG.normal(size=200)
    x[CLASSES == 1] = np.nan
    found = drawn(Variable.continuous("x", x)).drawn["x"]
    assert "class=gap" in found
    assert re.search(r'<rect class="f2" x="116" y="0" width="4" height="32"/>', found)
    assert 'class="f1"' not in found
    assert max(x for path in paths(found)[:1] for x, _ in points(path)) < 110
    holes = Variable.nominal("h", np.array([0, 1] * 100), ("a", "(missing)"), missing=1)
    assert "class=gap" in drawn(holes).drawn["h"]


def test_a_quantity_is_drawn_by_its_median_along_the_column() -> None:
    x = RNG.uniform(size=400)
    target = Variable.continuous("y", 2 * x + RNG.normal(size=400) / 50)
    found = drawn(Variable.continuous("x", x), target=target)
    assert found.of_numbers
    assert found.legend == ()
    band, line = paths(found.drawn["x"])
    heights = [y for _, y in points(line)]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] - heights[-1] > 20
    assert band.endswith("z")
    levels = Variable.nominal("l", (x > 0.5).astype(int), ("low", "high"))
    boxes = paths(drawn(levels, target=target).drawn["l"])
    assert len(boxes) == 4


def test_many_classes_are_the_most_frequent_and_the_others() -> None:
    codes = RNG.integers(0, 10, 400)
    target = Variable.nominal("y", codes, tuple(f"c{k}" for k in range(10)))
    found = drawn(Variable.continuous("x", RNG.normal(size=400)), target=target)
    assert [number for number, _ in found.legend] == [1, 2, 3, 4, 5, 6]
    assert found.legend[-1] == (6, "5 others")
    assert len(paths(found.drawn["x"])) == 6


def test_thousands_of_columns_fit_and_the_first_ones_are_drawn() -> None:
    values = RNG.normal(size=(200, 7000))
    columns = [Variable.continuous(f"x{k}", values[:, k]) for k in range(7000)]
    found = drawn(*columns)
    assert sum(map(len, found.drawn.values())) <= 460_000
    assert found.missed == 7000 - len(found.drawn)
    assert list(found.drawn) == [one.name for one in columns[: len(found.drawn)]]
    assert len(found.drawn) > 2500


def test_one_column_is_drawn_alike_alone_and_among_others() -> None:
    x = Variable.continuous("x", RNG.normal(size=200))
    others = [Variable.continuous(f"o{k}", RNG.normal(size=200)) for k in range(5)]
    assert drawn(x).drawn["x"] == drawn(*others, x).drawn["x"]


def test_the_first_columns_are_drawn_larger_with_what_stands_along_them() -> None:
    x = Variable.continuous("x", np.where(CLASSES == 1, 4.0, 0.0) + RNG.uniform(0, 1, 200))
    few = Variable.continuous("few", np.array([1999.0, 2000.0, 0.5, 2000.0] * 50))
    names = tuple(f"l{k}" for k in range(9))
    many = Variable.nominal("many", np.arange(200) % 9, names)
    holed = Variable.ordinal("holed", np.array([2, 0, -1, 1] * 50), ("low", "middle", "high"))
    found = drawn(x, few, many, holed, x, large=4).portraits
    assert [one.column for one in found.each] == ["x", "few", "many", "holed"]
    assert found.legends == (("y", ((1, "no"), (2, "yes"))),)
    assert [float(end) for end in found.each[0].along] == pytest.approx([0, 5], abs=0.2)
    assert found.each[1].along == ("0.5", "1999", "2000")
    assert found.each[2].along == (*names[:6], "3 others")
    assert found.each[3].along == ("low", "middle", "high", "no value")
    ((target, picture),) = found.each[0].pictures
    assert target == "y"
    outline = points(paths(picture)[0])
    assert len(outline) == 14
    assert max(at for at, _ in outline) > 250
    assert drawn(x).portraits.each == ()


def test_more_than_two_dozen_are_not_drawn_larger() -> None:
    columns = [Variable.continuous(f"x{k}", RNG.normal(size=200)) for k in range(30)]
    found = drawn(*columns, large=28).portraits
    assert (len(found.each), found.more) == (24, 4)


def test_several_quantities_have_a_larger_picture_each() -> None:
    x = RNG.uniform(size=400)
    up = Variable.continuous("up", x + RNG.normal(size=400) / 50)
    down = Variable.continuous("down", -x + RNG.normal(size=400) / 50)
    data = Dataset((Variable.continuous("x", x),), (up, down))
    found = pictures(data, ["x"], 1)
    assert (found.target, found.targets, found.of_numbers) == ("up", 2, True)
    (one,) = found.portraits.each
    assert [name for name, _ in one.pictures] == ["up", "down"]
    rises = [points(paths(picture)[1]) for _, picture in one.pictures]
    assert rises[0][0][1] > rises[0][-1][1]
    assert rises[1][0][1] < rises[1][-1][1]
    assert found.drawn["x"] == pictures(Dataset(data.features, (up,)), ["x"], 1).drawn["x"]
