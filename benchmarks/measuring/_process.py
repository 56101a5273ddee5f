"""One child process: what it printed, how long it took, how much memory it had at its peak."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

__all__ = ["Measured", "clean_environment", "measure"]

TUNING = ("OPENBLAS_", "GOTO_", "OMP_", "MKL_", "BLIS_", "NVPL_", "VECLIB_", "NUMEXPR_")
"""What tunes linear algebra: a person who has just installed the package has set none of it."""

TOLD_FROM = 1.0
"""Seconds from which the system's count, in hundredths, tells what other processes took."""

WITHOUT_BYTE_CODE = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
"""What would make every start of Python compile the package anew."""


@dataclass(frozen=True)
class Measured:
    """One process that has ended.

    Attributes
    ----------
    seconds
        From its start to its end, on the wall.
    peak_bytes
        Its largest resident size, as the system counted it.
    status
        What it returned; None where it was stopped for taking too long.
    out, err
        What it printed.
    processor
        Seconds of the processor that it and its threads took.
    others
        Share of the machine's cores that other processes took meanwhile; None where the system does
        not tell, or the process was too short to say. Above a few hundredths the seconds are not
        those of a quiet machine.
    """

    seconds: float
    peak_bytes: int
    status: int | None
    out: str
    err: str
    processor: float = 0.0
    others: float | None = None

    @property
    def failure(self) -> str | None:
        """Why there is no answer, in one line; None where there is one."""
        if self.status == 0:
            return None
        if self.status is None:
            return f"stopped after {self.seconds:.0f} s"
        told = [line.strip() for line in self.err.splitlines() if line.strip()]
        return " ".join(told)[-300:] or f"ended with status {self.status}"


def clean_environment() -> dict[str, str]:
    """Return the environment without anything that tunes linear algebra."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(TUNING) and name not in WITHOUT_BYTE_CODE
    }


def measure(command: Sequence[str], most_seconds: float) -> Measured:
    """Run a command and wait for it.

    The system counts the memory of the process itself, and for the moment before it becomes
    another program that of its parent: this process must stay small, and imports nothing large.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start, busy = perf_counter(), _busy_seconds()
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=clean_environment()
        )
        late = threading.Event()

        def stop() -> None:
            late.set()
            child.kill()

        timer = threading.Timer(most_seconds, stop)
        timer.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            raise
        finally:
            timer.cancel()
        seconds = perf_counter() - start
        own, others = usage.ru_utime + usage.ru_stime, None
        if busy is not None and seconds >= TOLD_FROM:
            foreign = max((_busy_seconds() or busy) - busy - own, 0.0)
            others = foreign / (seconds * (os.cpu_count() or 1))
        child.returncode = os.waitstatus_to_exitcode(status)  # it is waited for
        out.seek(0)
        err.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024
        return Measured(
            seconds=seconds,
            peak_bytes=int(usage.ru_maxrss) * unit,
            status=None if late.is_set() else child.returncode,
            out=out.read().decode(errors="replace"),
            err=err.read().decode(errors="replace"),
            processor=own,
            others=others,
        )


def _busy_seconds() -> float | None:
    """Return the seconds that all cores have worked since the machine started; Linux tells."""
    try:
        line = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
    except OSError:
        return None
    user, nice, system, _, _, irq, softirq, *_ = map(int, line.split()[1:])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
