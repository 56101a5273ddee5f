"""Processes in which some packages are not installed."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable

import pytest

ABSENT = """
from importlib.machinery import PathFinder

installed = PathFinder.find_spec

def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in {blocked!r} else installed(name, path, target)

PathFinder.find_spec = find_spec
"""
TERMINAL = """
import sys
import renyi_cli
sys.argv = ["renyi", *{arguments!r}]
renyi_cli.main()
"""


def process(code: str, blocked: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    source = (ABSENT.format(blocked=blocked) if blocked else "") + textwrap.dedent(code)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", source],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def run() -> Callable[..., str]:
    """Run code in a fresh interpreter in which the blocked packages are not installed."""

    def runner(code: str, blocked: tuple[str, ...] = ()) -> str:
        done = process(code, blocked)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return runner


@pytest.fixture(scope="session")
def terminal() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the terminal program where the blocked packages are not installed."""

    def runner(
        *arguments: object, blocked: tuple[str, ...] = ()
    ) -> subprocess.CompletedProcess[str]:
        return process(TERMINAL.format(arguments=[*map(str, arguments)]), blocked)

    return runner
