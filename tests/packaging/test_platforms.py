"""What Windows and macOS do differently, as far as it can be acted out on another system.

`docs/notes/platforms.md` lists what was found by reading; the workflows run the tests there.
"""

from __future__ import annotations

import ast
import ctypes
import errno
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import rich.console

# what other systems lack is taken out of where it is looked for
from renyi.backend import _lapack, _numpy
from renyi.execution import default_jobs
from renyi_cli import _app, _console

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("cli/**/*.py")])
OF_UNIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
EVERYWHERE = {"SIGINT", "SIG_IGN", "getsignal", "signal"}
"""Attributes of `signal` that all systems have."""
GUARDED = {
    "pthread_sigmask": {"core/renyi/execution/_signals.py"},
    "SIG_BLOCK": {"core/renyi/execution/_signals.py"},
    "SIG_SETMASK": {"core/renyi/execution/_signals.py"},
    "sched_getaffinity": {"core/renyi/execution/_threads.py"},
    "sysconf": {"core/renyi/backend/_numpy.py", "core/renyi/api/_doctor.py"},
    "sysconf_names": {"core/renyi/backend/_numpy.py", "core/renyi/api/_doctor.py"},
}
"""Attributes of `os` and `signal` that some systems lack, and the modules that ask first."""
LACKING = {
    *("fork", "forkpty", "getegid", "geteuid", "getgid", "getgrouplist", "getloadavg", "getpgid"),
    *("getuid", "killpg", "mkfifo", "nice", "posix_fadvise", "sched_getaffinity", "setsid"),
    *("sync", "sysconf", "sysconf_names", "uname", "wait3", "wait4"),
}


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=label)
def test_a_module_loads_where_there_is_no_unix(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not OF_UNIX & set(names)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        module = ast.unparse(node.value)
        of_unix = module == "os" and node.attr in LACKING
        if of_unix or (module == "signal" and node.attr not in EVERYWHERE):
            assert label(path) in GUARDED.get(node.attr, set())


@pytest.mark.parametrize("path", SOURCES, ids=label)
def test_a_file_has_the_same_bytes_on_every_system(path: Path) -> None:
    """Text that is written says how its lines end: else Windows ends them in its own way."""
    for call in calls(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(call.func, ast.Attribute):
            continue
        given = {keyword.arg for keyword in call.keywords}
        modes = [ast.unparse(word).strip("'") for word in call.args[:1]]
        writes = call.func.attr == "open" and modes in (["w"], ["a"], ["x"])
        if (call.func.attr == "write_text" and "encoding" in given) or writes:
            assert "newline" in given, ast.unparse(call)


class Closed(io.RawIOBase):
    """A pipe that nobody reads any more, as Windows tells of it."""

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EINVAL, "Invalid argument")


def test_a_closed_pipe_is_known_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(_console, "forget_stdout", lambda: None)
    pipe = SimpleNamespace(flush=lambda: None, buffer=Closed())
    monkeypatch.setattr(sys, "stdout", pipe)
    with pytest.raises(_console.ClosedPipe):
        _console.write_bytes(b"result")
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(_console.OutputError, match="Invalid argument"):
        _console.write_bytes(b"result")


def test_a_pattern_is_opened_by_the_program_and_not_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On Windows words of the command line would be taken for patterns of files, quoted or not."""
    seen: list[Any] = []

    def main(self: object, *given: object, **more: object) -> None:
        seen.extend(given)

    monkeypatch.setattr(_app.Group, "main", main)
    program = _app.typer.main.get_command(_app.app)
    program.main(["select", "*.parquet"], standalone_mode=False)
    assert seen == [["select", "*.parquet"], None, None, False, False]


def test_an_old_console_gets_no_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def page(console: rich.console.Console) -> None:
        console.print("word", style="name")

    assert "\x1b[" in _console.draw(sys.stdout, page)
    monkeypatch.setattr(rich.console, "detect_legacy_windows", lambda: True)
    assert _console.draw(sys.stdout, page) == "word\n"


@pytest.mark.parametrize("answers", [True, False])
def test_free_memory_is_asked_of_windows(answers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ctypes.sizeof(_numpy._MemoryStatus) == 64

    def tell(place: Any) -> int:
        status = place._obj
        assert status.size == 64
        ctypes.memset(ctypes.addressof(status) + 16, 0, 8)
        status.free = 5_000_000_000
        return int(answers)

    kernel = SimpleNamespace(GlobalMemoryStatusEx=tell)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    exists = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path: "/proc" not in str(path) and exists(path))
    assert _numpy._free_memory() == (5_000_000_000 if answers else _numpy.UNKNOWN_MEMORY)


def test_cores_are_counted_where_a_process_has_no_cores_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert default_jobs() == os.cpu_count()


def test_eigenvalues_are_the_same_where_numpy_brings_another_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On macOS NumPy's wheel takes the system's Accelerate: there is no OpenBLAS to be found."""
    assert _lapack._search(()) is None
    points = np.random.default_rng(0).normal(size=(300, 2))
    gram = np.exp(-0.5 * ((points[:, None] - points[None]) ** 2).sum(2))
    monkeypatch.setattr(_lapack, "_routines", lambda: None)
    found = _lapack.eigvalsh(gram)
    np.testing.assert_allclose(found, np.linalg.eigvalsh(gram), atol=1e-12)


SELECT = ["select", "--target", "ziel", "--alpha", "2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encoding", "words"),
    [("cp1252", ["describe"]), ("cp1252", SELECT), ("ascii", SELECT), ("cp437", SELECT)],
)
def test_names_pass_a_console_that_lacks_their_letters(
    encoding: str, words: list[str], tmp_path: Path
) -> None:
    table = tmp_path / "größe.csv"
    rows = "".join(f"{k % 2},{k % 3},{k % 2}\n" for k in range(40))
    table.write_text(f"größe,名,ziel\n{rows}", encoding="utf-8", newline="")
    done = subprocess.run(
        [sys.executable, "-m", "renyi", *words, str(table)],
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "\\u540d" in done.stdout.decode(encoding) + done.stderr.decode(encoding)


def test_tasks_find_their_programs_and_cores_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("tasks", ROOT / "tasks.py")
    assert spec is not None
    assert spec.loader is not None
    tasks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tasks)
    ran: list[list[str]] = []

    def run(words: list[str], **_: object) -> SimpleNamespace:
        ran.append(words)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(tasks.subprocess, "run", run)
    monkeypatch.setattr(tasks.shutil, "which", lambda name, path: f"{path}|{name}.exe")
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setenv("PYTHONPATH", "")
    tasks.fuzz()
    assert ran[0][0] == f"{tasks.PROGRAMS}|python.exe"
    assert ran[1][-1] == str(os.cpu_count())
    monkeypatch.setattr(tasks.shutil, "which", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="pytest is not in"):
        tasks.tool("pytest")
