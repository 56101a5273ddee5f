import numpy as np
import pytest

from renyi.evaluation import Draw, Fold, bootstrap_scores

# a model by itself, against its definition
from renyi.evaluation._hinge import hinge_weights

# a model by itself, against its definition
from renyi.evaluation._support_vectors import predict_by_support_vectors
from renyi.variables import Variable


def objective(signed, cost, weights):
    losses = np.maximum(0.0, 1.0 - signed @ weights)
    return 0.5 * weights[:-1] @ weights[:-1] + cost @ losses


@pytest.mark.parametrize(("rows", "width", "apart"), [(60, 1, 0.0), (80, 6, 0.5), (40, 12, 3.0)])
def test_weights_are_those_of_libsvm(rows, width, apart):
    svm = pytest.importorskip("sklearn.svm", reason="scikit-learn is not installed")
    rng = np.random.default_rng(rows)
    y = rng.integers(2, size=(4, rows)) * 2.0 - 1.0
    x = rng.normal(size=(4, rows, width)) + apart * y[:, :, None]
    cost = rng.poisson(1.0, size=(4, rows)).astype(float)
    signed = np.concatenate([x, np.ones((4, rows, 1))], axis=2) * y[:, :, None]
    found = hinge_weights(signed, cost)
    for place in range(4):
        on = cost[place] > 0
        # with 1e-8 it takes half a minute where the classes overlap
        model = svm.SVC(kernel="linear", tol=1e-6)
        model.fit(x[place][on], y[place][on], sample_weight=cost[place][on])
        told = np.append(model.coef_[0], model.intercept_)
        least = objective(signed[place], cost[place], told)
        assert objective(signed[place], cost[place], found[place]) <= least * (1 + 1e-4) + 1e-5
        assert found[place, :-1] == pytest.approx(told[:-1], abs=5e-3)


def test_the_weights_meet_the_conditions_of_the_optimum_without_any_library():
    # one column, classes at -1 and 1, no overlap: w = 1, b = 0 by hand
    x = np.array([-1.0, -1.0, 1.0, 1.0])
    y = np.sign(x)
    signed = (np.column_stack([x, np.ones(4)]) * y[:, None])[None]
    assert hinge_weights(signed, np.ones((1, 4)))[0] == pytest.approx([1.0, 0.0], abs=1e-4)


def test_rows_that_are_not_there_change_nothing():
    rng = np.random.default_rng(3)
    y = np.resize([-1.0, 1.0], 30)
    signed = (np.column_stack([rng.normal(size=30) + y, np.ones(30)]) * y[:, None])[None]
    filled = np.concatenate([signed, rng.normal(size=(1, 9, 2))], axis=1)
    cost = np.ones((1, 30))
    with_none = np.concatenate([cost, np.zeros((1, 9))], axis=1)
    assert hinge_weights(filled, with_none) == pytest.approx(hinge_weights(signed, cost), abs=1e-6)


def test_more_columns_than_rows_are_judged_like_any():
    svm = pytest.importorskip("sklearn.svm", reason="scikit-learn is not installed")
    rng = np.random.default_rng(8)
    y = np.resize([0, 1, 2], 24)
    matrix = rng.normal(size=(24, 70)) + 0.6 * (y[:, None] == np.resize([0, 1, 2], 70))
    train = rng.integers(24, size=24)
    test = np.setdiff1d(np.arange(24), train)
    (told,) = predict_by_support_vectors([Fold(matrix, y, Draw(train, test), 0)])
    model = svm.SVC(kernel="linear").fit(matrix[train], y[train])
    assert told.tolist() == model.predict(matrix[test]).tolist()


def test_a_class_that_was_not_drawn_is_never_told():
    y = np.array([0, 0, 1, 1, 2])
    draw = Draw(np.array([0, 0, 2, 3, 3]), np.array([1, 4]))
    (told,) = predict_by_support_vectors([Fold(np.arange(5.0)[:, None], y, draw, 0)])
    assert told.tolist() == [0, 1]


def test_which_runs_are_solved_together_changes_no_bit():
    rng = np.random.default_rng(2)
    features = [Variable.nominal(f"x{j}", rng.integers(2, size=60), ("a", "b")) for j in range(3)]
    target = Variable.nominal("y", rng.integers(4, size=60), ("a", "b", "c", "d"))
    many = bootstrap_scores(features, target, (1, 3), runs=30)
    few = bootstrap_scores(features, target, (1, 3), runs=26, jobs=2)
    assert np.array_equal(many[:26], few)
