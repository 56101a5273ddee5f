"""Work in batches that fit into memory, on any backend."""

import threading
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from renyi.backend import get_backend
from renyi.errors import BackendError

NUMPY = get_backend("numpy")


class Worker:
    """Doubles items, and finds memory for so many at a time only."""

    def __init__(self, room):
        self.room = room
        self.sizes = []

    def __call__(self, some):
        self.sizes.append(len(some))
        if len(some) > self.room:
            raise MemoryError
        return [2 * item for item in some]


@pytest.mark.parametrize("count", [0, 1, 2, 7, 16])
@pytest.mark.parametrize("room", [1, 2, 3, 100])
def test_all_items_are_done_in_order_whatever_the_memory(count, room):
    worker = Worker(room)
    assert NUMPY.guarded(worker, range(count)) == [2 * item for item in range(count)]
    assert sum(size for size in worker.sizes if size <= room) == count  # nothing is done twice


def test_the_first_batch_is_sized_by_free_memory():
    backend = replace(NUMPY, free_memory=lambda: 1000)
    worker = Worker(100)
    backend.guarded(worker, range(12), item_bytes=100)
    assert worker.sizes == [5, 5, 2]


def test_an_item_larger_than_what_is_free_is_still_tried():
    backend = replace(NUMPY, free_memory=lambda: 10)
    worker = Worker(1)
    assert backend.guarded(worker, [3, 4], item_bytes=100) == [6, 8]
    assert worker.sizes == [1, 1]


def test_one_item_too_large_is_one_sentence():
    with pytest.raises(BackendError, match="device `cpu` does not suffice for a tile") as caught:
        NUMPY.guarded(Worker(0), [1, 2], what="a tile")
    assert caught.value.hint == "Use `alpha=2` or fewer rows (`rows=N`)."


def test_other_errors_pass():
    def work(some):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        NUMPY.guarded(work, [1, 2])


def test_a_batch_within_a_batch_halves_the_outer_one():
    """What the outer batch holds may be what the inner one lacks."""
    inner, sizes = Worker(100), []

    def work(some):
        sizes.append(len(some))
        inner.room = 1 if len(some) <= 2 else 0
        return [NUMPY.guarded(inner, [item])[0] for item in some]

    assert NUMPY.guarded(work, range(5)) == [0, 2, 4, 6, 8]
    assert sizes == [5, 2, 2, 1]


def test_memory_is_released_before_each_new_attempt_and_workers_take_turns():
    events, lock = [], threading.RLock()

    @contextmanager
    def turn():
        with lock:
            events.append("in")
            yield
            events.append("out")

    class Turn:
        def __enter__(self):
            self.held = turn()
            self.held.__enter__()

        def __exit__(self, *raised):
            self.held.__exit__(*raised)

    backend = replace(NUMPY, turn=Turn(), release=lambda: events.append("release"))
    assert backend.guarded(Worker(1), [1, 2]) == [2, 4]
    assert events == ["in", "out", "release", "in", "out", "in", "out"]


def test_numpy_splits_a_stack_only_if_it_must(monkeypatch):
    seen = []

    def eigvalsh(stack, truth=np.linalg.eigvalsh):
        seen.append(len(stack))
        if len(stack) > 2:
            raise MemoryError
        return truth(stack)

    backend = get_backend("numpy")
    backend.eigvalsh(np.eye(60))  # the comparison with NumPy that comes first
    monkeypatch.setattr(np.linalg, "eigvalsh", eigvalsh)
    stack = np.stack([np.eye(3) * k for k in range(5)])
    assert backend.eigvalsh(stack).tolist() == [[k] * 3 for k in range(5)]
    assert seen == [5, 2, 2, 1]
    assert backend.eigvalsh(np.eye(2)).tolist() == [1, 1]
    assert backend.eigvalsh(np.empty((0, 2, 2))).shape == (0, 2)
