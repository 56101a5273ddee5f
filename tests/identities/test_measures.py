"""What must hold for mutual information, as a person asks for it."""

import math

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import oracle
import renyi
import tables

small = settings(derandomize=True, max_examples=25, deadline=None)
alphas = st.one_of(st.sampled_from([0.6, 1.0, 1.01, 2.0, 3.0]), st.floats(0.4, 5.0))


def close(alpha):
    return 1e-9 if alpha >= 0.9 else 1e-5


class Space:
    """Measures between sets of columns of a random table, by their names."""

    def __init__(self, table, alpha, **options):
        self.table, self.frame = table, table.frame
        self.options = {"alpha": alpha, "bandwidth": 1.0, "nominal": "delta", **options}

    def h(self, *x):
        return renyi.entropy(self.frame.select(x), **self.options)

    def i(self, x, y):
        sides = (self.frame.select(x), self.frame.select(y))
        return renyi.mutual_information(*sides, class_weights="none", **self.options)

    def cmi(self, x, y, z):
        x, y, z = (self.frame.select(side) for side in (x, y, z))
        return renyi.conditional_mutual_information(x, y, z, class_weights="none", **self.options)


@st.composite
def spaces(draw, orders=alphas):
    recipe = draw(st.lists(st.sampled_from("CWBN"), min_size=3, max_size=3))
    label = draw(st.sampled_from(["delta", "numeric"]))
    n, seed = draw(st.integers(4, 24)), draw(st.integers(0, 10**6))
    return Space(tables.random_table(recipe, label, n, seed), draw(orders))


X, Z, Y = ["f0", "f1"], ["f2"], ["y"]


@small
@given(spaces())
def test_the_chain_rule(space):
    """I(X, Z; y) = I(Z; y) + I(X; y | Z)."""
    whole = space.i([*X, *Z], Y)
    parts = space.i(Z, Y) + space.cmi(X, Y, Z)
    assert whole == pytest.approx(parts, abs=close(space.options["alpha"]))


@small
@given(spaces())
def test_information_is_symmetric(space):
    alpha = space.options["alpha"]
    assert space.i(X, Y) == pytest.approx(space.i(Y, X), abs=close(alpha))
    assert space.cmi(X, Y, Z) == pytest.approx(space.cmi(Y, X, Z), abs=close(alpha))


@small
@given(spaces())
def test_information_is_what_the_entropies_say(space):
    alpha = space.options["alpha"]
    mi = space.h(*X) + space.h(*Y) - space.h(*X, *Y)
    assert space.i(X, Y) == pytest.approx(mi, abs=close(alpha))
    assert mi <= min(space.h(*X), space.h(*Y)) + close(alpha)
    cmi = space.h(*X, *Z) + space.h(*Y, *Z) - space.h(*X, *Y, *Z) - space.h(*Z)
    assert space.cmi(X, Y, Z) == pytest.approx(cmi, abs=close(alpha))


@small
@given(spaces(orders=st.just(1.0)))
def test_at_order_one_information_is_not_negative(space):
    assert space.i(X, Y) >= -1e-10
    assert space.cmi(X, Y, Z) >= -1e-10


@small
@given(spaces())
def test_the_oracle_agrees(space):
    alpha = space.options["alpha"]
    *xs, z = space.table.grams
    ys = [space.table.label]
    truth = oracle.mutual_information(xs, ys, alpha)
    assert space.i(X, Y) == pytest.approx(truth, abs=close(alpha))
    truth = oracle.conditional_mutual_information(xs, ys, [z], alpha)
    assert space.cmi(X, Y, Z) == pytest.approx(truth, abs=close(alpha))


@small
@given(spaces(), st.integers(0, 100))
def test_the_order_of_rows_and_of_columns_does_not_matter(space, seed):
    alpha = space.options["alpha"]
    order = np.random.default_rng(seed).permutation(space.table.n)
    other = Space(space.table.at(order), alpha)
    assert other.i(X, Y) == pytest.approx(space.i(X, Y), abs=close(alpha))
    assert other.cmi(X[::-1], Y, Z) == pytest.approx(space.cmi(X, Y, Z), abs=close(alpha))


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_a_onehot_label_is_soft(alpha):
    table = tables.random_table("CN", "onehot", 30, seed=1)
    space = Space(table, alpha, label_kernel="onehot")
    truth = oracle.mutual_information(table.grams, [table.label], alpha)
    assert space.i(["f0", "f1"], Y) == pytest.approx(truth, abs=1e-10)


@pytest.mark.parametrize("alpha", [0.6, 1.01, 2.0])
def test_names_of_levels_change_nothing(alpha):
    codes = np.random.default_rng(2).integers(0, 4, size=(30, 2))
    plain = [[f"level {code}" for code in column] for column in codes.T]
    odd = [[["ß", "", "zz", "0"][code] for code in column] for column in codes.T]
    assert renyi.mutual_information(*plain, alpha=alpha) == pytest.approx(
        renyi.mutual_information(*odd, alpha=alpha), abs=1e-15
    )


@pytest.mark.parametrize("alpha", [0.5, 1.0, 1.01, 2.0])
def test_a_copy_says_all_there_is_of_a_nominal_column(alpha):
    letters = list("abacabadab")
    plain = {"alpha": alpha, "nominal": "delta"}
    entropy = renyi.entropy(letters, **plain)
    assert entropy == pytest.approx(oracle.counts_entropy([5, 3, 1, 1], alpha), abs=1e-12)
    assert renyi.entropy(pl.DataFrame({"a": letters, "b": letters}), **plain) == entropy
    found = renyi.mutual_information(letters, letters, class_weights="none", **plain)
    assert found == pytest.approx(entropy)


def test_order_two_information_can_be_negative():
    x = ["a"] * 14 + ["b"] * 6
    y = ["p"] * 9 + ["q"] * 5 + ["p"] * 5 + ["q"]
    found = renyi.mutual_information(x, y, alpha=2, nominal="delta", class_weights="none")
    assert found == pytest.approx(math.log2(400 * 132 / 232**2), abs=1e-14)
    assert round(found, 4) == -0.0277


def test_a_measurement_holds_all_of_it_with_bounds():
    table = tables.random_table("CBN", "delta", 30, seed=3)
    for alpha in (0.6, 1.01, 2.0):
        space = Space(table, alpha)
        found = renyi.measure(
            table.frame, x=X, y="y", given="f2", class_weights="none", **space.options
        )
        expected = {
            "H(x)": space.h(*X),
            "H(y)": space.h(*Y),
            "H(x,y)": space.h(*X, *Y),
            "H(given)": space.h(*Z),
            "I(x;y)": space.i(X, Y),
            "I(x;y|given)": space.cmi(X, Y, Z),
        }
        assert {q.name: q.value for q in found.quantities} == pytest.approx(expected, abs=1e-12)
        truth = oracle.conditional_mutual_information(
            table.grams[:2], [table.label], table.grams[2:], alpha
        )
        bound = next(q.error_bound for q in found.quantities if q.name == "I(x;y|given)")
        assert abs(found["I(x;y|given)"] - truth) <= bound + (1e-12 if alpha >= 1 else 1e-6)
