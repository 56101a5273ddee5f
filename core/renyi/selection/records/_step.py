"""One round of the search, as a frozen record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from renyi._typing import JsonValue
from renyi.selection.records._frozen import FrozenMapping, thawed
from renyi.stopping import CriterionReport

__all__ = ["Entropies", "RunnerUp", "StandardErrors", "Step", "selected_after"]


Action: TypeAlias = Literal["keep", "start", "add", "remove"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entropies:
    """The entropies behind a step, bits.

    Attributes
    ----------
    selected, joint
        H(Z) and H(Z, y) of the features Z that the step would leave selected.
    target
        H(y).
    conditional_all
        H(y | S) given all features in use, None where it was not computed.
    """

    selected: float
    joint: float
    target: float
    conditional_all: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerUp:
    """The second best candidate of a step.

    Attributes
    ----------
    features
        Its columns.
    mi
        Joint MI with it in place of the chosen one, bits.
    gap
        Score of the chosen one less its own, bits (for `chi2-gain` in that score's bits; ranked by
        chance, the difference in z times the chosen one's standard deviation).
    """

    features: tuple[str, ...]
    mi: float
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardErrors:
    """How far off the numbers of a step may be for being estimated from a share of all pairs.

    An interval of 2.2 of them to either side holds in 95% of all draws of pairs what all pairs
    give; 0 where a number was computed exactly, None where it is not there.

    Attributes
    ----------
    mi, cmi, gain, chance, z, mi_chance
        Of these numbers of the step.
    selected, joint, target, conditional_all
        Of those of its entropies.
    gap
        Of that of the runner-up.
    choice_open
        Whether another candidate is so near that all pairs might rank it first.
    stop_open
        Whether a criterion might decide the other way with all pairs.
    """

    mi: float
    cmi: float | None
    gain: float
    chance: float | None
    z: float | None
    mi_chance: float | None
    selected: float
    joint: float
    target: float
    conditional_all: float | None
    gap: float | None
    choice_open: bool
    stop_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One round of the search.

    Attributes
    ----------
    index
        From 1.
    action
        `keep` for a feature forced in, `start` for those that the search begins with, `add` for
        one found, `remove` for one taken away.
    features
        The columns of the candidate.
    selected
        Whether the features are selected after the step. False for one that was taken away and for
        the one, if any, whose test failed; true for one that was to be taken away and passed its
        test. What was not done is always the last step.
    mi
        I(Z; y), bits, of the features Z that the step would leave selected: {S', x}, or S' where x
        is taken away. Can be negative for alpha other than 1.
    cmi
        I({S - Z}; y | Z), bits: what the rest still knows. None with `cmi_code` where it was not
        computed.
    gain
        I(x; y | S') of the candidate x given the others, bits: mi less the mi of the step before,
        or the reverse where x is taken away; where kernels have become wider and candidates are
        ranked by chance, both at the width of {S', x}.
    chance
        What chance gives: the gain in the mean over all orders of the rows of x, bits; at other
        orders than 2 as 16 of these tell it where candidates are ranked by chance, else None. None
        for several columns at once, and in results before version 1.3.
    z
        gain less chance, in standard deviations over these orders; None where `chance` is.
    mi_chance
        What chance gives MI: the mean over all orders of the rows of y against Z, bits. None at
        other orders than 2.
    score
        By which candidates were ranked, where that is another one than joint MI; None else, for
        features forced in, and in results before version 1.5.
    saturation
        log2 n - H(Z), bits: near 0 every row is alone and MI says nothing.
    runner_up
        The second best candidate, None where there was only one.
    criteria
        One report for each criterion that was asked.
    would_stop
        What the cheap criteria say of a feature that enters, whether asked or not; None where they
        cannot say.
    error_bound
        Largest error of `mi`, and of `cmi` where it was computed, from rounding and shortcuts,
        bits.
    errors
        Standard errors where sums over pairs are estimated from a share of them; None where all
        pairs were summed, and in results before version 1.6.
    """

    index: int
    action: Action
    features: tuple[str, ...]
    selected: bool
    mi: float
    cmi: float | None
    cmi_code: str | None = None
    gain: float
    chance: float | None = None
    z: float | None = None
    mi_chance: float | None = None
    score: float | None = None
    entropies: Entropies
    saturation: float
    runner_up: RunnerUp | None = None
    criteria: tuple[CriterionReport, ...] = ()
    would_stop: Mapping[str, bool | None] = field(default_factory=dict)
    error_bound: float = 0.0
    errors: StandardErrors | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "would_stop", FrozenMapping(self.would_stop))

    @property
    def feature(self) -> str | None:
        """The one column of the candidate, None for a group."""
        return self.features[0] if len(self.features) == 1 else None

    @property
    def done(self) -> bool:
        """Whether what it proposes was done: its feature entered, or was taken away."""
        return self.selected != (self.action == "remove")

    @property
    def above_chance(self) -> float | None:
        """Gain less chance, bits; None where that is not known."""
        return None if self.chance is None else self.gain - self.chance

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the step as JSON values."""
        out: dict[str, JsonValue] = asdict(self)
        out["features"] = list(self.features)
        out["feature"] = self.feature
        out["above_chance"] = self.above_chance
        out["criteria"] = [report.to_dict() for report in self.criteria]
        if self.runner_up is not None:
            out["runner_up"] = {**asdict(self.runner_up), "features": list(self.runner_up.features)}
        out["would_stop"] = thawed(self.would_stop)
        return out

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Step:
        """Rebuild a step from `to_dict`."""
        given = {k: v for k, v in record.items() if k in cls.__dataclass_fields__}
        runner_up = given["runner_up"]
        if runner_up is not None:
            runner_up = RunnerUp(
                features=tuple(runner_up["features"]), mi=runner_up["mi"], gap=runner_up["gap"]
            )
        entropies = {k: given["entropies"][k] for k in Entropies.__dataclass_fields__}
        given |= {
            "features": tuple(given["features"]),
            "entropies": Entropies(**entropies),
            "runner_up": runner_up,
            "errors": None if (said := given.get("errors")) is None else _read_errors(said),
            "criteria": tuple(CriterionReport.from_dict(item) for item in given["criteria"]),
        }
        return cls(**given)


def _read_errors(said: Mapping[str, Any]) -> StandardErrors:
    return StandardErrors(**{k: said[k] for k in StandardErrors.__dataclass_fields__})


def selected_after(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return the features that are selected after some steps, in the order they entered."""
    found: dict[str, None] = {}
    for step in steps:
        if step.done and step.action == "remove":
            for name in step.features:
                found.pop(name, None)
        elif step.done:
            found |= dict.fromkeys(step.features)
    return tuple(found)
