"""Searches over rows that belong together: each replicate by the oracle, and the exact p-value."""

from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import pytest

import oracle
import tables
from renyi.resampling import scheme_of
from renyi.selection import ForwardSearch, explain
from renyi.variables import RowStructure, Variable

SEED = 5


@dataclass(frozen=True, eq=False)
class Together(tables.Table):
    """A table whose rows belong together."""

    structure: RowStructure | None = None

    @property
    def dataset(self):
        return replace(super().dataset, structure=self.structure)


def groups(codes):
    return Variable.nominal("subject", codes, tuple(map(str, range(int(max(codes)) + 1))))


def table(structure, *, label="numeric", n=48):
    plain = tables.random_table("CNCBO", label, n, 2)
    return Together(plain.features, plain.target, structure)


SIX = groups(np.repeat(np.arange(8), 6))
TWELVE = groups(np.repeat(np.arange(12), 10))
STRUCTURES = {
    "whole groups": RowStructure(SIX),
    "within groups": RowStructure(SIX, "within"),
    "blocks": RowStructure(None, "within", 4),
    "rotations": RowStructure(None, "within", 4, rotates=True),
}


@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize("name", STRUCTURES)
def test_a_replicate_of_cmi_max_is_that_of_its_order(name, alpha):
    data = table(STRUCTURES[name])
    steps, _ = tables.search(
        data, alpha=alpha, criteria="cmi-max", permutations=19, significance=0.5, seed=SEED
    )
    chosen = []
    for step in steps:
        chosen.append(data.names.index(step.feature))
        (report,) = step.criteria
        assert STRUCTURES[name].words in report.reason
        scheme = scheme_of(STRUCTURES[name], data.n, SEED, step.index)
        truth = [
            oracle.largest_gain(data.grams, data.label, alpha, chosen, scheme.order(number))
            for number in range(report.drawn)
        ]
        assert report.exceedances == sum(value >= step.gain - 1e-9 for value in truth)


@pytest.mark.parametrize("name", STRUCTURES)
@pytest.mark.parametrize("criterion", ["mi-perm", "cmi-perm"])
def test_a_replicate_of_one_column_is_that_of_its_order(name, criterion):
    data = table(STRUCTURES[name])
    steps, _ = tables.search(
        data, alpha=2.0, criteria=criterion, permutations=19, significance=0.9, seed=SEED
    )
    chosen = []
    for step in steps[:3]:
        chosen.append(data.names.index(step.feature))
        (report,) = step.criteria
        scheme = scheme_of(STRUCTURES[name], data.n, SEED, step.index)
        orders = [scheme.order(number) for number in range(report.drawn)]
        truth = {"mi-perm": oracle.mi_permutation, "cmi-perm": oracle.cmi_permutation}[criterion]
        found = truth(data.grams, data.label, 2.0, chosen, orders)
        assert report.exceedances == found.exceedances


def test_the_p_value_is_that_of_the_complete_set_of_orders():
    """Five groups of three rows: 120 orders, each worked out by the oracle."""
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(5), 3)
    features = [tables.continuous(f"f{k}", rng.normal(size=5)[codes]) for k in range(3)]
    label = tables.continuous("y", (features[1].values + rng.normal(size=5)[codes]))
    data = Together(tuple(features), label, RowStructure(groups(codes)))
    steps, _ = tables.search(
        data, alpha=2.0, criteria="cmi-max", permutations=1999, significance=0.999, seed=SEED
    )
    (report,) = steps[0].criteria
    chosen = [data.names.index(steps[0].feature)]
    reached = 0
    for come in permutations(range(5)):
        order = (np.array(come)[:, None] * 3 + np.arange(3)).ravel()
        largest = oracle.largest_gain(data.grams, data.label, 2.0, chosen, order)
        reached += largest >= steps[0].gain - 1e-9
    exact = reached / 120
    assert 0.02 < exact < 0.98
    drawn = report.exceedances / report.drawn
    assert abs(drawn - exact) < 4 * np.sqrt(exact * (1 - exact) / report.drawn)


@pytest.mark.parametrize("name", STRUCTURES)
def test_candidates_are_ranked_by_the_chance_that_tests_them(name):
    """z of the best, from the pilot's orders, all by the oracle."""
    data = table(STRUCTURES[name])
    steps, _ = tables.search(
        data, alpha=2.0, criteria="cmi-max", rank="chance", permutations=19, seed=SEED
    )
    step = steps[0]
    pilot = scheme_of(STRUCTURES[name], data.n, SEED, 1).pilot()
    orders = [pilot.order(number) for number in range(20)]

    def gain(column, order):
        gram = oracle.shuffled(data.grams[column], order)
        return oracle.mutual_information([gram], [data.label], 2.0)

    itself = np.arange(data.n)
    draws = np.array([[gain(c, order) for c in range(5)] for order in orders])
    spread = draws.std(axis=0, ddof=1)
    spread = np.maximum(spread, 0.05 * np.median(spread))
    own = np.array([gain(c, itself) for c in range(5)])
    z = (own - draws.mean(axis=0)) / spread
    assert step.feature == data.names[int(z.argmax())]
    assert step.z == pytest.approx(z.max(), rel=1e-3)
    assert step.mi_chance is None
    (report,) = step.criteria
    assert report.statistic == pytest.approx(step.z)
    scheme = scheme_of(STRUCTURES[name], data.n, SEED, 1)
    largest = [
        max((gain(c, scheme.order(k)) - draws.mean(axis=0)[c]) / spread[c] for c in range(5))
        for k in range(report.drawn)
    ]
    assert report.exceedances == sum(value >= z.max() - 1e-6 for value in largest)


def test_nothing_is_decided_without_draws():
    """However far out: tails are known of orders in which rows move freely."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(20), 4)
    signal = rng.normal(size=80)
    features = (tables.continuous("f0", signal), tables.continuous("f1", rng.normal(size=80)))
    data = Together(features, tables.continuous("y", signal), RowStructure(groups(codes), "within"))
    steps, _ = tables.search(
        data, alpha=2.0, criteria="cmi-max", rank="chance", permutations="auto", seed=SEED
    )
    assert steps[0].z > 10
    (report,) = steps[0].criteria
    assert (report.drawn, report.exceedances) == (57, 0)  # 59, of which the last two change nothing


def test_a_column_that_no_order_moves_is_never_ahead_of_one_that_says_something():
    rng = np.random.default_rng(1)
    codes = np.repeat(np.arange(10), 8)
    site = rng.normal(size=10)[codes]
    signal = rng.normal(size=80)
    label = tables.continuous("y", 3 * site + signal + 0.3 * rng.normal(size=80))
    features = (tables.continuous("site", site), tables.continuous("signal", signal))
    data = Together(features, label, RowStructure(groups(codes), "within"))
    steps, _ = tables.search(
        data, alpha=2.0, criteria="cmi-max", rank="chance", permutations="auto", seed=SEED
    )
    assert [step.feature for step in steps if step.selected] == ["signal"]


@pytest.mark.parametrize("name", STRUCTURES)
def test_alike_rows_are_shuffled_only_as_they_may_be(name):
    data = table(STRUCTURES[name])
    if name == "rotations":
        with pytest.raises(RuntimeError):
            scheme_of(STRUCTURES[name], data.n, SEED, 1).within(np.zeros(data.n, dtype=int))
        return
    steps, _ = tables.search(
        data,
        keep=(0,),
        alpha=2.0,
        criteria="cmi-local",
        rank="chance",
        permutations=19,
        significance=0.9,
        seed=SEED,
    )
    (report,) = steps[1].criteria
    assert STRUCTURES[name].words in report.reason
    assert report.drawn


@pytest.mark.parametrize("name", STRUCTURES)
def test_reasons_are_found_by_the_same_orders(name):
    """Noise of the group alone is no better than chance, which single rows would not say."""
    structures = {
        "whole groups": RowStructure(TWELVE),
        "within groups": RowStructure(TWELVE, "within"),
        "blocks": RowStructure(None, "within", 10),
        "rotations": RowStructure(None, "within", 10, rotates=True),
    }
    said = {None: [], structures[name]: []}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        columns = rng.normal(size=(2, 12))[:, TWELVE.codes] + 0.2 * rng.normal(size=(2, 120))
        kept = tables.continuous("kept", rng.normal(size=120))
        features = (kept, tables.continuous("f", columns[0]))
        for structure, codes in said.items():
            data = Together(features, tables.continuous("y", columns[1]), structure)
            chosen = tables.raw_options(max_features=1, seed=SEED)
            entropies = tables.entropies(data, chosen)
            search = ForwardSearch(data.dataset, entropies, chosen, keep=(0,))
            steps = list(search)
            (why,) = explain(data.names, entropies, steps, search.verdict, SEED, {}, structure)
            codes.append(why.code == "uninformative")
    assert np.mean(said[None]) < 0.6
    assert np.mean(said[structures[name]]) >= 0.9
