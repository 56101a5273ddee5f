"""The installed command as a process: pipes, signals, encodings, start-up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import renyi
from renyi_cli._app import app

RENYI = str(Path(sys.executable).with_name("renyi"))
LONGEST = 600.0
"""Seconds that a process may take, or a sign of it: only one that hangs takes longer."""
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes and signals")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("data") / "waves.parquet"
    frame = renyi.datasets.generate("waveform", rows=120, seed=0)
    frame.rename({"x7": "[red]caf\u00e9"}).write_parquet(file)
    return file


DRAWING = {"NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS"}
"""Variables that change how a page is drawn."""


def environment(**changes: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in DRAWING}
    return {**kept, "TERM": "xterm-256color", **changes}


def run(*arguments: str, **given: Any) -> subprocess.CompletedProcess[bytes]:
    env = given.pop("env", environment())
    return subprocess.run(
        [RENYI, *arguments], capture_output=True, check=False, env=env, timeout=LONGEST, **given
    )


def test_help_is_there_at_once() -> None:
    """Not much later than the libraries that draw it: on a slow machine they are slow as well."""

    def spent(*command: str) -> float:
        """Return the processor seconds of a child: other work beside it is not its own."""
        before = os.times()
        subprocess.run(command, capture_output=True, check=True)
        after = os.times()
        user, system = after.children_user, after.children_system
        return user - before.children_user + system - before.children_system

    libraries = (sys.executable, "-c", "import typer, rich.console")
    both = [(spent(RENYI, "--help"), spent(*libraries)) for _ in range(4)]
    own, theirs = map(min, zip(*both, strict=True))
    assert 0 < own <= 4 * theirs


def test_select_writes_the_result_alone_to_stdout(table: Path) -> None:
    done = run("select", str(table), "--alpha", "2", "--max-features", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert renyi.SelectionPath.from_json(done.stdout.decode()).data.target == "class"
    assert b"\r" not in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"\nTarget: class (" in done.stderr


@pytest.mark.slow
def test_standard_input_is_read(table: Path) -> None:
    quick = ["--alpha", "2", "--max-features", "2", "--format", "names"]
    with table.open("rb") as file:
        piped = run("select", "-", *quick, stdin=file)
    assert piped.returncode == 0, piped.stderr
    path = renyi.select(table, alpha=2, max_features=2)
    assert piped.stdout.decode().split() == [*path.selected]


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("form", ["table", "json"])
def test_a_closed_pipe_ends_quietly(form: str, table: Path, tmp_path: Path) -> None:
    saved = tmp_path / "result.json"
    read, write = os.pipe()
    os.close(read)
    arguments = ["select", str(table), "--alpha", "2", "--max-features", "2", "-q"]
    done = subprocess.run(
        [RENYI, *arguments, "--format", form, "-o", str(saved)],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
    assert renyi.read_result(saved).selected


@POSIX
def test_a_closed_pipe_ends_help_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([RENYI], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_in_one_sentence(table: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [RENYI, "select", str(table), "--alpha", "2", "--max-features", "2", "-q"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: The result cannot be written to stdout: No space left")
    assert done.stderr.count(b"\n") == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["--help"], ["select", "-h"], ["datasets", "--help"]])
def test_a_full_disk_is_told_of_a_help_page_too(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([RENYI, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: The result cannot be written to stdout: No space left")


@pytest.mark.slow
@POSIX
def test_a_killed_search_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    data, file = tmp_path / "slow.parquet", tmp_path / "part.json"
    renyi.datasets.generate("waveform", rows=300, seed=0).write_parquet(data)
    words = ["select", str(data), "--criterion", "none", "--solver", "dense", "--max-features", "9"]
    with subprocess.Popen(
        [RENYI, *words, "-q", "--checkpoint", str(file)],
        stdout=subprocess.DEVNULL,
        env=environment(),
    ) as process:
        deadline = time.monotonic() + LONGEST
        while not (file.exists() and renyi.read_result(file).steps):
            assert time.monotonic() < deadline
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
        process.kill()
    finished = len(renyi.read_result(file).steps)
    assert 1 <= finished < 9
    done = run(*words, "--json", "--checkpoint", str(file))
    assert done.returncode == 0, done.stderr
    assert b"Resumed: " in done.stderr
    path = renyi.SelectionPath.from_json(done.stdout.decode())
    assert path.run["resumed_steps"] == finished
    assert path == renyi.select(data, criterion="none", solver="dense", max_features=9)


@pytest.mark.slow
@POSIX
def test_ctrl_c_prints_what_was_finished(tmp_path: Path) -> None:
    slow = tmp_path / "slow.parquet"
    renyi.datasets.generate("waveform", rows=400, seed=0).write_parquet(slow)
    saved = tmp_path / "part.json"
    with subprocess.Popen(
        [
            RENYI,
            "select",
            str(slow),
            *["--criterion", "none", "--solver", "dense", "-v", "--json", "-o"],
            saved,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as work:
        assert work.stderr is not None
        for line in work.stderr:
            if line.startswith(b"step 2:"):
                break
        work.send_signal(signal.SIGINT)
        out, rest = work.communicate(timeout=LONGEST)
    assert work.returncode == 130
    assert rest.endswith(b"Interrupted.\n")
    assert b"Traceback" not in rest
    path = renyi.SelectionPath.from_json(out.decode())
    assert path.verdict.stopped == "interrupted"
    assert len(path.selected) >= 1
    assert renyi.read_result(saved) == path


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("gap", [0.02, 0.3])
def test_a_second_ctrl_c_loses_nothing(gap: float, tmp_path: Path) -> None:
    slow = tmp_path / "slow.parquet"
    renyi.datasets.generate("waveform", rows=400, seed=0).write_parquet(slow)
    with subprocess.Popen(
        [RENYI, "select", str(slow), "--criterion", "none", "--solver", "dense", "-v", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as work:
        assert work.stderr is not None
        for line in work.stderr:
            if line.startswith(b"step 2:"):
                break
        work.send_signal(signal.SIGINT)
        time.sleep(gap)
        work.send_signal(signal.SIGINT)
        out, rest = work.communicate(timeout=LONGEST)
    assert work.returncode == 130, rest
    said = [line for line in rest.splitlines() if line.startswith(b"Interrupted")]
    assert said[0].endswith(b"(Ctrl-C again to give up).")
    assert said[-1] == b"Interrupted."
    assert renyi.SelectionPath.from_json(out.decode()).verdict.stopped == "interrupted"


QUICK = ("--alpha", "2", "--max-features", "2", "-q")


@pytest.mark.slow
@pytest.mark.parametrize(("form", "encoding"), [("table", "ascii"), ("json", "latin-1")])
def test_any_locale_can_show_any_name(form: str, encoding: str, table: Path) -> None:
    env = environment(PYTHONIOENCODING=encoding)
    name = "[red]caf\u00e9"
    done = run("select", str(table), "--keep", name, *QUICK, "--format", form, env=env)
    assert done.returncode == 0, done.stderr
    if form == "table":
        assert done.stdout.isascii()
        assert rb"[red]caf\xe9" in done.stdout
    else:  # what a machine reads is UTF-8
        assert name in done.stdout.decode("utf-8")


def drawn(table: Path, **changes: str | None) -> str:
    """Return the page of a selection, drawn in this process on what is no terminal."""
    done = CliRunner(env=changes).invoke(app, ["select", str(table), *QUICK])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_colour_is_given_and_taken_as_asked(table: Path) -> None:
    assert "\x1b" not in drawn(table)
    assert "\x1b[36m" in drawn(table, FORCE_COLOR="1")
    assert "\x1b[3" not in drawn(table, FORCE_COLOR="1", NO_COLOR="1")


def test_a_pipe_loses_no_column(table: Path) -> None:
    page = drawn(table, COLUMNS=None)
    head = next(line for line in page.splitlines() if line.startswith("#"))
    assert head.split()[-2:] == ["gap", "runner-up"]
    assert max(map(len, drawn(table, COLUMNS="50").splitlines())) <= 50


@pytest.mark.slow
@POSIX
def test_progress_is_drawn_on_a_terminal(table: Path) -> None:
    import pty

    leader, follower = pty.openpty()
    command = [RENYI, "select", str(table), "--alpha", "2", "--max-features", "2"]
    with subprocess.Popen(
        [*command, "--format", "names"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env=environment(),
    ) as running:
        os.close(follower)
        drawn = b""
        while True:  # read as it is drawn: a terminal that nobody reads holds a few thousand bytes
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            drawn += part
        os.close(leader)
        assert running.stdout is not None
        answer = running.stdout.read()
    assert running.returncode == 0
    assert b"\x1b" not in answer
    assert b"of at most 2" in drawn or b"reading" in drawn
    assert b"\x1b[2K" in drawn


def test_nothing_is_half_written(table: Path, tmp_path: Path) -> None:
    file = tmp_path / "result.parquet"
    assert CliRunner().invoke(app, ["select", str(table), *QUICK, "-o", str(file)]).exit_code == 0
    assert pl.read_parquet(file).height == 2
    assert [path.name for path in tmp_path.iterdir()] == ["result.parquet"]


@pytest.mark.parametrize(
    "command",
    [[RENYI], [sys.executable, "-m", "renyi"], [sys.executable, "-m", "renyi_cli"]],
    ids=["command", "renyi", "renyi_cli"],
)
def test_both_packages_run_as_the_program(command: list[str]) -> None:
    done = subprocess.run([*command, "--version"], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout) == (0, f"renyi {renyi.__version__}\n")
