"""Frequencies on halves, and the published bounds on errors."""

import math

import pytest

from renyi.selection import Stability, StabilityHalf

# bounds by themselves, against their definition
from renyi.selection.records._stability import unimodal_bound, worst_case_bound


def stability(*selections, candidates=10, kept=(), asked=None):
    halves = tuple(
        StabilityHalf(pair=k // 2 + 1, half=k % 2 + 1, selected=tuple(s), stopped="criterion")
        for k, s in enumerate(selections)
    )
    return Stability(
        asked=asked or len(halves),
        rows=20,
        stratified=True,
        candidates=candidates,
        kept=kept,
        halves=halves,
    )


@pytest.mark.parametrize(("tau", "q", "p"), [(0.6, 5.0, 100), (0.9, 2.5, 13), (1.0, 3.0, 9)])
def test_the_worst_case_is_meinshausen_and_buehlmanns_expression(tau, q, p):
    assert worst_case_bound(tau, q, p) == pytest.approx(q**2 / ((2 * tau - 1) * p))


def test_there_is_no_bound_at_one_half():
    assert worst_case_bound(0.5, 2.0, 10) is None


def test_the_unimodal_bound_at_the_published_example():
    """Shah and Samworth 2013, section 3.2: B = 50, theta = q / p; two branches of C(tau, B)."""
    p, q, pairs = 1000, 50.0, 50
    theta = q / p
    up_to = q * theta / (2 * (2 * 0.7 - 1 - 1 / 100))
    beyond = q * theta * 4 * (1 - 0.9 + 1 / 100) / (1 + 1 / 50)
    assert unimodal_bound(0.7, q, p, pairs) == pytest.approx(up_to)
    assert unimodal_bound(0.9, q, p, pairs) == pytest.approx(beyond)


@pytest.mark.parametrize("tau", [0.6, 0.7, 0.75, 0.76, 0.8, 0.9, 1.0])
def test_assuming_more_gives_no_worse_a_bound(tau):
    worst, unimodal = worst_case_bound(tau, 10.0, 200), unimodal_bound(tau, 10.0, 200, 50)
    assert unimodal is not None
    assert unimodal < worst


def test_the_branches_meet():
    at, beyond = (unimodal_bound(tau, 10.0, 200, 5000) for tau in (0.75, 0.7501))
    assert at == pytest.approx(beyond, rel=1e-2)


@pytest.mark.parametrize(
    ("tau", "q", "p", "pairs"),
    [
        (0.9, 6.0, 10, 50),  # theta above 1 / sqrt(3)
        (0.5, 1.0, 100, 50),
        (0.51, 1.0, 100, 50),  # below 1/2 + 1 / B
        (0.55, 50.0, 100, 50),  # below min(1/2 + theta^2, ...)
    ],
)
def test_the_unimodal_bound_is_not_given_where_the_theorem_does_not_hold(tau, q, p, pairs):
    assert unimodal_bound(tau, q, p, pairs) is None


def test_the_bound_holds_for_a_procedure_that_guesses():
    """Guessing q of p at random: the number at or above tau is known from binomial tails."""
    p, q, pairs, tau = 100, 5, 10, 0.6
    halves, theta = 2 * pairs, q / p
    least = math.ceil(tau * halves)
    tail = sum(
        math.comb(halves, k) * theta**k * (1 - theta) ** (halves - k)
        for k in range(least, halves + 1)
    )
    assert p * tail <= unimodal_bound(tau, q, p, pairs) <= worst_case_bound(tau, q, p)


def test_frequencies_and_sizes():
    found = stability("ab", "a", "ac", "a")
    assert [(s.feature, s.count, s.share) for s in found.features] == [
        ("a", 4, 1.0),
        ("b", 1, 0.25),
        ("c", 1, 0.25),
    ]
    assert found.sizes == ((1, 2), (2, 2))
    assert found.mean_size == 1.5


def test_thresholds_use_the_counts_that_reach_them():
    found = stability("ab", "ab", "ab", "a", candidates=8)
    by_share = {t.threshold: t for t in found.thresholds}
    assert by_share[0.75].features == ("a", "b")  # 3 of 4
    assert by_share[0.9].features == ("a",)
    # 0.9 of 4 halves is reached by all 4 only, so tau is 1
    assert by_share[0.9].bound == pytest.approx(found.mean_size**2 / 8)
    assert by_share[0.6].bound == by_share[0.75].bound


def test_kept_features_count_nowhere():
    found = stability("ka", "k", candidates=4, kept=("k",))
    assert [s.feature for s in found.features] == ["a"]
    assert found.mean_size == 0.5
    assert found.sizes == ((0, 1), (1, 1))


def test_without_any_half_there_is_nothing_to_say():
    found = stability(asked=4)
    assert found.mean_size is None
    assert (found.features, found.sizes, found.thresholds) == ((), (), ())


def test_it_comes_back_from_json():
    found = stability("ab", "a", kept=("a",), candidates=3)
    record = found.to_dict()
    assert Stability.from_dict(record | {"of_a_newer_version": 1}) == found
    assert [h["selected"] for h in record["halves"]] == [["a", "b"], ["a"]]
    assert record["sizes"] == [{"size": 0, "count": 1}, {"size": 1, "count": 1}]
