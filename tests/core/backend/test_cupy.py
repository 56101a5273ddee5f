"""The CuPy backend on a fake device: which routine, what is refused, what the memory decides."""

import threading

import numpy as np
import pytest

from renyi.backend import get_backend

# a device that fails the check
from renyi.backend._check import check_eigenvalues
from renyi.errors import BackendError


def stack_of(count, size, seed=0):
    draw = np.random.default_rng(seed).normal(size=(count, size, 2 * size))
    return draw @ draw.swapaxes(1, 2) / (2 * size * size)


def after_the_check(card):
    """Return the backend with the record of calls emptied of its own comparisons."""
    backend = get_backend("cupy")
    card.calls.clear()
    return backend


@pytest.mark.parametrize("name", ["cupy", "auto"])
def test_a_usable_device_is_used_and_named(card, name):
    card()
    backend = get_backend(name)
    assert (backend.name, backend.device, backend.reason) == ("cupy", "Fake 100", "")
    assert backend.free_memory() == 2**30
    backend.synchronise()


def test_a_limit_on_the_memory_counts_as_what_is_free(card):
    card(limit=1000)
    assert get_backend("cupy").free_memory() == 1000


def test_each_thread_works_on_the_device_of_the_backend(card):
    device = card()
    backend = get_backend("cupy")
    device.used = False
    worker = threading.Thread(target=backend.to_device, args=(np.eye(2),))
    worker.start()
    worker.join()
    assert device.used


def test_names_that_version_13_lacks_are_there(card):
    card()
    backend = get_backend("cupy")
    some = backend.to_device(np.arange(6.0).reshape(2, 3))
    assert backend.xp.matrix_transpose(some).tolist() == [[0, 3], [1, 4], [2, 5]]
    assert backend.xp.concat([some, some]).shape == (4, 3)
    assert backend.xp.sum(some) == 15


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize(
    ("size", "cuda", "stacked"), [(256, 12080, True), (257, 12080, False), (3, 11020, False)]
)
def test_the_routine_depends_on_the_size_alone(card, count, size, cuda, stacked):
    device = card(cuda=cuda)
    backend = after_the_check(device)
    stack = stack_of(count, size)
    found = backend.to_host(backend.eigvalsh(backend.to_device(stack)))
    assert found == pytest.approx(np.linalg.eigvalsh(stack), abs=1e-14)
    calls = [(count, size, size)] if stacked else [(size, size)] * count
    assert device.calls == calls


def test_one_matrix_and_no_matrix(card):
    card()
    backend = get_backend("cupy")
    matrix = stack_of(1, 7)[0]
    assert backend.eigvalsh(backend.to_device(matrix)) == pytest.approx(np.linalg.eigvalsh(matrix))
    assert backend.eigvalsh(backend.to_device(np.empty((0, 7, 7)))).shape == (0, 7)


def test_sweeps_that_do_not_converge_are_done_again_one_by_one(card):
    device = card(diverges=True)
    backend = after_the_check(device)
    stack = stack_of(3, 20)
    found = backend.eigvalsh(backend.to_device(stack))
    assert found == pytest.approx(np.linalg.eigvalsh(stack), abs=1e-14)
    assert device.calls == [(3, 20, 20)] + [(20, 20)] * 3
    device.single_diverges = True
    with pytest.raises(BackendError, match="20 x 20 did not converge") as caught:
        backend.eigvalsh(backend.to_device(stack))
    assert caught.value.hint == "Use `backend='numpy'`."


def test_a_stack_is_sized_by_free_memory(card):
    size = 8
    device = card(free=2 * 3 * (3 * 8 * size * size))  # half of it holds three with their copies
    backend = after_the_check(device)
    stack = stack_of(8, size)
    found = backend.eigvalsh(backend.to_device(stack))
    assert found == pytest.approx(np.linalg.eigvalsh(stack), abs=1e-14)
    assert [shape[0] for shape in device.calls] == [3, 3, 2]


@pytest.mark.parametrize(
    "error",
    [
        MemoryError("out of memory allocating 4 bytes"),
        RuntimeError("CUSOLVER_STATUS_ALLOC_FAILED"),
        RuntimeError("cudaErrorMemoryAllocation: out of memory"),
    ],
)
def test_a_stack_too_large_is_halved_and_the_pool_emptied(card, error):
    device = card()
    backend = after_the_check(device)
    device.room, device.memory_error = 2 * 8 * 10 * 10, error
    stack = stack_of(9, 10)
    found = backend.eigvalsh(backend.to_device(stack))
    assert found == pytest.approx(np.linalg.eigvalsh(stack), abs=1e-14)
    assert [shape[0] for shape in device.calls] == [9, 4, 2, 2, 2, 2, 1]
    assert device.released == 2


def test_one_matrix_too_large_is_one_sentence_with_a_way_out(card):
    device = card()
    backend = get_backend("cupy")
    device.room = 100
    with pytest.raises(BackendError, match="memory of the device `Fake 100`") as caught:
        backend.eigvalsh(backend.to_device(stack_of(4, 10)))
    assert "one matrix of 10 x 10: 1.0 GiB are free." in caught.value.message
    assert caught.value.hint == "Use `alpha=2` or fewer rows (`rows=N`), or `backend='numpy'`."
    assert caught.value.__context__ is None  # its traceback would hold the arrays


def test_another_failure_is_not_taken_for_lack_of_memory(card):
    device = card()
    backend = get_backend("cupy")
    device.room, device.memory_error = 0, RuntimeError("CUSOLVER_STATUS_EXECUTION_FAILED")
    with pytest.raises(RuntimeError, match="EXECUTION_FAILED"):
        backend.eigvalsh(backend.to_device(stack_of(2, 5)))


@pytest.mark.parametrize("name", ["cupy", "auto"])
@pytest.mark.parametrize(
    ("traits", "what"),
    [
        ({"error": 1e-8}, "eigenvalues"),
        ({"error": np.nan}, "eigenvalues"),
        ({"single_error": 1e-8}, "eigenvalues"),
        ({"exp_error": 1e-14}, "exponentials"),
        ({"product_error": 1e-8}, "a matrix product"),
    ],
)
def test_a_device_that_computes_otherwise_is_refused_every_time(card, name, traits, what):
    card(**traits)
    for _ in range(2):
        with pytest.raises(BackendError, match=f"`Fake 100` computes {what} otherwise") as caught:
            get_backend(name)
        assert "Use `backend='numpy'`" in caught.value.hint


def test_the_comparison_is_done_once_a_process(card):
    device = card()
    get_backend("cupy")
    there = len(device.calls)
    get_backend("cupy")
    assert len(device.calls) - there == 1  # whether CuPy works at all is asked each time


@pytest.mark.parametrize(("size", "trait"), [(20, "error"), (600, "single_error")])
def test_the_first_eigenvalues_of_a_run_are_compared_too(card, size, trait):
    device = card()
    backend = get_backend("cupy")
    stack = backend.to_device(stack_of(2, size))
    setattr(device, trait, 1e-8)
    for _ in range(2):
        with pytest.raises(BackendError, match="computes eigenvalues otherwise"):
            backend.eigvalsh(stack)
    setattr(device, trait, 0.0)
    backend.eigvalsh(stack)
    setattr(device, trait, 1e-8)
    backend.eigvalsh(stack)  # once only: all of them would cost what the device saves


def test_later_stacks_are_not_solved_on_the_cpu(card, monkeypatch):
    device = card()
    backend = get_backend("cupy")
    stack = backend.to_device(stack_of(2, 20))
    found = backend.eigvalsh(stack)
    monkeypatch.setattr(np.linalg, "eigvalsh", None)
    device.eigvalsh = None
    check_eigenvalues(backend, stack, found, "stacked")


@pytest.mark.parametrize(
    ("traits", "reason"),
    [
        ({"count": 0}, "no CUDA device is visible"),
        (
            {"broken": ImportError("libnvrtc.so: not found\nlong story")},
            r"CuPy does not work on this device \(libnvrtc.so: not found\)",
        ),
        ({"broken": KeyError()}, r"CuPy does not work on this device \(KeyError\)"),
    ],
)
def test_auto_falls_back_with_the_reason_and_by_name_it_is_refused(card, traits, reason):
    card(**traits)
    with pytest.raises(BackendError, match=reason) as caught:
        get_backend("cupy")
    assert "backend='numpy'" in caught.value.hint
    backend = get_backend("auto")
    assert backend.name == "numpy"
    assert backend.reason.startswith("auto: ")


def test_a_full_device_is_one_sentence(card):
    device = card(room=1000)
    with pytest.raises(BackendError, match="does not suffice for the first comparison"):
        get_backend("cupy")
    assert device.released == 1
