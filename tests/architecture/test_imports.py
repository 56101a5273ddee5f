"""What is loaded when, and what is needed for what: each case is a process of its own."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

HEAVY = ["polars", "pyarrow", "scipy", "sklearn", "matplotlib", "cupy", "pandas", "typer", "rich"]

ABSENT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return None

sys.meta_path.insert(0, Absent())
"""


def run(code: str, blocked: tuple[str, ...] = ()) -> str:
    """Run code in a fresh interpreter in which the blocked packages are not installed."""
    source = (ABSENT.format(blocked=blocked) if blocked else "") + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_is_light_and_silent() -> None:
    loaded = run(f"""
        import renyi, sys
        top = {{name.partition(".")[0] for name in sys.modules}}
        print(*sorted(top & set({HEAVY!r})))
    """)
    assert loaded.strip() == ""


def test_the_light_doors_stay_light() -> None:
    loaded = run(f"""
        import renyi.errors, renyi.options, sys
        top = {{name.partition(".")[0] for name in sys.modules}}
        print(*sorted(top & set({HEAVY!r})))
    """)
    assert loaded.strip() == ""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["select", "--help"]])
def test_help_loads_no_numbers(arguments: list[str]) -> None:
    loaded = run(f"""
        import contextlib, io, sys
        import renyi_cli
        sys.argv = ["renyi", *{arguments!r}]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            renyi_cli.main()
        top = {{name.partition(".")[0] for name in sys.modules}}
        print(*sorted(top & {{"numpy", "scipy", "polars", "pyarrow", "matplotlib", "sklearn"}}))
    """)
    assert loaded.strip() == ""
