"""How much the rows of classes count."""

from dataclasses import replace

import numpy as np
import pytest

import tables
from renyi.kernels import KernelModel, balanced
from renyi.options import method_options
from renyi.variables import Dataset, Variable


def test_a_class_weighs_as_its_damped_size_says():
    classes = np.repeat([0, 1, 2], [300, 90, 10])
    weights = balanced(classes, 3)
    assert weights.mean() == pytest.approx(1.0)
    ratio = [weights[0], weights[300], weights[-1]]
    assert ratio[1] / ratio[0] == pytest.approx(310 / 100)
    assert ratio[2] / ratio[0] == pytest.approx(310 / 20)
    totals = np.bincount(classes, weights)
    assert totals[0] == pytest.approx(totals[1], rel=0.1)
    assert totals[2] < 0.6 * totals[0]  # small ones count less than the others, more than alone
    assert totals[2] > 10


def test_equal_classes_count_alike():
    assert balanced(np.arange(60) % 4, 4) == pytest.approx(np.ones(60))
    assert balanced(np.zeros(5, dtype=int), 1) == pytest.approx(np.ones(5))


def build(target, **options):
    x = Variable.continuous("x", np.random.default_rng(0).normal(size=50))
    return KernelModel.build(Dataset((x,), (target,)), method_options(**options))


CLASSES = np.repeat([0, 1], [40, 10])


@pytest.mark.parametrize("label_kernel", ["delta", "onehot"])
def test_only_rows_of_classes_are_weighed(label_kernel):
    nominal = Variable.nominal("y", CLASSES, tables.LETTERS)
    weighed = build(nominal, label_kernel=label_kernel).weights
    assert weighed == pytest.approx(balanced(CLASSES, 2))
    assert build(nominal, class_weights="none", label_kernel=label_kernel).weights is None
    assert build(nominal, alpha=1.01).weights is None
    for other in (
        Variable.ordinal("y", CLASSES, tables.LETTERS),
        Variable.continuous("y", CLASSES.astype(float)),
    ):
        assert build(other).weights is None


def test_products_carry_the_weights():
    model = build(Variable.nominal("y", CLASSES, tables.LETTERS))
    for product in (model.product(()), model.product((0,)), model.product((0,), target=True)):
        assert np.array_equal(product.weights, model.weights)
        assert product.total == 50


def test_some_rows_count_one_in_the_mean():
    model = build(Variable.nominal("y", CLASSES, tables.LETTERS))
    index = np.arange(0, 50, 3)
    some = model.take(index)
    assert some.weights.mean() == pytest.approx(1.0)
    assert some.weights / some.weights[0] == pytest.approx(model.weights[index] / model.weights[0])
    assert (some.n, len(some.features[0].rows), len(some.target.rows)) == (17, 17, 17)
    plain = replace(model, weights=None).take(index)
    assert plain.weights is None
    assert plain.product((0,)).dense() == pytest.approx(some.product((0,)).dense())


def test_first_information_is_no_longer_negative():
    """A column that is wider in the commoner class, which rows that count alike do not see."""
    rng = np.random.default_rng(2)
    common = np.arange(400) < 250
    word = np.where(common & (rng.random(400) < 0.35), rng.exponential(1, 400), 0.0)
    data = Dataset(
        (Variable.continuous("word", word),),
        (Variable.nominal("y", common.astype(int), tables.LETTERS),),
    )
    found = {}
    for weights in ("balanced", "none"):
        options = method_options(class_weights=weights)
        model = KernelModel.build(data, options)
        computation = tables.Computation.of(model, 2.0, tables.get_backend("numpy"))
        entropies = tables.SetEntropies(computation)
        found[weights] = entropies.mutual_information(entropies.pair((0,)))
    assert found["none"] < 0 < found["balanced"]


def test_a_target_of_numbers_counts_by_its_ranks():
    """Every increasing change of the target leaves its kernel alone; features stay as they are."""
    values = np.random.default_rng(1).normal(size=50)
    plain, changed = (
        build(Variable.continuous("y", some)) for some in (values, np.exp(3 * values))
    )
    assert np.array_equal(plain.target.coordinates, changed.target.coordinates)
    ranks = np.argsort(np.argsort(values))
    scaled = (ranks - ranks.mean()) / (50 * 12**-0.5)
    assert plain.target.coordinates[:, 0] * plain.target.sigma == pytest.approx(scaled)
    for options in ({"class_weights": "none"}, {"alpha": 1.01}):
        other = build(Variable.continuous("y", values), **options)
        z = (values - values.mean()) / values.std()
        assert other.target.coordinates[:, 0] * other.target.sigma == pytest.approx(z)
    asked = build(Variable.continuous("y", values), standardise="minmax")
    spread = asked.target.coordinates[:, 0] * asked.target.sigma
    assert spread.max() - spread.min() == pytest.approx(1.0)


def test_a_few_large_values_of_the_target_hide_nothing():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 4))
    y = np.exp(x[:, 2]) + 0.1 * rng.normal(size=200)
    y[:3] = 1e4
    import renyi

    found = {}
    for weights in ("balanced", "none"):
        path = renyi.select(x, y, class_weights=weights, max_features=1, progress=None)
        found[weights] = path.steps[0]
    assert found["balanced"].feature == "x3"
    assert found["balanced"].z > 3 * found["none"].z
