"""Whether the reader is told that shuffled columns would tell as much."""

import numpy as np
import pytest

import renyi
from renyi.backend import get_backend
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.selection import ForwardSearch, chance_note
from renyi.variables import Dataset, Variable
from tables import raw_options

N = 120


def noted(features, bandwidth, alpha=2.0):
    rng = np.random.default_rng(4)
    x = rng.normal(size=(N, features))
    y = (x[:, 0] + 0.3 * rng.normal(size=N) > 0).astype(int)
    columns = tuple(Variable.continuous(f"x{j}", column) for j, column in enumerate(x.T))
    data = Dataset(columns, (Variable.nominal("y", y, ("n", "p")),))
    options = raw_options(bandwidth=bandwidth, alpha=alpha, criteria="none")
    entropies = SetEntropies(
        Computation.of(KernelModel.build(data, options), alpha, get_backend("numpy"))
    )
    steps = list(ForwardSearch(data, entropies, options))
    return chance_note(entropies, data.names, steps, 0), steps, x, y


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_many_columns_of_noise_say_what_shuffled_ones_do(alpha):
    note = noted(15, 0.5, alpha)[0]
    assert note is not None
    assert note.code == "saturated_answer"
    assert set(note.columns) == {f"x{j}" for j in range(15)}
    assert "15 selected features" in note.message


@pytest.mark.parametrize(("features", "bandwidth"), [(1, 1.0), (3, 2.0), (15, "growing")])
def test_where_rows_have_neighbours_nothing_is_said(features, bandwidth):
    assert noted(features, bandwidth)[0] is None


def test_the_share_is_that_of_shuffled_targets():
    """The numbers in the note are those of plain matrices."""
    note, steps, x, y = noted(15, 0.5)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    gram = np.exp(-((z[:, None] - z[None]) ** 2).sum(axis=2) / (2 * 0.5**2))

    def mi(labels):
        same = labels[:, None] == labels[None, :]
        h = [-np.log2(np.mean(g**2)) for g in (gram, same.astype(float), gram * same)]
        return h[0] + h[1] - h[2]

    rng = np.random.default_rng(0)
    chance = np.mean([mi(rng.permutation(y)) for _ in range(5)])
    said = float(note.message.split(" reach ")[1].split(":")[0])
    assert said == pytest.approx(chance, abs=0.02)
    assert steps[-1].mi == pytest.approx(mi(y), abs=1e-6)


def test_nothing_selected_is_nothing_said():
    assert chance_note(None, (), (), 0) is None


@pytest.mark.parametrize("score", ["mi", "jmi"])
def test_the_way_out_is_one_that_there_is(score):
    """Where all is of levels no bandwidth helps."""
    draws = np.random.default_rng(3)
    table = {f"x{j}": draws.normal(size=80) for j in range(9)} | {"y": ["u", "v"] * 40}
    path = renyi.select(
        table, target="y", score=score, criterion="none", max_features=9, bandwidth=0.3
    )
    notes = {note.code: note.message for note in path.warnings}
    for code in ("saturated", "saturated_answer"):
        assert ("bandwidth" in notes[code]) == (score == "mi")
    assert ("fewer bins" in notes["saturated_answer"]) == (score == "jmi")
