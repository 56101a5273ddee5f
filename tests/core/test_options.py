"""What an option may be, and what it cannot be whatever the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import renyi
from renyi._validate import memory_bytes
from renyi.errors import OptionError, RenyiError, Way
from renyi.options import (
    MethodOptions,
    RunOptions,
    method_options,
    options_of,
    parse_bandwidth,
)

SIZES: dict[Any, int | str] = {
    "8GiB": 8 * 2**30,
    "8 gib": 8 * 2**30,
    "1.5KiB": 1536,
    "800MB": 800_000_000,
    "3TB": 3 * 10**12,
    "64kb": 64_000,
    "2e9": 2_000_000_000,
    "512B": 512,
    4096: 4096,
    2e9: 2_000_000_000,
    np.int64(77): 77,
    "50%": "50%",
    " 12.5 % ": "12.5%",
    "100%": "100%",
}


@pytest.mark.parametrize("given", SIZES)
def test_a_size_is_bytes_or_a_share(given: Any) -> None:
    assert RunOptions(max_memory=given).max_memory == SIZES[given]


@pytest.mark.parametrize(
    "given",
    [
        *("", "many", "8 cats", "8G", "0", "-1", "0%", "101%", "1e400", "nan", 0, -5, 0.5),
        *(float("nan"), float("inf"), True, [1], b"8GiB"),
    ],
)
def test_what_is_no_size_is_refused(given: Any) -> None:
    with pytest.raises(OptionError, match=r"^`max_memory` must be a size such as 8GiB"):
        RunOptions(max_memory=given)


def test_a_share_is_of_what_is_free() -> None:
    assert memory_bytes("25%", 4000) == 1000
    assert memory_bytes(None, 4000) == 3200
    assert memory_bytes(5000, 4000) == 5000


@pytest.mark.parametrize(
    ("solver", "alpha", "rule"),
    [
        ("tiles", 1.01, "2"),
        ("tiles", 3, "2"),
        ("power", 1.5, "a whole number of at least 2"),
        ("power", 1, "a whole number of at least 2"),
        ("low-rank", 0.99, "at least 1"),
    ],
)
def test_a_solver_that_cannot_work_is_refused(solver: str, alpha: float, rule: str) -> None:
    with pytest.raises(OptionError) as refusal:
        method_options(solver=solver, alpha=alpha)
    assert refusal.value.message == f"`alpha` must be {rule} for solver {solver}, got {alpha:g}."
    with pytest.raises(OptionError):
        method_options("lrmi", solver=solver, alpha=alpha)


@pytest.mark.parametrize(
    ("solver", "alphas"),
    [
        ("auto", (0.6, 1, 1.01, 2, 3)),
        ("dense", (0.6, 1, 1.01, 2, 3)),
        ("eigen", (0.6, 1, 1.01, 2, 3)),
        ("low-rank", (1, 1.01, 2, 3)),
        ("tiles", (2,)),
        ("power", (2, 3, 7)),
    ],
)
def test_a_solver_that_may_work_is_taken(solver: str, alphas: tuple[float, ...]) -> None:
    for alpha in alphas:
        assert method_options(solver=solver, alpha=alpha).solver == solver


@pytest.mark.parametrize("given", [0, -1e-6, float("nan"), float("inf"), "small", True])
def test_a_tolerance_is_positive(given: Any) -> None:
    with pytest.raises(OptionError, match=r"^`tolerance` must be a positive number"):
        method_options(tolerance=given)
    assert method_options(tolerance=1e-9).tolerance == 1e-9


def test_a_tolerance_is_no_less_than_rounding() -> None:
    with pytest.raises(OptionError, match=r"^`tolerance` must be at least 1e-12 bits, .* 1e-13\."):
        method_options(tolerance=1e-13)
    assert method_options(tolerance=1e-12).tolerance == 1e-12


@pytest.mark.parametrize("wrong", ["growing:wide", "range:", "growing:-1", "range:0"])
def test_a_rule_with_a_value_names_the_value_that_it_was_given(wrong):
    rule, _, value = wrong.partition(":")
    with pytest.raises(OptionError, match=rf"^`bandwidth {rule}` must be .*, got .*{value}"):
        parse_bandwidth(wrong)


@pytest.mark.parametrize(
    ("given", "draws"),
    [
        ({}, "auto:59"),  # three times the least, of which two may do as well
        ({"significance": 0.01}, "auto:299"),
        ({"significance": 0.2}, "auto:14"),
        ({"lookahead": 2}, "auto:119"),
        ({"permutations": "auto", "significance": 0.01}, "auto:299"),
        ({"permutations": " AUTO", "preset": "lrmi"}, "auto:59"),
        ({"p_rule": "paper"}, 100),
        ({"significance": 0.01, "permutations": 150}, 150),
        ({"preset": "paper", "significance": 0.01}, 100),
    ],
)
def test_how_many_are_drawn_follows_the_level(given, draws):
    assert method_options(**given).permutations == draws


@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_the_usual_number_is_three_times_what_is_needed(level):
    cap = int(str(method_options(significance=level).permutations).partition(":")[2])
    least = (cap + 1) // 3 - 1
    assert method_options(significance=level, permutations=f"auto:{least}")
    with pytest.raises(OptionError, match=f"at least {least}"):
        method_options(significance=level, permutations=f"auto:{least - 1}")


def test_what_the_default_is() -> None:
    found = method_options()
    assert (found.rank, found.nominal, found.class_weights) == ("chance", "soft", "balanced")
    assert (found.criteria, found.bandwidth, found.alpha) == (("cmi-max",), "steady", 2)


@pytest.mark.parametrize("preset", ["paper", "lrmi"])
def test_published_methods_know_nothing_of_chance(preset: str) -> None:
    found = method_options(preset)
    assert (found.rank, found.nominal, found.class_weights) == ("raw", "delta", "none")
    assert found.criteria != ("cmi-max",)


@pytest.mark.parametrize("alpha", [0.6, 1, 1.01, 3])
def test_other_orders_have_no_closed_form(alpha: float) -> None:
    found = method_options(alpha=alpha)
    assert (found.rank, found.nominal, found.class_weights) == ("raw", "soft", "none")
    with pytest.raises(OptionError, match=r"^`class_weights` balanced needs alpha 2, got") as told:
        method_options(alpha=alpha, class_weights="balanced")
    assert Way("class_weights", "none") in told.value.ways
    asked = method_options(alpha=alpha, rank="chance")  # by draws
    assert (asked.rank, asked.class_weights) == ("chance", "none")
    assert method_options(alpha=2.0).rank == "chance"
    assert method_options("paper", alpha=2.0).rank == "raw"


def test_other_scores_have_a_correction_of_their_own() -> None:
    assert method_options(score="chi2-gain").rank == "raw"
    with pytest.raises(OptionError, match=r"^`rank` chance needs score mi, got chi2-gain"):
        method_options(score="chi2-gain", rank="chance")


@pytest.mark.parametrize(
    ("name", "wrong"), [("rank", "best"), ("nominal", "hard"), ("class_weights", "equal")]
)
def test_a_choice_is_one_of_those_that_there_are(name: str, wrong: str) -> None:
    with pytest.raises(OptionError, match=f"`{name}`"):
        method_options(**{name: wrong})


@pytest.mark.parametrize("name", [one.name for one in options_of("select")])
@pytest.mark.parametrize(
    "wrong", [-7, [[]], {"a": -3}, object()], ids=["-7", "list", "dict", "object"]
)
def test_what_cannot_be_the_value_of_an_option_has_a_way_out(name: str, wrong: Any) -> None:
    table = {"a": [0.5, 1.0, 2.0, 3.0] * 5, "y": ["p", "q", "p", "q"] * 5}
    with pytest.raises(RenyiError) as refusal:
        renyi.select(table, **{name: wrong})
    assert refusal.value.hint


def test_a_criterion_that_went_says_what_to_use() -> None:
    with pytest.raises(OptionError, match=r"^`criterion` cmi-echo is no longer there") as refusal:
        method_options(criteria="cmi-echo")
    assert "cmi-max" in refusal.value.hint
    assert "cmi-local" in refusal.value.hint


def test_options_of_an_earlier_result_are_as_they_were() -> None:
    record = method_options(bandwidth=2.0, criteria="cmi-max", permutations=59).to_dict()
    for name in ("rank", "nominal", "class_weights"):
        del record[name]
    found = MethodOptions.from_dict(record)
    assert (found.rank, found.nominal, found.class_weights) == ("raw", "delta", "none")
    assert MethodOptions.from_dict(method_options().to_dict()) == method_options()


@pytest.mark.parametrize("wrong", ["steady:", "steady:wide", "steady:0", "steady:-1", "steady:nan"])
def test_a_steady_width_begins_above_zero(wrong: str) -> None:
    with pytest.raises(OptionError, match=r"^`bandwidth"):
        parse_bandwidth(wrong)
    assert parse_bandwidth("steady") == "steady"
    assert parse_bandwidth("steady:3") in ("steady:3", "steady:3.0")
