"""What a caller gives, as the friendly layer takes it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, TypeGuard, TypeVar

import pyarrow as pa

from renyi import _validate
from renyi.api import SelectionPath, answer_of, read_answer, read_result
from renyi.bridge._capsules import Place, address, import_array, import_table
from renyi.errors import OptionError, UsageError
from renyi.io import NamedColumn, NamedTable
from renyi.options import OPTIONS
from renyi.webpage import Answer

__all__ = [
    "Data",
    "given_answer",
    "given_data",
    "given_options",
    "given_result",
    "given_target",
    "named_answers",
]

Data: TypeAlias = "str | NamedTable"
Read = TypeVar("Read")

_WHOLE: Final = {option.name for option in OPTIONS if option.reads in {"whole", "count"}}
"""Options that are whole numbers, which languages without integers give as floats."""
_HOOKS: Final = frozenset({"progress", "cancel"})
_FORMS: Final = "Give a path, or a dict of `path`, of `schema` and `array`, or of `stream`."


def given_options(options: object, call: Callable[..., Any]) -> dict[str, Any]:
    """Return the options that are given, by the names of the keywords of `call`.

    Raises
    ------
    OptionError
        If one is unknown.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise UsageError(f"`options` must be a dict, got {type(options).__name__}.")
    keywords = inspect.signature(call).parameters.values()
    known = [p.name for p in keywords if p.kind is p.KEYWORD_ONLY and p.name not in _HOOKS]
    given = {}
    for name, value in options.items():
        if name not in known:
            close = _validate.nearest(str(name), known, 1)
            hint = f"Did you mean `{close[0]}`?" if close else f"Known: {', '.join(known)}."
            raise OptionError(f"`{name}` is not an option.", hint)
        if value is not None:
            given[name] = _whole(value) if name in _WHOLE else value
            if name == "start":
                given[name] = given_result(value)
            if name == "sizes":
                given[name] = [_whole(size) for size in (value if _is_list(value) else [value])]
    return given


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def given_data(data: object) -> Data:
    """Return the path, or take the table over.

    Raises
    ------
    UsageError
        If it is in no known form.
    DataError
        If its structs are not valid.
    """
    path = _path("data", data)
    if path is not None:
        return path
    if not isinstance(data, Mapping):
        raise UsageError(f"`data` must say where a table is, got {type(data).__name__}.", _FORMS)
    source = data.get("source") or "table"
    if not isinstance(source, str):
        raise UsageError(f"`data` must have text as its source, got {type(source).__name__}.")
    if "stream" in data:
        _only("data", data, {"stream", "source"})
        return NamedTable(source, import_table(address("data stream", data["stream"])))
    place = _place("data", data)
    if "dim" in data:
        _only("data", data, {"schema", "array", "source", "dim", "names"})
        rows, columns = _dimensions(data["dim"])
        names = _names(data.get("names"), columns)
        return NamedTable(source, _matrix(place, rows, names))
    _only("data", data, {"schema", "array", "source"})
    return NamedTable(source, import_table(place))


def given_result(result: object) -> SelectionPath:
    """Read the selection.

    Raises
    ------
    UsageError
        If it is in no known form.
    ReadError
        If it is no selection.
    """
    return _read(result, read_result, SelectionPath.from_json)


def given_answer(result: object) -> Answer:
    """Read the selection or the comparison; raises as `given_result` does."""
    return _read(result, read_answer, answer_of)


def _read(
    result: object, from_file: Callable[[str], Read], from_text: Callable[[str], Read]
) -> Read:
    path = _path("result", result)
    if path is not None:
        return from_file(path)
    if not isinstance(result, Mapping) or set(result) != {"json"}:
        raise UsageError("`result` must be a path, or a dict of `json` or `path`.")
    return from_text(result["json"])


def named_answers(names: object, answers: list[Answer]) -> list[Answer] | dict[str, Answer]:
    """Return the results under their names, as they are where they have none.

    Raises
    ------
    UsageError
        If the names are not one text a result, each its own.
    """
    if names is None:
        return answers
    given = [names] if isinstance(names, str) else names
    if (
        not _is_list(given)
        or len({name for name in given if isinstance(name, str)}) != len(answers)
        or len(given) != len(answers)
    ):
        raise UsageError("`names` must hold one text a result, each its own.")
    return dict(zip(map(str, given), answers, strict=True))


def given_target(y: object) -> NamedColumn | None:
    """Take over a target that is no column of the data, None where there is none.

    Raises
    ------
    UsageError
        If it is not in the known form.
    DataError
        If its structs are not valid.
    """
    if y is None:
        return None
    if not isinstance(y, Mapping):
        raise UsageError(f"`y` must say where an array is, got {type(y).__name__}.")
    _only("y", y, {"schema", "array", "name"})
    name = y.get("name") or "y"
    if not isinstance(name, str):
        raise UsageError(f"`y` must have text as its name, got {type(name).__name__}.")
    place = _place("y", y)
    return NamedColumn(name, import_array(name, place.schema, place.array))


def _path(argument: str, value: object) -> str | None:
    """Return the path where one was given, plainly or in a dict, None where something else was."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping) or "path" not in value:
        return None
    _only(argument, value, {"path"})
    path = value["path"]
    if not isinstance(path, str):
        raise UsageError(f"`{argument}` must have text as its path, got {type(path).__name__}.")
    return path


def _only(argument: str, given: Mapping[Any, Any], known: set[str]) -> None:
    for name in given:
        if name not in known:
            raise UsageError(
                f"`{argument}` must have no `{name}` beside {', '.join(sorted(known - {name}))}."
            )


def _place(argument: str, given: Mapping[Any, Any]) -> Place:
    for name in ("schema", "array"):
        if name not in given:
            raise UsageError(f"`{argument}` must have the address `{name}`.", _FORMS)
    return Place(
        address(f"{argument} schema", given["schema"]), address(f"{argument} array", given["array"])
    )


def _dimensions(dim: object) -> tuple[int, int]:
    if isinstance(dim, (list, tuple)) and len(dim) == 2:
        rows, columns = (_whole(size) for size in dim)
        # True is an int in Python and a mistake here; a wrong size must not get past this.
        if type(rows) is int and type(columns) is int and min(rows, columns) >= 0:
            return rows, columns
    raise UsageError(f"`data` must have rows and columns as its dim, got {dim!r}.")


def _names(names: object, columns: int) -> list[str]:
    if names is None:
        return [f"x{number}" for number in range(1, columns + 1)]
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise UsageError("`data` must have a list of text as its names.")
    if len(names) != columns:
        raise UsageError(f"`data` must have one name a column, got {len(names)} for {columns}.")
    return list(names)


def _matrix(place: Place, rows: int, names: list[str]) -> pa.Table:
    """Cut one array into columns without copying it."""
    values = import_array("matrix", place.schema, place.array)
    if len(values) != rows * len(names):
        raise UsageError(
            f"`data` must have {rows} x {len(names)} values as its dim says, got {len(values)}."
        )
    columns = [values.slice(number * rows, rows) for number in range(len(names))]
    return pa.Table.from_arrays(columns, names=names)
