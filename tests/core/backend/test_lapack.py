"""Eigenvalues by LAPACK called directly against NumPy's, and without that library."""

import threading

import numpy as np
import pytest

import oracle

# a library that is absent, or wrong
from renyi.backend import _lapack, get_backend

EPS = np.finfo(np.float64).eps


def gram(size, seed=0):
    """A Gram matrix with a full range of eigenvalues, trace 1."""
    points = np.random.default_rng(seed).normal(size=(size, 3))
    return oracle.gaussian(points, 1.0) / size


@pytest.fixture(params=["as found", "one stage", "none"])
def library(request, monkeypatch):
    """The routines as found, without the two-stage one, and none at all."""
    found = _lapack._routines()
    if request.param == "one stage":
        if found is None:
            pytest.skip("NumPy has no LAPACK that can be called here")
        found = found._replace(two_stage=None)
    if request.param == "none":
        found = None
    monkeypatch.setattr(_lapack, "_routines", lambda: found)
    return request.param


def test_a_library_that_is_not_there_is_said_to_be_so(library):
    assert _lapack.available() == (library != "none" and _lapack._search() is not None)


@pytest.mark.parametrize("size", [1, 2, 47, 48, 130, 1200, 1330])
def test_eigenvalues_are_those_of_numpy(library, size):
    matrix = gram(size)
    before = matrix.copy()
    values = _lapack.eigvalsh(matrix)
    truth = np.linalg.eigvalsh(matrix)
    assert np.abs(values - truth).max() <= 4 * EPS * max(size, 8) * truth[-1]
    assert np.all(np.diff(values) >= 0)
    assert np.array_equal(matrix, before)


@pytest.mark.parametrize("shape", [(1, 60), (3, 60), (5, 20), (1, 1210)])
def test_a_stack_is_solved_matrix_by_matrix(library, shape):
    count, size = shape
    stack = np.stack([gram(size, seed) for seed in range(count)])
    values = _lapack.eigvalsh(stack)
    assert values.shape == shape
    for row, matrix in zip(values, stack, strict=True):
        assert np.array_equal(row, _lapack.eigvalsh(matrix))  # what is stacked does not show


def test_an_array_that_is_not_contiguous_is_read_as_it_is(library):
    matrix = gram(200)
    wide = np.zeros((400, 400))
    wide[::2, ::2] = matrix
    assert np.array_equal(_lapack.eigvalsh(wide[::2, ::2]), _lapack.eigvalsh(matrix))


@pytest.mark.parametrize("size", [3, 64, 300])
def test_vectors_belong_to_their_values(library, size):
    matrix = gram(size)
    values, vectors = _lapack.eigh(matrix)
    assert np.abs(vectors.T @ vectors - np.eye(size)).max() < 1e-12
    assert np.abs(matrix @ vectors - vectors * values).max() < 1e-14
    assert np.abs((vectors * values) @ vectors.T - matrix).max() < 1e-14


def test_threads_do_not_mix_their_workspace():
    matrices = [gram(300, seed) for seed in range(4)]
    expected = [_lapack.eigvalsh(matrix) for matrix in matrices]
    found = [None] * 4

    def work(number):
        found[number] = [_lapack.eigvalsh(matrices[number]) for _ in range(5)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for values, truth in zip(found, expected, strict=True):
        assert all(np.array_equal(one, truth) for one in values)


def test_a_routine_that_disagrees_with_numpy_is_not_used(monkeypatch):
    found = _lapack._search()
    if found is None:
        pytest.skip("NumPy has no LAPACK that can be called here")
    plain = _lapack._call

    def wrong(routine, matrix, *, vectors):
        values, columns = plain(routine, matrix, vectors=vectors)
        if (routine is found.two_stage) == (which == "two-stage"):
            values = values * (1 + 1e-9)
        return values, columns

    monkeypatch.setattr(_lapack, "_call", wrong)
    which = "two-stage"
    assert _lapack._checked(found).two_stage is None
    which = "one-stage"
    assert _lapack._checked(found) is None


def test_a_failure_is_the_error_that_numpy_raises(monkeypatch):
    if not _lapack.available():
        pytest.skip("NumPy has no LAPACK that can be called here")
    monkeypatch.setattr(_lapack, "_enter", lambda *given, **named: 3)  # noqa: ARG005
    with pytest.raises(np.linalg.LinAlgError, match="info 3"):
        _lapack.eigvalsh(gram(100))


def test_nowhere_to_look_is_no_library(tmp_path):
    assert _lapack._search((str(tmp_path),)) is None


def test_the_numpy_backend_uses_it(library):
    matrix = gram(150)
    assert np.array_equal(get_backend("numpy").eigvalsh(matrix), _lapack.eigvalsh(matrix))
