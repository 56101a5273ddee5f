"""The entropies of a data set under a method, whose bandwidth the data may choose."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from renyi.backend import Backend
from renyi.errors import OptionError, Way
from renyi.information import Computation, EstimatedEntropies, SetEntropies
from renyi.kernels import MOST_SOFT_LEVELS, KernelModel
from renyi.options import MethodOptions, record_of
from renyi.pairs import fewest_rows
from renyi.selection import BandwidthChoice, choose_bandwidth
from renyi.variables import Dataset, Kind

__all__ = ["check_given_bandwidth", "check_share", "entropies_for", "settle_bandwidth", "uncounted"]


def uncounted(done: int, total: int) -> None:
    """Take a count of work and do nothing."""


def check_given_bandwidth(method: MethodOptions) -> None:
    """Refuse the rule `auto` where there is no selection that it could be chosen for.

    Raises
    ------
    OptionError
        If it was asked for.
    """
    if method.bandwidth == "auto":
        raise OptionError(
            "`bandwidth` auto is chosen for a selection, by all its features; here it must be "
            "given.",
            "Use a number: 1 to 3 suits standardised values.",
        )


def settle_bandwidth(
    dataset: Dataset,
    method: MethodOptions,
    backend: Backend,
    jobs: int | None,
    max_memory: int,
    *,
    keep: Sequence[str] = (),
    tick: Callable[[int, int], None] = uncounted,
) -> tuple[MethodOptions, BandwidthChoice | None]:
    """Return the method with a bandwidth that kernels can have, and how the data chose it.

    Nothing is chosen where another rule was given, or where no column has a width.

    Raises
    ------
    OptionError
        If the data shall choose and every feature is forced in.
    """
    if method.bandwidth != "auto":
        return method, None
    wide, soft = record_of(method.kernel).bandwidth, method.nominal == "soft"
    if not (
        any(wide and variable.kind is not Kind.NOMINAL for variable in dataset.targets)
        or any(
            soft and variable.distinct <= MOST_SOFT_LEVELS
            if variable.kind is Kind.NOMINAL
            else wide
            for variable in dataset.columns
        )
    ):
        return replace(method, bandwidth=1.0), None
    if set(keep) >= set(dataset.names):
        raise OptionError(
            "`bandwidth` auto is chosen by what features add to those kept, and all are kept.",
            "Give a number, or keep fewer.",
        )
    choice = choose_bandwidth(
        dataset,
        method,
        backend,
        keep=[dataset.names.index(name) for name in keep],
        jobs=jobs,
        max_memory=max_memory,
        tick=tick,
    )
    return replace(method, bandwidth=choice.sigma), choice


def entropies_for(
    model: KernelModel, method: MethodOptions, backend: Backend, jobs: int | None, max_memory: int
) -> SetEntropies:
    """Return the entropies over a model's kernels."""
    computation = Computation.of(
        model,
        method.alpha,
        backend,
        solver=method.solver,
        tolerance=method.tolerance,
        jobs=jobs,
        max_memory=max_memory,
    )
    if method.pairs is None:
        return SetEntropies(computation)
    check_share(method.pairs, model.n)
    return EstimatedEntropies(computation.estimated(method.pairs, method.seed))


def check_share(share: float, rows: int) -> None:
    """Refuse a share of the pairs of so few rows that blocks of them would be too small.

    Raises
    ------
    OptionError
        Naming the share that would do.
    """
    least = fewest_rows(1.0)
    if rows * share >= least - 1e-9:
        return
    if rows <= least:
        raise OptionError(
            f"`pairs` needs more than {least} rows, got {rows}.", "Leave ", Way("pairs"), " out."
        )
    percent = math.ceil(1000 * least / rows) / 10
    raise OptionError(
        f"`pairs` must be at least {percent:g}% of the pairs of {rows:,} rows, for blocks of some "
        f"rows each, got {100 * share:g}%.",
        "Use ",
        Way("pairs", f"{percent:g}%"),
        ", or leave ",
        Way("pairs"),
        " out: all pairs of so few rows take little time.",
    )
