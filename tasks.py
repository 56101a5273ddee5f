"""The project's chores: `python tasks.py TASK`, run with the environment that holds the package.

    lint    formatting, ruff, mypy --strict, the import contracts
    test    lint, then every test and doctest with the branch coverage of the core
    format  rewrite the sources as `lint` wants them
    lock    resolve the newest versions afresh and write constraints.txt

It needs nothing but the standard library, so that it runs wherever Python does.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
BIN = Path(sys.executable).parent
LOCK_HEADER = """\
# The versions that this project is tested with: everything the extras `all` and `dev` bring,
# on Python 3.11 to 3.13. Written by `python tasks.py lock`; a line that a newer Python or a
# smaller install does not need constrains nothing.
"""


def tool(name: str, *arguments: str) -> None:
    """Run a tool of this environment in the project's root; leave with its status if it fails."""
    print(f"$ {name} {' '.join(arguments)}".rstrip(), flush=True)
    status = subprocess.run([BIN / name, *arguments], cwd=ROOT, check=False).returncode
    if status:
        sys.exit(status)


def lint() -> None:
    """Check formatting, style, types and the import contracts."""
    tool("ruff", "format", "--check", "--quiet", ".")
    tool("ruff", "check", "--quiet", ".")
    tool("mypy")
    tool("lint-imports")


def test() -> None:
    """Lint, then run the tests on all cores; pytest's own summary is the last thing printed."""
    lint()
    beside = ("-n", "auto", "--dist", "loadgroup")
    tool("pytest", *beside, "--cov", "--cov-report=term:skip-covered")


def rewrite() -> None:
    """Format the sources and mend what ruff can mend by itself."""
    tool("ruff", "check", "--fix", ".")
    tool("ruff", "format", ".")


def lock() -> None:
    """Write constraints.txt from a fresh resolution of all extras."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = Path(folder) / BIN.name / "pip"
        subprocess.run([pip, "install", "--quiet", "-e", ".[all,dev]"], cwd=ROOT, check=True)
        pins = subprocess.run(
            [pip, "freeze", "--exclude-editable"], check=True, capture_output=True, text=True
        ).stdout
    (ROOT / "constraints.txt").write_text(LOCK_HEADER + pins, encoding="utf-8")


TASKS: dict[str, Callable[[], None]] = {
    "lint": lint,
    "test": test,
    "format": rewrite,
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
