"""What every call of the friendly layer shares: options, data, entropies, the run record."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import metadata
from typing import Any, Final

from renyi import _validate
from renyi._typing import JsonValue
from renyi._version import __version__
from renyi.api._aliases import alias_note, alias_table, first_of_each
from renyi.api._entropies import entropies_for, settle_bandwidth, uncounted
from renyi.api._far import far_notes
from renyi.api._given import is_number
from renyi.api._together import check_orders, together_notes
from renyi.backend import Backend, get_backend
from renyi.errors import OptionError, ReadError, UsageError, Way
from renyi.execution import crew_record
from renyi.information import EstimatedEntropies, SetEntropies
from renyi.io import Loaded, load
from renyi.kernels import MOST_SOFT_LEVELS, KernelModel, equal_kernels
from renyi.options import (
    DataOptions,
    MethodOptions,
    RunOptions,
    check_weights,
    options_of,
)
from renyi.pairs import INTERVAL
from renyi.selection import BandwidthChoice, StepWork, dependence_notes
from renyi.variables import DataReport, Note

__all__ = ["MEASURING", "Session", "located_file", "open_session", "read_again", "run_record"]

MEASURING: Final = tuple(
    o.name for o in options_of("measure") if o.group == "Method" and o.name != "preset"
)
"""The options that entropies depend on, of which a table without a search tells."""


@dataclass(frozen=True)
class Session:
    """A table ready for measuring.

    Attributes
    ----------
    options, method
        What of the table is used, and how it is measured and searched.
    loaded
        The typed columns, and the report with kernels filled in.
    entropies
        Entropies over them.
    backend
        Where they are computed.
    asked
        How the work was asked to be done.
    max_memory
        Bytes that the work may take.
    aliases
        Which columns each one stands for that is the same as others: they are no candidates.
    choice
        How the data chose the bandwidth, None where it was given.
    estimate_seconds
        How long the call was expected to take; None where no look was taken, as for a short one.
    read
        The table as it was read, whatever the method; for `open_session` alone.
    """

    options: DataOptions
    method: MethodOptions
    loaded: Loaded
    entropies: SetEntropies
    backend: Backend
    asked: RunOptions
    max_memory: int
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    choice: BandwidthChoice | None = None
    estimate_seconds: float | None = None
    read: Loaded | None = None

    @property
    def report(self) -> DataReport:
        """What was read and decided."""
        return self.loaded.report


def open_session(  # noqa: PLR0913 - what each caller asks for beside the data
    data: object,
    y: object,
    options: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    *,
    check_names: Callable[[tuple[str, ...]], None] | None = None,
    one_of_each: bool = False,
    about_rows: bool = True,
    notes: Sequence[Note] = (),
    weights: object = None,
    read: Loaded | None = None,
    tick: Callable[[int, int], None] = uncounted,
) -> Session:
    """Read the data and build kernels and what computes entropies.

    `data` may be the name of a data set that `renyi.datasets` knows; an existing file wins. A set
    of other content than is known of it is noted. `check_names` is as in `renyi.io.load`. With
    `one_of_each` only one of several columns that are the same is in the data set;
    the report has them all. With `about_rows` it is noted where rows seem to belong together, which
    tests have to know. `notes` are added to its own. `weights` may be values that are no
    column. `read` is the table where it was read before, as by `Session.read`. `tick` is told how
    far the choice of a bandwidth is, which the rule `auto` takes.
    """
    check_weights(options, method)
    backend, max_memory = _within_budget(get_backend(_place(method, run)), run)
    source = located_file(data)
    name = None if source is data else str(data)
    weighed = None if isinstance(weights, str) or is_number(weights) else weights
    loaded = read or load(
        source,
        y,
        options=options,
        weights=weighed,
        source_name=name,
        max_memory=run.max_memory,
        check_names=check_names,
    )
    dataset = loaded.dataset
    if one_of_each:
        check_orders(dataset, method)
    settled, choice = settle_bandwidth(
        dataset, method, backend, run.jobs, max_memory, keep=options.at_hand, tick=tick
    )
    model = KernelModel.build(dataset, settled)
    report = _with_kernels(loaded.report, model)
    aliases = alias_table(dataset.names, equal_kernels(model.features), options.at_hand)
    levels = _level_notes(report, settled)
    far = far_notes(dataset, settled)
    report = replace(report, notes=(*report.notes, *alias_note(aliases), *levels, *far))
    if one_of_each:
        dataset, model = first_of_each(dataset, model, aliases)
    entropies = entropies_for(model, settled, backend, run.jobs, max_memory)
    told = (*notes, *together_notes(dataset, method))
    once = options.weights is None or options.weight_kind != "frequency"  # not repeated
    told = (*told, *(dependence_notes(dataset) if about_rows and once else ()))
    told = (*told, *(() if name is None else _content_notes(name)))
    told = (*told, *(() if choice is None else (choice.note(),)), *_pairs_note(entropies))
    report = replace(report, notes=(*report.notes, *told))
    return Session(
        options=options,
        method=method,
        loaded=replace(loaded, dataset=dataset, report=report),
        entropies=entropies,
        backend=backend,
        asked=run,
        max_memory=max_memory,
        aliases=aliases,
        choice=choice,
        read=loaded,
    )


def read_again(
    report: DataReport, options: DataOptions, data: object, y: object, weights: object
) -> Loaded:
    """Read the table that a result is of, as it was read then; it may be another one now.

    Parameters
    ----------
    report, options
        What was read, and what of the table was asked for.
    data, y, weights
        The table, and the target and weights where they are no columns of it.
    """
    if options.target is None and y is None:
        options = replace(options, target=report.targets)
    return load(located_file(data), y, options=options, weights=weights)


def _place(method: MethodOptions, run: RunOptions) -> str:
    """Return the backend's name: pairs are drawn for a CPU."""
    if method.pairs is not None and run.backend == "cupy":
        raise OptionError(
            "`pairs` needs backend numpy, got cupy.", "Use ", Way("backend", "numpy"), "."
        )
    if method.pairs is not None and run.executor is not None:
        raise OptionError(
            "`pairs` must be left out where `executor` is given: threads here make its sums.",
            "Leave one of ",
            Way("pairs"),
            " and ",
            Way("executor"),
            " out.",
        )
    return run.backend if method.pairs is None else "numpy"


def _within_budget(backend: Backend, run: RunOptions) -> tuple[Backend, int]:
    """Return the backend with no more memory to give than the budget, and the budget in bytes."""
    free = backend.free_memory
    budget = _validate.memory_bytes(run.max_memory, free())
    return replace(backend, free_memory=lambda: min(budget, free())), budget


def located_file(data: Any) -> Any:
    """Return the file of a known data set's name; anything else, and what exists, as it is.

    Raises
    ------
    ReadError
        If the set is known, but not at hand.
    """
    if not isinstance(data, str) or data == "-" or os.path.exists(data):  # noqa: PTH110 - any text
        return data
    from renyi import datasets

    place = datasets.locate(data)
    if place is not None:
        return place
    try:
        record = datasets.find_record(data)
    except UsageError:
        return data  # no known set: a path or a glob
    way = f"Fetch it with: renyi datasets fetch {data}"
    if not record.fetchable:
        way = f"Obtain it from {record.source} and put {data}.parquet where RENYI_DATA_HOME says."
    raise ReadError(f"The data set `{data}` is known, but not at hand.", way)


def _content_notes(name: str) -> tuple[Note, ...]:
    """Say so where the table found by a known name is another one."""
    from renyi import datasets

    status = datasets.find_status(name)
    if status.verified is not False:
        return ()
    message = (
        f"The data set `{name}` found in {status.place} is not the table known by that name: its "
        "content hash differs."
    )
    return (Note("content_differs", message),)


def _level_notes(report: DataReport, method: MethodOptions) -> tuple[Note, ...]:
    """Say so where nominal columns have too many levels for the soft kernel asked for."""
    many = tuple(
        one.name
        for one in report.columns
        if one.role == "feature" and one.kind == "nominal" and one.kernel == "delta"
    )
    if method.nominal != "soft" or not many:
        return ()
    named = ", ".join(f"`{name}`" for name in many[:5]) + (", ..." if len(many) > 5 else "")
    message = (
        f"{named} {'has' if len(many) == 1 else 'have'} more than {MOST_SOFT_LEVELS} levels and so "
        "a delta kernel, not a soft one: join rare levels to get that."
    )
    return (Note("many_levels", message, many),)


def _pairs_note(entropies: SetEntropies) -> tuple[Note, ...]:
    """Say from which pairs sums are estimated."""
    if not isinstance(entropies, EstimatedEntropies):
        return ()
    design = entropies.design
    message = (
        f"Sums over pairs of rows are estimated from {100 * design.share:.3g}% of them: within "
        f"{design.blocks:,} blocks of rows, and between those {len(design.lags)} of "
        f"{design.lags_there:,} distances apart. Each number has its standard error; an interval "
        f"of {INTERVAL:.2g} of them to either side holds that of all pairs in 95% of draws."
    )
    return (Note("sampled_pairs", message),)


def _with_kernels(report: DataReport, model: KernelModel) -> DataReport:
    parts = (*model.features, model.target)
    known = {kernel.column: kernel for part in parts for kernel in part.columns}
    columns = tuple(
        replace(column, kernel=known[column.name].kernel, bandwidth=known[column.name].sigma)
        if column.name in known
        else column
        for column in report.columns
    )
    return replace(report, columns=columns)


def run_record(
    session: Session, seconds: float, work: Sequence[StepWork] = ()
) -> dict[str, JsonValue]:
    """Return how the work was done: never part of an answer."""
    backend: dict[str, JsonValue] = {
        "asked": session.asked.backend,
        "effective": session.backend.name,
        "device": session.backend.device,
        "reason": session.backend.reason,
    }
    versions: dict[str, JsonValue] = {
        "renyi": __version__,
        "python": platform.python_version(),
        **{name: _version(name) for name in ("numpy", "scipy", "polars", "pyarrow")},
    }
    counts = session.entropies.ledger.solvers
    return {
        "backend": backend,
        "jobs": session.entropies.computation.jobs,
        "executor": crew_record(),
        "solvers": {name: counts[name] for name in sorted(counts)},
        "seconds": round(seconds, 3),
        "estimate_seconds": session.estimate_seconds and round(session.estimate_seconds, 1),
        "seconds_by_step": [round(step.seconds, 3) for step in work],
        "steps": [step.to_dict() for step in work],
        "max_memory_bytes": session.max_memory,
        "peak_memory_bytes": _peak_memory(),
        "versions": versions,
        "host": {"system": platform.system(), "machine": platform.machine()},
    }


@cache
def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _peak_memory() -> int | None:
    """Largest resident size of this process, bytes; None where the system does not tell."""
    if sys.platform == "win32":
        return None
    import resource

    peak: Any = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) if sys.platform == "darwin" else int(peak) * 1024
