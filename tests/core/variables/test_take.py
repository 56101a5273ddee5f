"""Variables and data sets on some of their rows."""

import numpy as np

from renyi.variables import Dataset, Variable

ROWS = np.array([4, 0, 2])


def test_levels_that_do_not_occur_are_left_out():
    taken = Variable.nominal("c", [0, 1, 2, 1, 0], ("a", "b", "c")).take(ROWS)
    assert taken.levels == ("a", "c")
    assert taken.codes.tolist() == [0, 0, 1]
    assert taken.distinct == 2


def test_an_ordinal_level_keeps_its_place_on_the_scale():
    variable = Variable.ordinal("o", [0, 1, 3, 1, 0], ("low", "mid", "high", "top"))
    taken = variable.take(ROWS)
    assert taken.values[:, 0].tolist() == [0.0, 0.0, 3.0]
    assert taken.levels == ("low", "top")


def test_it_is_the_variable_of_the_rows():
    values = np.array([2.5, 1.0, 2.5, 7.0, 0.0])
    taken, built = (
        Variable.continuous("x", values).take(ROWS),
        Variable.continuous("x", values[ROWS]),
    )
    assert taken.values.tolist() == built.values.tolist()
    assert taken.codes.tolist() == built.codes.tolist()
    assert taken.kind == built.kind


def test_a_data_set_takes_all_its_columns():
    x = Variable.continuous("x", np.arange(5.0))
    y = Variable.nominal("y", [0, 1, 0, 1, 1], ("n", "p"))
    taken = Dataset((x,), (y,)).take(ROWS)
    assert taken.n == 3
    assert taken.features[0].values[:, 0].tolist() == [4.0, 0.0, 2.0]
    assert taken.target.codes.tolist() == [1, 0, 0]
