"""The criteria that are tried, with settings that later defaults cannot move, and how one runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import renyi
from renyi.backend import get_backend
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.options import CRITERIA, MethodOptions, method_options
from renyi.selection import ForwardSearch
from validity._tables import Made

__all__ = ["METHODS", "Method", "SharedEntropies", "method_of", "run_whole"]

FIXED: Mapping[str, Any] = {
    "alpha": 2.0,
    "bandwidth": 2.0,
    "standardise": "zscore",
    "label_kernel": "delta",
    "score": "mi",
    "stop_when": "any",
    "epsilon": 1e-4,
    "permutations": 100,
    "significance": 0.05,
    "p_rule": "valid",
    "bins": 5,
    "binning": "width",
    "solver": "auto",
    "tolerance": 1e-6,
}
"""Where a method says nothing else. Every choice is written down, so that a change of the defaults
changes the runs of `default` alone."""

LATER_OPTIONS: Mapping[str, Any] = {
    "min_gain": 0.0,
    "lookahead": 1,
    "rank": "raw",
    "nominal": "delta",
    "class_weights": "none",
}
"""Likewise, for options that not every version has."""

KERNEL = (
    "alpha",
    "bandwidth",
    "standardise",
    "nominal",
    "label_kernel",
    "class_weights",
    "solver",
    "tolerance",
)
"""What entropies depend on: methods that agree in these share one."""


@dataclass(frozen=True)
class Method:
    """One way to stop.

    Attributes
    ----------
    name, words
        In the store and the tables, and in prose.
    options
        What it changes of `FIXED`, by the names of `renyi.select`; None for the defaults of
        `renyi.select` as they are.
    """

    name: str
    words: str
    options: Mapping[str, Any] | None = field(default_factory=dict)

    @property
    def problem(self) -> str:
        """Why it cannot run with this version, in words; empty where it can."""
        if self.options is None:
            return ""
        known = {option.name for option in fields(MethodOptions)} | {"criterion"}
        unknown = [name for name in self.options if name not in known]
        if unknown:
            return f"there is no option {', '.join(unknown)}"
        criterion = self.options.get("criterion", "none")
        return "" if criterion in CRITERIA else f"there is no criterion {criterion}"

    @property
    def shares(self) -> bool:
        """Whether its kernels do not depend on the target, so that it may share entropies."""
        return self.resolved().bandwidth != "auto"

    def asked(self, **more: Any) -> dict[str, Any]:
        """Return the options of `renyi.select`."""
        if self.options is None:
            return more
        known = {option.name for option in fields(MethodOptions)}
        later = {name: value for name, value in LATER_OPTIONS.items() if name in known}
        return {**FIXED, **later, **self.options, **more}

    def resolved(self, **more: Any) -> MethodOptions:
        """Return all options, checked."""
        given = self.asked(**more)
        if "criterion" in given:
            given["criteria"] = given.pop("criterion")
        return method_options(**given)

    def settings(self, **more: Any) -> dict[str, Any]:
        """Return in JSON values what its outcomes depend on, but for the seed of each run.

        For the defaults that is every option there is; else what is written down here, so that a
        new option that is off does not make old outcomes void.
        """
        if self.options is None:
            return {**self.resolved(**more).to_dict(), "seed": "the run's number"}
        return {**FIXED, **self.options, **more}


METHODS = (
    Method("default", "what `renyi select` does when nothing is asked for", None),
    Method(
        "news",
        "the defaults with `cmi-local`: only columns that say something beyond the others",
        {
            "criterion": "cmi-local",
            "rank": "chance",
            "nominal": "soft",
            "class_weights": "balanced",
            "bandwidth": "steady",
            "permutations": "auto:59",
        },
    ),
    Method(
        "cmi-max",
        "the best of all candidates against the best of all shuffled ones, P = 19",
        {"criterion": "cmi-max", "permutations": 19},
    ),
    Method(
        "cmi-max-pairs",
        "the same with a look-ahead of two, P = 39",
        {"criterion": "cmi-max", "permutations": 39, "lookahead": 2},
    ),
    Method(
        "cmi-max-1.01",
        "cmi-max at alpha 1.01, P = 19",
        {"criterion": "cmi-max", "permutations": 19, "alpha": 1.01},
    ),
    Method(
        "cmi-max-sigma1",
        "cmi-max with bandwidth 1, P = 19",
        {"criterion": "cmi-max", "permutations": 19, "bandwidth": 1.0},
    ),
    Method(
        "cmi-max-growing",
        "cmi-max with bandwidth sqrt(number of columns in the kernel), P = 19",
        {"criterion": "cmi-max", "permutations": 19, "bandwidth": "growing:1"},
    ),
    Method(
        "cmi-local",
        "shuffled within neighbourhoods of what is selected, P = 19",
        {"criterion": "cmi-local", "permutations": 19},
    ),
    Method(
        "cmi-local-sigma1",
        "cmi-local with bandwidth 1, P = 19",
        {"criterion": "cmi-local", "permutations": 19, "bandwidth": 1.0},
    ),
    Method(
        "cmi-perm",
        "the paper's permutation test with its rule count / P <= .05, P = 100",
        {"criterion": "cmi-perm", "p_rule": "paper"},
    ),
    Method(
        "mi-perm", "the newest feature alone is shuffled, MI, P = 100", {"criterion": "mi-perm"}
    ),
    Method("mi-chi2", "the chi-square quantile on five bins", {"criterion": "mi-chi2"}),
    Method(
        "cmi-heuristic",
        "CMI of the rest at most 1e-4 bits; its first feature is always kept",
        {"criterion": "cmi-heuristic"},
    ),
    Method("none", "no criterion: every column enters", {"criterion": "none"}),
)
"""All at level .05, alpha 2, sigma 2 on z-scores, raw gains and delta kernels for names, where they
say nothing else."""


def method_of(name: str) -> Method:
    """Return a method by its name."""
    return next(method for method in METHODS if method.name == name)


def run_whole(made: Made, method: Method, run: int, **more: Any) -> list[int]:
    """Return what `renyi.select` selects, as column numbers in order."""
    path = renyi.select(
        made.frame(),
        target="y",
        kind=made.kinds(),
        seed=run,
        jobs=1,
        **method.asked(**more),
    )
    return [made.names.index(name) for name in path.selected]


class SharedEntropies:
    """One table, on which several methods run with entropies that are computed once.

    Far cheaper than one `renyi.select` each where candidates are many. It starts where typed
    columns are there: the reader of tables and the search for copies are left out. The tests hold
    it to `run_whole`.
    """

    def __init__(self, made: Made) -> None:
        self._names = made.names
        self._dataset = made.dataset()
        self._entropies: dict[tuple[Any, ...], SetEntropies] = {}

    def run(self, method: Method, run: int, *, keep: Sequence[str] = (), **more: Any) -> list[int]:
        """Return what `method` selects, as column numbers in order."""
        options = method.resolved(seed=run, **more)
        key = tuple(getattr(options, name) for name in KERNEL)
        if key not in self._entropies:
            self._entropies[key] = SetEntropies(
                Computation.of(
                    KernelModel.build(self._dataset, options),
                    options.alpha,
                    get_backend("numpy"),
                    solver=options.solver,
                    tolerance=options.tolerance,
                    jobs=1,
                    max_memory=2**31,
                )
            )
        order = [self._names.index(name) for name in keep]
        search = ForwardSearch(self._dataset, self._entropies[key], options, keep=order)
        names = [name for step in search if step.selected for name in step.features]
        return [self._names.index(name) for name in names]
