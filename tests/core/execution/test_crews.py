"""Tasks that are done elsewhere: by threads, by processes, by the workers of a scheduler.

What happens to workers is done to real processes, by real signals.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import crew_tasks
from clusters import Cluster
from renyi._progress import CancelToken, ignore_progress
from renyi.errors import ExecutorError, OptionError, UsageError
from renyi.execution import Crew, crew_for, crew_of, crew_record, followed, lone

# what a worker is asked first
from renyi.execution._remote import greeted, own_versions, perform

SPAWN = multiprocessing.get_context("spawn")
GROUPS = [[*range(start, start + 3)] for start in range(0, 24, 3)]
COSTS = [1.0] * len(GROUPS)

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def done(crew: Crew, task: Any, content: Any = 7) -> list[Any]:
    return [*crew.run(task, (crew_tasks.Value(content),), GROUPS, COSTS)]


# a scheduler and workers of their own


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="Dask is not installed")
    made = Cluster(tmp_path)
    try:
        made.scheduler()
        yield made
    finally:
        made.close()


def after(mark: Path, what: Any, *given: Any) -> None:
    """Do something once a worker has begun the first task of `crew_tasks.held`."""

    def watch() -> None:
        while not mark.with_suffix(".begun").exists():
            time.sleep(0.02)
        what(*given)

    threading.Thread(target=watch, daemon=True).start()


# executors of the standard library


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, SPAWN, crew_tasks.with_two_threads) as pool:
        yield pool


def test_results_come_in_order_and_work_of_few_operations_stays_here() -> None:
    with ThreadPoolExecutor(3) as pool, crew_of(pool) as crew:
        assert crew is not None
        assert done(crew, crew_tasks.times) == [7 * piece for piece in range(24)]
        with followed(ignore_progress, None, crew):
            assert crew_for(1.0) is None
            assert crew_for(1e12) is crew
            assert lone(lambda: crew_for(1e12), 10_000) is crew  # on a thread of its own, too
            told = crew_record()
    assert told is not None
    assert (told["kind"], told["tasks"], told["repeated"]) == ("executor", 8, 0)
    assert crew_record() is None


@pytest.mark.slow
def test_processes_are_sent_a_value_once_and_have_one_blas_thread(
    processes: ProcessPoolExecutor,
) -> None:
    with crew_of(processes) as crew:
        assert crew is not None
        assert done(crew, crew_tasks.times, 3) == [3 * piece for piece in range(24)]
        assert {pid for _, pid in done(crew, crew_tasks.who)} <= {*processes._processes}
        assert set(done(crew, crew_tasks.blas_threads)) == {1}
        value = crew_tasks.Value(5)
        for _ in range(3):
            assert [*crew.run(crew_tasks.times, (value,), [[1]], [1.0])] == [5]
        assert sum(worker["tasks"] for worker in crew.record()["workers"]) == 27


@pytest.mark.slow
def test_errors_of_a_worker_are_one_sentence(processes: ProcessPoolExecutor) -> None:
    with crew_of(processes) as crew:
        assert crew is not None
        with pytest.raises(ExecutorError, match=r"host .*, process \d+\) failed: .* ZeroDivision"):
            done(crew, crew_tasks.failing)
        with pytest.raises(UsageError, match="`x` must be told"):
            done(crew, crew_tasks.refusing)
        assert done(crew, crew_tasks.greedy) == [7 * piece for piece in range(24)]
        assert crew.record()["repeated"] > 0
        with pytest.raises(ExecutorError, match="does not suffice for one strip"):
            done(crew, crew_tasks.never_enough)


@pytest.mark.slow
def test_a_token_ends_the_wait_and_leaves_the_pool_open(
    processes: ProcessPoolExecutor, tmp_path: Path
) -> None:
    with crew_of(processes) as crew:
        assert crew is not None
        token, go_on = CancelToken(), tmp_path / "go_on"
        after(go_on, token.cancel)
        with pytest.raises(KeyboardInterrupt), followed(ignore_progress, token, crew):
            lone(lambda: done(crew, crew_tasks.held, str(go_on)), 10_000)
        assert not go_on.with_suffix(".ended").exists()  # no task was waited for
        go_on.touch()
        assert done(crew, crew_tasks.times) == [7 * piece for piece in range(24)]


@pytest.mark.slow
def test_a_pool_that_lost_a_process_is_said_to_be_lost(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool, crew_of(pool) as crew:
        assert crew is not None
        (pid,) = pool._processes
        never = tmp_path / "never"
        after(never, os.kill, pid, signal.SIGKILL)
        with pytest.raises(ExecutorError, match="must be at work: a worker of ProcessPool"):
            done(crew, crew_tasks.held, str(never))


@pytest.mark.parametrize("wrong", [3, [], object()])
def test_what_is_no_executor_is_refused(wrong: object) -> None:
    with pytest.raises(OptionError, match="`executor` must be"), crew_of(wrong):
        pass


# a scheduler


@pytest.mark.slow
def test_a_worker_is_killed_and_another_joins_late(cluster: Cluster) -> None:
    cluster.worker("first")
    with crew_of(cluster.address) as crew:
        assert crew is not None
        work = crew.run(crew_tasks.slowly, (crew_tasks.Value(7),), GROUPS, COSTS)
        found = [next(work) for _ in range(7)]
        cluster.signal("first", signal.SIGKILL)  # the only one that holds the value
        threading.Thread(target=cluster.worker, args=["second"], daemon=True).start()
        assert [*found, *work] == [7 * piece for piece in range(24)]
        assert len(crew.record()["workers"]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("groups", [GROUPS, [[0]]], ids=["of many", "of the only task"])
def test_a_worker_that_hangs_is_overtaken(cluster: Cluster, groups: list[list[int]]) -> None:
    cluster.worker("first")
    cluster.worker("second")
    with crew_of(cluster.address) as crew:
        assert crew is not None
        crew._client.wait_for_workers(2, timeout=300)
        crew._client.run(perform, own_versions(), greeted, ())  # it has imported all it needs
        mark = cluster.folder / "mark"
        value = crew_tasks.Value(str(mark))
        costs = [1.0] * len(groups)
        found = [*crew.run(crew_tasks.stops_itself_once, (value,), groups, costs)]
        assert found == [piece for group in groups for piece in group]
        assert mark.exists()
        assert not mark.with_suffix(".ended").exists()  # it was not waited for
        assert 1 <= crew.record()["repeated"] <= 3


@pytest.mark.slow
def test_a_task_that_is_too_large_is_halved(cluster: Cluster) -> None:
    cluster.worker("first")
    with crew_of(cluster.address) as crew:
        assert crew is not None
        assert done(crew, crew_tasks.greedy) == [7 * piece for piece in range(24)]
        with pytest.raises(ExecutorError, match="does not suffice for one strip"):
            done(crew, crew_tasks.never_enough)
        with pytest.raises(ExecutorError, match=r"host .* failed: .* ZeroDivision"):
            done(crew, crew_tasks.failing)


@pytest.mark.slow
def test_a_scheduler_that_is_gone_is_said_to_be_gone(cluster: Cluster) -> None:
    cluster.worker("first")
    with crew_of(cluster.address) as crew:
        assert crew is not None
        never = cluster.folder / "never"
        after(never, cluster.signal, "scheduler", signal.SIGKILL)
        with pytest.raises(ExecutorError, match="is gone") as told:
            done(crew, crew_tasks.held, str(never))
        assert told.value.ways[0].option == "checkpoint"


@pytest.mark.slow
def test_other_versions_are_refused_at_once(cluster: Cluster) -> None:
    from renyi import _version

    # a renyi of another version, beside this one
    other = cluster.folder / "other"
    (other / "renyi").mkdir(parents=True)
    source = Path(_version.__file__).resolve().parent
    for place in source.iterdir():
        if place.name not in {"_version.py", "__pycache__"}:
            (other / "renyi" / place.name).symlink_to(place)
    (other / "renyi" / "_version.py").write_text(
        '__all__ = ["__version__"]\n__version__ = "0.0.1"\n'
    )
    before = sys.path[:]
    sys.path.insert(0, str(other))
    try:
        cluster.worker("other")
    finally:
        sys.path[:] = before
    with pytest.raises(ExecutorError, match=r"got renyi 0\.0\.1"), crew_of(cluster.address):
        pass


@pytest.mark.slow
def test_no_worker_is_one_sentence(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """That there is no scheduler is told by `tests/cli/test_clusters.py`."""
    hurried = "renyi.execution._dask.monotonic"  # half a minute is over soon
    monkeypatch.setattr(hurried, lambda: 20 * time.monotonic())
    with (
        pytest.raises(ExecutorError, match=r"must have workers: none has joined .* 30 seconds"),
        crew_of(cluster.address),
    ):
        pass


@pytest.mark.slow
def test_tasks_are_done_in_the_order_in_which_they_are_given_out(cluster: Cluster) -> None:
    """Else the first of many results, which is waited for, comes last."""
    cluster.worker("first")
    with crew_of(cluster.address) as crew:
        assert crew is not None
        began = done(crew, crew_tasks.when)
        assert began == sorted(began)


@pytest.mark.slow
def test_a_client_that_is_given_is_left_open(cluster: Cluster) -> None:
    import distributed

    cluster.worker("first")
    with distributed.Client(cluster.address, set_as_default=False) as client:
        with crew_of(client) as crew:
            assert crew is not None
            assert crew.record()["kind"] == "dask"
            assert done(crew, crew_tasks.times) == [7 * piece for piece in range(24)]
        assert client.status == "running"
        with client.get_executor() as pool, crew_of(pool) as crew:
            assert crew is not None
            assert done(crew, crew_tasks.times) == [7 * piece for piece in range(24)]
