"""Tasks on worker threads: results in order, no task left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

# the limit that all share
from renyi.execution import _threads, default_jobs, in_turn, lone, one_blas_thread, run


@pytest.fixture(autouse=True)
def _two_blas_threads():
    """Have BLAS threads to limit, also where the environment asks for one."""
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        yield


def double(item):
    time.sleep(0.002 * (5 - item % 5))
    return 2 * item


@pytest.mark.parametrize("jobs", [None, 1, 2, 4])
def test_results_come_in_order(jobs):
    assert list(run(double, range(12), rows=9, jobs=jobs)) == [2 * item for item in range(12)]


@pytest.mark.parametrize("items", [[], [3]])
def test_few_items_run_on_the_calling_thread(items):
    threads = list(run(lambda _: threading.current_thread(), items, rows=9, jobs=4))
    assert threads == [threading.current_thread()] * len(items)


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_reaches_the_caller(jobs):
    def task(item):
        if item == 2:
            raise ValueError("two")
        return item

    results = run(task, range(50), rows=9, jobs=jobs)
    assert next(results) == 0
    with pytest.raises(ValueError, match="two"):
        list(results)


def test_closing_early_drops_what_has_not_started():
    started = []

    def task(item):
        started.append(item)
        time.sleep(0.01)
        return item

    results = run(task, range(5000), rows=9, jobs=2)  # of 25 seconds
    assert next(results) == 0
    results.close()
    settled = len(started)
    assert settled < 5000
    time.sleep(0.05)
    assert len(started) == settled


@pytest.fixture(autouse=True)
def every_library_is_known():
    """Forget the libraries that were loaded when an earlier test looked: SciPy brings one more."""
    assert np.ones((2, 2)).sum() == 4  # there is one, whichever test is the first
    _threads._controller.cache_clear()


def blas_pools():
    from threadpoolctl import threadpool_info

    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_blas_threads_are_limited_and_given_back():
    before = blas_pools()
    with one_blas_thread():
        assert set(blas_pools()) == {1}
    assert blas_pools() == before


def test_overlapping_limits_are_restored_by_the_last():
    """Two selections at once: each saving and restoring for itself would leave one thread."""
    before = blas_pools()
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(blas_pools()) == {1}
    second.__exit__(None, None, None)
    assert blas_pools() == before


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("items", [1, 6])
def test_the_threads_of_a_task_depend_on_the_problem_alone(items, jobs):
    """Several tasks, or a small one: one BLAS thread each, whatever the number of workers."""
    for threads in run(lambda _: blas_pools(), range(items), rows=100, jobs=jobs):
        assert set(threads) == {1}


def test_lone_work_is_limited_by_its_size_and_leaves_the_calling_thread_free():
    """Small work stays where it is with one BLAS thread; large work goes to a worker."""
    before = blas_pools()

    def look():
        return threading.current_thread(), blas_pools()

    where, limits = lone(look, 100)
    assert where is threading.current_thread()
    assert set(limits) == {1}
    where, limits = lone(look, 5000)
    assert where is not threading.current_thread()
    assert limits == before
    assert blas_pools() == before


def test_calls_of_other_threads_change_no_limit():
    """Each kind of work has the BLAS threads that it has alone, and nobody waits for ever."""
    before, failed = blas_pools(), []

    def look(_=None):
        time.sleep(0.002)
        return set(blas_pools())

    def within(_):
        with one_blas_thread():
            return look()

    def large_with_small_parts():
        parts = [*run(within, range(3), rows=9, jobs=2)]
        return [look(), *parts, lone(look, 100), look()]

    def call(number):
        for _ in range(6):
            if number % 2:
                several = [*run(look, range(4), rows=5000, jobs=2)]
                failed.extend(found for found in several if found != {1})
                failed.extend(found for found in [lone(look, 5000)] if found != set(before))
            else:
                first, *parts, last = lone(large_with_small_parts, 5000)
                failed.extend(found for found in (first, last) if found != set(before))
                failed.extend(found for found in parts if found != {1})

    callers = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(600)
    assert not any(caller.is_alive() for caller in callers)
    assert not failed
    assert blas_pools() == before


def test_large_work_within_a_limit_stays_in_it():
    results = run(double, range(3), rows=9, jobs=2)
    next(results)
    assert set(lone(blas_pools, 5000)) == {1}
    assert [*results] == [2, 4]


def test_an_interruption_while_waiting_lets_others_go_on():
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with one_blas_thread():
            inside.set()
            leave.wait(600)

    holder = threading.Thread(target=hold)
    holder.start()
    assert inside.wait(600)
    press = threading.Timer(0.3, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))

    def wait_for_the_holder():
        press.start()
        lone(blas_pools, 5000)

    with pytest.raises(KeyboardInterrupt):
        wait_for_the_holder()
    with one_blas_thread():
        assert set(blas_pools()) == {1}
    leave.set()
    holder.join(600)
    assert lone(blas_pools, 5000) == blas_pools()


@pytest.mark.parametrize(("rows", "most"), [(600, 1), (5000, 2)])
def test_short_calls_of_several_tasks_take_turns(rows, most):
    """Both tasks meet where their calls are long, and never where they are short."""
    inside, seen = [], []
    both = threading.Barrier(2, timeout=0.2 if most == 1 else 600)

    def task(number):
        with in_turn(rows):
            inside.append(number)
            with suppress(threading.BrokenBarrierError):
                both.wait()
            seen.append(len(inside))
            inside.remove(number)
        return number

    assert list(run(task, range(2), rows=rows, jobs=2)) == [0, 1]
    assert max(seen) == most


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_turn_ends_with_an_error_and_does_not_outlive_a_fork():
    with pytest.raises(ValueError, match="no"), in_turn(100):
        raise ValueError("no")
    with in_turn(100):
        child = os.fork()
        if child == 0:  # the holder is not there
            with in_turn(100):
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0


def test_there_is_at_least_one_job():
    assert default_jobs() >= 1


HEARD = """
import os, signal, threading

begun, heard = threading.Event(), threading.Event()

def hear(number, frame):
    os.write(1, b"heard ")
    heard.set()

signal.signal(signal.SIGINT, hear)
import polars  # takes the signal so that waits without end are begun again after it
from renyi.execution import lone, run

def interrupt():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)

def work(_=None):
    begun.set()
    heard.wait(60)
    os.write(1, b"done ")

threading.Thread(target=interrupt).start()
WAY
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", ["lone(work, 10_000)", "list(run(work, [1, 2], rows=10, jobs=2))"], ids=["lone", "run"]
)
def test_signals_are_heard_while_work_goes_on(way):
    """Not after it: on a long table Ctrl-C was heard minutes later, and so was a second one."""
    found = subprocess.run(
        [sys.executable, "-c", HEARD.replace("WAY", way)],
        check=True,
        capture_output=True,
        text=True,
        # a test runner in the background may have SIGINT ignored, which Python would leave so
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert found.stdout.split()[0] == "heard"
    assert "done" in found.stdout
