"""Whole selections on the device and on the CPU: the same steps with the same numbers."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from gpu_check.made import Made, made_sets
from renyi.backend import Backend, get_backend
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.options import MethodOptions, method_options
from renyi.selection import ForwardSearch, Step, Verdict

__all__ = ["ALPHAS", "Comparison", "compare_all", "tolerance"]

ALPHAS = (1.0, 1.01, 2.0, 3.0, 0.6)
DEVIATIONS = 1e-4
"""How far two standardised gains may lie apart, as a share of them."""


@dataclass(frozen=True)
class Comparison:
    """One selection, done twice.

    Attributes
    ----------
    name, criterion, alpha, solver
        What was selected from, and how.
    steps
        Steps taken on the CPU.
    largest
        Largest difference of a number, bits.
    tolerance
        The most that is allowed.
    decisions
        Whether features, verdict, every criterion's answer and its draws are the same, and
        standardised gains to `DEVIATIONS`.
    seconds, cpu_seconds
        Time on the device and on the CPU.
    """

    name: str
    criterion: str
    alpha: float
    solver: str
    steps: int
    largest: float
    tolerance: float
    decisions: bool
    seconds: float
    cpu_seconds: float

    @property
    def agrees(self) -> bool:
        """Whether decisions are the same and numbers within the tolerance."""
        return self.decisions and self.largest <= self.tolerance  # False for NaN

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        return {**asdict(self), "agrees": self.agrees}


def tolerance(alpha: float, solver: str) -> float:
    """Return how far two values may lie apart, bits.

    `auto` promises each value within 1e-6. `dense` has rounding only: below alpha 1 an eigenvalue
    that is 0 and comes out as 1e-17 counts 1e-17 to the power alpha, 6e-11 at 0.6, and there are n.
    """
    if solver == "auto":
        return 2e-6
    return 1e-6 if alpha < 1 else 1e-9


def compare_all(backend: Backend, *, quick: bool) -> list[Comparison]:
    """Compare every set at the defaults, and by the tests of the paper at each alpha and solver."""
    return [
        _compare(backend, made, options)
        for made in made_sets(quick)
        for options in (
            method_options(label_kernel=made.label_kernel),
            *(
                _of_paper(made, alpha, solver)
                for alpha in ALPHAS
                for solver in ("auto", "dense")
                if solver == "auto" or alpha in {1.01, 0.6}  # `dense` does the same for all
            ),
        )
    ]


def _of_paper(made: Made, alpha: float, solver: str) -> MethodOptions:
    return method_options(
        alpha=alpha,
        solver=solver,
        bandwidth=1.0,
        label_kernel=made.label_kernel,
        criteria=("cmi-perm", "mi-perm"),
        stop_when="all",
        permutations=19,
    )


def _compare(backend: Backend, made: Made, options: MethodOptions) -> Comparison:
    start = time.perf_counter()
    there, their_verdict = _select(made, options, backend)
    middle = time.perf_counter()
    here, our_verdict = _select(made, options, get_backend("numpy"))
    end = time.perf_counter()
    steps = list(zip(there, here, strict=False))
    same = len(there) == len(here) and all(_decisions(a) == _decisions(b) for a, b in steps)
    same = same and _outline(their_verdict) == _outline(our_verdict)
    same = same and all(
        _distance(a.z, b.z) <= DEVIATIONS * max(1.0, abs(b.z or 0.0)) for a, b in steps
    )
    largest = max(
        (
            _distance(theirs, ours)
            for their_step, our_step in steps
            for theirs, ours in zip(_numbers(their_step), _numbers(our_step), strict=True)
        ),
        default=0.0,
    )
    return Comparison(
        made.name,
        "+".join(options.criteria),
        options.alpha,
        options.solver,
        len(here),
        largest,
        tolerance(options.alpha, options.solver),
        same,
        round(middle - start, 3),
        round(end - middle, 3),
    )


def _select(
    made: Made, options: MethodOptions, backend: Backend
) -> tuple[list[Step], Verdict | None]:
    model = KernelModel.build(made.dataset, options)
    entropies = SetEntropies(Computation.of(model, options.alpha, backend, solver=options.solver))
    search = ForwardSearch(made.dataset, entropies, options)
    return list(search), search.verdict


def _decisions(step: Step) -> tuple[Any, ...]:
    criteria = [(report.stop, report.drawn, report.exceedances) for report in step.criteria]
    return step.features, step.selected, criteria, dict(step.would_stop)


def _outline(verdict: Verdict | None) -> tuple[Any, ...] | None:
    return None if verdict is None else (verdict.stopped, verdict.step, verdict.criteria)


def _numbers(step: Step) -> list[float | None]:
    entropies = step.entropies
    chance = [step.chance, step.mi_chance]
    found = [step.mi, step.cmi, step.gain, entropies.selected, entropies.joint, entropies.target]
    return found + chance


def _distance(one: float | None, other: float | None) -> float:
    """Return how far apart two numbers are; a number and none are infinitely far."""
    if one is None or other is None:
        return 0.0 if one is other else float("inf")
    distance = abs(one - other)
    return distance if distance == distance else float("inf")  # noqa: PLR0124 - NaN
