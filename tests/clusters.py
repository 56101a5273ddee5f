"""A scheduler of Dask and its workers, as processes of their own that signals may be sent to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

LONGEST = 300.0
"""Seconds that a process may take to be there, or to be gone: on any machine, however busy."""


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, dict[str, subprocess.Popen[bytes]]()
        self.address = ""

    def scheduler(self, port: int = 0) -> None:
        place = self.folder / "scheduler.json"
        place.unlink(missing_ok=True)
        words = f"scheduler --host 127.0.0.1 --port {port} --no-dashboard --scheduler-file {place}"
        self._start("scheduler", words)
        until = time.monotonic() + LONGEST
        while not (place.exists() and place.stat().st_size):
            assert time.monotonic() < until
            time.sleep(0.05)
        self.address = json.loads(place.read_text())["address"]

    def worker(self, name: str, *more: str) -> None:
        words = f"worker {self.address} --nthreads 1 --no-nanny --no-dashboard --name {name}"
        self._start(name, f"{words} --local-directory {self.folder}", *more)
        until, log = time.monotonic() + LONGEST, self.folder / f"{name}.log"
        while "Registered to" not in log.read_text():
            assert time.monotonic() < until
            time.sleep(0.05)

    def _start(self, name: str, words: str, *more: str) -> None:
        path = os.pathsep.join(one for one in sys.path if one)
        env = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", *words.split(), *more],
                env=env,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )

    def signal(self, name: str, number: int) -> None:
        self.processes[name].send_signal(number)
        if number == signal.SIGKILL:
            self.processes.pop(name).wait(LONGEST)

    def close(self) -> None:
        for process in self.processes.values():
            process.kill()
            process.wait(LONGEST)
