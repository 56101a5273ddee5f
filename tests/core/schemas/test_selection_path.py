"""The schema file says what `SelectionPath.to_dict` returns, no less and no more."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import fields, replace
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from records import (
    FEATURES,
    data_report,
    heart_path,
    permutation_report,
    repeats,
    step,
    there_and_back,
)
from renyi.errors import ReadError
from renyi.options import (
    CRITERIA,
    DataOptions,
    MethodOptions,
)
from renyi.selection import (
    SCHEMA_VERSION,
    BandwidthChoice,
    BandwidthTrial,
    Entropies,
    FeatureShare,
    RunnerUp,
    SelectionPath,
    SensitivitySetting,
    StabilityHalf,
    StabilityThreshold,
    Step,
    StepWork,
    Unselected,
    Verdict,
    selected_after,
)
from renyi.stopping import CriterionReport
from renyi.variables import ColumnReport, DataReport, Note, RowsTogether


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    file = files("renyi") / "schemas" / "selection-path.schema.json"
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def validator(schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


TOGETHER = RowsTogether(
    groups="subject", count=30, shuffle="whole", moved=270, blocks=None, reason="as asked"
)


def test_what_is_selected_is_found_by_going_through_the_steps() -> None:
    path = there_and_back()
    assert path.selected == ("sex", "oldpeak")
    assert [one.done for one in path.steps] == [True, True, True, False]


@pytest.mark.parametrize(
    ("number", "field", "value", "message"),
    [
        (2, "features", ["slope"], "must be selected before"),
        (1, "features", ["age"], "must not be selected before"),
        (2, "selected", True, "must all be done but the last"),
        (0, "action", "begin", "one of keep, start, add, remove"),
    ],
)
def test_steps_that_lead_nowhere_are_refused(
    number: int, field: str, value: object, message: str
) -> None:
    record = json.loads(there_and_back().to_json())
    record["steps"][number][field] = value
    record["selected"] = list(selected_after(Step.from_dict(one) for one in record["steps"]))
    with pytest.raises(ReadError, match=message):
        SelectionPath.from_dict(record)


def paths() -> dict[str, SelectionPath]:
    first = heart_path().steps[0]
    rich = heart_path(
        data=data_report(FEATURES, rows=300),
        data_options=DataOptions(
            target="class", features=("a*",), keep=("age",), kinds=(("age", "ordinal"),), rows=270
        ),
        options=MethodOptions(
            criteria=("cmi-heuristic", "mi-chi2"),
            bandwidth="range:0.15",
            bandwidths=(("age", 1.5), ("sex", "scott")),
            standardise="bins:5",
            max_features=3,
        ),
        steps=(
            replace(first, action="keep", criteria=(), runner_up=None),
            step(2, "sex", -0.1, None, features=("sex", "age")),
            step(3, "oldpeak", 0.2, -0.01),
        ),
    )
    dropped = ColumnReport(
        name="id", dtype="String", role="dropped", reason="an id", code="id_like"
    )
    return {
        "stopped by a test": heart_path(),
        "no step": heart_path(
            steps=(), verdict=Verdict(stopped="interrupted", reason="interrupted", step=0), run={}
        ),
        "forced, grouped, without cmi": rich,
        "chosen and repeated": heart_path(**repeats()),
        "rows together": heart_path(
            data=replace(data_report(FEATURES), together=TOGETHER),
            data_options=DataOptions(groups="subject", shuffle="whole"),
        ),
        "features taken away": there_and_back(),
        "rows in time": heart_path(data_options=DataOptions(blocks="auto")),
        "blocks": heart_path(data_options=DataOptions(blocks=24)),
        "a dropped column": heart_path(
            data=replace(data_report(FEATURES), columns=(dropped, *data_report(FEATURES).columns))
        ),
    }


@pytest.mark.parametrize("name", paths())
def test_a_result_is_valid(name: str, validator: jsonschema.Draft202012Validator) -> None:
    record = json.loads(paths()[name].to_json())
    validator.validate(record)
    assert SelectionPath.from_dict(record) == paths()[name]


def test_a_result_from_before_rows_belonged_together_is_read() -> None:
    record = json.loads(heart_path().to_json())
    record["schema_version"] = "1.3"
    del record["data"]["together"]
    for name in ("groups", "shuffle", "blocks"):
        del record["data_options"][name]
    assert SelectionPath.from_dict(record) == heart_path()


def test_a_result_from_before_other_searches_is_read() -> None:
    record = json.loads(heart_path().to_json())
    record["schema_version"] = "1.4"
    del record["options"]["search"], record["data_options"]["start"]
    found = SelectionPath.from_dict(record)
    assert found == heart_path()
    assert found.options.search == "forward"


def test_every_criterion_may_be_asked_report_and_stop(schema: dict[str, Any]) -> None:
    parts = schema["$defs"]
    asked = set(parts["options"]["properties"]["criteria"]["items"]["enum"])
    reports = set(parts["criterion_report"]["properties"]["criterion"]["enum"])
    stops = set(parts["verdict"]["properties"]["criteria"]["items"]["enum"])
    assert asked == set(CRITERIA)
    assert reports == asked - {"none"} | {"min-gain"}
    assert stops == reports | {"cmi-echo"}  # of earlier versions


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2"])
def test_a_result_from_before_what_chance_gives_is_read(version: str) -> None:
    record = json.loads(heart_path().to_json())
    record["schema_version"] = version
    for name in ("rank", "nominal", "class_weights"):
        del record["options"][name]
    for name in ("chance", "z", "mi_chance", "above_chance"):
        for one in record["steps"]:
            del one[name]
    record["options"]["criteria"] = ["cmi-echo"]
    if version != "1.2":
        for name in ("aliases", "unselected", "bandwidth_choice", "sensitivity", "stability"):
            del record[name]
        for name in ("min_gain", "lookahead"):
            del record["options"][name]
    found = SelectionPath.from_dict(record)
    assert found.options.criteria == ("cmi-echo",)
    chosen = found.options
    assert (chosen.rank, chosen.nominal, chosen.class_weights) == ("raw", "delta", "none")
    for one in found.steps:
        assert one.chance is one.z is one.mi_chance is one.above_chance is None
    assert found.selected == heart_path().selected
    assert found.to_dict()["schema_version"] == SCHEMA_VERSION


def test_a_report_without_draws_is_valid(validator: jsonschema.Draft202012Validator) -> None:
    plain = replace(
        permutation_report(False, drawn=1, exceedances=0),
        criterion="cmi-max",
        statistic_name="z",
        statistic=31.5,
        p_value=None,
        p_upper=1e-9,
        drawn=0,
        null_quantiles=None,
        null_error=None,
    )
    known = replace(
        step(1, "age", 0.1, 0.2, criteria=(plain,)), chance=0.01, z=31.5, mi_chance=0.01
    )
    record = json.loads(heart_path(steps=(known,)).to_json())
    validator.validate(record)
    assert record["steps"][0]["above_chance"] == pytest.approx(known.gain - 0.01)


def test_a_run_is_free_but_for_what_is_known_of_it(
    validator: jsonschema.Draft202012Validator,
) -> None:
    work = StepWork(0.51234, {"rank 64": 18, "eigen": 2}, {"bound": 90}).to_dict()
    assert work["seconds"] == 0.512
    record = json.loads(heart_path(run={"steps": [work], "more": "facts"}).to_json())
    validator.validate(record)
    record["run"]["steps"][0]["candidates"]["eigen"] = "two"
    assert not validator.is_valid(record)


def test_unknown_fields_are_welcome(validator: jsonschema.Draft202012Validator) -> None:
    record = json.loads(heart_path().to_json())
    for part in (record, record["data"], record["steps"][0], record["verdict"], record["options"]):
        part["from_a_newer_version"] = {"any": "thing"}
    validator.validate(record)


def required_fields(record: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every field of a result, those of free objects left out."""
    free = at[-1:] in {("run",), ("would_stop",), ("bandwidths",), ("aliases",)}
    if isinstance(record, dict) and not free:
        for key, value in record.items():
            yield (*at, key)
            yield from required_fields(value, (*at, key))
    elif isinstance(record, list) and record:
        yield from required_fields(record[0], (*at, 0))


def test_every_field_is_required(validator: jsonschema.Draft202012Validator) -> None:
    whole = json.loads(heart_path(**repeats()).to_json())
    tried = list(required_fields(whole))
    assert ("steps", 0, "criteria", 0, "p_upper") in tried
    for *way, last in tried:
        record = copy.deepcopy(whole)
        part = record
        for key in way:
            part = part[key]
        del part[last]
        assert not validator.is_valid(record), (*way, last)


WRONG: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "a newer major version": (("schema_version",), "2.0"),
    "no fingerprint": (("data", "fingerprint"), ""),
    "an unknown role": (("data", "columns", 0, "role"), "id"),
    "text as a number": (("steps", 0, "mi"), "0.2"),
    "no cmi and no word why": (("steps", 0, "cmi"), None),
    "two quantiles": (("steps", 0, "criteria", 0, "null_quantiles"), [0.1, 0.2]),
    "a p-value above 1": (("steps", 0, "criteria", 0, "p_value"), 1.1),
    "an empty reason": (("verdict", "reason"), ""),
    "a tolerance of zero": (("options", "tolerance"), 0),
    "alpha of zero": (("options", "alpha"), 0),
    "an unknown bandwidth rule": (("options", "bandwidth"), "wide"),
    "the same feature twice": (("selected",), ["age", "age"]),
    "a pair of three": (("data_options", "kinds"), [["a", "nominal", "b"]]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_result_is_invalid(name: str, validator: jsonschema.Draft202012Validator) -> None:
    record = json.loads(heart_path().to_json())
    (*way, last), value = WRONG[name]
    part = record
    for key in way:
        part = part[key]
    part[last] = value
    assert not validator.is_valid(record)


def test_the_schema_names_the_fields_of_the_records(schema: dict[str, Any]) -> None:
    records = {
        "bandwidth_choice": BandwidthChoice,
        "bandwidth_trial": BandwidthTrial,
        "column": ColumnReport,
        "criterion_report": CriterionReport,
        "data_options": DataOptions,
        "entropies": Entropies,
        "note": Note,
        "options": MethodOptions,
        "feature_share": FeatureShare,
        "runner_up": RunnerUp,
        "stability_half": StabilityHalf,
        "stability_threshold": StabilityThreshold,
        "unselected": Unselected,
        "verdict": Verdict,
        "work": StepWork,
    }
    parts = schema["$defs"]
    for name, record in records.items():
        derived = {"targets"} if name == "data_options" else set()
        named = {field.name for field in fields(record)} | derived
        assert set(parts[name]["properties"]) == named, name
    setting = {field.name for field in fields(SensitivitySetting)}
    assert set(parts["sensitivity_setting"]["properties"]) == setting | {"size"}
    for name in ("sensitivity", "stability"):
        assert set(parts[name]["properties"]) == set(heart_path(**repeats()).to_dict()[name])
    derived = {"feature", "above_chance"}
    assert set(parts["step"]["properties"]) == {field.name for field in fields(Step)} | derived
    kept = {field.name for field in fields(DataReport)} - {"notes"}
    assert set(parts["data"]["properties"]) == kept
    assert set(schema["properties"]) == set(heart_path().to_dict())
    for part in (*parts.values(), schema):
        assert set(part["required"]) == set(part["properties"])


def test_the_schema_has_a_number(schema: dict[str, Any]) -> None:
    assert schema["$id"].endswith(f":{SCHEMA_VERSION}")


def test_every_field_is_described(schema: dict[str, Any]) -> None:
    missing = []

    def look(part: Any, at: str) -> None:
        if not isinstance(part, dict):
            return
        for name, field in part.get("properties", {}).items():
            target = schema["$defs"][field["$ref"].split("/")[-1]] if "$ref" in field else field
            if len(target.get("description", "")) < 5:
                missing.append(f"{at}.{name}")
        for name, inner in part.get("$defs", {}).items():
            look(inner, name)

    look(schema, "")
    assert not missing


def test_a_report_of_any_criterion_is_valid(validator: jsonschema.Draft202012Validator) -> None:
    chi = permutation_report(
        True,
        drawn=1,
        exceedances=0,
        criterion="mi-chi2",
        statistic_name="chi2",
        threshold=12.5,
        p_value=None,
        p_upper=None,
    )
    plain = replace(chi, drawn=None, exceedances=None, null_quantiles=None)
    path = heart_path(steps=(step(1, "age", 0.1, 0.2, criteria=(plain,)),))
    validator.validate(json.loads(path.to_json()))
