import numpy as np
import pytest
from scipy import stats

from renyi.errors import OptionError
from renyi.evaluation import interval, paired_p_values, smallest_not_different


@pytest.fixture
def scores():
    """Runs of four sizes: clearly worse, a little worse, best, as good as the best."""
    rng = np.random.default_rng(1)
    run = rng.normal(scale=0.04, size=100)[:, None]
    return np.array([0.70, 0.79, 0.80, 0.799]) + run + rng.normal(scale=0.02, size=(100, 4))


def test_p_values_are_those_of_a_paired_t_test(scores):
    found = paired_p_values(scores)
    best = scores.mean(axis=0).argmax()
    for column in range(4):
        if column != best:
            told = stats.ttest_rel(scores[:, column], scores[:, best]).pvalue
            assert found[column] == pytest.approx(told, rel=1e-9)
    assert found[best] == 1.0


def test_the_corrected_test_widens_the_error_as_nadeau_and_bengio_say(scores):
    found = paired_p_values(scores, best=2, test="corrected")
    d = scores[:, 0] - scores[:, 2]
    error = np.sqrt((1 / 100 + 0.367879441171 / 0.632120558829) * d.var(ddof=1))
    assert found[0] == pytest.approx(2 * stats.t.sf(abs(d.mean()) / error, 99), rel=1e-9)
    assert np.all(found >= paired_p_values(scores, best=2))


def test_the_smallest_size_that_does_not_differ_is_taken(scores):
    assert smallest_not_different(scores) == 3
    assert smallest_not_different(scores, (1, 2, 5, 10)) == 5
    assert smallest_not_different(scores, test="corrected") == 2
    assert smallest_not_different(scores[:, :1], (7,)) == 7


def test_equal_scores_do_not_differ_and_a_constant_difference_does():
    equal = np.full((5, 2), 0.5)
    assert paired_p_values(equal).tolist() == [1.0, 1.0]
    assert paired_p_values(equal + np.array([0.0, 0.25])).tolist() == [0.0, 1.0]


def test_half_widths_are_standard_deviations_times_their_factor(scores):
    deviation = scores.std(axis=0, ddof=1)
    assert interval(scores, test="paired") == pytest.approx(0.196 * deviation)
    assert interval(scores) == pytest.approx(1.96 * np.sqrt(0.01 + 0.5819767) * deviation)


def test_wrong_arguments_are_refused(scores):
    with pytest.raises(OptionError, match="`runs` must be at least 2"):
        paired_p_values(scores[:1])
    with pytest.raises(OptionError, match="`sizes` must be 4 ascending"):
        smallest_not_different(scores, (1, 2))
    with pytest.raises(OptionError, match="`sizes` must be 4 ascending"):
        smallest_not_different(scores, (2, 1, 3, 4))
    with pytest.raises(OptionError, match="`test` must be one of"):
        paired_p_values(scores, test="welch")
    with pytest.raises(OptionError, match="`significance`"):
        smallest_not_different(scores, significance=1.0)
