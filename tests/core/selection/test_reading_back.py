"""A result that was read is what a selection returns, or it is refused in one sentence."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import renyi
from records import heart_path
from renyi.errors import Interrupted, OptionError, ReadError
from renyi.selection import SelectionPath

WRONG: dict[str, tuple[tuple[str | int, ...], Any, str]] = {
    "selected is no list": (("selected",), "age", "`selected` must be a list of text"),
    "selected holds a number": (("selected",), [1], "`selected` must be a list of text"),
    "selected is not of the steps": (("selected",), ["thal"], "`selected` must name the features"),
    "text for MI": (("steps", 0, "mi"), "0.2", "`steps[0].mi` must be a finite number, got '0.2'"),
    "infinite MI": (("steps", 1, "mi"), float("inf"), "`steps[1].mi` must be a finite number"),
    "true for MI": (("steps", 1, "mi"), True, "`steps[1].mi` must be a finite number, got True"),
    "text for CMI": (("steps", 1, "cmi"), "x", "`steps[1].cmi` must be a finite number"),
    "a number for a name": (("steps", 0, "features"), [3], "`steps[0].features[0]` must be text"),
    "a rival without a gap": (("steps", 0, "runner_up", "gap"), None, "`steps[0].runner_up.gap`"),
    "no CMI and no word why": (
        ("steps", 1, "cmi"),
        None,
        "`steps[1].cmi_code` must be given where `cmi` is null only",
    ),
    "a word why CMI is missing beside it": (
        ("steps", 0, "cmi_code"),
        "cmi_not_computed",
        "`steps[0].cmi_code` must be given where `cmi` is null only",
    ),
    "text for an entropy": (
        ("steps", 0, "entropies", "target"),
        "x",
        "`steps[0].entropies.target`",
    ),
    "an odd p-value": (
        ("steps", 0, "criteria", 0, "p_value"),
        [],
        "`steps[0].criteria[0].p_value`",
    ),
    "an odd bound": (("steps", 0, "would_stop"), {"a": 1}, "`steps[0].would_stop` must be"),
    "steps out of order": (("steps", 0, "index"), 2, "`steps` must count from 1"),
    "an unknown end": (("verdict", "stopped"), "bored", "must be one of criterion, max_features"),
    "a stop at no step": (("verdict", "step"), 0, "`verdict.step` must be one of the steps"),
    "no text for a version": (("schema_version",), 1.0, "`schema_version` must be text"),
    "an odd version": (("schema_version",), "1", "`schema_version` must be text"),
    "text for alpha": (("options", "alpha"), "two", "`options.alpha` must be a finite number"),
    "text for rows": (("data", "rows_used"), "270", "`data.rows_used` must be a whole number"),
    "an odd bandwidth": (("options", "bandwidth"), None, "`options.bandwidth` must be"),
    "steps are no list": (("steps",), 3, "This is not a whole result"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_refused_in_one_sentence(name: str) -> None:
    (*way, last), value, words = WRONG[name]
    record = json.loads(heart_path().to_json())
    part = record
    for key in way:
        part = part[key]
    part[last] = value
    with pytest.raises(ReadError) as refusal:
        SelectionPath.from_dict(record)
    assert words in refusal.value.message
    assert refusal.value.message.endswith(".")


def test_a_missing_field_is_named() -> None:
    record = json.loads(heart_path().to_json())
    del record["selected"]
    with pytest.raises(ReadError, match="`selected` is missing"):
        SelectionPath.from_dict(record)


def test_a_result_of_an_older_minor_version_is_read() -> None:
    record = json.loads(heart_path().to_json())
    record["schema_version"] = "1.0"
    del record["options"]["tolerance"]
    assert SelectionPath.from_dict(record) == heart_path()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(ReadError):
        SelectionPath.from_json(text)


@pytest.mark.parametrize("text", [None, 5, {}])
def test_only_text_is_json(text: Any) -> None:
    with pytest.raises(OptionError, match="`text` must be JSON text"):
        SelectionPath.from_json(text)


def test_nothing_of_a_result_can_be_changed() -> None:
    path: Any = heart_path(run={"backend": {"asked": "auto"}, "seconds_by_step": [1.0]})
    for mapping in (path.steps[0].would_stop, path.run, path.run["backend"]):
        with pytest.raises(TypeError):
            mapping["new"] = 1
    with pytest.raises(AttributeError):
        path.run["seconds_by_step"].append(1)
    with pytest.raises(FrozenInstanceError):
        path.run = {}


@pytest.mark.parametrize("cls", [SelectionPath, renyi.SelectionPath])
def test_copies_are_equal_and_hash_alike(cls: type[SelectionPath]) -> None:
    path = cls.from_dict(heart_path().to_dict())
    for other in (
        pickle.loads(pickle.dumps(path)),
        copy.deepcopy(path),
        cls.from_json(path.to_json()),
        cls.from_dict({**path.to_dict(), "run": {}}),
    ):
        assert other == path
        assert hash(other) == hash(path)
    changed = cls.from_dict({**path.to_dict(), "warnings": []})
    assert changed != path
    assert len({path, changed}) == 2
    assert path.steps[0].would_stop == {"cmi-heuristic": False, "mi-chi2": None}
    assert path.to_dict()["run"] == heart_path().to_dict()["run"]


def test_a_result_is_shown_in_a_line() -> None:
    path = heart_path()
    assert repr(path) == (
        "SelectionPath(target='class', selected=('thal', 'vessels', 'age'), stopped='criterion', "
        f"reason={path.verdict.reason!r})"
    )
    assert str(Interrupted(path)) == ("The work was interrupted; `.path` holds 4 finished steps.")
