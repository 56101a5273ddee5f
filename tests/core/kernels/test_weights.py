"""How much the rows of classes count."""

from dataclasses import replace

import numpy as np
import pytest

import tables
from renyi.kernels import KernelModel
from renyi.kernels._model import balanced
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
        engine = tables.InformationEngine(
            KernelModel.build(data, options), 2.0, tables.get_backend("numpy")
        )
        found[weights] = engine.mutual_information(engine.pair((0,)))
    assert found["none"] < 0 < found["balanced"]
