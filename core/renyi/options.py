"""Every choice a selection depends on, as frozen records, and the presets that name full sets.

Defaults live here and nowhere else. `MethodOptions` and `DataOptions` are part of a result;
`RunOptions` says how the work is done; an answer changes, within its stated errors, only where a
matrix does not fit the memory that may be used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, TypeAlias

from renyi import _validate
from renyi._compatible import (
    check_bandwidths,
    check_error_rate,
    check_judging,
    check_lookahead,
    check_solver,
    usual_judging,
)
from renyi._draws import PERMUTING, Permutations, check_draws, parse_permutations, usual_draws
from renyi._kernel_records import LABEL_KERNELS, NOMINAL_KERNELS, NUMBER_KERNELS
from renyi._kernel_rules import (
    BANDWIDTH_RULES,
    STANDARDISE,
    Bandwidth,
    parse_bandwidth,
    parse_standardise,
)
from renyi._thresholds import parse_min_gain
from renyi._typing import (
    ClassWeights,
    ErrorRate,
    JsonValue,
    LabelKernel,
    NominalKernel,
    NumberKernel,
    PRule,
    Rank,
    StopWhen,
)
from renyi.errors import OptionError

__all__ = [
    "BANDWIDTH_RULES",
    "CLASS_WEIGHTS",
    "CRITERIA",
    "ERROR_RATES",
    "KINDS",
    "LABEL_KERNELS",
    "NOMINAL_KERNELS",
    "NUMBER_KERNELS",
    "PERMUTING",
    "PRESETS",
    "RANKS",
    "SCORES",
    "SOLVERS",
    "STANDARDISE",
    "Bandwidth",
    "DataOptions",
    "MemoryBudget",
    "MethodOptions",
    "Missing",
    "Permutations",
    "RunOptions",
    "method_options",
    "parse_bandwidth",
    "parse_standardise",
]

MemoryBudget: TypeAlias = "int | str"
Missing: TypeAlias = Literal["error", "drop", "category"]

CRITERIA: Final = (
    "cmi-heuristic",
    "cmi-perm",
    "cmi-max",
    "cmi-local",
    "mi-perm",
    "mi-chi2",
    "none",
)
GONE: Final[Mapping[str, str]] = {
    "cmi-echo": "Use cmi-max, the default, for the columns a model should get, or cmi-local for "
    "those that say something beyond the others."
}
"""Criteria of earlier versions, and what to use."""
SCORES: Final = ("mi", "chi2-gain")
RANKS: Final = ("chance", "raw")
CLASS_WEIGHTS: Final = ("balanced", "none")
ERROR_RATES: Final = ("fwer", "fdr")
KINDS: Final = ("continuous", "ordinal", "nominal")
SOLVERS: Final = ("auto", "dense", "eigen", "low-rank", "tiles", "power")
BACKENDS: Final = ("auto", "numpy", "cupy")
ALPHA_HINT: Final = "Use 1.01 for a Shannon-like entropy or 2 for the fastest one."


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodOptions:
    """The method: entropy, kernels, search and stopping. Build it with `method_options`.

    Attributes
    ----------
    preset
        The name of the set of choices that the others started from.
    criteria
        Stopping criteria by name, see `CRITERIA`.
    stop_when
        Stop when any, or only when all, of the criteria say so.
    score
        How candidates are ranked: `mi` (joint MI) or `chi2-gain` (Vinh et al. 2014).
    rank
        Whether joint MI is compared less what chance gives each candidate (`chance`), or as it is
        (`raw`). At other orders than 2 chance takes draws: `raw` is put in its place there where
        nothing was asked for.
    alpha
        Order of the entropy, above 0.
    bandwidth
        Sigma of the kernel on standardised values, or a rule's name.
    bandwidths
        (column, bandwidth) pairs that override `bandwidth`.
    standardise
        `zscore`, `minmax`, `rank`, `none` or `bins:B`.
    kernel
        How numbers are compared: `gaussian`, or `laplacian`, exp(-|a - b| / sigma).
    nominal
        Kernel of nominal features: `soft` (a Gaussian on levels equally far apart, with the spread
        of a number) or `delta` (equality).
    label_kernel
        `delta` (equality) or `onehot` (exp(-1) across classes) for a nominal target.
    class_weights
        `balanced`: classes of a target weigh nearly alike, z-scores of it become ranks; or `none`.
    epsilon
        Threshold of `cmi-heuristic`, bits.
    permutations, significance, p_rule
        Shuffles, level, and p-value rule: `valid` is (count + 1) / (P + 1), `paper` is count / P.
        `auto:CAP` draws none where it is plain, `besag-clifford:CAP` until 10 copies do as well.
    error_rate
        What the level bounds in `cmi-max` and `cmi-local`: the chance that anything false is
        selected (`fwer`), or the share of false features among those selected (`fdr`).
    bins, binning
        Number of bins of `mi-chi2` and whether they have equal `width` or `frequency`.
    min_gain
        Least gain I(x; y | S') of a selected feature, bits or a share of H(y) such as `1%`.
    lookahead
        2: where no single feature passes, the best pair of features is tested; 1: it is not.
    max_features
        Most features selected, forced ones included; None for no limit.
    solver
        `auto`: the cheapest that meets the tolerance, with the decisions of `dense`; `dense`: the
        eigenvalues of the whole Gram, without any shortcut; `eigen`: eigenvalues block by block
        on distinct rows; `low-rank`: certified pivoted Cholesky only, alpha at least 1; `tiles`:
        alpha 2, without eigenvalues; `power`: integer alpha from 2 by matrix products.
    tolerance
        Largest error of a reported value, bits.
    seed
        Seed of every random draw.
    """

    preset: str = "default"
    criteria: tuple[str, ...] = ("cmi-max",)
    stop_when: StopWhen = "any"
    score: str = "mi"
    rank: Rank = "chance"
    alpha: float = 2.0
    bandwidth: Bandwidth = "steady"
    bandwidths: tuple[tuple[str, Bandwidth], ...] = ()
    standardise: str = "zscore"
    kernel: NumberKernel = "gaussian"
    nominal: NominalKernel = "soft"
    label_kernel: LabelKernel = "delta"
    class_weights: ClassWeights = "balanced"
    epsilon: float = 1e-4
    permutations: Permutations = "auto:59"
    significance: float = 0.05
    p_rule: PRule = "valid"
    error_rate: ErrorRate = "fwer"
    bins: int = 5
    binning: Literal["width", "frequency"] = "width"
    min_gain: float | str | None = None
    lookahead: int = 1
    max_features: int | None = None
    solver: str = "auto"
    tolerance: float = 1e-6
    seed: int = 0

    @property
    def target_scale(self) -> str:
        """How a target of numbers is standardised."""
        balanced = self.class_weights == "balanced" and self.standardise == "zscore"
        return "rank" if balanced else self.standardise

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the options as JSON values, `criteria` as a list, `bandwidths` as an object."""
        out: dict[str, JsonValue] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "criteria":
                value = list(value)
            elif field.name == "bandwidths":
                value = dict(value)
            out[field.name] = value
        return out

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> MethodOptions:
        """Rebuild options from `to_dict`; unknown fields of a newer minor version are ignored."""
        known = {field.name for field in fields(cls)}
        given = {key: value for key, value in record.items() if key in known}
        # results before version 1.3 knew none of these
        given.setdefault("rank", "raw")
        given.setdefault("nominal", "delta")
        given.setdefault("class_weights", "none")
        given["criteria"] = tuple(given["criteria"])
        given["bandwidths"] = tuple(given["bandwidths"].items())
        return cls(**given)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataOptions:
    """What of a table is used, and as what.

    Attributes
    ----------
    target
        Name of the target, or None to infer it.
    features, exclude
        Names or globs; empty `features` means all but the target.
    keep
        Names of features forced in, in order.
    kinds
        (name or glob, kind) pairs; a full name beats a glob, then the later wins.
    missing
        `error`, `drop` (complete rows) or `category` (nominal columns get a level for it).
    rows
        Size of a stratified sample of the rows, or None for all.
    seed
        Seed of that sample.
    """

    target: str | None = None
    features: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    missing: Missing = "error"
    rows: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _validate.choice("missing", self.missing, ("error", "drop", "category"))
        for _, kind in self.kinds:
            _validate.choice("kind", kind, KINDS)
        if self.rows is not None:
            _validate.whole_number("rows", self.rows, 2)
        _validate.whole_number("seed", self.seed, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How the work is done; never part of an answer.

    Attributes
    ----------
    backend
        `auto`, `numpy` or `cupy`.
    jobs
        Worker threads; None for one per core.
    max_memory
        Bytes that the work may take, or a share such as `50%` of what is free at its start; None
        for 80%. Text such as `8GiB` becomes bytes.
    """

    backend: str = "auto"
    jobs: int | None = None
    max_memory: MemoryBudget | None = None

    def __post_init__(self) -> None:
        _validate.choice("backend", self.backend, BACKENDS)
        if self.jobs is not None:
            _validate.positive_integer("jobs", self.jobs)
        if self.max_memory is not None:
            object.__setattr__(
                self, "max_memory", _validate.memory_size("max_memory", self.max_memory)
            )


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
}
"""`default`: ours. `paper`: Yu and Principe, Entropy 2019, as far as its settings are known.
`lrmi`: Dong et al., AAAI 2023."""


def method_options(preset: str = "default", **given: Any) -> MethodOptions:
    """Build validated options: a preset's choices, then those given; None means not given.

    Parameters
    ----------
    preset
        A name in `PRESETS`.
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
    base = PRESETS[_validate.choice("preset", preset, tuple(PRESETS))]
    known = {field.name for field in fields(MethodOptions)} - {"preset"}
    for name in given:
        if name not in known:
            close = _validate.nearest(name, known, 1)
            hint = f"Did you mean `{close[0]}`?" if close else f"Known: {', '.join(sorted(known))}."
            raise OptionError(f"`{name}` is not an option.", hint)
    asked = {k: v for k, v in given.items() if v is not None}
    usual = {"permutations": usual_draws(base, asked), **usual_judging(base, asked)}
    if str(asked.get("permutations")).strip().lower() == "auto":  # by the level
        del asked["permutations"]
    return _checked(replace(base, **{**usual, **asked}))


def _checked(raw: MethodOptions) -> MethodOptions:
    named: object = raw.criteria  # one name or several
    criteria = (named,) if isinstance(named, str) else tuple(raw.criteria)
    for criterion in criteria:
        if criterion in GONE:
            raise OptionError(f"`criterion` {criterion} is no longer there.", GONE[criterion])
        _validate.choice("criterion", criterion, CRITERIA)
    if not criteria:
        raise OptionError("`criterion` must name at least one criterion.", "Use `none` to run on.")
    if "none" in criteria and len(criteria) > 1:
        raise OptionError("`criterion` none cannot be joined with another.", "Leave `none` out.")
    pairs = raw.bandwidths.items() if isinstance(raw.bandwidths, Mapping) else raw.bandwidths
    options = replace(
        raw,
        criteria=tuple(dict.fromkeys(criteria)),
        stop_when=_validate.choice("stop_when", raw.stop_when, ("any", "all")),
        score=_validate.choice("score", raw.score, SCORES),
        rank=_validate.choice("rank", raw.rank, RANKS),
        alpha=_validate.positive_number("alpha", raw.alpha, ALPHA_HINT),
        bandwidth=parse_bandwidth(raw.bandwidth),
        bandwidths=tuple((str(col), parse_bandwidth(v, f"bandwidth {col}")) for col, v in pairs),
        standardise=parse_standardise(raw.standardise),
        kernel=_validate.choice("kernel", raw.kernel, NUMBER_KERNELS),
        nominal=_validate.choice("nominal", raw.nominal, NOMINAL_KERNELS),
        label_kernel=_validate.choice("label_kernel", raw.label_kernel, LABEL_KERNELS),
        class_weights=_validate.choice("class_weights", raw.class_weights, CLASS_WEIGHTS),
        epsilon=_validate.non_negative_number("epsilon", raw.epsilon, "1e-4 is the paper's."),
        permutations=parse_permutations(raw.permutations),
        min_gain=None if raw.min_gain is None else parse_min_gain(raw.min_gain),
        significance=_validate.fraction("significance", raw.significance, "0.05 is usual."),
        p_rule=_validate.choice("p_rule", raw.p_rule, ("paper", "valid")),
        error_rate=_validate.choice("error_rate", raw.error_rate, ERROR_RATES),
        bins=_validate.whole_number("bins", raw.bins, 2),
        binning=_validate.choice("binning", raw.binning, ("width", "frequency")),
        lookahead=_validate.whole_number("lookahead", raw.lookahead, 1),
        solver=_validate.choice("solver", raw.solver, SOLVERS),
        tolerance=_validate.tolerance(raw.tolerance),
        seed=_validate.whole_number("seed", raw.seed, 0),
    )
    if options.max_features is not None:
        _validate.positive_integer("max_features", options.max_features)
    check_draws(options)
    check_judging(options)
    check_error_rate(options)
    check_bandwidths(options)
    check_solver(options)
    check_lookahead(options)
    return options
