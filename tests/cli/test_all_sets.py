"""The real command on real tables: every set of the paper with every criterion, and seven more.

Small on purpose (300 rows, three features, 19 shuffles): what is tested is that real columns of
every kind go all the way through, not what comes out. Figures are the business of benchmarks/.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from renyi_cli._app import app

pytestmark = pytest.mark.slow

Answers = Callable[[str, str], dict[str, Any]]

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "core" / "renyi" / "schemas" / "selection-path.schema.json"
CRITERIA = ("cmi-heuristic", "cmi-perm", "mi-perm", "mi-chi2", "none")
SMALL = ("--bandwidth", "2", "--rows", "300", "--max-features", "3", "--permutations", "19")
ROWS, FEATURES = 300, 3

# Target of each set, which is to be found without being told, and rows in the file.
PAPER = {
    "waveform": ("y", 5000),
    "breast": ("diagnosis", 569),
    "heart": ("class", 270),
    "spect": ("OVERALL_DIAGNOSIS", 267),
    "ionosphere": ("class", 351),
    "parkinsons": ("status", 195),
    "semeion": ("y", 1593),
    "lung": ("y", 73),
    "lymph": ("y", 96),
    "madelon": ("y", 2600),
}
OTHERS = {
    "adult": ("income", 48842),
    "titanic": ("survived", 1309),
    "credit_g": ("class", 1000),
    "mushroom": ("class", 8124),
    "bike_hour": ("cnt", 17379),
    "california_housing": ("medianHouseValue", 20640),
    "digits": ("y", 1797),
}
TARGETS = PAPER | OTHERS
MISSING = {"adult": "drop", "titanic": "drop", "mushroom": "category"}


def of_set(name: str, *more: str) -> Any:
    """Return the case of a set: one worker does all of these, so that each run is done once."""
    return pytest.param(name, *more, marks=pytest.mark.xdist_group(f"set-{name}"))


RUNS = [
    *(of_set(name, criterion) for name in PAPER for criterion in CRITERIA),
    *(of_set(name, "cmi-perm") for name in OTHERS),
]


def select(path: Path, name: str, criterion: str) -> dict[str, Any]:
    """Run `renyi select` on a file as a person would, in this process, and return its record."""
    arguments = [str(path), "--criterion", criterion, "--json", *SMALL]
    if name in MISSING:
        arguments += ["--missing", MISSING[name]]
    done = CliRunner().invoke(app, ["select", *arguments])
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def answers(data_set: Callable[[str], Path]) -> Answers:
    """Hand out the answers of runs; none is done twice."""
    return cache(lambda name, criterion: select(data_set(name), name, criterion))


@pytest.fixture(scope="module")
def validator() -> jsonschema.protocols.Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@pytest.mark.parametrize(("name", "criterion"), RUNS)
def test_a_real_table_gets_a_valid_answer(
    name: str,
    criterion: str,
    answers: Answers,
    validator: jsonschema.protocols.Validator,
) -> None:
    record = answers(name, criterion)
    validator.validate(record)
    target, rows = TARGETS[name]
    data = record["data"]
    assert data["target"] == target
    assert data["rows"] == rows
    assert data["rows_used"] <= min(ROWS, rows)
    features = {column["name"] for column in data["columns"] if column["role"] == "feature"}
    selected = record["selected"]
    assert len(selected) <= FEATURES
    assert set(selected) <= features
    assert selected == [f for step in record["steps"] if step["selected"] for f in step["features"]]
    assert record["options"]["criteria"] == [criterion]
    assert len(record["verdict"]["reason"]) > 0


@pytest.mark.parametrize("name", [*map(of_set, PAPER)])
def test_criteria_stop_on_one_path(name: str, answers: Answers) -> None:
    whole = answers(name, "none")["steps"]
    for criterion in CRITERIA:
        steps = answers(name, criterion)["steps"]
        for step, same in zip(steps, whole, strict=False):
            assert step["features"] == same["features"]
            assert step["mi"] == same["mi"]
