"""The number of permutations, as a number or as a rule."""

import pytest

from renyi.errors import OptionError
from renyi.options import CRITERIA, DrawRule, draw_rule, method_options
from renyi.racing import permutation_test


@pytest.mark.parametrize(
    ("given", "kept", "rule"),
    [
        (100, 100, DrawRule("fixed", 100)),
        ("250", 250, DrawRule("fixed", 250)),
        ("auto", "auto:59", DrawRule("auto", 59)),
        (" AUTO:499 ", "auto:499", DrawRule("auto", 499)),
        ("besag-clifford", "besag-clifford:999", DrawRule("besag-clifford", 999)),
        ("besag-clifford:0200", "besag-clifford:200", DrawRule("besag-clifford", 200)),
    ],
)
def test_a_number_or_a_rule(given, kept, rule):
    options = method_options(permutations=given)
    assert options.permutations == kept
    assert draw_rule(options.permutations) == rule
    assert method_options(permutations=kept) == options


@pytest.mark.parametrize(
    "given",
    [0, "0", -1, 2.5, True, "many", "auto:", "auto:0", "auto:-5", "auto:1e3", "fixed:10", ""],
)
def test_anything_else_is_refused(given):
    with pytest.raises(OptionError, match="`permutations` must be") as caught:
        method_options(permutations=given)
    assert "besag-clifford:CAP" in caught.value.hint


@pytest.mark.parametrize("rule", ["auto", "besag-clifford"])
@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_a_cap_that_no_data_could_pass_is_refused(rule, level):
    """The least cap named is enough, and one less is not: by the tests themselves."""
    with pytest.raises(OptionError, match="at least") as caught:
        method_options(permutations=f"{rule}:1", significance=level)
    least = int(caught.value.message.split("at least ")[1].split()[0])
    assert method_options(permutations=f"{rule}:{least}", significance=level)

    def best(most):
        return permutation_test(
            lambda start, stop: [0.0] * (stop - start),
            lambda value: value > 0,
            DrawRule(rule, most),
            level,
            "valid",
        ).passed

    assert best(least)
    assert not best(least - 1)
    with pytest.raises(OptionError, match="at least"):
        method_options(permutations=f"{rule}:{least - 1}", significance=level)


def test_only_criteria_that_draw_are_checked():
    assert method_options(criteria="cmi-heuristic", permutations=1)
    drawing = {name for name, traits in CRITERIA.items() if traits.permutes}
    free = {"none", "cmi-heuristic", "mi-chi2", "mi-peak", "markov-blanket"}
    assert set(CRITERIA) - free == drawing


@pytest.mark.parametrize("rule", ["auto", "besag-clifford:500"])
def test_the_papers_p_value_needs_a_fixed_number(rule):
    with pytest.raises(OptionError, match="`p_rule` paper is for a fixed number"):
        method_options("paper", criteria="cmi-perm", permutations=rule)
    assert method_options("paper", criteria="cmi-perm", permutations=rule, p_rule="valid")
