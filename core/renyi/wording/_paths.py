"""A selection in words: how it was done, what its tests found, why columns are not in it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from renyi.options import criterion_traits, draw_rule, record_of
from renyi.wording._numbers import at_most, below, bits, deviations, probability, with_error

if TYPE_CHECKING:
    from renyi.options import MethodOptions
    from renyi.selection import SelectionPath, Step
    from renyi.stopping import CriterionReport

__all__ = [
    "ROOM_LEFT",
    "ROOM_WORDS",
    "UNSELECTED",
    "amount_words",
    "counted",
    "draws_words",
    "gap_words",
    "kernel_words",
    "method_words",
    "p_words",
    "step_reading",
    "widens",
    "z_words",
]

UNSELECTED: Final = {
    "redundant": "redundant (others tell it already)",
    "weak": "adding too little to pass the test",
    "not_reached": "not reached before the search ended",
    "uninformative": "alone no better than chance",
    "alias": "the same as another one",
}
"""Why a column is not selected, by the code of its record."""

WHY_NOT: Final = {
    "redundant": "telling of the target what the selected ones tell already",
    "weak": "telling something of the target, but adding too little to the selected ones to pass "
    "the test",
    "not_reached": "not tested before the search ended",
    "uninformative": "alone telling no more of the target than a shuffled column",
    "alias": "holding the same values as another one",
}
"""The same at more length."""

ROOM_LEFT: Final = "room left"
"""What readers see the saturation called."""

ROOM_WORDS: Final = (
    "bits until every row is unlike all others (saturation), near 0 any target would seem foretold"
)
"""What it is."""


def counted(number: int, word: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> counted(1, "feature"), counted(1200, "feature")
    ('1 feature', '1,200 features')
    """
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def kernel_words(options: MethodOptions, chosen: float | None = None) -> str:
    """Write the order of the entropy and the choices of kernels in a few words.

    `chosen` is the sigma that the data chose.
    """
    sigma = options.bandwidth
    width = sigma if isinstance(sigma, str) else f"sigma {sigma:g}"
    words = [f"alpha {options.alpha:g}"]
    if record_of(options.kernel).bandwidth or record_of(options.nominal).bandwidth:
        words.append(width if chosen is None else f"sigma {chosen:g} ({width})")
    words.append(options.standardise)
    if options.kernel != "gaussian":
        words.append(options.kernel)
    if options.nominal != "soft":
        words.append(f"nominal {options.nominal}")
    if options.alpha == 2 and options.class_weights != "balanced":  # else there is no choice
        words.append(f"class weights {options.class_weights}")
    if options.label_kernel != "delta":
        words.append(f"label kernel {options.label_kernel}")
    return ", ".join(words)


def method_words(path: SelectionPath) -> str:
    """Write the choices that matter for the criteria asked, in one line."""
    options = path.options
    words = [(" or " if options.stop_when == "any" else " and ").join(options.criteria)]
    if options.pairs is not None:
        words.append(f"{100 * options.pairs:g}% of pairs")
    if options.search != "forward":
        words.append(f"search {options.search}")
    if options.score != "mi":
        words.append(f"score {options.score}")
    elif options.rank != ("chance" if options.alpha == 2 else "raw"):
        words.append(f"rank {options.rank}")
    choice = path.bandwidth_choice
    words.append(kernel_words(options, None if choice is None else choice.sigma))
    asked = [criterion_traits(name) for name in options.criteria]
    read = {name for traits in asked for name in traits.reads}
    if any(traits.permutes for traits in asked):
        rate = " of false discovery" if options.error_rate == "fdr" else ""
        words.append(f"{_draw_words(options)} at level {options.significance:g}{rate}")
    if options.min_gain is not None:
        shares = isinstance(options.min_gain, str)
        least = f"{options.min_gain} of H(y)" if shares else f"{options.min_gain:g} bits"
        words.append(f"gain at least {least}")
    if "epsilon" in read:
        words.append(f"epsilon {options.epsilon:g}")
    if "bins" in read:
        words.append(f"{options.bins} bins of equal {options.binning}")
    if options.lookahead > 1:
        words.append("looking ahead at pairs")
    if options.max_features is not None:
        plural = "" if options.max_features == 1 else "s"
        words.append(f"at most {options.max_features} feature{plural}")
    if options.preset != "default":
        words.append(f"preset {options.preset}")
    return ", ".join([*words, f"seed {options.seed}"])


def _draw_words(options: MethodOptions) -> str:
    if isinstance(options.permutations, int):
        return f"{options.permutations} permutations"
    rule, _, most = options.permutations.partition(":")
    goes_on = draw_rule(options.permutations, options.significance / options.looks).goes_on
    purposes = [criterion_traits(name).purpose for name in options.criteria]
    if goes_on and options.alpha == 2 and any(purposes):
        return f"up to {most} permutations (more where close)"
    return f"up to {most} permutations" + ("" if rule == "auto" else f" ({rule})")


def amount_words(step: Step, field: Literal["mi", "cmi", "gain"]) -> str:
    """Write an amount of information, with its standard error where it is an estimate."""
    value = bits(getattr(step, field))
    return value if step.errors is None else with_error(value, getattr(step.errors, field), bits)


def z_words(step: Step) -> str:
    """Write z, marked where its error could turn what was decided."""
    value = deviations(step.z)
    if step.errors is None:
        return value
    return with_error(value, step.errors.z, deviations) + (" ?" if step.errors.stop_open else "")


def gap_words(step: Step) -> str:
    """Write by how much the runner-up is behind, marked where its error could turn that."""
    if step.runner_up is None:
        return "-"
    may_turn = step.errors is not None and step.errors.choice_open
    return bits(step.runner_up.gap) + (" ?" if may_turn else "")


def widens(path: SelectionPath) -> bool:
    """Return whether kernels are wider the more columns there are."""
    rule = str(path.options.bandwidth)
    return rule.startswith(("steady", "growing")) or rule.endswith(":joint")


def p_words(report: CriterionReport | None) -> str:
    """Write a p-value, or the bound that is known of it."""
    if report is None:
        return "-"
    if report.p_value is not None:
        return probability(report.p_value)
    if report.p_upper is None:
        return "-"
    if report.drawn:
        return at_most(report.p_upper)
    # without draws the bound is an approximation, and none where the feature failed
    return "-" if report.p_upper >= 1 else below(report.p_upper)


def draws_words(report: CriterionReport | None) -> str:
    """Write in how many shuffles of those drawn a shuffled copy did at least as well."""
    if report is None or report.drawn is None:
        return "-"
    return f"{report.exceedances}/{report.drawn}" if report.drawn else "none"


def step_reading(path: SelectionPath, titles: Collection[str]) -> list[tuple[str, str]]:
    """Return what the columns of a table of steps mean, each a title with words, in their order.

    Parameters
    ----------
    path
        The selection.
    titles
        The columns that are shown.
    """
    steps = path.steps
    asked = [report for step in steps for report in step.criteria]
    most = f", at most its entropy, {bits(steps[0].entropies.target)}" if steps else ""
    lines = {
        "MI": f"what the columns so far together tell of the target{most}",
        "by chance": "what they would tell of a shuffled target, where MI is no larger it says "
        "nothing",
        "CMI": "what the columns left out could still add",
        "gain": "what this column added",
        "chance": "what it would add if it were shuffled",
        "z": "by how many standard deviations the gain is above that",
        "p": _p_reading(asked),
        "draws": "h/L says that in h of L draws shuffled columns did as well, none that z was so "
        "far out that no draw was needed",
        ROOM_LEFT: ROOM_WORDS,
        "gap": "how far the runner-up was behind",
    }
    found = [(title, words) for title, words in lines.items() if title in titles]
    if any(step.action == "remove" for step in steps):
        found.append(("- name", "taken away, and gain is what it told given the others"))
    if any(step.errors is not None for step in steps):
        words = "a standard error, 2.2 of them hold in 95% of draws of pairs, ? marks what it could"
        found.append(("+-", f"{words} turn"))
    falls = any(two.mi < one.mi and two.action != "remove" for one, two in pairwise(steps))
    if falls and widens(path):
        found.append(("MI that falls", "kernels were widened there, gain compares at one width"))
    return found


def _p_reading(asked: Collection[CriterionReport]) -> str:
    """Say what p is, and where its bounds come from that are there."""
    words = "how likely shuffled columns do as well"
    if any(report.drawn == 0 for report in asked):
        words += ", after < a bound worked out from z without draws"
    if any(report.drawn and report.p_value is None for report in asked):
        words += ", after <= what the draws made leave possible"
    return words
