"""What it costs to have the work done elsewhere, and whether the answer stays the same.

    python benchmarks/executors.py overhead [--rows 20000] [--runs 3]
    python benchmarks/executors.py kills [--rows 8000] [--times 20]

`overhead` selects from a table of 20 columns by two threads and by two worker processes of Dask, in
turn, and prints the medians of seconds on the clock and of processor time, and the median of their
ratios. `kills` kills a worker process at a random moment of each run, and counts identical answers.
Needs the extra `dask`.
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
from collections.abc import Callable
from typing import Any

import numpy as np

import renyi

COLUMNS = 20


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
    x, y = table(rows)
    found: dict[str, list[tuple[float, float]]] = {"threads": [], "workers": []}
    answers = set()
    for _ in range(runs):
        for name, executor in (("threads", None), ("workers", "local:2")):
            clock, used, path = timed(
                lambda executor=executor: renyi.select(x, y, jobs=2, executor=executor)
            )
            found[name].append((clock, used))
            answers.add(answer(path))
            print(
                f"{name}: {clock:.1f} s, processors {used:.1f} s", path.run["executor"], flush=True
            )
    for kind, what in enumerate(("clock", "processors")):
        each = {name: [one[kind] for one in all_] for name, all_ in found.items()}
        ratio = statistics.median(
            there / here for there, here in zip(each["workers"], each["threads"], strict=True)
        )
        medians = {name: round(statistics.median(all_), 1) for name, all_ in each.items()}
        print(f"{what}: {medians}, ratio {ratio:.3f}")
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


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", choices=("overhead", "kills"))
    asked.add_argument("--rows", type=int)
    asked.add_argument("--runs", type=int, default=3)
    asked.add_argument("--times", type=int, default=20)
    given = asked.parse_args()
    if given.what == "overhead":
        overhead(given.rows or 20_000, given.runs)
    else:
        kills(given.rows or 8_000, given.times)


if __name__ == "__main__":
    main()
