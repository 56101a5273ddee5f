"""A curtailed count decides as counting every replicate does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renyi.racing import allowed_exceedances, count_tail


def passes(count, permutations, level, rule):
    """The decision of the whole test, by its p-value."""
    p_value = (count + 1) / (permutations + 1) if rule == "valid" else count / permutations
    return p_value <= level


@given(
    st.integers(1, 200),
    st.sampled_from([0.01, 0.05, 0.1, 0.25]),
    st.sampled_from(["valid", "paper"]),
)
@settings(derandomize=True, max_examples=100, deadline=None)
def test_the_largest_count_that_passes(permutations, level, rule):
    passing = [c for c in range(permutations + 1) if passes(c, permutations, level + 1e-12, rule)]
    assert allowed_exceedances(permutations, level, rule) == max(passing, default=-1)


@given(
    st.lists(st.booleans(), min_size=20, max_size=150),
    st.sampled_from([0.05, 0.2]),
    st.sampled_from(["valid", "paper"]),
)
@settings(derandomize=True, max_examples=150, deadline=None)
def test_curtailment(outcomes, level, rule):
    permutations = len(outcomes)
    allowed = allowed_exceedances(permutations, level, rule)
    asked = []

    def replicates(start, stop):
        asked.append((start, stop))
        return [float(outcome) for outcome in outcomes[start:stop]]

    found = count_tail(replicates, lambda value: value > 0, permutations, allowed)
    assert found.passed == passes(sum(outcomes), permutations, level + 1e-12, rule)

    # Drawn up to the first replicate at which no outcome of the others could change that.
    counts = [sum(outcomes[:drawn]) for drawn in range(permutations + 1)]
    decided = next(
        drawn
        for drawn in range(1, permutations + 1)
        if counts[drawn] > allowed or counts[drawn] + permutations - drawn <= allowed
    )
    assert (found.drawn, found.exceedances) == (decided, counts[decided])
    assert found.values == tuple(float(outcome) for outcome in outcomes[:decided])

    # Rounds follow one another without a gap, within the P replicates.
    assert [start for start, _ in asked] == [0, *(stop for _, stop in asked[:-1])]
    assert asked[-1][1] <= permutations

    worst = counts[decided] + permutations - decided
    upper = (worst + 1) / (permutations + 1) if rule == "valid" else worst / permutations
    assert found.p_upper(permutations, rule) == upper
    if decided == permutations:
        assert found.p_value(permutations, rule) == upper
    elif found.passed:
        assert found.p_value(permutations, rule) is None
        assert upper <= level + 1e-12
    else:
        p_value = found.p_value(permutations, rule)
        assert p_value > level - 1e-12  # a failed test never reports less than its level
        sequential = counts[decided] / decided
        least = (counts[decided] + 1) / (permutations + 1) if rule == "valid" else 0
        assert p_value == max(sequential, least)


def test_draws_that_are_work_of_their_own_come_in_smaller_rounds():
    """Six, then as many as were drawn; all that are left only once sixteen are known."""
    allowed = allowed_exceedances(100, 0.05, "valid")

    def rounds(outcomes):
        asked = []

        def replicates(start, stop):
            asked.append(stop - start)
            return outcomes[start:stop]

        found = count_tail(replicates, bool, 100, allowed, single=True)
        assert (found.drawn, found.passed) == decided(outcomes)
        return asked

    def decided(outcomes):
        found = count_tail(lambda a, b: outcomes[a:b], bool, 100, allowed)
        return found.drawn, found.passed

    assert rounds([True] * 100) == [6]
    assert rounds([True, False] * 50) == [6, 6]
    assert rounds([False] * 100) == [6, 10, 80]
    assert rounds([False] * 8 + [True] + [False] * 91) == [6, 10, 16, 32, 33]


def test_a_feature_that_is_noise_takes_few_draws():
    """With P = 100 at .05 the fifth exceedance ends the test."""
    outcomes = [True, False] * 50
    found = count_tail(
        lambda a, b: outcomes[a:b], bool, 100, allowed_exceedances(100, 0.05, "valid")
    )
    assert (found.drawn, found.exceedances, found.passed) == (9, 5, False)


def test_a_feature_that_matters_takes_all_but_those_that_could_not_fail_it():
    found = count_tail(
        lambda a, b: [0.0] * (b - a), bool, 100, allowed_exceedances(100, 0.05, "valid")
    )
    assert (found.drawn, found.passed) == (96, True)
    assert found.p_upper(100, "valid") == pytest.approx(5 / 101)
