"""What surrounds the code agrees with it: versions, lists of libraries, workflows, the recipe."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import renyi

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = [path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
SCHEMAS = {
    "citation-file-format": [ROOT / "CITATION.cff"],
    "dependabot": [GITHUB / "dependabot.yml"],
    "github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "github-issue-forms": FORMS,
    "github-workflows": WORKFLOWS,
}


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def recipe() -> dict[str, Any]:
    return dict(read(ROOT / ".packaging" / "conda" / "recipe.yaml"))


def check(name: str, *words: str) -> None:
    """Run a program of this environment that reads files and reaches for no network."""
    program = Path(sysconfig.get_path("scripts")) / name
    done = subprocess.run([program, *words], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_are_of_the_form_that_their_readers_ask_for(schema: str) -> None:
    assert SCHEMAS[schema]
    check("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, SCHEMAS[schema]))


def test_workflows_leave_no_door_open() -> None:
    check("zizmor", "--offline", "--quiet", "--min-severity", "medium", str(GITHUB))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_asks_for_little_and_pins_what_it_runs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    pinned = re.compile(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./\.github/workflows/\w+\.yml")
    assert [line for line in used if not pinned.fullmatch(line)] == []
    found = read(path)
    assert found["permissions"] == {}
    granted = [job["permissions"] for job in found["jobs"].values()]
    publishes = {"id-token": "write"}
    assert [given for given in granted if given not in ({"contents": "read"}, publishes)] == []
    assert granted.count(publishes) == (path.stem == "release")


def test_workflows_run_tasks_that_there_are() -> None:
    told = subprocess.run(
        [sys.executable, ROOT / "tasks.py"], capture_output=True, encoding="utf-8", check=False
    ).stderr
    known = set(re.search(r"Name one task: (.*)\.", told)[1].split(", "))  # type: ignore[index]
    run = {
        task
        for path in WORKFLOWS
        for task in re.findall(r"python tasks\.py (\w+)", path.read_text(encoding="utf-8"))
    }
    assert {"quick", "test", "lint", "r", "build"} <= run
    assert run <= known


def test_one_version_everywhere() -> None:
    version = renyi.__version__
    assert read(ROOT / "CITATION.cff")["version"] == version
    assert recipe()["context"]["version"] == version
    description = (ROOT / "bindings_r" / "DESCRIPTION").read_text(encoding="utf-8")
    assert f"\nVersion: {version}\n" in description
    news = (ROOT / "bindings_r" / "NEWS.md").read_text(encoding="utf-8")
    assert news.startswith(f"# renyi {version}\n")
    entries = re.findall(
        r"^## \[(.*?)\](.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert entries[-1][0] == "0.1.0", "the changelog begins at 0.1.0"
    newest, dated = entries[0]
    assert newest == version
    assert re.fullmatch(r" - (unreleased|\d{4}-\d\d-\d\d)", dated)


def test_the_recipe_asks_for_what_the_package_asks_for() -> None:
    found = recipe()
    least = PROJECT["requires-python"].removeprefix(">=")
    assert found["context"]["python_min"] == least
    asked = {line.replace(" ", "") for line in found["requirements"]["run"][1:]}
    assert asked == set(PROJECT["dependencies"])
    backend = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    assert backend["requires"] == [found["requirements"]["host"][-1].replace(" ", "")]
    assert found["build"]["python"]["entry_points"] == [
        f"{name} = {where}" for name, where in PROJECT["scripts"].items()
    ]


def test_the_image_runs_as_nobody_in_particular_with_the_versions_that_are_tested() -> None:
    text = (ROOT / ".packaging" / "Dockerfile").read_text(encoding="utf-8")
    steps = re.findall(r"^([A-Z]+) (.*)$", text.replace("\\\n", ""), re.MULTILINE)
    last = dict(steps)
    assert last["USER"].isdigit()
    assert int(last["USER"]) > 0
    assert last["ENTRYPOINT"] == '["renyi"]'
    assert "-c constraints.txt" in text
    assert {words.split()[0].partition(":")[2] for step, words in steps if step == "FROM"} == {
        "3.13-slim"
    }
    let_in = (ROOT / ".packaging" / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    named = [line[1:] for line in let_in.splitlines() if line.startswith("!")]
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert "constraints.txt" in named


def test_each_version_of_python_has_its_lock() -> None:
    """The classifiers, the workflow and the head of the lock name the same versions."""
    named = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if " :: 3." in text]
    matrix = read(GITHUB / "workflows" / "tests.yml")["jobs"]["quick"]["strategy"]["matrix"]
    assert matrix["python"] == named
    head = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert f"Python {named[0]} to {named[-1]}" in head
