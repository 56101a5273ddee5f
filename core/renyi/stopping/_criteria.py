"""The criteria, and what they compare with.

Yu and Principe, "Simple stopping criteria for information theoretic feature selection", Entropy
21 (2019). A criterion judges the newest feature x of a step, with S' selected before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from renyi._typing import ErrorRate, PRule
from renyi.nulls import StandardisedNull, out_of_reach, plain_tail
from renyi.options import CRITERIA, DrawRule, MethodOptions, draw_rule, imported
from renyi.racing import TIE_BITS, permutation_test
from renyi.stopping._criterion import Criterion, StepView
from renyi.stopping._intervals import Statistic
from renyi.stopping._least_gain import LeastGain
from renyi.stopping._level import level_after
from renyi.stopping._report import CriterionReport
from renyi.stopping._words import (
    computed,
    how_shuffled,
    report_of_test,
    tail_in_words,
    what_shuffled,
)

__all__ = [
    "ChiSquareCriterion",
    "CmiHeuristic",
    "LargestGainCriterion",
    "PermutationCriterion",
    "build_criteria",
    "build_criterion",
]


LEAST_TAIL: Final = 1e-12
"""Chance below which it is not said how small a bound on it is: it is an approximation."""


@dataclass(frozen=True, slots=True)
class CmiHeuristic:
    """Stop once I({S - S' - x}; y | {S', x}) <= epsilon; x stays selected.

    Attributes
    ----------
    epsilon
        Bits.
    """

    epsilon: float
    name: str = "cmi-heuristic"

    def judge(self, view: StepView) -> CriterionReport:
        """Compare CMI with epsilon."""
        cmi = computed(view.cmi)
        stop = cmi <= self.epsilon
        relation = "at most" if stop else "above"
        reason = f"the rest adds {cmi:.3g} bits (CMI), {relation} epsilon {self.epsilon:g}"
        if cmi < -TIE_BITS:
            reason += "; a negative CMI occurs for alpha other than 1 and is not evidence"
        return CriterionReport(
            criterion=self.name,
            stop=stop,
            keeps_feature=True,
            reason=reason,
            statistic_name="cmi",
            statistic=cmi,
            threshold=self.epsilon,
        )


@dataclass(frozen=True, slots=True)
class PermutationCriterion:
    """Stop when a shuffled copy of x does as well too often; x is then not selected.

    `cmi-perm` counts replicates with CMI <= the observed one (Algorithm 1 of the paper),
    `mi-perm` those with MI >= the observed one (Francois et al., Neurocomputing 70, 2007). A
    replicate within 1e-9 bits is a tie, and ties count against the feature.

    Attributes
    ----------
    name
        `cmi-perm` or `mi-perm`.
    statistic
        `cmi` or `mi`.
    draws
        When to stop drawing.
    significance, p_rule
        See `renyi.options.MethodOptions`.
    """

    name: str
    statistic: Statistic
    draws: DrawRule
    significance: float
    p_rule: PRule

    def judge(self, view: StepView) -> CriterionReport:
        """Draw replicates until the decision is certain."""
        void = self.statistic == "cmi" and not view.remaining
        statistic: Statistic = "mi" if void else self.statistic
        observed = view.mi if statistic == "mi" else computed(view.cmi)
        level = view.level(self.significance)
        test = permutation_test(
            lambda start, stop: view.replicates(statistic, start, stop, self.draws.most),
            _at_least_as_good(statistic, observed),
            self.draws,
            level,
            self.p_rule,
            single=view.singly,
        )
        reason = tail_in_words(f"a shuffled copy{how_shuffled(view)} did", test, level)
        if void:
            reason += "; no feature remains and CMI is 0 in every draw, so MI was compared"
        elif self.statistic == "cmi" and not test.passed:
            reason += self._dissent(view, test.drawn)
        return report_of_test(
            self.name, test, reason, statistic, observed, view.null_error(statistic)
        )

    def _dissent(self, view: StepView, drawn: int) -> str:
        """Say so where MI, of the same draws and mostly known, would judge the other way.

        A strong feature takes little from the rest if the rest knew little: CMI then cannot tell
        it from its copies, and a reader must not take that for no dependence.
        """
        as_good = _at_least_as_good("mi", view.mi)
        if any(as_good(mi) for mi in view.replicates("mi", 0, drawn, self.draws.most)):
            return ""
        copies = "that of the copy" if drawn == 1 else f"those of all {drawn} copies"
        return f"; but its MI is above {copies}: mi-perm judges by that"


@dataclass(frozen=True, slots=True)
class LargestGainCriterion:
    """Stop when the best of all candidates, shuffled together, gains as much too often.

    The feature is the best of many, so it is compared with the best of many: each replicate puts
    the rows of all remaining candidates into one random order and takes the largest gain among
    them (the maximum statistic of Westfall and Young, Resampling-based multiple testing, 1993).
    Where candidates are ranked by gains above chance, gains are compared in standard deviations
    above chance, and with `auto` draws are made only where the answer is not plain. `cmi-max` draws
    from all orders, `cmi-local` from those that move rows only among rows that are alike in S'. The
    feature is not selected where it fails. A replicate within 1e-9 bits is a tie, and ties count
    against the feature.

    Attributes
    ----------
    name
        `cmi-max` or `cmi-local`.
    local
        Whether rows are moved only among those that are alike in S'.
    draws
        When to stop drawing.
    significance, p_rule, error_rate
        See `renyi.options.MethodOptions`.
    """

    name: str
    local: bool
    draws: DrawRule
    significance: float
    p_rule: PRule
    error_rate: ErrorRate = "fwer"

    def judge(self, view: StepView) -> CriterionReport:
        """Draw replicates until the decision is certain, none where it is plain."""
        passed = len(view.settled) - view.forced
        level = view.level(level_after(passed, self.significance, self.error_rate))
        earned = f" after {passed} passed" if passed and self.error_rate == "fdr" else ""
        local = self.local and bool(view.settled)
        how, where = how_shuffled(view), view.alike.words if local else ""
        gains = view.standardised_local_gains if local else view.standardised_gains
        if gains is not None:
            return self._above_chance(gains, (how, where), level, earned)
        best = view.local_gains if local else view.best_gains
        test = permutation_test(
            lambda start, stop: best.values(start, stop, self.draws.most),
            lambda value: value >= view.gain - TIE_BITS,
            self.draws,
            level,
            self.p_rule,
            best.first_round,
        )
        noun = "pairs of candidates" if view.of_pairs else "candidates"
        whose = what_shuffled(best.count, noun)
        reason = tail_in_words(f"{whose}{how}{where} gained", test, level, earned)
        return report_of_test(self.name, test, reason, "gain", view.gain, best.error)

    def _above_chance(
        self, gains: StandardisedNull, shuffled: tuple[str, str], level: float, earned: str
    ) -> CriterionReport:
        observed, (how, where) = gains.observed, shuffled
        plain = gains.plain(level) if self.draws.name == "auto" else None
        side = "above" if observed >= 0 else "below"
        stands = f"its gain is {abs(observed):.3g} standard deviations {side} chance"
        if plain is not None:
            tail = plain_tail(observed, gains.count)
            way = "beyond" if plain else "no better than"
            said = (
                f"the best of {gains.count} shuffled candidates gets there with a chance of "
                f"{max(tail, LEAST_TAIL):.1g} at most"
                if plain
                else "chance does as well in many orders of the rows"
            )
            return CriterionReport(
                criterion=self.name,
                stop=not plain,
                keeps_feature=False,
                reason=f"{stands}, {way} chance without draws: {said} (level {level:.3g}{earned})"
                + (f";{where}" if where else ""),
                statistic_name="z",
                statistic=observed,
                # two digits: it is an approximation, and rounding must not show in it
                p_upper=float(f"{max(tail, LEAST_TAIL):.1e}") if plain else 1.0,
                drawn=0,
                exceedances=0,
            )
        test = permutation_test(
            lambda start, stop: gains.values(start, stop, max(stop, self.draws.most)),
            lambda value: value >= observed - gains.tie,
            self._draws(gains.affordable),
            level,
            self.p_rule,
            gains.first_round,
            plain=lambda values: gains.free and out_of_reach(observed, values, level),
        )
        whose = what_shuffled(gains.count, "candidates")
        counted = tail_in_words(f"{whose}{how}{where} gained", test, level, earned)
        # among rows alike chance is another one than that of the step's own z
        reason = f"{counted}; {stands} there" if where else f"{stands}; {counted}"
        return report_of_test(self.name, test, reason, "z", observed, gains.error)

    def _draws(self, affordable: int) -> DrawRule:
        """Return when to stop drawing: later where more draws cost little, unless told how many."""
        return replace(self.draws, affordable=affordable) if self.draws.goes_on else self.draws


def _at_least_as_good(statistic: Statistic, observed: float) -> Callable[[float], bool]:
    if statistic == "mi":
        return lambda value: value >= observed - TIE_BITS
    return lambda value: value <= observed + TIE_BITS


@dataclass(frozen=True, slots=True)
class ChiSquareCriterion:
    """Stop when 2 N ln2 I(x; y | S') is below a chi-square quantile; x is then not selected.

    Plug-in Shannon information on discretised data (Vinh et al., AAAI 2014).

    Attributes
    ----------
    significance
        The quantile is at 1 - significance.
    """

    significance: float
    name: str = "mi-chi2"

    def judge(self, view: StepView) -> CriterionReport:
        """Compare the statistic with the quantile."""
        delta = view.delta
        stop = delta.statistic <= delta.quantile
        relation = "at most" if stop else "above"
        reason = (
            f"its chi-square statistic {delta.statistic:.4g} is {relation} {delta.quantile:.4g}, "
            f"the {1 - self.significance:g} quantile with {delta.degrees:g} degrees of freedom"
        )
        return CriterionReport(
            criterion=self.name,
            stop=stop,
            keeps_feature=False,
            reason=reason,
            statistic_name="chi2",
            statistic=delta.statistic,
            threshold=delta.quantile,
        )


def heuristic(name: str, options: MethodOptions) -> Criterion:
    """Make `cmi-heuristic`."""
    return CmiHeuristic(options.epsilon, name)


def permutation(name: str, options: MethodOptions) -> Criterion:
    """Make `cmi-perm` or `mi-perm`."""
    statistic: Statistic = "cmi" if CRITERIA[name].needs_cmi else "mi"
    draws = draw_rule(options.permutations)
    return PermutationCriterion(name, statistic, draws, options.significance, options.p_rule)


def largest_gain(name: str, options: MethodOptions) -> Criterion:
    """Make `cmi-max` or `cmi-local`."""
    level, rate = options.significance, options.error_rate
    draws = draw_rule(options.permutations, level / options.looks)
    local = CRITERIA[name].permutes == "alike rows"
    return LargestGainCriterion(name, local, draws, level, options.p_rule, rate)


def chi_square(name: str, options: MethodOptions) -> Criterion:
    """Make `mi-chi2`."""
    return ChiSquareCriterion(options.significance, name)


def build_criterion(name: str, options: MethodOptions) -> Criterion:
    """Return a criterion by its name, as its record says that it is made."""
    criterion: Criterion = imported(CRITERIA[name].made_by)(name, options)
    return criterion


def build_criteria(options: MethodOptions) -> tuple[Criterion, ...]:
    """Return the criteria asked for, in order, none for `none`; a least gain is judged first."""
    first: tuple[Criterion, ...] = ()
    if options.min_gain is not None:
        first = (LeastGain(options.min_gain),)
    named = [name for name in options.criteria if CRITERIA[name].made_by]
    return (*first, *(build_criterion(name, options) for name in named))
