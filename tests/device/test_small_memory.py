"""Work of low rank and on stacks, on a device that holds little of it at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tables
from renyi.backend import Backend, get_backend
from renyi.bounds import Pair, Question, bracket

# one of several bounds, of which a question takes the closest
from renyi.bounds._compressed import Compressed, compressed

# what it costs decides the way, and shows in no answer
from renyi.bounds._side import Side

# a stack by itself, whatever a plan would choose
from renyi.bounds._stacks import stacked_pairs
from renyi.errors import BackendError
from renyi.kernels import KernelModel
from tables import raw_options

ROWS = 560
"""More than one tile has."""


def _model(recipe: str, rows: int) -> KernelModel:
    dataset = tables.random_table(recipe, "delta", rows, seed=3, sigma=2.0).dataset
    return KernelModel.build(dataset, raw_options(bandwidth=2.0))


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


def _compressed(backend: Backend) -> Compressed:
    """Return what the compression of two columns tells, at a factor of some ten columns."""
    model = _model("CC", ROWS)
    base = model.product((0, 1))
    side = Side(base, base.times(model.target), model.target.codes)
    assert side.extend(0.3, 1e15, 2**30)
    small = {(0, cut.start): side.small(0, cut) for cut in side.classes[0]}
    return compressed(side, small, 1.5, backend)


def test_pieces_of_the_compression_are_tried_again_one_by_one(strict_device: Backend) -> None:
    whole = _compressed(strict_device)
    assert whole == pytest.approx(_compressed(get_backend("numpy")), rel=1e-9)
    tried: list[int] = []
    for fails in (0, 8):
        made: list[int] = []

        def to_device(
            array: np.ndarray[Any, Any], made: list[int] = made, fails: int = fails
        ) -> Any:
            made.append(array.size)
            if len(made) == fails:  # by then the tiles of pieces are made
                raise MemoryError
            return strict_device.to_device(array)

        assert _compressed(replace(strict_device, to_device=to_device)) == whole
        tried.append(len(made))
    assert tried[1] > tried[0] > 8


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
