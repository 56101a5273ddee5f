"""Presets, what is left to a rule where nothing is said, and options of all three together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from renyi import _validate
from renyi.errors import OptionError
from renyi.options._checks import check_together
from renyi.options._criteria import criterion_traits
from renyi.options._draws import Permutations, usual_draws
from renyi.options._groups import MethodOptions
from renyi.options._scores_solvers import SCORES, parse_score, score_traits
from renyi.options._searches import beam_width, parse_search

if TYPE_CHECKING:
    from renyi.options._given import MethodGiven

__all__ = ["PRESETS", "method_options"]

PAPER_DRAWS: Final = 100
"""P of Yu and Principe, Entropy 21 (2019)."""

PRESETS: Final[Mapping[str, MethodOptions]] = {
    "default": MethodOptions(),
    "paper": MethodOptions(
        preset="paper",
        criteria=("cmi-perm",),
        rank="raw",
        alpha=1.01,
        bandwidth=1.0,
        nominal="delta",
        class_weights="none",
        standardise="bins:5",
        permutations=100,
        p_rule="paper",
    ),
    "lrmi": MethodOptions(
        preset="lrmi",
        criteria=("none",),
        rank="raw",
        alpha=2.0,
        bandwidth=1.0,
        nominal="delta",
        class_weights="none",
        max_features=10,
    ),
    "shannon": MethodOptions(
        preset="shannon",
        criteria=("score-max",),
        score="jmi",
        rank="raw",
        alpha=1.0,
        kernel="delta",
        nominal="delta",
        class_weights="none",
        standardise="bins:5",
    ),
}
"""`default`: ours. `paper`: Yu and Principe, Entropy 2019, as far as its settings are known.
`lrmi`: Dong et al., AAAI 2023. `shannon`: plug-in entropies of levels, five bins of equal width, as
in Brown et al., JMLR 2012."""


def method_options(preset: str | None = None, **given: Unpack[MethodGiven]) -> MethodOptions:
    """Build validated options: a preset's choices, then those given; None means not given.

    Parameters
    ----------
    preset
        A name in `PRESETS`; None for `default`, and for `shannon` where the score is one of levels.
    **given
        Fields of `MethodOptions`; `criteria` may be one name, `bandwidths` a mapping.

    Raises
    ------
    OptionError
        If a value breaks its rule.

    Examples
    --------
    >>> method_options("lrmi", alpha=1.5).alpha
    1.5
    """
    base = PRESETS[_preset(preset, given.get("score"))]
    known = {field.name for field in fields(MethodOptions)} - {"preset"}
    for name in given:
        if name not in known:
            close = _validate.nearest(name, known, 1)
            hint = f"Did you mean `{close[0]}`?" if close else f"Known: {', '.join(sorted(known))}."
            raise OptionError(f"`{name}` is not an option.", hint)
    asked: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    usual = {"permutations": _usual_draws(base, asked), **_usual_judging(base, asked)}
    usual |= _usual_criterion(base, asked)
    if str(asked.get("permutations")).strip().lower() == "auto":  # by the level
        del asked["permutations"]
    options = replace(base, **{**usual, **asked})
    check_together(options)
    return options


def _preset(preset: str | None, score: object) -> str:
    if preset is not None:
        return _validate.choice(
            "preset", preset, tuple(PRESETS), *_validate.left_out("preset", "default")
        )
    of_levels = score is not None and score_traits(parse_score(score)).of_levels
    return "shannon" if of_levels else "default"


def _usual_criterion(base: MethodOptions, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the criterion of a score where neither it nor the preset names another.

    Examples
    --------
    >>> from renyi.options import method_options
    >>> method_options(score="jmi").criteria, method_options("shannon", score="mi").criteria
    (('score-max',), ('cmi-max',))
    """
    own = tuple(traits.criterion for traits in SCORES.values())
    if "criteria" in asked or base.criteria[0] not in own or "score" not in asked:
        return {}
    return {"criteria": (score_traits(parse_score(asked["score"])).criterion,)}


def _usual_draws(base: MethodOptions, asked: Mapping[str, Any]) -> Permutations:
    """Return how many permutations are drawn where the user says nothing of them.

    By `auto`, which may be asked for by that word too, as many as the level takes: 59 at 0.05, 299
    at 0.01. Under the p-rule `paper` 100. A preset of its own number keeps it.

    Examples
    --------
    >>> from renyi.options import method_options
    >>> method_options(significance=0.01).permutations
    'auto:299'
    """
    level = asked.get("significance", base.significance)
    looks = asked.get("lookahead", base.lookahead)
    width = beam_width(parse_search(asked.get("search", base.search)))
    usual = base.permutations
    if isinstance(usual, int) and "permutations" not in asked:
        return usual
    if asked.get("p_rule", base.p_rule) == "paper" and "permutations" not in asked:
        return PAPER_DRAWS
    if not (isinstance(level, float) and 0 < level < 1 and looks in (1, 2)):
        return usual  # refused where it is checked
    return f"auto:{usual_draws(level / int(looks) / width)}"


def _usual_judging(base: MethodOptions, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return how candidates are judged where the user says nothing of it.

    As the preset says at order 2; at other orders, where what chance gives takes draws, raw gains
    of rows that count alike. Where CMI decides, the width does not widen.
    """
    usual: dict[str, Any] = {}
    criteria = asked.get("criteria", base.criteria)
    named = map(str, criteria if isinstance(criteria, tuple | list) else [criteria])
    if base.bandwidth == "steady" and any(criterion_traits(name).needs_cmi for name in named):
        usual["bandwidth"] = 2.0
    if asked.get("alpha", base.alpha) != 2:
        return {**usual, "rank": "raw", "class_weights": "none"}
    if not score_traits(parse_score(asked.get("score", base.score))).above_chance:
        usual["rank"] = "raw"
    return usual
