import numpy as np
import pytest

from renyi.errors import OptionError
from renyi.evaluation import bootstrap_draw, bootstrap_scores

svm = pytest.importorskip("sklearn.svm", reason="scikit-learn is not installed")


def expected(dataset, size, run, seed):
    """One run by hand: columns, scaling, model and score, none by the code under test."""
    draw = bootstrap_draw(dataset.target, seed, run)
    columns = [variable.values[:, 0] for variable in dataset.features[:3]]
    columns += [dataset.features[3].codes == level for level in range(3)]
    matrix = np.column_stack(columns).astype(float)[:, : size if size < 4 else 6]
    mean = matrix[draw.train].mean(axis=0)
    deviation = matrix[draw.train].std(axis=0)
    matrix = (matrix - mean) / deviation
    y = dataset.target.codes
    model = svm.SVC(kernel="linear").fit(matrix[draw.train], y[draw.train])
    return np.mean(model.predict(matrix[draw.test]) == y[draw.test])


def test_each_run_is_what_a_run_by_hand_gives(classes):
    found = bootstrap_scores(classes.features, classes.target, (1, 2, 4), runs=12, seed=9)
    by_hand = [[expected(classes, k, run, 9) for k in (1, 2, 4)] for run in range(12)]
    assert np.abs(found - by_hand).max() < 2 / 25  # rows on the boundary may fall either way
    assert abs(found.mean() - np.mean(by_hand)) < 0.005


def test_jobs_sizes_and_more_runs_change_no_score(classes):
    args = (classes.features, classes.target)
    found = bootstrap_scores(*args, (1, 2, 3), runs=6, jobs=1)
    assert np.array_equal(found, bootstrap_scores(*args, (1, 2, 3), runs=6, jobs=3))
    assert np.array_equal(found[:4, 1:2], bootstrap_scores(*args, (2,), runs=4))


def test_without_features_the_most_frequent_class_is_told(classes):
    found = bootstrap_scores(classes.features, classes.target, (0,), runs=5, seed=2)
    for run in range(5):
        draw = bootstrap_draw(classes.target, 2, run)
        codes = classes.target.codes
        most = np.bincount(codes[draw.train]).argmax()
        assert found[run, 0] == np.mean(codes[draw.test] == most)


def test_informative_columns_raise_the_score_and_noise_does_not(classes):
    mean = bootstrap_scores(classes.features, classes.target, (0, 1, 2, 3), runs=40).mean(axis=0)
    assert mean[0] < mean[1] < mean[2]
    assert abs(mean[3] - mean[2]) < 0.03


@pytest.mark.parametrize("model", ["svm", "logistic", "knn", "forest"])
def test_every_model_of_classes_learns(classes, model):
    found = bootstrap_scores(classes.features, classes.target, (0, 2), model=model, runs=3)
    assert found[:, 1].mean() > found[:, 0].mean() + 0.1


@pytest.mark.parametrize("model", ["ridge", "svm", "knn", "forest"])
def test_every_model_of_numbers_learns(numbers, model):
    found = bootstrap_scores(numbers.features, numbers.target, (0, 1), model=model, runs=3)
    assert np.all(found[:, 0] <= 0)
    assert np.all(found[:, 1] > 0.6)


def test_ridge_is_the_penalised_least_squares(numbers):
    linear = pytest.importorskip("sklearn.linear_model")
    found = bootstrap_scores(numbers.features, numbers.target, (2,), runs=4, scaling="none")
    x = np.column_stack([variable.values[:, 0] for variable in numbers.features])
    y = numbers.target.values[:, 0]
    for run in range(4):
        draw = bootstrap_draw(numbers.target, 0, run)
        model = linear.Ridge().fit(x[draw.train], y[draw.train])
        assert found[run, 0] == pytest.approx(model.score(x[draw.test], y[draw.test]), abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"sizes": (5,)}, "`sizes` must be numbers of features from 0 to 4"),
        ({"sizes": ()}, "`sizes` must be numbers"),
        ({"runs": 0}, "`runs` must be a whole number"),
        ({"model": "svn"}, "`model` must be one of"),
        ({"model": "ridge"}, "for a target that is a class"),
        ({"scaling": "rank"}, "`scaling` must be one of"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(classes, wrong, told):
    options = {"sizes": (1,)} | wrong
    with pytest.raises(OptionError, match=told):
        bootstrap_scores(classes.features, classes.target, **options)
