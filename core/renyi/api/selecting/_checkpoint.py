"""What a search has finished, kept in a file: a result file that grows step by step.

It is the result as `SelectionPath.save` writes it, so that it can be read, drawn and applied like
any other; until the search has ended its verdict is `interrupted`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from renyi._version import __version__
from renyi.api._session import Session
from renyi.api.selecting._path import SelectionPath, read_result
from renyi.errors import IntegrityError, OptionError, ReadError, Way
from renyi.io import check_output, result_bytes, written_whole
from renyi.selection import Step, StepWork
from renyi.variables import DataReport

__all__ = ["Checkpoint", "checkpoint_place"]

ARGUMENTS = {"criteria": "criterion", "kinds": "kind"}
"""Arguments that are called otherwise than their field."""

FOLLOWING = frozenset({"class_weights", "permutations", "rank"})
"""Options whose default follows from another: what they follow from is told of first."""


def checkpoint_place(file: object) -> Path:
    """Return where a checkpoint is, or will be, before any work is done.

    Raises
    ------
    OptionError
        If it is no path, or not one that ends in .json: only that form is read again.
    OutputError
        If nothing can be written there.
    """
    if not isinstance(file, str | os.PathLike) or not isinstance(os.fspath(file), str):
        raise OptionError(
            f"`checkpoint` must be a file's path, got {file!r}.", "Name one that ends in .json."
        )
    place = os.fspath(file)
    if Path(place).suffix.lower() != ".json":
        raise OptionError(
            f"`checkpoint` must end in .json, got `{place}`.",
            "It is a result file in the end, and results are read from that form only.",
        )
    return check_output(place, force=True)


@dataclass(slots=True)
class Checkpoint:
    """A file that keeps finished steps; without a place it keeps nothing.

    Attributes
    ----------
    place
        The file, or None.
    steps, work
        What it held at the start, and what that took.
    """

    place: Path | None
    steps: tuple[Step, ...] = ()
    work: tuple[StepWork, ...] = ()
    _written: SelectionPath | None = None

    @classmethod
    def open(cls, place: Path | None, session: Session) -> Checkpoint:
        """Take over what is there.

        Raises
        ------
        OptionError
            If it is of another selection.
        ReadError
            If it is no result, one that was changed, or one that no search goes on from.
        """
        if place is None or not place.exists():
            return cls(place)
        try:
            saved = read_result(place)
        except ReadError as error:
            raise _of_no_search(place, "it is not a result of `renyi select`") from error
        except IntegrityError as error:
            raise _of_no_search(place, "it was changed after it was written") from error
        try:
            version = str(saved.run["versions"]["renyi"])
            work = tuple(StepWork.from_dict(step) for step in saved.run["steps"])
        except (KeyError, TypeError, ValueError, AttributeError):
            problem = "its `run` does not say how its steps were worked out"
            raise _of_no_search(place, problem) from None
        for difference in _differences(saved, session, version):
            raise _of_another(place, difference)
        if "digest" not in saved.run:
            raise _of_no_search(place, "it has no digest, so that a change would not show")
        if len(work) != len(saved.steps) or not _are_steps_of(saved, session):
            raise _of_no_search(place, "its steps are none of this search")
        return cls(place, saved.steps, work, saved)

    @property
    def found(self) -> SelectionPath | None:
        """The result that it held at the start, or holds now; None for nothing yet."""
        return self._written

    def check_cmi(self, problem: str) -> None:
        """Refuse to go on where the steps have CMI and the others would not, or the reverse.

        Raises
        ------
        OptionError
            Which of them it is.
        """
        if self.place is not None and any((s.cmi is None) != bool(problem) for s in self.steps):
            known = "CMI is not computed there and would be now"
            if problem:
                known = "CMI is computed there and cannot be now"
            way = ("Give as much memory as it had: ", Way("max_memory"), ".")
            raise _of_another(self.place, known, *way)

    def save(self, path: SelectionPath) -> None:
        """Write what is finished, whole or not at all, unless the file holds as much already.

        Raises
        ------
        OutputError
            If the system refuses the write.
        """
        known = self._written
        if self.place is None:
            return
        if known is not None:
            more = len(path.steps) - len(known.steps)
            if more < 0 or path == known or (not more and path.verdict.stopped == "interrupted"):
                return
        with written_whole(self.place) as part:
            part.write_bytes(result_bytes(path))
        self._written = path


def _of_no_search(place: Path, problem: str) -> ReadError:
    return ReadError(
        f"`{place}` is not a checkpoint: {problem}.",
        "Name another file, or remove it to start afresh.",
    )


def _of_another(place: Path, difference: str, *hint: str | Way) -> OptionError:
    return OptionError(
        f"`checkpoint` must be of the same selection, got {place}: {difference}.",
        *(hint or ("Name another file, or remove it to start afresh.",)),
    )


def _differences(saved: SelectionPath, session: Session, version: str) -> Iterator[str]:
    """Say in what a saved selection is another one than that asked for now."""
    if _minor(version) != _minor(__version__):
        yield f"it was written by renyi {version}, and this is {__version__}"
    for old, new in ((saved.data_options, session.options), (saved.options, session.method)):
        for name in sorted(type(old).__dataclass_fields__, key=FOLLOWING.__contains__):
            before, now = getattr(old, name), getattr(new, name)
            if before != now:
                argument = ARGUMENTS.get(name, name)
                yield f"`{argument}` was {_shown(before)} there and is {_shown(now)} now"
    report = session.report
    if saved.data.fingerprint != report.fingerprint or _used(saved.data) != _used(report):
        yield "its data are not these"


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]


def _used(report: DataReport) -> list[tuple[str, str, str | None]]:
    """Return the columns in use, and as what."""
    return [(c.name, c.role, c.kind) for c in report.columns if c.role != "dropped"]


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value)) or "empty"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _are_steps_of(saved: SelectionPath, session: Session) -> bool:
    """Whether the steps are of these columns and of this search, what it begins with first."""
    candidates = session.loaded.dataset.names  # aliases of others are none
    keep, start = session.options.keep, session.options.start
    search = session.method.search
    begins: list[tuple[str, tuple[str, ...]]] = [
        ("keep", (name,)) for name in keep if name in candidates
    ]
    others = start or (candidates if search == "backward" else ())
    together = tuple(name for name in others if name in candidates and name not in keep)
    begins += [("start", together)] if together else []
    steps = [(step.action, step.features) for step in saved.steps]
    led = {action for action, _ in steps[len(begins) :]}
    possible = {"forward": {"add"}, "backward": {"remove"}}.get(search, {"add", "remove"})
    return (
        {name for _, names in steps for name in names} <= set(candidates)
        and steps[: len(begins)] == begins[: len(steps)]
        and led <= possible
    )
