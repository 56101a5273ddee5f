"""The calls of the protocol; `renyi.bridge` documents it."""

from __future__ import annotations

import importlib.metadata
import platform
from typing import TYPE_CHECKING, Any

from renyi._version import __version__
from renyi.bridge._pace import paced
from renyi.bridge._replies import BRIDGE_PROTOCOL, Answer, Reply, reply
from renyi.errors import UsageError

if TYPE_CHECKING:
    from renyi.api import (
        Comparison,
        Description,
        Measurement,
        ScoreComparison,
        SelectionPath,
    )

__all__ = [
    "apply",
    "compare",
    "describe",
    "doctor",
    "measure",
    "read_result",
    "redundancy",
    "report",
    "select",
    "versions",
]

# Whatever is imported late is imported under `reply`: Arrow may be missing or broken, too. Tables
# are bound to names, so that they go after an error has been told: while one is on its way, a
# caller's release function could not run Python.


def versions() -> Reply:
    """Return the protocol's number, and the versions of what does the work."""

    def work() -> Answer:
        packages = {name: _version(name) for name in ("numpy", "polars", "pyarrow")}
        python = platform.python_version()
        known = {"protocol": BRIDGE_PROTOCOL, "renyi": __version__, "python": python}
        return Answer(known | packages)

    return reply(work)


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def doctor() -> Reply:
    """Return what `renyi.doctor` returns."""

    def work() -> Answer:
        from renyi import api

        return Answer(api.doctor())

    return reply(work)


def select(
    data: object,
    options: object = None,
    y: object = None,
    progress: object = None,
    out: object = None,
) -> Reply:
    """Select columns.

    Parameters
    ----------
    data, y
        Where the table is, and the target if it is not in it.
    options
        Keywords of `renyi.select`.
    progress
        Called with reports; returns False to stop.
    out
        Where to export the steps to.
    """

    def work() -> Answer:
        from renyi import api
        from renyi.bridge import _capsules, _given

        _capsules.out_place(out)  # refused before the work, not after it
        observer = paced(progress)
        chosen = _given.given_options(options, api.select)
        table = _given.given_data(data)
        target = _given.given_target(y)
        return _path_answer(api.select(table, target, progress=observer, **chosen), out)

    return reply(work, lambda path: _path_answer(path, out))


def compare(
    data: object,
    options: object = None,
    y: object = None,
    progress: object = None,
    out: object = None,
) -> Reply:
    """Compare criteria on one path, or the paths of several scores.

    Parameters
    ----------
    data, y
        Where the table is, and the target if it is not in it.
    options
        Keywords of `renyi.compare`.
    progress
        Called with reports; returns False to stop.
    out
        Where to export one row a criterion, or a score and criterion, to.
    """

    def work() -> Answer:
        from renyi import api
        from renyi.bridge import _capsules, _given

        place = _capsules.out_place(out)
        observer = paced(progress)
        chosen = _given.given_options(options, api.compare)
        table = _given.given_data(data)
        target = _given.given_target(y)
        found = api.compare(table, target, progress=observer, **chosen)
        if place is not None:
            _capsules.export_table(found.to_polars().to_arrow(), place)
        return Answer(_record(found), found.warnings)

    return reply(work)


def describe(data: object, options: object = None, y: object = None, out: object = None) -> Reply:
    """Describe the columns of a table.

    Parameters
    ----------
    data, y
        Where the table is, and the target if it is not in it.
    options
        Keywords of `renyi.describe`.
    out
        Where to export one row a column to.
    """

    def work() -> Answer:
        from renyi import api
        from renyi.bridge import _capsules, _given

        place = _capsules.out_place(out)
        chosen = _given.given_options(options, api.describe)
        table = _given.given_data(data)
        target = _given.given_target(y)
        found = api.describe(table, target, **chosen)
        if place is not None:
            _capsules.export_table(found.to_polars().to_arrow(), place)
        return Answer(_record(found), found.notes)

    return reply(work)


def measure(data: object, options: object = None) -> Reply:
    """Measure entropies and information between columns.

    Parameters
    ----------
    data
        Where the table is.
    options
        Keywords of `renyi.measure`, `x` and `y` among them.
    """

    def work() -> Answer:
        from renyi import api
        from renyi.bridge import _given

        chosen = {"x": (), "y": ()} | _given.given_options(options, api.measure)
        table = _given.given_data(data)
        found = api.measure(table, **chosen)
        return Answer(_record(found), found.notes)

    return reply(work)


def read_result(result: object, out: object = None) -> Reply:
    """Read a result that was written as JSON.

    Parameters
    ----------
    result
        Its text, or the path of a file.
    out
        Where to export the steps to.
    """

    def work() -> Answer:
        from renyi.bridge import _capsules, _given

        _capsules.out_place(out)
        return _path_answer(_given.given_result(result), out)

    return reply(work)


def apply(
    result: object,
    data: object,
    output: object = None,
    out: object = None,
    force: object = False,
    target: object = True,
) -> Reply:
    """Take the selected columns of a table, to a file or as Arrow.

    Parameters
    ----------
    result
        A result, or the path of one.
    data
        Where the table is.
    output
        Path of a file to write to.
    out
        Where to export to.
    force
        Whether a file that is there may be replaced.
    target
        Whether the target is kept, as the last column.
    """

    def work() -> Answer:
        from renyi import api
        from renyi.bridge import _capsules, _given
        from renyi.io import read_selection

        place = _capsules.out_place(out)
        if (output is None) == (place is None):
            raise UsageError("One of `output` and `out` must say where the columns shall go.")
        path = _given.given_result(result)
        table = _given.given_data(data)
        kept = path.data.targets if target else ()
        names = list(dict.fromkeys([*path.columns, *kept]))
        if place is None:
            if not isinstance(output, str) or not isinstance(table, str):
                raise UsageError("`output` must be a file's path, and `data` must be files, too.")
            file = api.apply(path, table, output, force=bool(force), target=bool(target))
            return Answer({"columns": names, "file": str(file)})
        if not path.selected:
            raise UsageError("The result has no selected column to apply.")
        found = read_selection(names, api.located_file(table), path.data_options)
        _capsules.export_table(found, place)
        return Answer({"columns": names, "file": None})

    return reply(work)


def redundancy(result: object, data: object) -> Reply:
    """Say how much of what columns say of the target is left given selected ones.

    Parameters
    ----------
    result
        A result, or the path of one.
    data
        Where its table is, with the target.
    """

    def work() -> Answer:
        from renyi import api
        from renyi.bridge import _given

        path = _given.given_result(result)
        table = _given.given_data(data)
        return Answer(api.redundancy_of(path, table).to_dict())

    return reply(work)


def report(
    results: object,
    output: object,
    data: object = None,
    no_data: object = False,
    force: object = False,
    names: object = None,
) -> Reply:
    """Write a page of one or several results.

    Parameters
    ----------
    results
        A result, the path of one, or a list of these.
    output
        Path of the page, .html.
    data
        Where the table is, None for what the results name.
    no_data
        Whether the table is left alone.
    force
        Whether a file that is there may be replaced.
    names
        What the results are called, None for by number or file.
    """

    def work() -> Answer:
        from renyi import api
        from renyi.bridge import _given

        if not isinstance(output, str):
            raise UsageError("`output` must be the path of a page, .html.")
        given = results if isinstance(results, (list, tuple)) else [results]
        answers = [_given.given_answer(one) for one in given]
        table = None if data is None else _given.given_data(data)
        named = _given.named_answers(names, answers)
        page = api.report(named, output, data=table, no_data=bool(no_data), force=bool(force))
        return Answer({"file": output}, page.notes)

    return reply(work)


def _path_answer(path: SelectionPath, out: object) -> Answer:
    from renyi.bridge import _capsules

    place = _capsules.out_place(out)
    value = _record(path) | {"purpose": path.purpose}
    if place is not None:
        _capsules.export_table(path.to_polars().to_arrow(), place)
    return Answer(value, path.warnings)


def _record(
    found: Comparison | Description | Measurement | ScoreComparison | SelectionPath,
) -> dict[str, Any]:
    return {"result": found.to_dict(), "json": found.to_json()}
