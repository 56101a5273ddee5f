"""Results to files and back: JSON whole, Parquet and CSV one row a step."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import polars as pl

from renyi.errors import IntegrityError, ReadError
from renyi.io._pool import check_pool
from renyi.io.files._output import check_output, parquet_bytes, written_whole
from renyi.options import CRITERIA
from renyi.selection import SelectionPath, Step
from renyi.stopping import CriterionReport

__all__ = [
    "RESULT_SUFFIXES",
    "parquet_bytes",
    "read_record",
    "read_result",
    "result_bytes",
    "steps_frame",
    "write_answer",
    "write_result",
]

RESULT_SUFFIXES: Final = (".json", ".parquet", ".csv")

Path_ = TypeVar("Path_", bound=SelectionPath)


class _Record(Protocol):
    """What says how it came to be, in `run`."""

    @property
    def run(self) -> Mapping[str, Any]: ...


Record_ = TypeVar("Record_", bound=_Record)

WAY: Final = "Only .json is read: `renyi select DATA --output result.json` makes one."

_BLANK: Final = "0" * 64
"""What stands for the digest while it is taken."""

_DIGEST: Final = re.compile(rb'"digest": "([0-9a-f]{64})"')

_NONE: Final = (None, None, None)
"""Quantiles of a report that has none."""
_STEP: Final[dict[str, tuple[pl.DataType, Callable[[Step], Any]]]] = {
    "step": (pl.Int64(), lambda step: step.index),
    "action": (pl.String(), lambda step: step.action),
    "feature": (pl.String(), lambda step: _joined(step.features)),
    "selected": (pl.Boolean(), lambda step: step.selected),
    "mi": (pl.Float64(), lambda step: step.mi),
    "mi_chance": (pl.Float64(), lambda step: step.mi_chance),
    "cmi": (pl.Float64(), lambda step: step.cmi),
    "cmi_code": (pl.String(), lambda step: step.cmi_code),
    "gain": (pl.Float64(), lambda step: step.gain),
    "chance": (pl.Float64(), lambda step: step.chance),
    "above_chance": (pl.Float64(), lambda step: step.above_chance),
    "z": (pl.Float64(), lambda step: step.z),
    "score": (pl.Float64(), lambda step: step.score),
    "entropy_selected": (pl.Float64(), lambda step: step.entropies.selected),
    "entropy_joint": (pl.Float64(), lambda step: step.entropies.joint),
    "entropy_target": (pl.Float64(), lambda step: step.entropies.target),
    "entropy_conditional_all": (pl.Float64(), lambda step: step.entropies.conditional_all),
    "saturation": (pl.Float64(), lambda step: step.saturation),
    "runner_up": (
        pl.String(),
        lambda step: None if step.runner_up is None else _joined(step.runner_up.features),
    ),
    "runner_up_mi": (
        pl.Float64(),
        lambda step: None if step.runner_up is None else step.runner_up.mi,
    ),
    "runner_up_gap": (
        pl.Float64(),
        lambda step: None if step.runner_up is None else step.runner_up.gap,
    ),
    "error_bound": (pl.Float64(), lambda step: step.error_bound),
}
_CRITERION: Final[dict[str, tuple[pl.DataType, Callable[[CriterionReport], Any]]]] = {
    "stop": (pl.Boolean(), lambda report: report.stop),
    "statistic": (pl.Float64(), lambda report: report.statistic),
    "threshold": (pl.Float64(), lambda report: report.threshold),
    "p_value": (pl.Float64(), lambda report: report.p_value),
    "p_upper": (pl.Float64(), lambda report: report.p_upper),
    "drawn": (pl.Int64(), lambda report: report.drawn),
    "exceedances": (pl.Int64(), lambda report: report.exceedances),
    "null_q05": (pl.Float64(), lambda report: (report.null_quantiles or _NONE)[0]),
    "null_q50": (pl.Float64(), lambda report: (report.null_quantiles or _NONE)[1]),
    "null_q95": (pl.Float64(), lambda report: (report.null_quantiles or _NONE)[2]),
    "null_error": (pl.Float64(), lambda report: report.null_error),
    "reason": (pl.String(), lambda report: report.reason),
}


def steps_frame(path: SelectionPath) -> pl.DataFrame:
    """Return a result as a table, one row a step.

    Columns: `step`, `action`, `feature` (joined by + for a group), `selected`, `aliases` (columns
    that are the same as the feature), `mi`, `mi_chance`, `cmi`, `cmi_code`, `gain`, `chance`,
    `above_chance`, `z`, `score`, four entropies, `saturation`, `runner_up` with its `mi` and gap,
    `error_bound`; for each criterion asked, its report under the criterion's name
    (``cmi_perm_stop``, ``cmi_perm_p_value``, ...); ``would_stop_<criterion>`` for the cheap ones.
    Information is in bits.
    """
    columns = [
        pl.Series(name, [value(step) for step in path.steps], dtype=dtype)
        for name, (dtype, value) in _STEP.items()
    ]
    same = [_joined(_aliases(path, step)) or None for step in path.steps]
    columns.insert(list(_STEP).index("selected") + 1, pl.Series("aliases", same, dtype=pl.String()))
    for criterion in path.options.criteria:
        reports = [_report(step, criterion) for step in path.steps]
        if criterion in CRITERIA and not CRITERIA[criterion].made_by:
            continue
        for name, (dtype, field) in _CRITERION.items():
            values = [None if report is None else field(report) for report in reports]
            columns.append(pl.Series(f"{_word(criterion)}_{name}", values, dtype=dtype))
    cheap = dict.fromkeys(name for step in path.steps for name in step.would_stop)
    for criterion in cheap:
        stops = [step.would_stop.get(criterion) for step in path.steps]
        columns.append(pl.Series(f"would_stop_{_word(criterion)}", stops, dtype=pl.Boolean()))
    return pl.DataFrame(columns)


def write_result(path: SelectionPath, file: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write a result: ``.json`` whole, ``.parquet`` or ``.csv`` one row a step.

    Returns and raises what `write_answer` does.
    """
    return write_answer(file, lambda: result_bytes(path), lambda: steps_frame(path), force=force)


def write_answer(
    file: str | os.PathLike[str],
    whole: Callable[[], bytes],
    frame: Callable[[], pl.DataFrame],
    *,
    force: bool,
) -> Path:
    """Write an answer: `whole` to ``.json``, `frame` to ``.parquet`` or ``.csv``.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    OptionError
        If its suffix is unknown.
    OutputError
        If it cannot be written there; nothing is left half-written.
    """
    place = check_output(file, force=force, suffixes=RESULT_SUFFIXES)
    if place.suffix.lower() != ".json":
        check_pool()
    with written_whole(place) as part:
        match place.suffix.lower():
            case ".json":
                part.write_bytes(whole())
            case ".parquet":
                part.write_bytes(parquet_bytes(frame()))
            case _:
                frame().write_csv(part)
    return place


def result_bytes(path: SelectionPath) -> bytes:
    """Return a result as a JSON file holds it, with a digest of the whole file in its `run`.

    It is the SHA-256 of the file's bytes, with zeros in its own place.
    """
    run = {name: part for name, part in path.run.items() if name != "digest"}
    text = replace(path, run={**run, "digest": _BLANK}).to_json() + "\n"
    before, _, after = text.rpartition(_BLANK)  # `run` ends the text, and the digest `run`
    return (before + hashlib.sha256(text.encode()).hexdigest() + after).encode()


def _is_as_written(content: bytes) -> bool:
    """Whether a result's bytes are those that its digest was taken of."""
    found = [*_DIGEST.finditer(content)]
    if not found:  # not in the form that it was written in
        return False
    start, end = found[-1].span(1)
    blank = content[:start] + _BLANK.encode() + content[end:]
    return hashlib.sha256(blank).hexdigest().encode() == found[-1][1]


def read_result(
    file: str | os.PathLike[str],
    cls: type[Path_] = SelectionPath,  # type: ignore[assignment]
) -> Path_:
    """Read a result that was written as JSON.

    Parameters
    ----------
    file
        Where it is.
    cls
        The class to build.

    Raises
    ------
    ReadError
        If it is not there, or not such a result.
    IntegrityError
        If it was changed after it was written: its digest is of other content.
    """
    return read_record(file, cls.from_json)


def read_record(file: str | os.PathLike[str], build: Callable[[str], Record_]) -> Record_:
    """Read a record that was written as JSON.

    Parameters
    ----------
    file
        Where it is.
    build
        Builds it out of text.

    Raises
    ------
    ReadError
        If it is not there, or not such a record.
    IntegrityError
        If it was changed after it was written: its digest is of other content.
    """
    text = os.fspath(file)
    try:
        raw = Path(os.path.expanduser(text)).read_bytes()  # noqa: PTH111
        content = raw.decode()
    except UnicodeDecodeError as error:
        raise ReadError(f"`{text}` is not a result: it is not text.", WAY) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ReadError(f"`{text}` cannot be read: {reason}.", "Check the path.") from error
    try:
        found = build(content)
    except RecursionError as error:
        raise ReadError(f"`{text}` is not a result: it is too deeply nested.", WAY) from error
    except ReadError as error:
        told = re.sub("^This( result| comparison)?", lambda _: f"`{text}`", error.message)
        raise ReadError(told, *error.parts) from error
    if "digest" in found.run and not _is_as_written(raw):
        raise IntegrityError(
            f"`{text}` was changed after it was written: its digest is of other content.",
            "Write it again, or take `digest` out of its `run` to read it as it is now.",
        )
    return found


def _report(step: Step, criterion: str) -> CriterionReport | None:
    return next((report for report in step.criteria if report.criterion == criterion), None)


def _aliases(path: SelectionPath, step: Step) -> tuple[str, ...]:
    known = path.aliases if step.selected else {}
    return tuple(alias for name in step.features for alias in known.get(name, ()))


def _joined(features: tuple[str, ...]) -> str:
    return "+".join(features)


def _word(criterion: str) -> str:
    return criterion.replace("-", "_")
