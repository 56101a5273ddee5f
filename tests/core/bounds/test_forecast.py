"""What is worth trying next: where estimates are going, and when nothing near will answer."""

import math

import pytest

from renyi.bounds import Opening, Pair, Question

# the steps on the way to an answer
from renyi.bounds._forecast import LOSS as USUAL_LOSS

# the steps on the way to an answer
from renyi.bounds._forecast import MOST_STEP, Forecast, eased, missed
from renyi.entropies import Solution

LOSS = 0.5


def after(question, *tries):
    forecast = Forecast(question, 3, Opening(loss=LOSS))
    for residual, value in tries:
        forecast.take(residual, value)
    return forecast


def test_two_estimates_tell_where_they_are_going():
    """They miss a power of the residual: 0.7 less r^1.5."""
    tries = [(r, 0.7 - r**1.5) for r in (0.3, 0.15)]
    assert after(Question(1e-6, above=0.5), *tries).likely == pytest.approx(0.7)


def test_a_certain_bound_raises_what_is_likely():
    forecast = after(Question(1e-6, above=0.5), (0.3, 0.4), (0.15, 0.4))
    forecast.take_lower(0.6)
    assert forecast.likely == 0.6


def test_the_next_residual_is_one_that_answers():
    tries = [(r, 0.7 - r**1.5) for r in (0.3, 0.15)]
    above = after(Question(1e-6, above=0.68), *tries).next()
    assert 0.7 - LOSS * above**1.5 >= 0.68 - 1e-12
    below = after(Question(1e-6, below=0.75), *tries).next()
    assert 0.7 + below * math.log2(3) <= 0.75 + 1e-12
    neither = after(Question(1e-6, above=0.75, below=0.68, neither=True), *tries).next()
    assert neither == pytest.approx(min(above, below))


@pytest.mark.parametrize("bars", [(0.7 - 1e-6, -math.inf), (0.8, -math.inf), (0.8, 0.6)])
def test_nothing_near_answers_where_the_value_is_at_a_bar_or_between(bars):
    tries = [(r, 0.7 - r**1.5) for r in (0.3, 0.15)]
    assert after(Question(1e-6, *bars), *tries).next() is None


def test_one_estimate_asks_for_another():
    forecast = after(Question(1e-6, above=0.8), (0.3, 0.1))
    assert 0.3 / MOST_STEP < forecast.next() < 0.3


def test_where_a_value_is_expected_the_first_residual_is_one_that_answers():
    question = Question(1e-6, above=0.68)
    opening = Opening.toward(question, 0.7)
    assert opening.likely == 0.7
    assert 0.7 - missed(opening.residual, opening.loss) > 0.68
    forecast = Forecast(question, 3, opening)
    forecast.take(opening.residual, 0.5)  # an estimate that is still far off
    assert forecast.likely == 0.7
    assert opening.residual < Opening.toward(question, 0.9).residual <= 0.5


def test_a_certain_bound_contradicts_what_was_expected():
    question = Question(1e-6, above=0.68)
    forecast = Forecast(question, 3, Opening.toward(question, 0.7))
    forecast.take(0.005, 0.64, 0.66)
    assert forecast.likely == 0.66
    low, high = Solution(1.0, 1.0, 1.0, "low-rank"), Solution(1.65, 1.6, 1.66, "low-rank")
    assert not forecast.lower_may_answer(Pair(low, high))
    assert forecast.next() is None


@pytest.mark.parametrize("likely", [0.68, 0.5])
def test_what_is_expected_below_the_bar_is_asked_for_as_a_value(likely):
    assert Opening.toward(Question(1e-6, above=0.68), likely).residual == 0


@pytest.mark.parametrize(
    ("question", "likely"),
    [
        (Question(1e-6, above=0.68), math.nan),
        (Question(1e-6), 0.7),
        (Question(1e-6, rough=True), 0.7),
        (Question(1e-6, below=0.5), 0.7),
    ],
)
def test_it_begins_as_ever_where_nothing_is_expected_or_no_bar_given(question, likely):
    assert Opening.toward(question, likely) == Opening()


def test_what_is_unlike_the_others_is_seen_by_its_own_bound():
    question = Question(1e-6, above=0.68)
    forecast = Forecast(question, 3, Opening.toward(question, 0.7))
    forecast.take(0.05, 0.5)
    forecast.take_lower(0.6)
    assert forecast.likely == pytest.approx(0.6 + missed(0.05, Opening().loss))
    assert forecast.next() is None


@pytest.mark.parametrize("slack", [0.0, 0.002, 0.02])
def test_what_a_bound_has_to_spare_eases_the_next(slack):
    """At the usual loss, seven tenths of it are given away."""
    found = eased(0.1, slack)
    given = missed(found, USUAL_LOSS) - missed(0.1, USUAL_LOSS)
    assert given == pytest.approx(0.7 * slack, abs=1e-12)
    assert eased(0.1, -1.0) == pytest.approx(0.1)
    assert eased(0.1, 5.0) == 0.5
    assert eased(0.7, 5.0) == 0.7
