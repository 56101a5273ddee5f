"""`renyi.reproduce`: the paper's tables, worked out again and set beside what it printed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from renyi import _validate
from renyi._progress import CancelToken, Observer
from renyi._version import __version__
from renyi.api import Names, names
from renyi.datasets import locate
from renyi.errors import OptionError, OutputError, ReadError
from renyi.evaluation import find_model
from renyi.io import check_output, written_whole
from renyi.options import option_of
from renyi.plot import need_matplotlib
from renyi_paper._page import write_page
from renyi_paper._printed import PRINTED_CRITERIA, printed_tables
from renyi_paper._records import OwnUnit, TableUnit, read_unit
from renyi_paper._units import UnitWork, default_in_words

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Reproduction", "UnitReport", "reproduce"]

CHEAP_FIRST: Final = (
    *("breast", "heart", "spect", "parkinsons", "ionosphere"),
    *("lung", "waveform", "lymph", "semeion", "madelon"),
)
"""The order in which all sets are worked out: what takes minutes before what takes an hour."""


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One unit of the work is done.

    Attributes
    ----------
    name, part
        The set, and `table 1`, `table 2` or `default`.
    seconds
        What it took; None where it was there already.
    done, total
        Units done so far, and all of them.
    """

    name: str
    part: str
    seconds: float | None
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What came out, beside what is printed.

    Attributes
    ----------
    tables
        One unit a set and table, in the paper's order.
    own
        One unit a set under the defaults of `renyi.select`.
    page
        Where the page was written.
    """

    tables: tuple[TableUnit, ...]
    own: tuple[OwnUnit, ...]
    page: Path

    def to_polars(self) -> pl.DataFrame:
        """Return one row a table, set and criterion: ours beside what is printed.

        Columns: `table`, `set`, `criterion` (or `optimal`),
        `features`, `printed_features`, `accuracy`, `spread`, `printed_accuracy`,
        `printed_spread` (percent), `stopped`.
        """
        import polars as pl

        rows = [row for unit in self.tables for row in _rows(unit)]
        numbers = ("accuracy", "spread", "printed_accuracy", "printed_spread")
        return pl.DataFrame(rows, schema_overrides={name: pl.Float64() for name in numbers})


def reproduce(  # noqa: PLR0913 - one keyword for each choice, none hidden
    sets: Names | None = None,
    *,
    folder: str | os.PathLike[str] = "reproduction",
    page: str | os.PathLike[str] | None = None,
    tables: Iterable[int] = (1, 2),
    runs: int = 100,
    seed: int = 0,
    jobs: int | None = None,
    on_unit: Callable[[UnitReport], None] | None = None,
    progress: Observer | None = None,
    cancel: CancelToken | None = None,
) -> Reproduction:
    """Work out Tables 1 to 3 and Figure 1 of Yu and Principe (2019), beside the printed numbers.

    A unit of work is a set under the settings of one table, or under the defaults of
    `renyi.select`. Each finished unit is a file in `folder`, and so is every path while it grows:
    the same call goes on where an interrupted one stopped.

    Parameters
    ----------
    sets
        Names of the paper's sets; None for those at hand.
    folder
        Where units are kept; made if it is not there.
    page
        The page, a .md file; its figures go to a folder `figures` beside it. None for
        ``reproduction.md`` in `folder`. It shows every unit in `folder`.
    tables
        1 (alpha 1.01), 2 (alpha 2) or both; Table 3 follows from them.
    runs
        Bootstrap runs.
    seed
        Seed of every draw.
    jobs
        Worker threads; None for one per core.
    on_unit
        Called after each unit.
    progress, cancel
        As in `select`.

    Returns
    -------
    Reproduction
        All units in `folder`.

    Raises
    ------
    OptionError
        If an option breaks its rule, or `folder` holds units of other runs, seed or version.
    ReadError
        If a set is not at hand, or a unit cannot be read.
    OutputError
        If the folder or the page cannot be written.
    MissingExtraError
        If the extras `sklearn` and `plot` are not installed.
    KeyboardInterrupt
        On Ctrl-C; what was finished is kept.

    References
    ----------
    Yu and Principe, "Simple stopping criteria for information theoretic feature selection",
    Entropy 21 (2019).
    """
    option_of("jobs").checked(jobs)
    option_of("seed").checked(seed)
    option_of("runs", "compare").checked(runs)
    find_model("svm", number=False)
    need_matplotlib()
    wanted = _wanted_sets(sets)
    numbers = _wanted_tables(tables)
    place = _made_folder(folder)
    target = check_output(
        place / "reproduction.md" if page is None else page, force=True, suffixes=(".md",)
    )
    units = [(name, f"table {table}") for name in wanted for table in numbers]
    units += [(name, "default") for name in wanted]
    for unit in units:  # what cannot go on is told before any work
        _finished(place, *unit, runs, seed)
    for count, (name, part) in enumerate(units, 1):
        known = _finished(place, name, part, runs, seed)
        if known is None:
            known = _work_out(UnitWork(name, place, runs, seed, jobs, progress, cancel), part)
            _write(_file(place, name, part), known)
            seconds = sum(known.seconds.values())
        else:
            seconds = None
        if on_unit is not None:
            on_unit(UnitReport(name, part, seconds, count, len(units)))
    found = _all_units(place)
    write_page(target, found.tables, found.own)
    return Reproduction(found.tables, found.own, target)


def _wanted_sets(sets: Names | None) -> tuple[str, ...]:
    known = printed_tables().sets
    if sets is None or sets == ():
        at_hand = tuple(name for name in CHEAP_FIRST if locate(name) is not None)
        if not at_hand:
            raise ReadError(
                "None of the paper's sets is at hand.", "Fetch one: renyi datasets fetch heart"
            )
        return at_hand
    wanted = tuple(dict.fromkeys(names("sets", sets)))
    for name in wanted:
        _validate.choice("set", name, known, "Name none for all that are at hand.")
        if locate(name) is None:
            raise ReadError(
                f"The data set `{name}` is known, but not at hand.",
                f"Fetch it with: renyi datasets fetch {name}",
            )
    return wanted


def _wanted_tables(tables: Iterable[int]) -> tuple[int, ...]:
    wanted = tuple(dict.fromkeys(tables))
    if not wanted or not set(wanted) <= {1, 2}:
        raise OptionError(
            f"`tables` must be 1, 2 or both, got {list(wanted)!r}.", "Table 3 follows from them."
        )
    return wanted


def _made_folder(folder: str | os.PathLike[str]) -> Path:
    place = Path(os.path.expanduser(folder))  # noqa: PTH111
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"`{folder}` cannot be made: {error.strerror}.", "Name another folder."
        ) from error
    return place


def _file(folder: Path, name: str, part: str) -> Path:
    return folder / f"{name}-{part.removeprefix('table ')}.unit.json"


def _finished(
    folder: Path, name: str, part: str, runs: int, seed: int
) -> TableUnit | OwnUnit | None:
    """Return a unit that is there, None where there is none or the defaults have changed since.

    Raises
    ------
    OptionError
        If it is of other choices.
    """
    file = _file(folder, name, part)
    if not file.exists():
        return None
    unit = read_unit(file)
    asked = {"runs": runs, "seed": seed, "version": __version__}
    for field, now in asked.items():
        before = getattr(unit, field)
        if before != now:
            raise OptionError(
                f"`folder` must hold the same reproduction, got {folder}: {field} was {before} "
                f"in {file.name} and is {now} now.",
                "Name another folder, or remove it to start afresh.",
            )
    if isinstance(unit, OwnUnit) and unit.options != default_in_words():
        return None
    return unit


def _work_out(work: UnitWork, part: str) -> TableUnit | OwnUnit:
    return work.own() if part == "default" else work.table(int(part.removeprefix("table ")))


def _write(file: Path, unit: TableUnit | OwnUnit) -> None:
    with written_whole(file) as half:
        half.write_text(
            json.dumps(unit.to_dict(), allow_nan=False) + "\n", encoding="utf-8", newline="\n"
        )


@dataclass(frozen=True, slots=True)
class _Units:
    tables: tuple[TableUnit, ...]
    own: tuple[OwnUnit, ...]


def _all_units(folder: Path) -> _Units:
    """Return every unit there, in the paper's order."""
    order = printed_tables().sets
    found = [read_unit(file) for file in sorted(folder.glob("*.unit.json"))]
    found.sort(key=lambda unit: order.index(unit.name))
    return _Units(
        tuple(unit for unit in found if isinstance(unit, TableUnit)),
        tuple(unit for unit in found if isinstance(unit, OwnUnit)),
    )


def _rows(unit: TableUnit) -> Sequence[dict[str, object]]:
    printed = printed_tables().cells[unit.table]
    ours = {name: unit.criteria[name] for name in PRINTED_CRITERIA}
    rows: list[dict[str, object]] = []
    accuracy, spread = unit.accuracy_at(unit.optimal)
    found = [
        (name, cell.features, cell.accuracy, cell.spread, cell.stopped)
        for name, cell in ours.items()
    ]
    found.append(("optimal", unit.optimal, accuracy, spread, True))
    for name, features, share, deviation, stopped in found:
        cell = printed[name][unit.name]
        rows.append(
            {
                "table": unit.table,
                "set": unit.name,
                "criterion": name,
                "features": features,
                "printed_features": cell.features,
                "accuracy": 100 * share,
                "spread": 100 * deviation,
                "printed_accuracy": cell.accuracy,
                "printed_spread": cell.spread,
                "stopped": stopped,
            }
        )
    return rows
