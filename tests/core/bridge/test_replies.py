"""Nothing is raised: every failure is data, of builtins only, and says nothing of the content."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import renyi
from renyi import bridge
from renyi.errors import MissingExtraError, RenyiError

pytestmark = pytest.mark.slow  # some ten seconds together

TABLE = pa.table({"a": [0.5, 1.5, 2.5, 9.0] * 5, "b": [1.0, 2.0] * 10, "y": ["p", "q"] * 10})
QUICK = {"criterion": "mi-chi2", "alpha": 2}
BUILTINS = {bool, int, float, str, type(None)}


def is_plain(value: object) -> bool:
    if type(value) is dict:
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(is_plain(item) for item in value)
    return type(value) in BUILTINS


def refused(reply: dict[str, Any]) -> tuple[str, str]:
    """The code and the message of a failure, which has nothing else to give."""
    assert is_plain(reply)
    assert reply["ok"] is False
    assert reply["value"] is None
    assert reply["warnings"] == []
    assert set(reply["error"]) == {"code", "message", "hint", "parts"}
    return reply["error"]["code"], reply["error"]["message"]


@pytest.mark.parametrize(
    "call",
    [
        lambda _: bridge.versions(),
        lambda _: bridge.doctor(),
        lambda lender: bridge.select(lender.table(TABLE), QUICK),
        lambda lender: bridge.compare(lender.table(TABLE), QUICK | {"runs": 4.0}),
        lambda lender: bridge.describe(lender.table(TABLE), {"alpha": 2}),
        lambda lender: bridge.measure(lender.table(TABLE), {"x": ["a"], "y": "y", "given": "b"}),
    ],
    ids=["versions", "doctor", "select", "compare", "describe", "measure"],
)
def test_answers_are_builtins(lender: Any, call: Callable[[Any], dict[str, Any]]) -> None:
    reply = call(lender)
    assert reply["ok"] is True, reply
    assert set(reply) == {"ok", "value", "warnings"}
    assert is_plain(reply)
    json.dumps(reply, allow_nan=False)


def test_versions_name_the_protocol() -> None:
    value = bridge.versions()["value"]
    assert value["protocol"] == bridge.BRIDGE_PROTOCOL == 1
    assert value["renyi"] == renyi.__version__
    assert value["pyarrow"] == pa.__version__


def test_the_same_as_the_friendly_layer(lender: Any) -> None:
    found = bridge.describe(lender.table(TABLE, source="pyarrow.Table"), {"alpha": 2.0})
    described = renyi.describe(TABLE, alpha=2)
    assert found["value"]["result"] == described.to_dict()
    assert found["value"]["json"] == described.to_json()
    assert found["warnings"] == [note.to_dict() for note in described.notes]

    options: dict[str, Any] = {"x": "a", "y": "y", "given": ["b"], "bandwidth": "silverman"}
    found = bridge.measure(lender.table(TABLE, source="pyarrow.Table"), options)
    assert found["value"]["json"] == renyi.measure(TABLE, **options).to_json()


def test_a_result_is_the_text_that_python_writes(lender: Any) -> None:
    value = bridge.select(lender.table(TABLE, source="pyarrow.Table"), QUICK)["value"]
    assert json.loads(value["json"]) == value["result"]
    path = renyi.SelectionPath.from_json(value["json"])
    assert path == renyi.select(TABLE, **QUICK)
    assert path.to_json() == value["json"]


def test_a_path_comes_with_what_its_columns_are_for(lender: Any) -> None:
    for options, purpose in (
        ({}, "model"),
        ({"purpose": "news"}, "news"),
        ({"criterion": "none"}, None),
    ):
        value = bridge.select(lender.table(TABLE), {"alpha": 2, **options})["value"]
        assert value["purpose"] == purpose
        assert bridge.read_result({"json": value["json"]})["value"]["purpose"] == purpose


def test_a_comparison_is_the_one_that_python_makes(lender: Any) -> None:
    table = lender.table(TABLE, source="pyarrow.Table")
    value = bridge.compare(table, QUICK | {"runs": 4.0, "sizes": [1.0]})["value"]
    found = renyi.compare(TABLE, runs=4, sizes=(1,), **QUICK).to_dict()
    del value["result"]["run"], found["run"]
    assert value["result"] == found
    wrong = bridge.compare(lender.table(TABLE), QUICK | {"runs": 2.5})
    assert refused(wrong)[0] == "option"
    alone = bridge.compare(lender.table(TABLE), QUICK | {"runs": 4, "sizes": 1.0})["value"]
    assert alone["result"]["curve"] == found["curve"]


def test_whole_floats_do_for_integers(lender: Any) -> None:
    options: dict[str, Any] = {
        "criterion": ["mi-perm"],
        "permutations": 19.0,
        "seed": 7.0,
        "max_features": 1.0,
        "rows": 16.0,
        "bins": 3.0,
        "jobs": 1.0,
        "target": None,
    }
    found = bridge.select(lender.table(TABLE), options)["value"]["result"]
    whole = {name: int(v) if isinstance(v, float) else v for name, v in options.items()}
    assert found["steps"] == renyi.select(TABLE, **whole).to_dict()["steps"]
    assert type(found["options"]["permutations"]) is int
    assert refused(bridge.select(lender.table(TABLE), {"bins": 2.5}))[0] == "option"


def test_files_and_known_sets_are_read_by_their_names(tmp_path: Path) -> None:
    import pyarrow.parquet

    file = tmp_path / "table.parquet"
    pyarrow.parquet.write_table(TABLE, file)
    plain = bridge.select(str(file), QUICK)["value"]["result"]
    assert bridge.select({"path": str(file)}, QUICK)["value"]["result"]["steps"] == plain["steps"]
    assert plain["data"]["source"] == str(file)
    known = bridge.describe("waveform", {"rows": 40, "alpha": 2})
    assert known["value"]["result"]["data"]["source"] == "waveform"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"alpha": -1}, "option"),
        ({"target": "nothing"}, "column"),
        ({"target": ["y", "y"]}, "option"),
        ({"features": "b", "target": "a", "missing": "none"}, "option"),
        ({"alhpa": 2}, "option"),
        ({"progress": print}, "option"),
        (3, "usage"),
    ],
)
def test_errors_by_their_codes(lender: Any, options: Any, code: str) -> None:
    assert refused(bridge.select(lender.table(TABLE), options))[0] == code


def test_an_error_is_the_one_that_python_raises(lender: Any) -> None:
    table = pa.table({"a": [0.5, None, 1.0, 2.0], "y": ["p", "q", "p", "q"]})
    with pytest.raises(RenyiError) as raised:
        renyi.select(table)
    reply = bridge.select(lender.table(table))
    assert reply["error"] == {
        "code": "missing",
        "message": raised.value.message,
        "hint": raised.value.hint,
        "parts": [
            "Use ",
            {"option": "missing", "value": "level", "rule": ""},
            " (a missing value is a value of its own) or ",
            {"option": "missing", "value": "drop", "rule": ""},
            " (keeps 3 of 4 rows; 4 rows without `a`: exclude it), or exclude the columns.",
        ],
    }
    assert reply["error"]["hint"].startswith("Use `missing='level'` (a missing")
    assert bridge.select("nothing.parquet")["error"]["code"] == "read"


def test_an_unknown_option_names_the_nearest(lender: Any) -> None:
    reply = bridge.select(lender.table(TABLE), {"permutation": 20})
    assert reply["error"]["message"] == "`permutation` is not an option."
    assert reply["error"]["hint"] == "Did you mean `permutations`?"
    assert "`x` must" in bridge.measure(lender.table(TABLE), {"y": "y"})["error"]["message"]


PLACES = {"schema": "16", "array": "16"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "`data` must say where a table is, got NoneType"),
        ({}, "`data` must have the address `schema`"),
        ({"schema": "16"}, "`data` must have the address `array`"),
        ({"schema": "0", "array": "16"}, "`data schema` must be an address"),
        ({"schema": 1e15, "array": "16"}, "`data schema` must be an address"),
        ({"schema": True, "array": "16"}, "`data schema` must be an address"),
        ({"schema": "0x10", "array": "16"}, "`data schema` must be an address"),
        ({"schema": "9" * 20, "array": "16"}, "`data schema` must be an address"),
        ({"stream": ""}, "`data stream` must be an address"),
        ({"stream": "16", "array": "16"}, "`data` must have no `array` beside"),
        ({"path": "x.csv", "source": "x"}, "`data` must have no `source` beside"),
        ({"path": 3}, "text as its path"),
        (PLACES | {"source": 3}, "text as its source"),
        (PLACES | {"names": ["a"]}, "`data` must have no `names` beside"),
        (PLACES | {"dim": 3}, "rows and columns as its dim"),
        (PLACES | {"dim": [2.5, 1]}, "rows and columns as its dim"),
        (PLACES | {"dim": [-2, 1]}, "rows and columns as its dim"),
        (PLACES | {"dim": [True, 1]}, "rows and columns as its dim"),
        (PLACES | {"dim": [2, 1], "names": ["a", "b"]}, "one name a column, got 2 for 1"),
        (PLACES | {"dim": [2, 1], "names": [1]}, "list of text as its names"),
    ],
)
def test_data_that_are_nowhere(data: Any, said: str) -> None:
    code, message = refused(bridge.select(data))
    assert code == "usage"
    assert said in message


@pytest.mark.parametrize(
    ("y", "said"),
    [
        ("y", "`y` must say where an array is"),
        ({"schema": "16"}, "`y` must have the address `array`"),
        (PLACES | {"source": "x"}, "`y` must have no `source`"),
        (PLACES | {"name": 3}, "text as its name"),
    ],
)
def test_targets_that_are_nowhere(lender: Any, y: Any, said: str) -> None:
    code, message = refused(bridge.select(lender.table(TABLE), None, y))
    assert code == "usage"
    assert said in message
    assert lender.nothing_is_held


@pytest.mark.parametrize("out", [{}, {"schema": "16"}, "16", PLACES | {"array": "x"}])
def test_tables_that_can_go_nowhere(lender: Any, out: Any) -> None:
    """Refused before anything is read or done."""
    for call in (bridge.select, bridge.describe):
        assert refused(call(lender.table(TABLE), out=out))[0] == "usage"
    assert lender.returned == 0


def test_what_is_no_table_is_told(lender: Any) -> None:
    numbers = lender.array(pa.array([1.0, 2.0]))
    code, message = refused(bridge.select(numbers))
    assert code == "data"
    assert "non-struct type" in message
    assert "cannot be taken over" in refused(bridge.select(numbers))[1]  # released already
    used = lender.array(pa.array(["p", "q"] * 10))
    features = TABLE.drop_columns("y")
    assert bridge.select(lender.table(features), QUICK, used)["ok"]
    assert "cannot be taken over" in refused(bridge.select(lender.table(features), QUICK, used))[1]
    short = lender.array(pa.array([1.0, 2.0, 3.0]), dim=[2, 2])
    assert "2 x 2 values as its dim says, got 3" in refused(bridge.select(short))[1]


def test_rows_that_do_not_match_are_told(lender: Any) -> None:
    y = lender.array(pa.array(["p", "q"]), name="label")
    code, message = refused(bridge.select(lender.table(TABLE), None, y))
    assert code == "data"
    assert "one value a row" in message
    y = lender.array(pa.array(["p", "q"]), name="a")
    assert (
        "`a` is a column of the data too" in refused(bridge.select(lender.table(TABLE), None, y))[1]
    )
    assert lender.nothing_is_held


class Panic(BaseException):
    """As an extension module raises them: no `Exception`."""


@pytest.mark.parametrize("kind", [ZeroDivisionError, Panic, RecursionError, KeyError])
def test_a_defect_is_told_without_data(
    lender: Any, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> None:
        raise kind("patient 4711")

    monkeypatch.setattr("renyi.io._load.assign_roles", broken)
    reply = bridge.select(lender.table(TABLE))
    code, message = refused(reply)
    assert code == "internal"
    assert f"unexpected {kind.__name__}" in message
    assert "of renyi/io/_load.py." in message
    assert "4711" not in repr(reply)
    assert lender.nothing_is_held


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (MemoryError(), "memory", "The memory of this machine is not enough for this."),
        (ImportError("4711", name="zlib"), "extra", "The package `zlib` cannot be imported."),
        (ImportError("4711"), "extra", "A package cannot be imported."),
        (MissingExtraError("It is not there.", "Install it."), "extra", "It is not there."),
    ],
)
def test_what_the_machine_lacks(
    error: Exception, code: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise error

    monkeypatch.setattr("renyi.api.doctor", broken)
    assert refused(bridge.doctor()) == (code, said)


def test_versions_of_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", absent)
    assert bridge.versions()["value"]["pyarrow"] is None


def test_leaving_is_nobodys_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave() -> None:
        raise SystemExit(3)

    monkeypatch.setattr("renyi.api.doctor", leave)
    with pytest.raises(SystemExit):
        bridge.doctor()


def test_notes_are_warnings(lender: Any) -> None:
    table = pa.table({"a": [0.5, None, 1.0, 2.0, 3.0, 4.0], "y": ["p", "q"] * 3})
    reply = bridge.select(lender.table(table), QUICK | {"missing": "drop"})
    assert reply["warnings"] == reply["value"]["result"]["warnings"]
    dropped = next(item for item in reply["warnings"] if item["code"] == "rows_dropped")
    assert dropped["columns"] == ["a"]


def test_what_libraries_warn_of_is_data_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def warn() -> dict[str, Any]:
        warnings.warn("on its way out", UserWarning, stacklevel=1)
        return {}

    monkeypatch.setattr("renyi.api.doctor", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        reply = bridge.doctor()
    said = {"code": "python", "message": "UserWarning: on its way out", "columns": []}
    assert reply == {"ok": True, "value": {}, "warnings": [said]}
