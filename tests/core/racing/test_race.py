"""The race decides as exact values would, and looks closely only where it must."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from renyi.bounds import Pair
from renyi.entropies import Solution
from renyi.racing import TIE_BITS, best_two, race

TOLERANCE = 1e-6
EXACT = Solution(1.0, 1.0, 1.0, "eigen")


def pair(value, lower, upper, rank=32):
    """H(Z) = 1 exactly; H(y | Z) within the bounds."""
    features = EXACT
    joint = Solution(1.0 + value, 1.0 + lower, 1.0 + upper, "low-rank" if rank else "eigen")
    return Pair(features, joint, Solution(value, lower, upper, joint.solver), rank, exact=rank == 0)


def point(value):
    return pair(value, value, value, rank=0)


class Field:
    """Candidates of true values; it gives intervals, and keeps what was asked."""

    def __init__(self, truths, rng, widest=0.3):
        self.truths = truths
        self.rng = rng
        self.rough = [
            self.interval(truth, 10 ** rng.uniform(-7, np.log10(widest))) for truth in truths
        ]
        self.asked = []
        self.exactly = []

    def interval(self, truth, width):
        """Return some interval of a width around the truth, and an estimate anywhere in it."""
        lower = truth - width * self.rng.random()
        upper = max(lower + width, truth)
        return pair(self.rng.uniform(lower, upper), min(lower, truth), upper)

    def settle(self, positions, above, _):
        """Give known values, or what is certainly above; some come exact from the solver."""
        self.asked.append((list(positions), above))
        return [self.settled(self.truths[k], above) for k in positions]

    def settled(self, truth, above):
        margin = truth - above
        if margin > 0 and self.rng.random() < 0.8:
            lower = above + margin * self.rng.uniform(0.1, 1.0)
            upper = truth + self.rng.random()
            return pair(self.rng.uniform(lower, upper), lower, upper)
        if self.rng.random() < 0.3:
            return point(truth)
        found = self.interval(truth, TOLERANCE)
        return pair(np.clip(found.conditional, found.lower, found.upper), found.lower, found.upper)

    def exact(self, positions):
        self.exactly += positions
        return [point(self.truths[k]) for k in positions]

    def race(self):
        return race(self.rough, TOLERANCE, self.settle, self.exact)


@given(
    st.integers(1, 40),
    st.integers(0, 10**9),
    st.sampled_from(["apart", "close", "ties", "near ties", "equal"]),
)
@settings(derandomize=True, max_examples=400, deadline=None)
def test_it_gives_the_best_two_of_the_exact_values(count, seed, kind):
    rng = np.random.default_rng(seed)
    truths = {
        "apart": lambda: rng.uniform(0, 1, count),
        "close": lambda: 0.5 + rng.uniform(0, 1e-5, count),
        "ties": lambda: rng.integers(0, 4, count) / 10,
        "near ties": lambda: 0.5 + rng.integers(0, 6, count) * 0.4 * TIE_BITS,
        "equal": lambda: np.full(count, 0.25),
    }[kind]()
    field = Field(truths.tolist(), rng)
    winners = field.race()
    assert (winners.best, winners.second) == best_two([-truth for truth in field.truths])
    for place in (winners.best, winners.second):
        if place is not None:
            assert winners.pairs[place].error <= 1.1 * TOLERANCE
            assert winners.pairs[place].conditional == pytest.approx(truths[place], abs=2e-6)
    assert len(winners.pairs) == count


@given(st.integers(2, 40), st.integers(0, 10**9))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_only_those_are_settled_that_may_be_among_the_best_two(count, seed):
    rng = np.random.default_rng(seed)
    field = Field(rng.uniform(0, 1, count).tolist(), rng)
    given_out = list(field.rough)
    uppers = {k: p.upper for k, p in enumerate(given_out) if p.error <= TOLERANCE}
    replies = []
    settle = field.settle

    def watched(positions, above, likely):
        bar = sorted(uppers.values())[1] if len(uppers) > 1 else np.inf
        assert above == pytest.approx(bar + TIE_BITS)
        for k in positions:
            assert field.rough[k].lower <= above  # it may still be among the best two
            assert k not in uppers  # and is not known yet
        found = settle(positions, above, likely)
        for k, reply in zip(positions, found, strict=True):
            replies.append(k)
            if reply.exact or reply.error <= TOLERANCE or reply.lower <= above:
                uppers[k] = reply.upper
        return found

    winners = race(field.rough, TOLERANCE, watched, field.exact)
    assert (winners.best, winners.second) == best_two([-truth for truth in field.truths])
    assert len(replies) == len(set(replies)), "no candidate is settled twice"


def test_clear_losers_are_never_asked_for():
    rough = [pair(0.9, 0.8, 1.0), pair(0.2, 0.1, 0.3), pair(0.7, 0.6, 0.8), pair(0.4, 0.31, 0.5)]
    asked, truths = [], [0.85, 0.15, 0.65, 0.45]

    def settle(positions, above, likely):
        asked.extend(positions)
        return [pair(truths[k], truths[k] - 1e-7, truths[k] + 1e-7) for k in positions]

    winners = race(rough, TOLERANCE, settle, lambda _: pytest.fail("no values meet"))
    assert sorted(asked) == [1, 3]
    assert (winners.best, winners.second) == (1, 3)
    assert winners.pairs[0] is rough[0]


def test_estimates_that_mislead_cost_a_round_but_not_the_answer():
    """The two that seem best are the worst; bounds leave the others open."""
    rough = [pair(0.1, 0.0, 1.0), pair(0.1, 0.0, 1.0), pair(0.5, 0.0, 1.0), pair(0.5, 0.0, 1.0)]
    truths, rounds = [0.8, 0.9, 0.3, 0.2], []

    def settle(positions, above, likely):
        rounds.append(list(positions))
        return [pair(truths[k], truths[k] - 1e-8, truths[k] + 1e-8) for k in positions]

    winners = race(rough, TOLERANCE, settle, lambda _: pytest.fail("no values meet"))
    assert rounds == [[0, 1], [2, 3]]
    assert (winners.best, winners.second) == (3, 2)


def expectations(truths, estimates):
    """Run a race in which nothing is certain before it is asked for; return what was expected."""
    rounds = []

    def settle(positions, above, likely):
        rounds.append(dict(zip(positions, likely, strict=True)))
        return [pair(truths[k], truths[k] - 1e-8, truths[k] + 1e-8) for k in positions]

    rough = [pair(estimate, 0.0, 1.0) for estimate in estimates]
    race(rough, TOLERANCE, settle, lambda _: pytest.fail("no values meet"))
    return rounds


def test_what_is_expected_is_learnt_from_those_that_were_looked_at():
    truths = np.linspace(0.5, 0.6, 14)
    first, *others = expectations(truths, truths - 0.03)
    assert np.isnan(list(first.values())).all()
    assert [len(some) for some in others] == [4, 8]
    for some in others:
        assert some == pytest.approx({k: truths[k] for k in some})


def test_values_that_do_not_rise_with_their_estimates_are_expected_not_to():
    """Of alike ones those with the smallest estimates come first, by luck."""
    estimates = np.linspace(0.5, 0.6, 30)
    truths = 0.7 + 1e-4 * np.random.default_rng(3).normal(size=30)
    last = expectations(truths, estimates)[-1]
    assert len(last) == 16
    for k, likely in last.items():
        assert likely == pytest.approx(truths[k], abs=0.01)
    # as if they rose alike the last would be expected .05 higher
    assert estimates[-1] - np.median(estimates[:14]) > 0.05


def test_estimates_that_are_all_equal_tell_of_no_slope():
    truths = np.linspace(0.5, 0.6, 20)
    last = expectations(truths, np.full(20, 0.4))[-1]
    assert list(last.values()) == pytest.approx([np.median(truths[:14])] * 6)


def test_one_candidate_has_no_runner_up():
    asked = []

    def settle(positions, above, likely):
        asked.append((list(positions), above))
        return [pair(0.4, 0.4 - 1e-7, 0.4 + 1e-7)]

    winners = race([pair(0.5, 0.2, 0.6)], TOLERANCE, settle, lambda _: pytest.fail("alone"))
    assert (winners.best, winners.second) == (0, None)
    assert asked == [([0], np.inf)]
    assert winners.pairs[0].conditional == 0.4


@pytest.mark.parametrize(
    "values", [[0.3], [0.3, 0.1, 0.2], [0.2, 0.2, 0.2], [0.5, 0.1, 0.1 + 1e-10]]
)
def test_where_all_is_exact_nothing_is_asked(values):
    def never(*_):
        pytest.fail("all is known")

    winners = race([point(value) for value in values], TOLERANCE, never, never)
    assert (winners.best, winners.second) == best_two([-value for value in values])


def test_exact_values_with_wide_rounding_are_not_asked_for_again():
    """Nothing is closer than a solver's value, whatever its own bounds."""
    rough = [pair(0.3, 0.2, 0.4, rank=0), pair(0.25, 0.1, 0.5, rank=0)]

    def never(*_):
        pytest.fail("nothing is closer")

    assert race(rough, TOLERANCE, never, never)[:2] == (1, 0)


def test_only_intervals_that_meet_are_made_exact():
    truths = [0.5, 0.1, 0.1 + 0.5 * TIE_BITS, 0.7]
    rough = [pair(t, t - 1e-7, t + 1e-7) for t in truths]
    asked = []

    def exact(positions):
        asked.extend(positions)
        return [point(truths[k]) for k in positions]

    winners = race(rough, TOLERANCE, lambda *_: pytest.fail("all is known"), exact)
    assert sorted(asked) == [1, 2]
    assert (winners.best, winners.second) == (1, 2)  # a tie: the lower column


def test_a_tie_for_the_second_place_is_decided_too():
    truths = [0.1, 0.3 + 0.4 * TIE_BITS, 0.3, 0.9]
    rough = [pair(t, t - 1e-7, t + 1e-7) for t in truths]
    winners = race(
        rough,
        TOLERANCE,
        lambda *_: pytest.fail("all is known"),
        lambda positions: [point(truths[k]) for k in positions],
    )
    assert (winners.best, winners.second) == (0, 1)
    assert winners.pairs[0].rank == 32  # far from all others: as it was


def test_what_was_known_from_the_start_tells_nothing_of_the_others():
    """A nominal candidate's value is no estimate: nothing is learnt from how far it was off."""
    truths = np.linspace(0.5, 0.6, 8)
    rounds = []

    def settle(positions, above, likely):
        rounds.append(dict(zip(positions, likely, strict=True)))
        return [pair(truths[k], truths[k] - 1e-8, truths[k] + 1e-8) for k in positions]

    rough = [point(truths[k]) if k > 5 else pair(truths[k] - 0.2, 0.0, 1.0) for k in range(8)]
    race(rough, TOLERANCE, settle, lambda _: pytest.fail("no values meet"))
    assert np.isnan(list(rounds[0].values())).all()
    for some in rounds[1:]:
        assert some == pytest.approx({k: truths[k] for k in some})
