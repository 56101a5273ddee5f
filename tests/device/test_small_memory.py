"""Work of low rank and on stacks, on a device that holds little of it at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tables
from renyi.backend import Backend, get_backend
from renyi.entropies import Pair, Question, bracket
from renyi.entropies._tangent import Tangent
from renyi.entropies._tiles import TILE
from renyi.errors import BackendError
from renyi.information._stacks import stacked_pairs
from renyi.kernels import KernelModel
from renyi.options import method_options

ROWS = 560
"""More than one tile has."""


def _model(recipe: str, rows: int) -> KernelModel:
    dataset = tables.random_table(recipe, "delta", rows, seed=3, sigma=2.0).dataset
    return KernelModel.build(dataset, method_options(bandwidth=2.0))


def _failing(backend: Backend, room: int) -> tuple[Backend, list[int]]:
    """Return the device with room for arrays of so many bytes, and a log of what it refused."""
    refused: list[int] = []

    def to_device(array: np.ndarray[Any, Any]) -> Any:
        if array.nbytes > room:
            refused.append(array.nbytes)
            raise MemoryError
        return backend.to_device(array)

    return replace(backend, to_device=to_device), refused


def _bracket(backend: Backend, question: Question) -> Pair:
    model = _model("CC", ROWS)
    pair = bracket(model.product((0, 1)), model.target, 1.01, backend, question)
    assert pair is not None
    return pair


KNOWN = Question(1e-6)
OPEN = Question(1e-6, above=0.0)


@pytest.mark.parametrize("question", [KNOWN, OPEN], ids=["known", "open"])
def test_a_factor_gives_the_same_there(question: Question, strict_device: Backend) -> None:
    here, there = (_bracket(b, question) for b in (get_backend("numpy"), strict_device))
    assert there.rank == here.rank > 0
    for one, other in ((there.lower, here.lower), (there.upper, here.upper)):
        assert one == pytest.approx(other, abs=1e-9)


def _tangent(backend: Backend) -> float:
    """Return the bound of one block, at a factor of rank 3."""
    product = _model("CC", ROWS).product((0, 1))
    left = np.random.default_rng(0).normal(size=(3, ROWS)) / np.sqrt(3 * ROWS)
    tangent = Tangent(1.01, 1e-4, backend)
    tangent.add(product, np.full(ROWS, 1 / ROWS), left, 1)
    return tangent.bound


def test_tiles_of_the_tangent_are_tried_again_in_halves(strict_device: Backend) -> None:
    whole = _tangent(strict_device)
    assert whole == pytest.approx(_tangent(get_backend("numpy")), rel=1e-9)
    factor = 8 * 3 * ROWS  # more than any rows of a tile take
    none, _ = _failing(strict_device, factor - 1)
    with pytest.raises(BackendError, match="a matrix of 3 x 3 and the work on it"):
        _tangent(none)
    made: list[tuple[int, ...]] = []

    def to_device(array: np.ndarray[Any, Any]) -> Any:
        if array.shape[0] == ROWS - TILE:  # the rows of the last tiles, at first too many
            made.append(array.shape)
            if len(made) == 1:
                raise MemoryError
        return strict_device.to_device(array)

    assert _tangent(replace(strict_device, to_device=to_device)) == whole
    assert len(made) > 1


def test_a_stack_is_done_in_as_many_pieces_as_memory_asks_for(strict_device: Backend) -> None:
    model = _model("CCCCCC", 90)
    given = (model.features[1:], model.target, 1.01)
    whole = stacked_pairs(model.product((0,)), *given, strict_device)
    small, refused = _failing(strict_device, 2 * 8 * 90 * 90)
    assert stacked_pairs(model.product((0,)), *given, small) == whole
    assert max(refused) == 5 * 8 * 90 * 90
    none, _ = _failing(strict_device, 100)
    with pytest.raises(BackendError, match="a matrix of 90 x 90 and the work on it"):
        stacked_pairs(model.product((0,)), *given, none)
