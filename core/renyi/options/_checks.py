"""Options that go together, whatever the data."""

from __future__ import annotations

from renyi.errors import OptionError, Way
from renyi.options._criteria import CRITERIA, criterion_traits
from renyi.options._draws import draw_rule, least_draws
from renyi.options._groups import DataOptions, MethodOptions
from renyi.options._scores_solvers import SOLVERS, score_traits
from renyi.options._searches import beam_width

__all__ = ["check_together", "check_weights"]


def check_together(options: MethodOptions) -> None:
    """Refuse options that do not go together.

    Raises
    ------
    OptionError
        Naming the first that does not suit another.
    """
    _check_draws(options)
    _check_judging(options)
    _check_scores(options)
    _check_error_rate(options)
    _check_bandwidths(options)
    _check_solver(options)
    _check_lookahead(options)
    _check_search(options)
    _check_pairs(options)


def _check_draws(options: MethodOptions) -> None:
    """Refuse a permutation test that no data could pass, or whose p-value has no such rule."""
    if not any(criterion_traits(name).permutes for name in options.criteria):
        return
    rule = draw_rule(options.permutations)
    if rule.name != "fixed" and options.p_rule == "paper":
        raise OptionError(
            f"`p_rule` paper is for a fixed number of permutations, got {options.permutations}.",
            "Use ",
            Way("p_rule", "valid"),
            ", or a whole number of permutations.",
        )
    looks = beam_width(options.search) if rule.name == "fixed" else options.looks
    level = options.significance / looks
    least = least_draws(level)
    if options.p_rule == "valid" and rule.most < least:
        raise OptionError(
            f"`permutations` must be at least {least} for a p-value to reach significance "
            f"{level:g}, got {options.permutations}.",
            *(
                ["Draw more, or raise the level."]
                if rule.name != "fixed"
                else ["Draw more, raise the level, or use ", Way("p_rule", "paper"), "."]
            ),
        )


def _check_error_rate(options: MethodOptions) -> None:
    """Refuse a share of false features where no test counts the search in, or two looks share it.

    A first look that fails costs of what passed tests have earned, and a pair passes once, not
    twice: the levels would be others.
    """
    if options.error_rate == "fwer":
        return
    able = [name for name, traits in CRITERIA.items() if traits.takes_error_rate]
    if len(options.criteria) > 1 or options.criteria[0] not in able:
        raise OptionError(
            f"`error_rate` fdr goes with one of {', '.join(able)} alone, got "
            f"{', '.join(options.criteria)}.",
            "Use ",
            Way("error_rate", "fwer"),
            ", or leave the other criteria out.",
        )
    if options.lookahead != 1:
        raise OptionError(
            f"`error_rate` fdr needs lookahead 1, got {options.lookahead}.",
            "Use ",
            Way("error_rate", "fwer"),
            " to look at pairs.",
        )


def _check_bandwidths(options: MethodOptions) -> None:
    """Refuse a choice by the data for one column alone."""
    for column, bandwidth in options.bandwidths:
        if bandwidth == "auto":
            raise OptionError(
                f"`bandwidth` auto is chosen for all columns at once, got `{column}=auto`.",
                "Give the column a number or another rule.",
            )


def _check_judging(options: MethodOptions) -> None:
    """Refuse gains above chance of other scores, and weights of classes at other orders."""
    if options.class_weights != "none" and options.alpha != 2:
        raise OptionError(
            f"`class_weights` {options.class_weights} needs alpha 2, got {options.alpha:g}.",
            "Rows have weights there only: use ",
            Way("alpha", 2),
            ", or ",
            Way("class_weights", "none"),
            ".",
        )
    if options.rank == "chance" and not score_traits(options.score).above_chance:
        raise OptionError(
            f"`rank` chance needs score mi, got {options.score}.",
            "Use ",
            Way("rank", "raw"),
            ": other scores have their own correction.",
        )


def _check_scores(options: MethodOptions) -> None:
    """Refuse a test of a score's own shuffled copies where there are none."""
    judging = [name for name in options.criteria if criterion_traits(name).judges_score]
    if judging and not score_traits(options.score).shuffles:
        raise OptionError(
            f"`criterion` {judging[0]} compares a score with that of shuffled copies and needs "
            f"another one than {options.score}.",
            "Use ",
            Way("criterion", "cmi-max"),
            " or ",
            Way("criterion", "mi-perm"),
            ", which do so for joint MI, or a score such as jmi.",
        )


def _check_solver(options: MethodOptions) -> None:
    """Refuse a solver that cannot work at this alpha."""
    alpha, solver = options.alpha, SOLVERS[options.solver]
    if not solver.applies(alpha):
        raise OptionError(
            f"`alpha` must be {solver.rule} for solver {solver.name}, got {alpha:g}.",
            "Leave ",
            Way("solver"),
            " out: auto takes the cheapest that applies.",
        )


def _check_lookahead(options: MethodOptions) -> None:
    """Refuse a look at pairs that no criterion judges, that takes too long, or that none passes."""
    if options.lookahead > 2:
        raise OptionError(
            f"`lookahead` must be 1 or 2, got {options.lookahead}.",
            "Use ",
            Way("lookahead", 2),
            " to look at pairs too.",
        )
    if options.lookahead == 1:
        return
    if not score_traits(options.score).ranks_pairs:
        raise OptionError(
            f"`score` must be mi for lookahead 2, got {options.score}.",
            "Pairs are ranked by joint MI.",
        )
    able = [name for name, traits in CRITERIA.items() if traits.judges_pairs]
    for criterion in options.criteria:
        if criterion not in able:
            raise OptionError(
                f"`criterion` must be one of {', '.join(able)} for lookahead 2, got {criterion}.",
                "Only these can judge a pair.",
            )
    if options.alpha != 2 or options.solver != "auto":
        raise OptionError(
            f"`lookahead` 2 needs alpha 2 and solver auto, got {options.alpha:g} and "
            f"{options.solver}.",
            "Other orders need two eigenproblems for every pair of every replicate: use ",
            Way("alpha", 2),
            ".",
        )
    if options.bandwidth == "auto":
        raise OptionError(
            "`bandwidth` auto is chosen by gains of single features and does not suit lookahead 2.",
            "Give a number: 1 to 3 suits standardised values.",
        )
    _check_reachable(options)


def _check_reachable(options: MethodOptions) -> None:
    """Refuse a test that no data could pass: each of the two looks of a step has half the level."""
    draws, level = options.permutations, options.significance / 2
    permute = any(criterion_traits(name).permutes for name in options.criteria)
    if not permute or not isinstance(draws, int):
        return
    least = least_draws(level)
    if options.p_rule == "valid" and draws < least:
        raise OptionError(
            f"`permutations` must be at least {least} for a p-value to reach {level:g}, half of "
            f"the significance, at each of the two looks of a step; got {draws}.",
            "Draw more, or raise the level.",
        )


def _check_search(options: MethodOptions) -> None:
    """Refuse what has a meaning in a forward search only."""
    search = options.search
    if search == "forward":
        return
    if not score_traits(options.score).ranks_pairs:
        raise OptionError(
            f"`score` must be mi for search {search}, got {options.score}.",
            "Sets are compared by joint MI.",
        )
    if options.error_rate != "fwer":
        raise OptionError(
            f"`error_rate` {options.error_rate} needs search forward, got {search}.",
            "It counts tests that were passed one after the other: use ",
            Way("error_rate", "fwer"),
            ".",
        )
    if options.lookahead != 1 and search != "floating":
        raise OptionError(
            f"`lookahead` {options.lookahead} needs search forward or floating, got {search}.",
            "Use ",
            Way("lookahead", 1),
            ".",
        )
    if search == "backward":
        _check_backward(options)


def _check_backward(options: MethodOptions) -> None:
    """Refuse criteria that judge what is left out, and a search that would leave nothing."""
    able = [name for name, traits in CRITERIA.items() if traits.judges_removals]
    for criterion in options.criteria:
        if criterion not in able:
            raise OptionError(
                f"`criterion` must be one of {', '.join(able)} for search backward, got "
                f"{criterion}.",
                "Only these judge a column that is taken away by what it tells itself.",
            )
    endless = "none" in options.criteria and options.min_gain is None
    if endless and options.max_features is None:
        raise OptionError(
            "`criterion` none needs `max_features` for search backward: nothing else ends it "
            "before every column is taken away.",
            "Say how many to leave: ",
            Way("max_features", rule="N"),
            ".",
        )
    if options.bandwidth == "auto":
        raise OptionError(
            "`bandwidth` auto is chosen by gains of single features and does not suit search "
            "backward.",
            "Give a number: 1 to 3 suits standardised values.",
        )


def _check_pairs(options: MethodOptions) -> None:
    """Refuse an estimate from a share of pairs of what is no sum over pairs of rows."""
    if options.pairs is None:
        return
    needed: dict[str, float | str] = {
        "score": "mi",  # the others bring an alpha of their own
        "alpha": 2.0,
        "solver": "auto",
        "rank": "chance",
    }
    needed |= {"search": "forward", "lookahead": 1}
    for name, value in needed.items():
        given = getattr(options, name)
        if given != value:
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            raise OptionError(
                f"`pairs` needs {name} {shown}, got {given}.",
                "Use ",
                Way(name, value),
                ", or leave ",
                Way("pairs"),
                " out for sums over all pairs.",
            )
    able = [name for name, traits in CRITERIA.items() if traits.takes_pairs]
    for criterion in options.criteria:
        if criterion not in able:
            raise OptionError(
                f"`criterion` must be one of {', '.join(able)} where `pairs` is given, got "
                f"{criterion}.",
                "The others sum over all pairs: leave ",
                Way("pairs"),
                " out for them.",
            )
    if options.bandwidth == "auto":
        raise OptionError(
            "`bandwidth` auto is chosen by sums over all pairs of rows and does not suit `pairs`.",
            "Give a number: 1 to 3 suits standardised values.",
        )


def check_weights(options: DataOptions, method: MethodOptions) -> None:
    """Refuse what counts rows where they are to count differently.

    Raises
    ------
    OptionError
        Naming what counts them.
    """
    if options.weights is None or options.weight_kind != "importance":
        return
    counting = [f"`criterion` {k}" for k in method.criteria if criterion_traits(k).counts_rows]
    if score_traits(method.score).counts_rows:
        counting.append(f"`score` {method.score}")
    if counting:
        raise OptionError(
            f"`weights` {options.weights} makes some rows count more, and {counting[0]} counts "
            "rows, which must all count alike.",
            "Use another, or weights that are frequencies: ",
            Way("weight_kind", "frequency"),
            ".",
        )
