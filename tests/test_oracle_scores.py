"""The oracle of scores itself, held to tables by hand and to identities."""

import math

import numpy as np
import pytest

import oracle
import oracle_scores as scores

A = (0, 0, 1, 1)
B = (0, 1, 0, 1)
XOR = (0, 1, 1, 0)
AND = (0, 0, 0, 1)

H_AND = 2 - 0.75 * math.log2(3)
"""Entropy of a share of one quarter."""

I_AND = H_AND - 0.5
"""I(a; a and b): with a = 1 the other half of the rows is undecided by one bit."""


def at(name, table, selected, beta=1.0):
    return scores.score(name, scores.counted(table), "x", selected, "y", beta)


def random_table(seed, levels=3, columns=5, n=60):
    """Columns of codes 0.. and a target "y" of the first two and chance."""
    draws = np.random.default_rng(seed)
    table = {key: draws.integers(0, levels, n) for key in range(columns)}
    table["y"] = (table[0] + table[1] * draws.integers(0, 2, n)) % levels
    return {key: column.tolist() for key, column in table.items()}


def test_entropies_by_hand():
    assert scores.entropy(A) == 1
    assert scores.entropy(A, B) == scores.entropy(A, B, XOR) == 2
    assert scores.entropy("aab") == pytest.approx(math.log2(3) - 2 / 3)
    assert scores.entropy([5, 5, 5]) == 0
    assert scores.entropy(AND) == pytest.approx(H_AND)


def test_information_by_hand():
    assert scores.information(A, XOR) == 0
    assert scores.conditional_information(A, XOR, [B]) == 1
    assert scores.conditional_information(A, XOR, []) == 0
    assert scores.information(A, AND) == pytest.approx(I_AND)
    assert scores.conditional_information(A, AND, [B]) == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(5))
def test_information_is_the_sum_over_cells(seed):
    table = random_table(seed)
    entropy_of = scores.counted(table)
    cells = oracle.plugin_cmi(table[0], table["y"], [table[2], table[3]])
    given = scores.conditional_information(table[0], table["y"], [table[2], table[3]])
    assert given == pytest.approx(cells, abs=1e-13)
    assert scores.shared_given(entropy_of, 0, "y", (2, 3)) == given
    assert scores.shared(entropy_of, 0, "y") == scores.information(table[0], table["y"])


# One selected column: x and s of an exclusive or; copies; of an and

ONE_SELECTED = {
    # name: exclusive or, copies of y, and
    "mim": (0, 1, I_AND),
    "mifs": (0, 0, I_AND),
    "mifs-u": (0, 0, I_AND),
    "nmifs": (0, 0, I_AND),
    "cife": (1, 0, 0.5),
    "condred": (1, 1, 0.5),
    "mrmr": (0, 0, I_AND),
    "mrmr-quotient": (0, 1, 100 * I_AND),
    "jmi": (1, 0, 0.5),
    "jmi-sum": (1, 1, H_AND),
    "jmi3": (1, 0, 0.5),
    "jmim": (1, 1, H_AND),
    "njmim": (1 / 2, 1, H_AND / 2),
    "disr": (1 / 2, 1, H_AND / 2),
    "cmim": (1, 0, 0.5),
    "cmim-capped": (0, 0, I_AND),
    "icap": (0, 0, I_AND),
    "cmi": (1, 0, 0.5),
    "relax": (1, 0, 0.5),
    "fcbf": (-math.inf, -math.inf, 2 * I_AND / (1 + H_AND)),
}


@pytest.mark.parametrize("name", scores.SCORES)
def test_scores_by_hand_with_one_selected(name):
    tables = [
        {"x": A, "s": B, "y": XOR},
        {"x": A, "s": A, "y": A},
        {"x": A, "s": B, "y": AND},
    ]
    for table, expected in zip(tables, ONE_SELECTED[name], strict=True):
        assert at(name, table, ["s"]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", scores.SCORES)
def test_scores_with_nothing_selected(name):
    relevance = 2 * I_AND / (1 + H_AND) if name == "fcbf" else I_AND
    assert at(name, {"x": A, "y": AND}, []) == pytest.approx(relevance, abs=1e-12)


def test_scores_by_hand_with_two_selected():
    """Three fair bits of which y is the parity; then x the parity of the two and y a copy of x."""
    s, t, x = (tuple(row >> bit & 1 for row in range(8)) for bit in range(3))
    parity = [a ^ b ^ c for a, b, c in zip(s, t, x, strict=True)]
    of_three = {"s": s, "t": t, "x": x, "y": parity}
    found = {name: at(name, of_three, ["s", "t"]) for name in scores.SCORES}
    assert found["cmi"] == found["jmi3"] == 1
    assert found["jmi"] == found["cmim"] == found["relax"] == found["disr"] == found["cife"] == 0
    parity = [a ^ b for a, b in zip(s, t, strict=True)]
    of_two = {"s": s, "t": t, "x": parity, "y": parity}
    found = {name: at(name, of_two, ["s", "t"]) for name in scores.SCORES}
    assert found["mim"] == found["cmim"] == found["jmi"] == found["jmi3"] == found["jmim"] == 1
    assert found["relax"] == found["cmi"] == 0
    assert found["jmi-sum"] == 2
    assert found["disr"] == 1  # two terms of 1 / H(x s y) = 1 / 2


def test_weights_and_normalisers_by_hand():
    """x shares one bit of s, which has two; y is x."""
    table = {"x": (0, 0, 1, 1), "s": (0, 1, 2, 3), "y": (0, 0, 1, 1)}
    assert at("mifs", table, ["s"], beta=0.25) == 0.75
    assert at("mifs-u", table, ["s"], beta=0.5) == 1 - 0.5 * 1 / 2
    assert at("nmifs", table, ["s"]) == 0
    assert at("fcbf", table, ["s"]) == 1
    assert at("mrmr-quotient", table, ["s"]) == 1


def test_a_quotient_by_no_redundancy_ranks_by_relevance():
    table = {"x": A, "s": B, "y": AND, "z": A}
    entropy_of = scores.counted(table)
    assert scores.shared(entropy_of, "x", "s") == 0
    assert at("mrmr-quotient", table, ["s"]) == pytest.approx(I_AND / 0.01)

    def below_zero(keys):
        return entropy_of(keys) + (0.03 if keys == {"x", "s"} else 0)

    assert scores.shared(below_zero, "x", "s") == pytest.approx(-0.03)
    found = scores.score("mrmr-quotient", below_zero, "x", ["s"], "y")
    assert found == pytest.approx(I_AND / 0.01)


@pytest.mark.parametrize("name", scores.SCORES)
def test_constant_columns_divide_nothing_by_zero(name):
    constant = {"x": (7, 7, 7, 7), "s": (3, 3, 3, 3), "y": (1, 1, 1, 1)}
    assert at(name, constant, ["s"]) == (-math.inf if name == "fcbf" else 0)


# Identities


@pytest.mark.parametrize("seed", range(4))
def test_identities_of_brown_and_others(seed):
    table = random_table(seed)
    entropy_of = scores.counted(table)
    selected = [1, 2, 3]
    known = [scores.shared(entropy_of, s, "y") for s in selected]

    for x in (0, 4):
        pairs = [
            scores.shared(entropy_of, x, s) - scores.shared_given(entropy_of, x, s, "y")
            for s in selected
        ]
        relevance = scores.shared(entropy_of, x, "y")

        def value(name, of=x, chosen=selected):
            return scores.score(name, entropy_of, of, chosen, "y")

        assert value("jmi-sum") == pytest.approx(3 * value("jmi") + sum(known), abs=1e-12)
        assert value("cmim") == pytest.approx(relevance - max(pairs), abs=1e-12)
        assert value("cmim-capped") == pytest.approx(relevance - max(0, *pairs), abs=1e-12)
        capped = relevance - sum(max(0, pair) for pair in pairs)
        assert value("icap") == pytest.approx(capped, abs=1e-12)
        assert value("cife") == pytest.approx(
            value("mifs") + value("condred") - relevance, abs=1e-12
        )
        one = [scores.score(name, entropy_of, x, [1], "y") for name in ("cmi", "jmi", "relax")]
        assert one == pytest.approx([scores.shared_given(entropy_of, x, "y", 1)] * 3, abs=1e-12)
        three = scores.mean(
            scores.shared(entropy_of, (x, *pair), "y") for pair in ((1, 2), (1, 3), (2, 3))
        )
        assert value("jmi3") == pytest.approx(three, abs=1e-12)


TOGETHER = {
    "mrmr": scores.mean,
    "nmifs": scores.mean,
    "jmi": scores.mean,
    "jmi-sum": sum,
    "disr": sum,
    "jmim": min,
    "njmim": min,
    "cmim": min,
    "cmim-capped": min,
}
"""How a score of several selected columns comes from its values with one of them."""

ADDED = ("mifs", "mifs-u", "cife", "condred", "icap")
"""Scores that are I(x;y) and a term for each selected column."""


@pytest.mark.parametrize("seed", range(3))
def test_several_selected_from_each_of_them(seed):
    entropy_of = scores.counted(random_table(seed))
    selected = [1, 2, 3]
    relevance = scores.shared(entropy_of, 0, "y")

    def value(name, chosen):
        return scores.score(name, entropy_of, 0, chosen, "y", beta=0.7)

    for name, together in TOGETHER.items():
        expected = together([value(name, [s]) for s in selected])
        assert value(name, selected) == pytest.approx(expected, abs=1e-12)
    for name in ADDED:
        expected = relevance + sum(value(name, [s]) - relevance for s in selected)
        assert value(name, selected) == pytest.approx(expected, abs=1e-12)
    redundancy = [scores.shared(entropy_of, 0, s) for s in selected]
    assert scores.mean(redundancy) > 0.01
    expected = relevance / scores.mean(redundancy)
    assert value("mrmr-quotient", selected) == pytest.approx(expected, abs=1e-12)
    given = [scores.shared_given(entropy_of, 0, s, t) for s in selected for t in selected if s != t]
    assert len(set(given)) == 6  # I(x;s|t) is not I(x;t|s)
    expected = value("jmi", selected) - sum(given) / 6
    assert value("relax", selected) == pytest.approx(expected, abs=1e-12)
    assert value("cmi", selected) == scores.shared_given(entropy_of, 0, "y", (1, 2, 3))


@pytest.mark.parametrize("name", scores.SCORES)
def test_order_of_rows_and_of_the_selected_is_no_matter(name):
    table = random_table(3)
    rows = np.random.default_rng(0).permutation(60)
    turned = {key: [column[row] for row in rows] for key, column in table.items()}
    before = scores.score(name, scores.counted(table), 4, [0, 1, 2], "y")
    after = scores.score(name, scores.counted(turned), 4, [2, 0, 1], "y")
    assert after == pytest.approx(before, abs=1e-12)


@pytest.mark.parametrize("name", scores.SCORES)
def test_gram_matrices_of_codes_say_the_same(name):
    table = random_table(1, n=40)
    grams = {key: oracle.delta(column) for key, column in table.items()}

    def entropy_of(keys):
        return oracle.joint_entropy([grams[key] for key in sorted(keys, key=str)], 1)

    for selected in ([1], [1, 2]):
        found = scores.score(name, entropy_of, 0, selected, "y")
        expected = scores.score(name, scores.counted(table), 0, selected, "y")
        assert found == pytest.approx(expected, abs=1e-9)


def test_several_columns_as_one():
    table = {"a": A, "b": B, "y": XOR, "both": (0, 1, 2, 3)}
    entropy_of = scores.counted(table)
    assert scores.score("mim", entropy_of, ("a", "b"), [], "y") == 1
    assert scores.score("mim", entropy_of, "a", [], ("b", "y")) == 1
    whole = scores.score("disr", entropy_of, "both", ["a"], "y")
    assert scores.score("disr", entropy_of, ("a", "b"), ["a"], "y") == whole


# Paths


def test_a_path_takes_the_lowest_of_equal_columns():
    table = {"a": B, "b": A, "c": A, "y": A}
    assert scores.path("mim", scores.counted(table), ["a", "b", "c"], "y", 3) == [
        ("b", 1),
        ("c", 1),
        ("a", 0),
    ]
    mrmr = scores.path("mrmr", scores.counted(table), ["c", "b", "a"], "y", 2)
    assert mrmr == [("c", 1), ("b", 0)]  # a copy of s and a column of noise are both worth 0


def test_a_path_takes_the_lowest_within_a_billionth_of_a_bit():
    exact = scores.counted({"a": A, "b": A, "c": A, "y": A})

    for more, first in ((9e-10, "a"), (2e-9, "b")):

        def entropy_of(keys, more=more):
            return exact(keys) + (more if keys == {"b"} else 0)

        assert scores.path("mim", entropy_of, "abc", "y", 1)[0][0] == first


def test_a_path_of_a_conditional_score_finds_the_other_half():
    copies = [(bit, bit, other) for bit in (0, 1) for other in (0, 1)]
    table = dict(zip("abc", zip(*copies, strict=True), strict=True))
    table["y"] = [2 * a + c for a, _, c in copies]
    for name in ("cife", "jmi", "cmim", "cmi", "jmim", "mrmr", "disr", "relax"):
        found = scores.path(name, scores.counted(table), "abc", "y", 2)
        assert [column for column, _ in found] == ["a", "c"]


def test_fcbf_ends_when_the_rest_is_covered():
    """A column is dropped for a better one that tells more of it than it tells of y."""
    table = random_table(2, n=200)
    table[5] = table[0]
    entropy_of = scores.counted(table)
    found = [column for column, _ in scores.path("fcbf", entropy_of, range(6), "y", 6)]
    left = sorted(
        range(6), key=lambda x: -round(scores.symmetric_uncertainty(entropy_of, x, "y"), 9)
    )
    expected = []  # the list of Yu and Liu: take the first, strike what it covers, go on
    while left:
        expected.append(left.pop(0))
        left = [
            x
            for x in left
            if scores.symmetric_uncertainty(entropy_of, x, expected[-1])
            < scores.symmetric_uncertainty(entropy_of, x, "y")
        ]
    assert found == expected
    assert 5 not in found
    assert len(found) < 6
