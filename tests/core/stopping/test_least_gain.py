"""A gain that is too small ends the search, whatever the other criteria say."""

import pytest

import tables
from renyi.errors import OptionError
from renyi.options import method_options
from renyi.stopping import CriterionReport, combine

TABLE = tables.random_table("CRBNOWC", "delta", 60, 1)


def gains():
    return [step.gain for step in tables.search(TABLE, alpha=2.0)[0]]


def report(criterion, *, stop):
    return CriterionReport(
        criterion=criterion,
        stop=stop,
        keeps_feature=criterion == "cmi-heuristic",
        reason="because",
        statistic_name="gain",
        statistic=0.0,
    )


@pytest.mark.parametrize("criteria", ["none", "mi-perm", ("mi-perm", "cmi-heuristic")])
@pytest.mark.parametrize("when", ["any", "all"])
def test_stops_before_the_first_gain_below_the_threshold(criteria, when):
    free = gains()
    least = (free[1] + free[2]) / 2 if free[2] < free[1] else free[1] * 1.01
    first = next(k for k, gain in enumerate(free) if gain < least)
    steps, verdict = tables.search(
        TABLE, alpha=2.0, criteria=criteria, stop_when=when, min_gain=least, significance=0.99
    )
    assert len(steps) == first + 1
    last = steps[-1]
    assert not last.selected
    assert [r.criterion for r in last.criteria] == ["min-gain"]  # nothing was drawn
    assert (verdict.stopped, verdict.criteria) == ("criterion", ("min-gain",))
    assert "below" in verdict.reason
    for step in steps[:-1]:
        first_report, *others = step.criteria
        assert (first_report.criterion, first_report.stop) == ("min-gain", False)
        assert (first_report.statistic, first_report.threshold) == (step.gain, least)
        assert len(others) == (0 if criteria == "none" else 1 + (criteria != "mi-perm"))


def test_a_share_is_of_the_targets_entropy():
    steps, _ = tables.search(TABLE, alpha=2.0, min_gain="5%")
    for step in steps:
        (found,) = step.criteria
        assert found.threshold == pytest.approx(0.05 * step.entropies.target)
        assert found.stop == (step.gain < 0.05 * step.entropies.target)
        assert "5% of H(y)" in found.reason
    assert not steps[-1].selected


@pytest.mark.parametrize("when", ["any", "all"])
def test_it_decides_alone_where_it_stops_and_not_at_all_where_it_does_not(when):
    small = combine([report("min-gain", stop=True), report("cmi-heuristic", stop=False)], when)
    assert (small.stop, small.keeps_feature) == (True, False)
    large = combine([report("min-gain", stop=False), report("cmi-heuristic", stop=True)], when)
    assert (large.stop, large.keeps_feature) == (True, True)
    assert [said.criterion for said in large.stopping] == ["cmi-heuristic"]
    assert not combine([report("min-gain", stop=False)], when).stop


@pytest.mark.parametrize(
    ("given", "kept"), [(0.01, 0.01), ("0.01", 0.01), (" 1 % ", "1%"), ("2.50%", "2.5%"), (0, 0.0)]
)
def test_a_threshold_is_bits_or_a_share(given, kept):
    assert method_options(min_gain=given).min_gain == kept


@pytest.mark.parametrize("given", [-0.1, "-1%", "101%", "a lot", "nan", "nan%", True, [0.1]])
def test_any_other_threshold_is_refused(given):
    with pytest.raises(OptionError, match="`min_gain` must be"):
        method_options(min_gain=given)
