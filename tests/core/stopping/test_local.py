"""Shuffling among rows that are alike in S': what it keeps that a plain shuffle does not."""

import numpy as np
import pytest

import oracle
import tables
from renyi.resampling import LocalPermutations, neighbourhoods

SEED = 8


@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize("recipe", ["NCBO", "CRBNO"])
def test_replicates_are_those_of_the_groups(recipe, alpha):
    """Groups from raw columns here, from the kernel product there."""
    table = tables.random_table(recipe, "delta", 60, 3)
    steps, _ = tables.search(
        table,
        alpha=alpha,
        bandwidth=1.0,
        criteria="cmi-local",
        permutations=19,
        significance=0.5,
        seed=SEED,
    )
    assert len(steps) > 1
    chosen = []
    for step in steps:
        chosen.append(table.names.index(step.feature))
        before = [table.features[index] for index in chosen[:-1]]
        (report,) = step.criteria
        assert report.criterion == "cmi-local"
        assert ("rows alike" in report.reason) == bool(before)
        if not before:
            continue
        columns = [table.features[k] for k in sorted(chosen[:-1])]
        groups = neighbourhoods(*tables.alike(columns, table.n))
        scheme = LocalPermutations(groups, SEED, step.index)
        truth = [
            oracle.largest_gain(table.grams, table.label, alpha, chosen, scheme.order(number))
            for number in range(report.drawn)
        ]
        assert report.exceedances == sum(value >= step.gain - 1e-9 for value in truth)


def run(rng, criterion, *, adds):
    """Return whether x enters after z: x is z blurred, or (where it adds) has its own say in y."""
    z, noise = rng.normal(size=(2, 60))
    own = rng.normal(size=60)
    x = own if adds else z + 0.7 * own
    y = (z + (0.8 * x if adds else 0) + 0.6 * noise > 0).astype(int)
    columns = [z, x, *rng.normal(size=(2, 60))]
    features = tuple(tables.continuous(f"f{k}", column) for k, column in enumerate(columns))
    steps, _ = tables.search(
        tables.Table(features, tables.nominal("y", y)),
        keep=(0,),
        alpha=2.0,
        bandwidth=2.0,
        criteria=criterion,
        permutations=19,
        max_features=2,
        seed=int(rng.integers(2**31)),
    )
    return steps[1].selected


def rate(criterion, runs, *, adds):
    rng = np.random.default_rng(4)
    return sum(run(rng, criterion, adds=adds) for _ in range(runs)) / runs


@pytest.mark.slow
def test_keeps_its_level_where_x_knows_only_what_is_selected():
    """Not rejected by the exact one-sided binomial test of .05 at level .01: 12 of 100."""
    assert rate("cmi-local", 100, adds=False) <= 0.11


@pytest.mark.slow
def test_a_plain_shuffle_breaks_the_tie_to_what_is_selected():
    """It tests x independent of (y, S'), which is false here, and often says so."""
    assert rate("cmi-max", 100, adds=False) > 0.2


def test_finds_what_adds_to_the_selected():
    assert rate("cmi-local", 40, adds=True) > 0.7
