"""Bands and their determinants against NumPy, and what happens without that library."""

import numpy as np
import pytest

import oracle

# a routine by itself, against dense eigenvalues
from renyi.backend import Bands, _band, _lapack, get_backend

EPS = np.finfo(np.float64).eps
SIZES = [2, 17, 160, 449, 450, 700]


def gram(size, seed=0):
    points = np.random.default_rng(seed).normal(size=(size, 3))
    return oracle.gaussian(points, 1.0) / size


def whole(band):
    """The matrix that a band stands for."""
    size = len(band)
    matrix = np.zeros((size, size))
    for below in range(band.shape[1]):
        own = band[: size - below, below]
        matrix += np.diag(own, -below)
        if below:
            matrix += np.diag(own, below)
    return matrix


@pytest.fixture
def bands():
    found = _band.bands()
    if found is None:
        pytest.skip("NumPy has no LAPACK that can be called here")
    return found


@pytest.mark.parametrize("size", SIZES)
def test_a_band_has_the_eigenvalues_of_the_matrix(bands, size):
    matrix = gram(size)
    before = matrix.copy()
    band = bands.reduce(matrix)
    assert np.array_equal(matrix, before)
    assert band.shape[1] <= min(size, 49)
    truth = np.linalg.eigvalsh(matrix)
    assert np.abs(np.linalg.eigvalsh(whole(band)) - truth).max() <= 8 * EPS * size * truth[-1]


def test_a_matrix_may_be_used_up(bands):
    matrix = gram(300)
    kept = bands.reduce(matrix)
    assert np.array_equal(bands.reduce(matrix, overwrite=True), kept)
    assert not np.array_equal(matrix, gram(300))


def test_a_view_that_is_not_contiguous_is_read_as_it_is(bands):
    matrix = gram(400)
    part = matrix[100:300, 100:300]
    assert np.array_equal(bands.reduce(part), bands.reduce(part.copy()))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shift", [1e-14, 1e-6, 0.01, 1.0, 1e4])
def test_determinants_are_those_of_the_matrix(bands, size, shift):
    matrix = gram(size)
    truth = np.log1p(np.maximum(np.linalg.eigvalsh(matrix), 0) / shift).sum()
    found = bands.log_dets(bands.reduce(matrix), np.array([shift]))
    # an eigenvalue off by eps moves its logarithm by eps over the shift
    assert found == pytest.approx([truth], rel=1e-12, abs=1e-13 + 8 * size * EPS / shift)


def test_shifts_do_not_mix(bands):
    band = bands.reduce(gram(200))
    shifts = np.array([1e-3, 1.0, 1e-3])
    found = bands.log_dets(band, shifts)
    assert found[0] == found[2] != found[1]
    assert found[1] == bands.log_dets(band, shifts[1:2])[0]


def test_a_band_that_is_not_positive_is_refused(bands):
    band = bands.reduce(-gram(200))
    with pytest.raises(np.linalg.LinAlgError, match="dpbtrf"):
        bands.log_dets(band, np.array([1e-6]))


class WrongBands(Bands):
    """Routines of another library that mean something else."""

    def __init__(self):
        super().__init__(None, None)

    def reduce(self, matrix, *, overwrite=False):  # noqa: ARG002 - as the true one
        band = np.zeros((len(matrix), 3))
        band[:, 0] = np.diag(matrix)
        return band

    def log_dets(self, band, shifts):  # noqa: ARG002
        return np.ones(len(shifts))


def test_routines_that_disagree_are_not_used():
    assert not _band._agrees(WrongBands())


def test_without_the_library_there_are_none(monkeypatch):
    _band.bands.cache_clear()
    monkeypatch.setattr(_lapack, "libraries", lambda: iter([object()]))
    try:
        assert _band.bands() is None
        assert get_backend("numpy").bands() is None
    finally:
        _band.bands.cache_clear()
