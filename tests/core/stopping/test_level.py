"""Levels of later tests, and what is selected by them."""

import numpy as np
import pytest

import renyi
from renyi.errors import OptionError

# a level by itself, without a search
from renyi.stopping._level import level_after


def test_wealth_is_spent_and_earned_as_alpha_investing_says():
    level = 0.1
    wealth = level / (1 - level)
    for passed in range(30):
        found = level_after(passed, level, "fdr")
        assert found / (1 - found) == pytest.approx(wealth)  # all of it is put on the test
        assert level_after(passed, level, "fwer") == level
        wealth += level


def weak_columns(seed, n=150):
    """Return eight columns that each say a little, and eight that say nothing."""
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((n, 16))
    y = x[:, :8].sum(axis=1) * 0.5 + draw.standard_normal(n) * 1.5 > 0
    return {**{f"x{j}": x[:, j] for j in range(16)}, "y": np.where(y, "b", "a")}


@pytest.mark.slow
def test_a_share_keeps_what_the_chance_of_any_keeps_and_more():
    counts = []
    for seed in range(6):
        table = weak_columns(seed)
        strict, loose = (
            renyi.select(table, target="y", error_rate=rate, progress=None)
            for rate in ("fwer", "fdr")
        )
        assert loose.selected[: len(strict.selected)] == strict.selected
        assert loose.options.error_rate == "fdr"
        counts.append((len(strict.selected), len(loose.selected)))
    assert sum(loose for _, loose in counts) > sum(strict for strict, _ in counts)


def test_the_first_step_is_the_same():
    """Nothing has passed, so nothing was earned: noise is selected no more often."""
    draw = np.random.default_rng(5)
    table = {f"x{j}": draw.standard_normal(60) for j in range(5)}
    table["y"] = draw.integers(0, 2, 60).astype(str)
    first = [
        renyi.select(table, target="y", error_rate=rate, progress=None, permutations=59).steps[0]
        for rate in ("fwer", "fdr")
    ]
    assert first[0] == first[1]


def test_forced_columns_earn_nothing():
    table = weak_columns(1)
    path = renyi.select(
        table, target="y", error_rate="fdr", keep=["x15", "x14"], permutations=59, progress=None
    )
    tested = [step.criteria[0] for step in path.steps if step.criteria]
    assert "(level 0.05)" in tested[0].reason
    assert "(level 0.0931 after 1 passed)" in tested[1].reason


@pytest.mark.parametrize("criterion", ["cmi-perm", "mi-perm", "mi-chi2", "cmi-heuristic", "none"])
def test_tests_of_one_column_tell_no_share(criterion):
    with pytest.raises(OptionError, match=f"`error_rate` fdr goes with .*, got {criterion}"):
        renyi.select(weak_columns(0), target="y", criterion=criterion, error_rate="fdr")


def test_two_tests_or_two_looks_tell_no_share():
    both = ("cmi-max", "cmi-local")
    with pytest.raises(OptionError, match="got cmi-max, cmi-local"):
        renyi.select(weak_columns(0), target="y", criterion=both, error_rate="fdr")
    with pytest.raises(OptionError, match="`error_rate` fdr needs lookahead 1, got 2"):
        renyi.select(weak_columns(0), target="y", lookahead=2, error_rate="fdr")


@pytest.mark.parametrize("seed", [5, 6, 9])
def test_a_close_test_goes_on_but_not_beyond_a_number_that_was_named(seed):
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((60, 3))
    y = x[:, 0] * 0.5 + draw.standard_normal(60) > 0
    table = {**{f"x{j}": x[:, j] for j in range(3)}, "y": np.where(y, "b", "a")}

    def drawn(permutations):
        path = renyi.select(
            table, target="y", permutations=permutations, max_features=1, progress=None
        )
        return path.steps[0].criteria[0].drawn

    assert drawn("auto") > 300
    assert drawn("auto:30") <= 30
    assert drawn("auto:100") <= 100
