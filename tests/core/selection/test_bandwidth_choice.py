"""A bandwidth chosen by the data: what is chosen, and that the test knows of the choice."""

import numpy as np
import pytest

from renyi.backend import get_backend
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.selection import BandwidthChoice, ForwardSearch, choose_bandwidth

# the grid and the limit that the choice keeps to
from renyi.selection._bandwidth import GRID, MOST_ROWS
from renyi.variables import Dataset, Variable
from tables import raw_options

OPTIONS = raw_options(alpha=2.0, bandwidth="auto", criteria="mi-perm", permutations=19)


def dataset(x, y):
    features = tuple(Variable.continuous(f"x{j}", column) for j, column in enumerate(x.T))
    return Dataset(features, (Variable.nominal("y", y, ("n", "p")),))


def waves(n=200):
    """Classes in narrow bands of the first column: a wide kernel does not see them."""
    rng = np.random.default_rng(2)
    x = rng.uniform(-1, 1, size=(n, 3))
    return dataset(x, (np.floor(x[:, 0] * 4) % 2).astype(int))


def steps(n=200):
    """Classes by a noisy threshold: neighbours say no more than the side."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(n, 3))
    return dataset(x, (x[:, 0] + 0.7 * rng.normal(size=n) > 0).astype(int))


def choose(data, options=OPTIONS, **given):
    return choose_bandwidth(data, options, get_backend("numpy"), **given)


def test_local_structure_asks_for_a_narrow_kernel():
    assert choose(waves()).sigma == GRID[0]


def test_a_threshold_asks_for_a_wide_one():
    assert choose(steps()).sigma >= 2.0


def test_the_largest_standardised_gain_is_taken():
    choice = choose(steps())
    assert [trial.sigma for trial in choice.trials] == list(GRID)
    best = max(choice.trials, key=lambda trial: trial.standardised)
    assert choice.sigma == best.sigma
    for trial in choice.trials:
        assert trial.feature == "x0"
        expected = (trial.gain - trial.null_mean) / trial.null_sd
        assert trial.standardised == pytest.approx(expected)


def test_gains_are_those_of_the_engine():
    data = steps()
    for trial in choose(data).trials:
        options = raw_options(alpha=2.0, bandwidth=trial.sigma)
        entropies = SetEntropies(
            Computation.of(KernelModel.build(data, options), 2.0, get_backend("numpy"))
        )
        gains = [entropies.mutual_information(entropies.pair((j,))) for j in range(3)]
        assert trial.gain == pytest.approx(max(gains), abs=2e-5)


def test_gains_are_beyond_kept_features():
    choice = choose(steps(), keep=(0,))
    assert {trial.feature for trial in choice.trials} <= {"x1", "x2"}
    assert choice.p_value > 0.05


def test_the_p_value_is_a_count_of_copies():
    assert choose(steps()).p_value == pytest.approx(1 / 60)
    assert choose(steps(), raw_options(alpha=2.0, significance=0.01, permutations=299)).copies == 99


def test_the_seed_says_it_all():
    once = choose(waves())
    assert choose(waves()) == once
    other = raw_options(alpha=2.0, bandwidth="auto", seed=7)
    assert choose(waves(), other) != once


def test_long_tables_are_sampled():
    choice = choose(steps(MOST_ROWS + 50))
    assert choice.rows == MOST_ROWS


@pytest.mark.parametrize(
    ("tables", "most"), [(20, 6), pytest.param(200, 31, marks=pytest.mark.study)]
)
def test_under_independence_the_p_value_is_valid(tables, most):
    """Of many tables of noise at most a share of about 0.1 may have p <= 0.1."""
    rng = np.random.default_rng(11)
    small = 0
    for seed in range(tables):
        x, y = rng.normal(size=(24, 2)), rng.permutation(np.repeat([0, 1], 12))
        choice = choose(dataset(x, y), raw_options(alpha=2.0, seed=seed))
        small += choice.p_value <= 0.1
    assert small <= most  # above it with probability .01 at most if the chance is .1


def search(choice, keep=()):
    data = steps()
    options = raw_options(alpha=2.0, bandwidth=2.0, criteria=("mi-perm",), permutations=19)
    entropies = SetEntropies(
        Computation.of(KernelModel.build(data, options), 2.0, get_backend("numpy"))
    )
    found = ForwardSearch(data, entropies, options, keep=keep, choice=choice)
    return list(found), found.verdict


def with_p(value):
    return BandwidthChoice(sigma=2.0, trials=(), p_value=value, copies=59, rows=200)


def test_the_first_test_fails_where_the_choice_does():
    path, verdict = search(with_p(0.2))
    assert len(path) == 1
    assert not path[0].selected
    assert path[0].criteria[0].p_value == 0.2
    assert path[0].criteria[0].p_upper == 0.2
    assert "choice of the bandwidth" in verdict.reason


def test_the_first_test_says_the_larger_p_value():
    path, _ = search(with_p(1 / 60))
    assert path[0].selected
    report = path[0].criteria[0]
    assert (report.p_value or report.p_upper) >= 1 / 60
    assert "choice of the bandwidth" in report.reason
    plain, _ = search(None)
    assert [s.features for s in plain] == [s.features for s in path]
    assert path[1].criteria == plain[1].criteria  # later steps take the bandwidth as given


def test_after_kept_features_the_first_test_is_meant():
    path, _ = search(with_p(0.2), keep=(0,))
    assert [step.action for step in path] == ["keep", "add"]
    assert not path[1].selected


def test_it_comes_back_from_json():
    choice = choose(steps())
    assert BandwidthChoice.from_dict(choice.to_dict() | {"of_a_newer_version": 1}) == choice
