"""Work in forked children, so that whatever ends a child ends nothing else.

The parent has imported everything and used nothing: a child begins in some ten milliseconds, and
threads of libraries, which a fork would leave behind, are not there yet.
"""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass
from pathlib import Path

# libraries are found before a child is forked
from renyi.backend import _lapack

# so are their routines
from renyi.backend._band import bands

LIMIT = 300.0
"""Seconds that a child may take."""

ADDRESS_SPACE = 8 << 30
"""Bytes of addresses that a child may ask for: an input that lies about its size harms nobody."""

PACKAGES = ("renyi", "renyi_cli")
LATER = (
    "matplotlib.figure",
    "rich.console",
    "rich.theme",
    "pyarrow.parquet",
    "pyarrow.json",
    "scipy.special",
)
"""What the program imports only where it is used."""


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code, or the signal, or None of both after the limit."""

    code: int | None
    signal: int | None
    seconds: float
    out: bytes
    err: str


def load_everything() -> None:
    """Import all modules of the packages, so that no child has to."""
    for name in PACKAGES:
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not found.name.endswith("__main__") and "reproduce" not in found.name:
                importlib.import_module(found.name)
    for name in LATER:
        importlib.import_module(name)
    _lapack.available()
    bands()
    words = sys.argv
    with redirect_stderr(io.StringIO()), suppress(SystemExit):  # imports what typer imports late
        run_program(["select", "none.csv", "--alpha", "wrong"])
    sys.argv = words
    signal.signal(signal.SIGINT, signal.default_int_handler)


def forked(work: Callable[[], object], folder: Path, *, limit: float = LIMIT) -> Ended:
    """Run `work` in a child that stands in `folder`, and keep what it writes to its streams."""
    sys.stdout.flush()
    sys.stderr.flush()
    out, err = folder / ".out", folder / ".err"
    for stream in (out, err):  # a child may be killed before it opens them
        stream.touch()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        _be_child(work, folder, out, err)
    status = _waited(child, start + limit)
    seconds = time.monotonic() - start
    signalled = status is not None and os.WIFSIGNALED(status)
    ended = Ended(
        code=os.WEXITSTATUS(status) if status is not None and not signalled else None,
        signal=os.WTERMSIG(status) if status is not None and signalled else None,
        seconds=seconds,
        out=out.read_bytes(),
        err=err.read_bytes().decode(errors="replace"),
    )
    out.unlink()
    err.unlink()
    return ended


def _waited(child: int, deadline: float) -> int | None:
    """Return the status of a child, None for one that had to be killed."""
    pause = 0.001
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _be_child(work: Callable[[], object], folder: Path, out: Path, err: Path) -> None:
    """Do the work as a program of its own would, and never return."""
    code = 1
    try:
        os.setsid()
        os.chdir(folder)
        for number, place, how in (
            (0, os.devnull, os.O_RDONLY),
            (1, out, os.O_WRONLY | os.O_CREAT),
            (2, err, os.O_WRONLY | os.O_CREAT),
        ):
            os.dup2(os.open(place, how, 0o600), number)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        try:
            work()
            code = 0
        except SystemExit as ending:
            code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def run_program(words: list[str]) -> None:
    """Do what the terminal's program does with these words."""
    from renyi_cli import main

    sys.argv = ["renyi", *words]
    main()
