"""Work that tells how far it is, and that ends when nobody waits for it."""

import threading
import time

import pytest

from renyi._progress import CancelToken, Progress, ignore_progress
from renyi.execution import expect, followed, lone, pause, run


def pieces(ended, count=20_000):
    """Work of many short pieces, of minutes; it says when it was ended early."""
    try:
        expect(count)
        for _ in range(count):
            time.sleep(0.01)
            pause(1)
    except BaseException:
        ended.set()
        raise


WAYS = {
    "lone": lambda task: lone(task, 10_000),
    "few rows": lambda task: lone(task, 10),
    "run": lambda task: list(run(lambda _: task(), [1, 2, 3], rows=10, jobs=2)),
    "one worker": lambda task: list(run(lambda _: task(), [1, 2, 3], rows=10, jobs=1)),
    "nested": lambda task: lone(
        lambda: list(run(lambda _: task(), [1, 2], rows=9, jobs=2)), 10_000
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_token_ends_work_at_its_next_pause(way):
    token, ended = CancelToken(), threading.Event()
    threading.Timer(0.4, token.cancel).start()
    with pytest.raises(KeyboardInterrupt), followed(ignore_progress, token):
        way(lambda: pieces(ended))
    assert ended.wait(60)  # the worker, not only its caller


def test_a_call_without_pause_is_left_alone():
    token, left, ended = CancelToken(), threading.Event(), []
    threading.Timer(0.2, token.cancel).start()
    with pytest.raises(KeyboardInterrupt), followed(ignore_progress, token):
        lone(lambda: ended.append(left.wait(600)), 10_000)
    assert not ended  # its caller did not wait for it
    left.set()


@pytest.mark.parametrize("way", ["lone", "few rows", "one worker"])
def test_what_is_done_of_what_is_ahead_is_told_meanwhile(way):
    seen = []

    def work():
        expect(4)
        for reports in (2, 3, 4, 5):
            while len(seen) < reports:
                time.sleep(0.01)
                pause()
            pause(1)

    with followed(seen.append, None) as told:
        told(Progress("candidates", 1, 2, 4, ahead=2))
        WAYS[way](work)
        told(Progress("candidates", 1, 4, 4))
    shares = [progress.share for progress in seen[1:-1]]
    assert len(shares) >= 2
    assert shares == sorted(shares)
    assert all(0.5 <= share <= 1 for share in shares)  # two of four were there before
    assert {(p.phase, p.done, p.total) for p in seen[:-1]} == {("candidates", 2, 4)}


def test_a_finished_step_is_told_once():
    seen = []
    with followed(seen.append, None) as told:
        told(Progress("step", 1, 1, 3))
        lone(lambda: time.sleep(0.7), 10_000)
    assert len(seen) == 1


def test_an_error_of_a_task_stops_nothing_else():
    """It may be caught: memory did not suffice, and fewer items are tried."""

    def fails():
        raise MemoryError

    with followed(ignore_progress, None):
        with pytest.raises(MemoryError):
            lone(fails, 10_000)
        assert lone(lambda: pause() or 3, 10_000) == 3
