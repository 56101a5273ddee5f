"""What every call of the friendly layer shares: options, data, kernels, engine, the run record."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from typing import Any, TypeAlias

from renyi import _validate
from renyi._typing import JsonValue
from renyi._version import __version__
from renyi.backend import Backend, get_backend
from renyi.errors import OptionError, ReadError, UsageError
from renyi.information import InformationEngine
from renyi.io import Loaded, load
from renyi.kernels import KernelModel
from renyi.options import DataOptions, MethodOptions, RunOptions
from renyi.variables import DataReport

__all__ = [
    "Kinds",
    "Names",
    "Session",
    "data_options",
    "located_file",
    "names",
    "open_session",
    "run_record",
]

Kinds: TypeAlias = "Mapping[str, str] | Iterable[tuple[str, str]] | None"
Names: TypeAlias = "str | Sequence[str]"


@dataclass(frozen=True)
class Session:
    """A table ready for measuring.

    Attributes
    ----------
    loaded
        The typed columns, and the report with kernels filled in.
    engine
        Entropies over them.
    backend
        Where they are computed.
    asked
        How the work was asked to be done.
    """

    loaded: Loaded
    engine: InformationEngine
    backend: Backend
    asked: RunOptions

    @property
    def report(self) -> DataReport:
        """What was read and decided."""
        return self.loaded.report


def names(argument: str, value: Names | None) -> tuple[str, ...]:
    """Return one name or several as a tuple.

    Raises
    ------
    OptionError
        If they are no names.
    """
    if value is None:
        return ()
    given = (value,) if isinstance(value, str) else tuple(value)
    for name in given:
        if not isinstance(name, str):
            raise OptionError(f"`{argument}` must be column names, got {name!r}.")
    return given


def data_options(
    *,
    target: str | None,
    features: Names | None,
    exclude: Names | None,
    keep: Names | None,
    kind: Kinds,
    missing: str,
    rows: int | None,
    seed: int,
) -> DataOptions:
    """Build validated data options from what a caller may give."""
    if features is not None and not isinstance(features, (str, tuple)) and not len(features):
        raise OptionError(
            "`features` must name at least one column, got an empty list.",
            "Leave it out for all columns.",
        )
    pairs = kind.items() if isinstance(kind, Mapping) else kind or ()
    return DataOptions(
        target=target,
        features=names("features", features),
        exclude=names("exclude", exclude),
        keep=names("keep", keep),
        kinds=tuple((str(pattern), str(word)) for pattern, word in pairs),
        missing=_validate.choice("missing", missing, ("error", "drop", "category")),
        rows=rows,
        seed=seed,
    )


def open_session(
    data: object, y: object, options: DataOptions, method: MethodOptions, run: RunOptions
) -> Session:
    """Read the data and build kernels and engine.

    `data` may be the name of a data set that `renyi.datasets` knows; an existing file wins.
    """
    backend = get_backend(run.backend)
    source = located_file(data)
    name = None if source is data else str(data)
    loaded = load(source, y, options=options, source_name=name)
    model = KernelModel.build(loaded.dataset, method)
    engine = InformationEngine(model, method.alpha, backend, solver=method.solver, jobs=run.jobs)
    report = _with_kernels(loaded.report, model)
    return Session(Loaded(loaded.dataset, report), engine, backend, run)


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


def _with_kernels(report: DataReport, model: KernelModel) -> DataReport:
    parts = {part.name: part for part in (*model.features, model.target)}
    columns = tuple(
        replace(column, kernel=parts[column.name].kernel, bandwidth=parts[column.name].sigma)
        if column.role != "dropped"
        else column
        for column in report.columns
    )
    return replace(report, columns=columns)


def run_record(
    session: Session, seconds: float, seconds_by_step: Sequence[float] = ()
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
    counts = session.engine.solver_counts
    return {
        "backend": backend,
        "jobs": session.engine.jobs,
        "solvers": {name: counts[name] for name in sorted(counts)},
        "seconds": round(seconds, 3),
        "seconds_by_step": [round(step, 3) for step in seconds_by_step],
        "peak_memory_bytes": _peak_memory(),
        "versions": versions,
        "host": {"system": platform.system(), "machine": platform.machine()},
    }


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
