"""The project's chores: `python tasks.py TASK`, run with the environment that holds the package.

    quick     lint, then two cases of each fast test: for every change, two minutes on two cores
    test      lint, then every test and doctest but the studies
    studies   experiments of hundreds of runs and long sweeps, which `test` has small siblings of
    fuzz      a thousand odd inputs, and searches that are killed: see `docs/notes/fuzz.md`
    coverage  three cases of each fast test, with the branch coverage of the core and its bound
    docs      the site, from clean into build/site: code blocks run, links and spelling are checked
    lint      formatting, ruff, mypy --strict, the import contracts, spelling
    format    rewrite the sources as `lint` wants them
    r         build, check and test the R package
    build     the wheel and the source archive in dist/, the same bytes wherever they are built
    lock      resolve the newest versions afresh and write constraints.txt

A test is of the first lane unless it is marked `slow` (then of `test`) or `study` (of `studies`).
The file needs nothing but the standard library, so that it runs wherever Python does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent
BIN = Path(sysconfig.get_path("scripts"))
PROGRAMS = os.pathsep.join([str(BIN), str(Path(sys.executable).parent)])
"""On Windows, outside a virtual environment, Python itself lies in another folder."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
"""Tests run on all cores already: threads of BLAS would wait for one another by spinning."""

LOCK_HEADER = """\
# The versions that this project is tested with: everything the extras `all` and `dev` bring,
# on Python 3.11 to 3.14. Written by `python tasks.py lock`; a line that a newer Python or a
# smaller install does not need constrains nothing.
"""


def tool(name: str, *arguments: str) -> None:
    """Run a tool of this environment in the project's root; leave with its status if it fails."""
    said = f"$ {name} {' '.join(arguments)}".rstrip()
    print(f"{said}\n", end="", flush=True)  # in one piece, beside another tool
    environment = ONE_THREAD | os.environ
    program = shutil.which(name, path=PROGRAMS)  # which knows that Windows calls it `name.exe`
    if program is None:
        sys.exit(
            f"{name} is not in {BIN}, install it: pip install -c constraints.txt -e '.[all,dev]'"
        )
    status = subprocess.run(
        [program, *arguments], cwd=ROOT, env=environment, check=False
    ).returncode
    if status:
        sys.exit(status)


def lint() -> None:
    """Check formatting, style, types, the import contracts and spelling; types beside the rest."""
    tool("ruff", "format", "--check", "--quiet", ".")
    tool("ruff", "check", "--quiet", ".")
    with ThreadPoolExecutor(1) as beside:
        types = beside.submit(tool, "mypy")
        tool("lint-imports")
        tool("codespell")
        types.result()  # leaves with its status, as the others do


def tests(marked: str, *more: str) -> None:
    """Run tests on all cores; pytest's own summary is the last thing printed.

    A worker that is free takes the next test, but those of one group stay with one worker. What is
    compiled is kept, whatever the environment says: else each worker compiles all tests, and each
    of some hundred processes that tests start all modules.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    tool("pytest", "-n", "auto", "--dist", "loadgroup", "-m", marked, *more)


def quick() -> None:
    """Lint, then run the tests that are fast, two cases of each."""
    lint()
    tests("not slow and not study", "--few", "2")


def test() -> None:
    """Lint, then run all tests but studies."""
    lint()
    tests("not study")


def studies() -> None:
    """Run what is too long for every change: see `docs/notes/studies.md`."""
    tests("study")


def fuzz() -> None:
    """Run the program on odd inputs from seeds; it prints how many ended in which way."""
    os.environ["PYTHONPATH"] = str(ROOT / "tests")
    affinity = getattr(os, "sched_getaffinity", None)  # of Linux alone
    jobs = str(len(affinity(0)) if affinity else os.cpu_count() or 1)
    tool("python", "-m", "fuzz", "--kills", "100")
    tool("python", "-m", "fuzz", "--jobs", jobs)


def coverage() -> None:
    """Run three cases of each fast test, and measure which branches of the core they take."""
    tests("not slow and not study", "--few", "3", "--cov", "--cov-report=term:skip-covered")


def docs() -> None:
    """Build the site; a warning is an error. The tests do the same in a folder of their own."""
    if shutil.which("sphinx-build", path=PROGRAMS) is None:
        sys.exit("The site needs the extra docs: pip install -c constraints.txt -e '.[all,docs]'")
    for made in ("site", "site-doctrees"):
        shutil.rmtree(ROOT / "build" / made, ignore_errors=True)
    tool("codespell")
    build = ("--fail-on-warning", "--quiet", "--jobs", "auto", "-c", "docs/site")
    tool("sphinx-build", *build, "-d", "build/site-doctrees", "docs", "build/site")
    print(f"The site begins at {ROOT / 'build' / 'site' / 'index.html'}")


def rewrite() -> None:
    """Format the sources and mend what ruff can mend by itself."""
    tool("ruff", "check", "--fix", ".")
    tool("ruff", "format", ".")


def r() -> None:
    """Build, check and test the R package."""
    tool("pytest", "tests/r")


def build() -> None:
    """Make the wheel and the source archive, dated by the last commit."""
    if "SOURCE_DATE_EPOCH" not in os.environ and (ROOT / ".git").exists():
        told = subprocess.run(
            ["git", "log", "-1", "--format=%ct"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
        os.environ["SOURCE_DATE_EPOCH"] = told.stdout.strip()
    tool("hatchling", "build", "-d", "dist")


def lock() -> None:
    """Write constraints.txt from a fresh resolution of all extras."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = shutil.which("pip", path=Path(folder) / BIN.name)
        subprocess.run([str(pip), "install", "--quiet", "-e", ".[all,dev]"], cwd=ROOT, check=True)
        pins = subprocess.run(
            [str(pip), "freeze", "--exclude-editable"], check=True, capture_output=True, text=True
        ).stdout
    (ROOT / "constraints.txt").write_text(LOCK_HEADER + pins, encoding="utf-8")


TASKS: dict[str, Callable[[], None]] = {
    "quick": quick,
    "test": test,
    "studies": studies,
    "fuzz": fuzz,
    "coverage": coverage,
    "docs": docs,
    "lint": lint,
    "format": rewrite,
    "r": r,
    "build": build,
    "lock": lock,
}


def main() -> None:
    """Run the task named on the command line."""
    names = sys.argv[1:]
    if len(names) != 1 or names[0] not in TASKS:
        sys.exit(f"{__doc__}\nName one task: {', '.join(TASKS)}.")
    TASKS[names[0]]()


if __name__ == "__main__":
    main()
