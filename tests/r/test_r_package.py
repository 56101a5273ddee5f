"""The R package: it builds, passes R's own check, and its tests pass with none skipped.

R and its packages run as processes. Where they are absent the tests are skipped and say so; under
RENYI_REQUIRE_R=1 they fail instead.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("R"),  # one worker builds and installs the package once
]

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings_r"
LONGEST = 900
"""Seconds that a process may take."""
OF_R_ITSELF = {"R"}
MAY_BE_SKIPPED = re.compile(r"RENYI_DATA_HOME")
"""A test without its public data set is skipped here as everywhere."""

RUN_TESTS = """
results <- testthat::test_dir(
  "tests/testthat", package = "renyi", load_package = "installed", reporter = "summary",
  stop_on_failure = FALSE
)
said <- function(kind) {
  outcomes <- unlist(lapply(results, `[[`, "results"), recursive = FALSE)
  chosen <- Filter(function(outcome) inherits(outcome, kind), outcomes)
  as.list(vapply(chosen, conditionMessage, ""))
}
counted <- list(
  passed = length(said("expectation_success")), skipped = said("expectation_skip"),
  failed = c(said("expectation_failure"), said("expectation_error")),
  warned = said("expectation_warning")
)
writeLines(jsonlite::toJSON(counted, auto_unbox = TRUE), Sys.getenv("RENYI_TEST_COUNTS"))
"""


def field(text: str, name: str) -> list[str]:
    """Packages that a field of DESCRIPTION lists, without their versions."""
    found = re.search(rf"^{name}:\n?((?:[ \t].*\n?)*)", text, re.MULTILINE)
    assert found is not None, f"DESCRIPTION has no {name}"
    return [re.sub(r"\s*\(.*", "", entry).strip() for entry in found[1].split(",")]


def absent(reason: str) -> None:
    """Skip, or fail where R must be there."""
    if os.environ.get("RENYI_REQUIRE_R") == "1":
        pytest.fail(f"RENYI_REQUIRE_R is 1, but {reason}")
    pytest.skip(f"the R part was skipped: {reason}")


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    """Run a process and return what it printed; fail with it if it failed."""
    environment = (
        os.environ | {"RENYI_PYTHON": sys.executable, "TZ": "UTC", "LC_ALL": "C.UTF-8"} | variables
    )
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=LONGEST,
        check=False,
    )
    if done.returncode:
        words = " ".join(map(str, command))
        pytest.fail(f"{words} ended with {done.returncode}:\n{done.stdout}", pytrace=False)
    return done.stdout


@pytest.fixture(scope="module")
def r_home() -> None:
    """R with all packages that DESCRIPTION names; skips where there is none."""
    if shutil.which("Rscript") is None:
        absent("R is not installed")
    text = (PACKAGE / "DESCRIPTION").read_text(encoding="utf-8")
    needed = sorted({*field(text, "Imports"), *field(text, "Suggests")} - OF_R_ITSELF)
    names = ", ".join(f"'{name}'" for name in needed)
    lacks = "function(name) !requireNamespace(name, quietly = TRUE)"
    script = f"cat(Filter({lacks}, c({names})), sep = ' ')"
    done = subprocess.run(
        ["Rscript", "-e", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
    )
    missing = done.stdout.decode().split()
    if missing:
        absent(f"R packages are not installed: {', '.join(missing)}")


@pytest.fixture(scope="module")
def built(r_home: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source package, as `R CMD build` makes it, vignette included."""
    folder = tmp_path_factory.mktemp("r")
    run("R", "CMD", "build", str(PACKAGE), cwd=folder)
    (package,) = folder.glob("renyi_*.tar.gz")
    return package


@pytest.fixture(scope="module")
def library(built: Path) -> Iterator[Path]:
    """A library that holds the package, as built."""
    folder = built.parent / "library"
    folder.mkdir()
    run("R", "CMD", "INSTALL", f"--library={folder}", str(built), cwd=built.parent)
    yield folder
    shutil.rmtree(folder)


def test_r_is_content_with_the_package(built: Path) -> None:
    """All that CRAN checks but what was done before: the vignette is run where it is built."""
    said = run(
        *(
            "R",
            "CMD",
            "check",
            "--as-cran",
            "--no-manual",
            "--no-tests",
            "--no-vignettes",
            str(built),
        ),
        cwd=built.parent,
        _R_CHECK_CRAN_INCOMING_="false",
        _R_CHECK_SYSTEM_CLOCK_="0",
        _R_CHECK_FORCE_SUGGESTS_="false",
        _R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_="true",
    )
    assert re.search(r"^Status: OK$", said, re.MULTILINE), said


def test_all_tests_of_r_pass(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = library.parent / "counts.json"
    shutil.copytree(PACKAGE / "tests", library.parent / "tests")  # testthat writes beside its tests
    said = run(
        *("Rscript", "-e", RUN_TESTS),
        cwd=library.parent,
        R_LIBS=str(library),
        NOT_CRAN="true",
        RENYI_TEST_COUNTS=str(counts),
    )
    found = json.loads(counts.read_text(encoding="utf-8"))
    skipped = [why for why in found["skipped"] if not MAY_BE_SKIPPED.search(why)]
    with capsys.disabled():
        print(f"\nR package: {found['passed']} passed, {len(found['failed'])} failed")
    assert not found["failed"], said
    assert not found["warned"], said
    assert not skipped, said
    assert found["passed"] > 300


def test_the_versions_agree() -> None:
    description = (PACKAGE / "DESCRIPTION").read_text(encoding="utf-8")
    stated = re.search(r"^Version: (.*)$", description, re.MULTILINE)
    version = (ROOT / "core" / "renyi" / "_version.py").read_text(encoding="utf-8")
    assert stated is not None
    assert f'"{stated[1]}"' in version
    assert f"# renyi {stated[1]}" in (PACKAGE / "NEWS.md").read_text(encoding="utf-8")


def test_ci_installs_what_the_package_names() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    listed = re.search(r"r_packages=\(([^)]*)\)", script)
    assert listed is not None
    text = (PACKAGE / "DESCRIPTION").read_text(encoding="utf-8")
    base = {"R", "graphics", "grDevices", "parallel", "stats", "utils"}
    assert set(listed[1].split()) == {*field(text, "Imports"), *field(text, "Suggests")} - base
