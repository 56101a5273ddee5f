import numpy as np
import pytest

from renyi.errors import DataError
from renyi.evaluation import bootstrap_draw, is_number
from renyi.variables import Variable


def test_the_rows_never_drawn_are_the_ones_that_test(classes):
    draw = bootstrap_draw(classes.target, 3, 0)
    assert len(draw.train) == 90
    assert sorted({*draw.train.tolist(), *draw.test.tolist()}) == list(range(90))
    assert not set(draw.train.tolist()) & set(draw.test.tolist())
    assert draw.test.tolist() == sorted(draw.test.tolist())


def test_a_draw_depends_on_seed_and_run_alone(classes):
    first = bootstrap_draw(classes.target, 3, 7)
    assert np.array_equal(first.train, bootstrap_draw(classes.target, 3, 7).train)
    assert not np.array_equal(first.train, bootstrap_draw(classes.target, 3, 8).train)
    assert not np.array_equal(first.train, bootstrap_draw(classes.target, 4, 7).train)


def test_about_the_share_of_rows_that_theory_says_is_left_for_testing(classes):
    left = [len(bootstrap_draw(classes.target, 0, run).test) for run in range(300)]
    assert abs(np.mean(left) / 90 - (1 - 1 / 90) ** 90) < 0.01


def test_draws_whose_training_rows_have_one_class_are_drawn_again():
    rare = Variable.nominal("y", [0] * 11 + [1], ("no", "yes"))
    draws = [bootstrap_draw(rare, 0, run) for run in range(60)]
    assert all(11 in draw.train for draw in draws)  # a third of all draws lacks it


def test_where_a_number_is_predicted_the_test_rows_differ_too():
    few = Variable.continuous("y", [0.0, 0.0, 1.0, 1.0, 1.0])
    for run in range(30):
        draw = bootstrap_draw(few, 0, run)
        assert np.ptp(few.values[draw.train]) > 0
        assert np.ptp(few.values[draw.test]) > 0


def test_a_target_that_no_draw_can_split_is_refused():
    with pytest.raises(DataError, match="bootstrap of the target `y`"):
        bootstrap_draw(Variable.nominal("y", [0, 0, 0], ("only",)), 0, 0)


def test_only_a_continuous_target_is_a_number():
    assert is_number(Variable.continuous("y", [0.0, 1.0]))
    assert not is_number(Variable.ordinal("y", [0, 1], ("low", "high")))
