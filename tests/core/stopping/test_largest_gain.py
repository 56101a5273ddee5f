"""The test of the best of all candidates against the oracle, and against what it promises."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import oracle
import tables
from lanes import every_other
from renyi._random import permutation
from renyi.bounds import StackSizes
from renyi.information import THRESHOLDS, Thresholds
from renyi.nulls import BestGains
from renyi.order2 import SingleSizes
from renyi.resampling import PlainPermutations
from renyi.variables import Dataset, Variable

PERMUTATIONS = 39
LEVEL = 0.1
ALLOWED = 3  # 0.1 of 39 is 3.9; (c + 1) / 40 <= 0.1 up to c = 3
SEED = 5


LONG = Thresholds(stacks=StackSizes(rows=0), singly=SingleSizes(rows=0))
"""Small problems are solved as stacks and sums; without them, as long ones are."""

WAYS = {"small": THRESHOLDS, "long": LONG}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "seed", "alpha", "way"),
    every_other([("delta", 1), ("onehot", 2), ("numeric", 3)], [1.0, 1.01, 2.0], [*WAYS]),
)
def test_counts_are_those_of_all_candidates(label, seed, alpha, way):
    table = tables.random_table("CRBNOWC", label, 40, seed)
    steps, verdict = tables.search(
        table,
        thresholds=WAYS[way],
        alpha=alpha,
        label_kernel="onehot" if label == "onehot" else "delta",
        criteria="cmi-max",
        permutations=PERMUTATIONS,
        significance=LEVEL,
        seed=SEED,
    )
    chosen = []
    for step in steps:
        chosen.append(table.names.index(step.feature))
        orders = [permutation(40, SEED, "permutation", step.index, r) for r in range(PERMUTATIONS)]
        truth = [
            oracle.largest_gain(table.grams, table.label, alpha, chosen, order) for order in orders
        ]
        (report,) = step.criteria
        assert (report.criterion, report.statistic_name) == ("cmi-max", "gain")
        assert report.statistic == step.gain
        assert report.stop == (sum(v >= step.gain - 1e-9 for v in truth) > ALLOWED)
        drawn = truth[: report.drawn]
        assert report.exceedances == sum(value >= step.gain - 1e-9 for value in drawn)
        # one draw fewer would have left the decision open
        fewer = sum(value >= step.gain - 1e-9 for value in drawn[:-1])
        assert fewer + PERMUTATIONS - len(drawn) + 1 > ALLOWED >= fewer
        if report.exceedances == 0:
            expected = np.quantile(drawn, [0.05, 0.5, 0.95])
            assert report.null_quantiles == pytest.approx(expected, abs=1e-9 + report.null_error)
        assert step.selected == (not report.stop)
    assert verdict.step == len(steps)


@pytest.mark.parametrize(("alpha", "seed", "way"), every_other([1.01, 2.0], range(3), [*WAYS]))
def test_auto_decides_as_dense(alpha, seed, way):
    """At most that many draws: a short path with near ties in the nulls."""
    table = tables.random_table("CRBCCOCC", "delta", 60, 20 + seed)
    found = []
    for solver in ("auto", "dense"):
        steps, _ = tables.search(
            table,
            thresholds=WAYS[way],
            solver=solver,
            alpha=alpha,
            bandwidth=0.7,
            criteria="cmi-max",
            permutations=19,
            seed=SEED,
        )
        reports = [step.criteria[0] for step in steps]
        found.append([(r.stop, r.drawn, r.exceedances, r.p_value, r.p_upper) for r in reports])
    assert found[0] == found[1]


def test_workers_make_no_difference():
    table = tables.random_table("CCBCOCCC", "delta", 250, 4)
    one, two = (
        tables.search(table, jobs=jobs, criteria="cmi-max", permutations=19)[0] for jobs in (1, 2)
    )
    assert [step.criteria for step in one] == [step.criteria for step in two]


@pytest.mark.parametrize("given", [(), (0,), (1, 0)])
@pytest.mark.parametrize("copies", [1, 7])
def test_how_many_copies_fit_at_once_makes_no_difference(copies, given):
    table = tables.random_table("CCBCOCCC", "delta", 60, 4)
    entropies = tables.entropies(table, tables.raw_options(alpha=2.0, bandwidth=1.0))
    rest = [number for number in range(8) if number not in given]
    pairs = entropies.candidates(given, rest, lambda _: None)
    newest, pair = min(zip(rest, pairs, strict=True), key=lambda one: one[1].conditional)
    gain = entropies.pair(given).conditional - pair.conditional
    told = []
    for most in (2**23, copies * 60):
        null = BestGains(
            entropies=entropies,
            scheme=PlainPermutations(60, SEED, 1),
            given=given,
            candidates=tuple(rest),
            newest=newest,
            pair=pair,
            gain=gain,
            tick=lambda *_: None,
            copy_rows=most,
        )
        told.append([value >= gain - 1e-9 for value in null.values(0, 19, 19)])
    assert told[0] == told[1]
    assert any(told[0]) or len(given) < 2


def noise(rng):
    """Twenty columns and two classes that have nothing to do with each other."""
    columns = tuple(
        Variable.continuous(f"f{k}", v) for k, v in enumerate(rng.normal(size=(20, 60)))
    )
    classes = Variable.nominal("y", rng.integers(0, 2, size=60), ("a", "b"))
    return SimpleNamespace(dataset=Dataset(columns, (classes,)))


def rate(criterion, runs):
    """Return the share of tables without any dependence in which something was selected."""
    rng = np.random.default_rng(11)
    options = {"alpha": 2.0, "bandwidth": 2.0, "permutations": 19, "max_features": 1}
    return (
        sum(
            tables.search(noise(rng), criteria=criterion, seed=seed, **options)[0][0].selected
            for seed in range(runs)
        )
        / runs
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drawn", "least"), [(60, 0.0), pytest.param(400, 0.02, marks=pytest.mark.study)]
)
def test_selects_from_noise_at_its_level_only(drawn, least):
    """Not rejected by the exact one-sided binomial test of .05 at level .01."""
    bound = next(
        k
        for k in range(drawn)
        if sum(math.comb(drawn, i) * 0.05**i * 0.95 ** (drawn - i) for i in range(k + 1)) >= 0.99
    )
    found = rate("cmi-max", drawn)
    assert found <= bound / drawn
    assert found >= least  # a test that never selects would pass the bound


@pytest.mark.slow
def test_the_test_of_one_candidate_does_not_keep_that_level():
    """What the maximum is for: 20 candidates, each compared with copies of itself alone."""
    assert rate("mi-perm", 60) > 0.3
