"""Orders of rows that belong together: held against the complete set of them, for a few rows."""

from itertools import permutations, product

import numpy as np
import pytest

from renyi.resampling import (
    block_length,
    complementary_halves,
    count_orders,
    joint_orders,
    moved_rows,
    sampled_rows,
    scheme_of,
)
from renyi.variables import RowStructure, Variable

SUBJECT = np.array([0, 1, 0, 2, 2, 1, 3, 3, 3])
"""Three subjects of two rows, one of three, not side by side in the file."""


def groups(codes):
    return Variable.nominal("subject", codes, tuple(map(str, range(int(max(codes)) + 1))))


def whole_orders(codes):
    """Every order that moves groups as a whole among those of as many rows."""
    rows = [np.flatnonzero(codes == group) for group in range(codes.max() + 1)]
    for come in permutations(range(len(rows))):
        if all(len(rows[a]) == len(rows[b]) for a, b in enumerate(come)):
            order = np.empty(len(codes), dtype=int)
            for place, unit in enumerate(come):
                order[rows[place]] = rows[unit]
            yield tuple(order.tolist())


def within_orders(codes):
    rows = [np.flatnonzero(codes == group) for group in range(codes.max() + 1)]
    for parts in product(*(permutations(some.tolist()) for some in rows)):
        order = np.empty(len(codes), dtype=int)
        for some, part in zip(rows, parts, strict=True):
            order[some] = part
        yield tuple(order.tolist())


def rotations(codes):
    rows = [np.flatnonzero(codes == group) for group in range(codes.max() + 1)]
    for turns in product(*(range(len(some)) for some in rows)):
        order = np.empty(len(codes), dtype=int)
        for some, turn in zip(rows, turns, strict=True):
            order[some] = np.roll(some, -turn)
        yield tuple(order.tolist())


HALVED = np.array([0, 1, 1, 0, 2, 2, 3, 3, 4])
"""Blocks of two rows of two subjects, and a row left over."""

CASES = {
    "whole groups": (RowStructure(groups(SUBJECT)), set(whole_orders(SUBJECT))),
    "within groups": (RowStructure(groups(SUBJECT), "within"), set(within_orders(SUBJECT))),
    "rotations": (RowStructure(None, "within", 2, rotates=True), set(rotations(np.zeros(9, int)))),
    "rotations within groups": (
        RowStructure(groups(SUBJECT), "within", 1, rotates=True),
        set(rotations(SUBJECT)),
    ),
    "blocks": (
        RowStructure(None, "within", 2),
        set(whole_orders(np.array([0, 0, 1, 1, 2, 2, 3, 3, 4]))),
    ),
    "blocks within groups": (
        RowStructure(groups([0, 1, 1, 0, 1, 1, 0, 0, 0]), "within", 2),
        {o for o in whole_orders(HALVED) if {o[0], o[6]} == {0, 6} and {o[1], o[4]} == {1, 4}},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_orders_are_all_of_the_complete_set_equally_often(name):
    structure, complete = CASES[name]
    scheme = scheme_of(structure, 9, seed=4, step=2)
    draws = 300 * len(complete)
    found = [tuple(scheme.order(number).tolist()) for number in range(draws)]
    assert set(found) == complete
    assert tuple(range(9)) in complete
    counts = np.array([found.count(order) for order in complete])
    # Binomial(300 K, 1 / K) has a standard deviation below 17.4; the draws are fixed by the seed.
    assert np.abs(counts - 300).max() < 4.5 * 17.4


@pytest.mark.parametrize("name", CASES)
def test_orders_are_a_group(name):
    """What makes the test exact: orders after one another are orders of the set."""
    _, complete = CASES[name]
    for first, second in product(list(complete)[:12], list(complete)[-12:]):
        assert tuple(np.array(first)[list(second)].tolist()) in complete


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("codes", [[0, 1, 0, 1, 1, 1, 0, 0, 0], [0, 1, 2, 3, 4, 5, 6, 7, 8]])
def test_orders_that_change_something_are_counted(name, codes):
    structure, complete = CASES[name]
    target = Variable.continuous("y", codes)
    ways = {tuple(np.array(codes)[list(order)].tolist()) for order in complete}
    assert count_orders(structure, target) == pytest.approx(len(ways))
    moved = {row for order in complete for row in range(9) if order[row] != row}
    assert moved_rows(structure, 9) == len(moved)


def test_names_of_classes_are_no_orders_of_their_own():
    six = RowStructure(groups(np.repeat(np.arange(6), 3)))
    target = Variable.nominal("y", np.repeat([0, 1, 0, 1, 0, 1], 3), ("a", "b"))
    assert count_orders(six, target) == pytest.approx(10)  # 20 of three among six, two and two
    uneven = Variable.nominal("y", np.repeat([0, 1, 0, 0, 0, 1], 3), ("a", "b"))
    assert count_orders(six, uneven) == pytest.approx(15)


@pytest.mark.parametrize("name", CASES)
def test_a_pilot_draws_other_orders_of_the_same_set(name):
    structure, complete = CASES[name]
    scheme = scheme_of(structure, 9, seed=4, step=2)
    drawn = [[tuple(s.order(k).tolist()) for k in range(40)] for s in (scheme, scheme.pilot())]
    assert drawn[0] != drawn[1]
    assert set(drawn[1]) <= complete
    assert not scheme.free
    assert structure.words == scheme.words


def test_units_that_are_not_alike_do_not_change_places():
    structure = RowStructure(groups(np.repeat(np.arange(6), 2)))
    alike = np.repeat([0, 0, 0, 1, 1, 1], 2)
    scheme = scheme_of(structure, 12, seed=0, step=1).within(alike)
    found = {tuple(scheme.order(number).tolist()) for number in range(400)}
    assert len(found) == 36
    assert all((alike[list(order)] == alike).all() for order in found)


def test_other_uses_have_orders_of_their_own():
    structure = RowStructure(groups(SUBJECT))
    one, other = (
        [o.tolist() for o in joint_orders(structure, 9, 3, use, range(30))] for use in "ab"
    )
    assert one != other
    plain = joint_orders(None, 9, 3, "a", range(2))
    assert sorted(plain[0].tolist()) == list(range(9))


def rows_drawn(structure, n, most, seed=0, classes=None):
    return sampled_rows(structure, n, most, np.random.default_rng(seed), classes)


def test_whole_groups_are_sampled_of_each_class_alike():
    codes = np.repeat(np.arange(40), 5)
    classes = (codes < 10).astype(np.int64)
    for seed in range(20):
        rows = rows_drawn(RowStructure(groups(codes)), 200, 100, seed, classes)
        assert len(rows) == 100
        assert (np.bincount(codes[rows], minlength=40) % 5 == 0).all()
        assert classes[rows].sum() == 25


def test_groups_too_large_to_fit_lose_their_last_rows():
    codes = np.repeat(np.arange(4), 50)
    rows = rows_drawn(RowStructure(groups(codes)), 200, 40)
    assert np.bincount(codes[rows]).tolist() == [10] * 4
    assert rows[:10].tolist() == list(range(10))


def test_a_series_is_sampled_in_one_stretch():
    for seed in range(10):
        rows = rows_drawn(RowStructure(None, "within", 5), 100, 30, seed)
        assert len(rows) == 30
        assert (np.diff(rows) == 1).all()


def test_rows_that_move_within_groups_are_sampled_one_by_one():
    rows = rows_drawn(RowStructure(groups(np.repeat(np.arange(4), 50)), "within"), 200, 40)
    assert len(rows) == 40
    assert (np.diff(rows) > 1).any()


@pytest.mark.parametrize("shuffle", ["whole", "within"])
def test_no_group_is_in_both_halves(shuffle):
    codes = np.repeat(np.arange(12), np.arange(1, 13))
    classes = (codes % 3 == 0).astype(np.int64)
    structure = RowStructure(groups(codes), shuffle)
    for pair in range(20):
        first, second = complementary_halves(78, 5, pair, classes, structure)
        one, other = set(codes[first].tolist()), set(codes[second].tolist())
        assert not one & other
        assert len(one) == len(other) == 6
        assert sum(group % 3 == 0 for group in one) == 2
        assert first.tolist() == sorted(first.tolist())
        assert set(first.tolist()) == set(np.flatnonzero(np.isin(codes, list(one))).tolist())


def test_blocks_and_series_are_halved_in_one_piece():
    blocks = RowStructure(None, "within", 10)
    first, second = complementary_halves(100, 0, 1, None, blocks)
    assert len({*first.tolist(), *second.tolist()}) == 100
    assert len(set((first // 10).tolist())) == 5
    turned = RowStructure(None, "within", 10, rotates=True)
    for pair in range(10):
        first, second = complementary_halves(101, 0, pair, None, turned)
        assert len(first) == len(second) == 50
        assert not set(first.tolist()) & set(second.tolist())
        assert sum(np.diff(first) > 1) + sum(np.diff(second) > 1) <= 2


def series(memory, n, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=n)
    for row in range(1, n):
        values[row] += memory * values[row - 1]
    return Variable.continuous("y", values)


def test_blocks_are_longer_where_neighbours_are_more_alike():
    def usual(memory):
        one = np.zeros(400, dtype=np.int64)
        return np.median([block_length(series(memory, 400, seed), one) for seed in range(15)])

    assert usual(0.0) <= 2
    assert 4 <= usual(0.5) <= 14
    assert 14 <= usual(0.9) <= 80
