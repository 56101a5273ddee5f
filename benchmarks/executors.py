"""What it costs to have the work done elsewhere, and whether the answer stays the same.

    python benchmarks/executors.py overhead [--rows 20000] [--runs 3]
    python benchmarks/executors.py kills [--rows 8000] [--times 20]
    python benchmarks/executors.py scaling [--rows 1000000] [--workers 1 4 16 64] [--speed 1]

`overhead` selects from a table of 20 columns by two threads, by two worker processes of Dask and by
two that are started for the call, in turn, and prints medians of seconds on the clock and of their
ratios; processor time lacks that of workers who go on. `kills` kills a worker process at a random
moment of each run, and counts identical answers.
`scaling` has one step's pass over all pairs done by up to 64 workers that sleep for as long as each
task would take: pieces, tasks, scheduler, connections, the size of results, and their adding up
are the real ones, all in this process. Needs the extra `dask`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import renyi
from renyi.execution import crew_of
from renyi.order2 import PASS
from renyi.order2._row_sums import Sums
from renyi.order2._strips import Piece, Strip, grouped, pieces_of

COLUMNS = 20

FACTOR_COLUMNS = 168
"""Of the factors of 20 normal columns, less those selected."""

RATE = 1.8e10
"""Multiplications a second of a pass in single precision, on one core of an AMD EPYC with AVX2."""


def table(rows: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, COLUMNS))
    hidden = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] + rng.normal(size=rows)
    return x, (hidden > 0).astype(int)


def answer(path: renyi.SelectionPath) -> str:
    told = json.loads(path.to_json())
    told.pop("run")
    return json.dumps(told, sort_keys=True)


def timed(call: Callable[[], renyi.SelectionPath]) -> tuple[float, float, renyi.SelectionPath]:
    """Return seconds on the clock, those of processors, also of children that ended, and it."""

    def processors() -> float:
        used = os.times()
        return used.user + used.system + used.children_user + used.children_system

    clock, before = time.perf_counter(), processors()
    path = call()
    return time.perf_counter() - clock, processors() - before, path


def overhead(rows: int, runs: int) -> None:
    from distributed import Client, LocalCluster

    x, y = table(rows)
    clocks: dict[str, list[float]] = {"threads": [], "workers": [], "started workers": []}
    answers = set()

    def run(name: str, executor: Any) -> None:
        clock, used, path = timed(lambda: renyi.select(x, y, jobs=2, executor=executor))
        clocks[name].append(clock)
        answers.add(answer(path))
        print(f"{name}: {clock:.1f} s, processors {used:.1f} s", path.run["executor"], flush=True)

    for _ in range(runs):
        run("threads", None)
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster) as client,
        ):
            run("workers", client)
        run("started workers", "local:2")
    for name, each in clocks.items():
        ratios = (there / here for there, here in zip(each, clocks["threads"], strict=True))
        print(
            f"{name}: {statistics.median(each):.1f} s on the clock, "
            f"{statistics.median(ratios):.3f} times"
        )
    print(f"answers: {len(answers)} different")


def kills(rows: int, times: int) -> None:
    from distributed import Client, LocalCluster

    x, y = table(rows)
    expected = answer(renyi.select(x, y))
    chance = random.Random(0)
    same = 0
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        seconds = timed(lambda: renyi.select(x, y, executor=client))[0]

        def kill() -> None:
            pids = [*client.run(os.getpid).values()]
            os.kill(chance.choice(pids), signal.SIGKILL)

        for number in range(times):
            client.wait_for_workers(2)
            moment = chance.uniform(0.05, 0.95) * seconds
            timer = threading.Timer(moment, kill)
            timer.start()
            path = renyi.select(x, y, executor=client)
            timer.join()
            same += answer(path) == expected
            told = path.run["executor"]
            print(number, f"killed at {moment:.1f} s of {seconds:.1f}", told, same, flush=True)
    print(f"{same} of {times} answers are identical")


def slept(clock: Clock, pieces: Sequence[Piece]) -> list[Strip]:
    """Take as long as some pieces would, and return results of their size."""
    time.sleep(sum(clock.seconds(piece) for piece in pieces))
    found = []
    for piece in pieces:
        told = np.arange(sum(place.stop - place.start for place in piece.places)) * np.pi
        sums = Sums(told, told + 1.0, np.ones(2), np.ones(2))
        found.append(Strip(np.ones(clock.columns), np.ones(clock.columns), sums))
    return found


class Clock:
    """How long pieces take.

    Parameters
    ----------
    columns
        Of the factors.
    rate
        Multiplications a second.
    """

    def __init__(self, columns: int, rate: float) -> None:
        self.columns, self.rate = columns, rate

    def seconds(self, piece: Piece) -> float:
        return piece.operations(PASS.tile.rows, self.columns) / self.rate


def scaling(rows: int, workers: Sequence[int], speed: float) -> None:
    """Print what share of their time so many workers would work.

    The fewer they are, the faster is the clock, so that each pass takes as long; what is not work
    counts for more by it.
    """
    import dask
    from distributed import Client, LocalCluster

    pieces = pieces_of([slice(0, rows // 2), slice(rows // 2, rows)], PASS, tells=True)
    # how 64 workers of one process watch themselves would take longer than all else
    quiet = {
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "10s",
        "distributed.admin.system-monitor.interval": "60s",
        "distributed.admin.system-monitor.gil.enabled": False,
        "distributed.comm.timeouts.tcp": "600s",  # a machine may be busy with other work
        "distributed.comm.timeouts.connect": "600s",
    }
    dask.config.set(quiet)
    for count in workers:
        clock = Clock(FACTOR_COLUMNS, RATE * speed * max(workers) / count)
        each = [piece.operations(PASS.tile.rows, FACTOR_COLUMNS) for piece in pieces]
        groups, costs = grouped(pieces, each)
        work = sum(costs) / clock.rate
        with (
            LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=False,
                protocol="tcp://",
                dashboard_address=None,
                memory_limit=0,
            ) as cluster,
            Client(cluster) as client,
            crew_of(client) as crew,
        ):
            client.wait_for_workers(count)
            total, told = Sums.zeros(rows), 0
            began, used = time.perf_counter(), time.process_time()
            found = crew.run(slept, (clock,), groups, costs)
            for piece, strip in zip(pieces, found, strict=True):
                total.take(strip.sums, piece.places)
                told += strip.sums.rows.nbytes + strip.sums.within.nbytes
            clocked, used = time.perf_counter() - began, time.process_time() - used
        print(
            f"{count} workers: {len(groups)} tasks, {work:.0f} s of work, {clocked:.1f} s, "
            f"efficiency {work / count / clocked:.3f}; this process {used:.1f} s, "
            f"{told / 1e9:.2f} GB of sums",
            flush=True,
        )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", choices=("overhead", "kills", "scaling"))
    asked.add_argument("--rows", type=int)
    asked.add_argument("--runs", type=int, default=3)
    asked.add_argument("--times", type=int, default=20)
    asked.add_argument("--workers", type=int, nargs="+", default=[1, 4, 16, 64])
    asked.add_argument("--speed", type=float, default=1.0, help="of the clock")
    given = asked.parse_args()
    if given.what == "overhead":
        overhead(given.rows or 20_000, given.runs)
    elif given.what == "scaling":
        scaling(given.rows or 1_000_000, given.workers, given.speed)
    else:
        kills(given.rows or 8_000, given.times)


if __name__ == "__main__":
    main()
