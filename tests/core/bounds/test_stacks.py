"""Stacks of many extensions of a small set: each pair is that of a dense solve of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oracle
import tables
from renyi.backend import get_backend
from renyi.bounds import STACKS, stack_size

# a stack by itself, whatever a plan would choose
from renyi.bounds._stacks import _merged_rows, stacked_pairs
from renyi.factors import runs
from renyi.kernels import KernelModel
from tables import raw_options

BACKEND = get_backend("numpy")


def build(recipe: str = "CCCC", n: int = 60, label: str = "delta") -> tuple[Any, KernelModel]:
    table = tables.random_table(recipe, label, n, seed=4)
    kernel = "onehot" if label == "onehot" else "delta"
    return table, KernelModel.build(table.dataset, raw_options(bandwidth=1.0, label_kernel=kernel))


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5, 3.0])
@pytest.mark.parametrize("given", [(), (0,), (0, 1)])
def test_each_pair_is_the_dense_one(alpha: float, given: tuple[int, ...]) -> None:
    table, model = build()
    parts = [model.features[k] for k in (2, 3)]
    pairs = stacked_pairs(model.product(given), parts, model.target, alpha, BACKEND)
    assert len(pairs) == 2
    for pair, k in zip(pairs, (2, 3), strict=True):
        grams = [table.grams[j] for j in (*given, k)]
        for found, sets in ((pair.features, grams), (pair.joint, [*grams, table.label])):
            truth = oracle.joint_entropy(sets, alpha)
            assert found.value == pytest.approx(truth, abs=1e-11)
            assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
            assert found.solver == "eigen"


def test_hard_codes_of_the_base_and_equal_rows_are_no_matter() -> None:
    table, model = build("NRC")
    pair = stacked_pairs(model.product((0,)), [model.features[1]], model.target, 1.01, BACKEND)[0]
    truth = oracle.joint_entropy([table.grams[0], table.grams[1], table.label], 1.01)
    assert pair.joint.value == pytest.approx(truth, abs=1e-11)


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5, 3.0])
@pytest.mark.parametrize("given", [(), (0,), (0, 1)])
def test_columns_of_few_levels_take_their_distinct_rows(
    alpha: float, given: tuple[int, ...]
) -> None:
    """Four levels and five: what fills up the smaller ones changes nothing."""
    table, model = build("RORR", n=150)
    parts = [*model.features[2:4], model.features[1], model.features[0]]
    target = model.target
    order = np.argsort(target.rows, kind="stable")
    spans = list(runs(target.rows[order]))
    base = model.product(given)
    merged = _merged_rows(base, parts, order, spans)
    assert merged is not None
    assert merged[0].places.shape[1] <= 5 ** (len(given) + 1)
    for rows, count in zip(merged, (150, *(s.stop - s.start for s in spans)), strict=True):
        assert rows.weights.sum(axis=1) == pytest.approx([count] * len(parts))
    pairs = stacked_pairs(base, parts, target, alpha, BACKEND)
    for pair, number in zip(pairs, (2, 3, 1, 0), strict=True):
        grams = [table.grams[j] for j in (*given, number)]
        for found, sets in ((pair.features, grams), (pair.joint, [*grams, table.label])):
            truth = oracle.joint_entropy(sets, alpha)
            assert found.value == pytest.approx(truth, abs=1e-11)
            assert found.lower - 1e-12 <= truth <= found.upper + 1e-12


@pytest.mark.parametrize(("recipe", "given"), [("CR", (0,)), ("RC", (0,)), ("RRRRR", (0, 1, 2))])
def test_rows_that_are_mostly_distinct_are_not_merged(recipe: str, given: tuple[int, ...]) -> None:
    _, model = build(recipe)
    order = np.argsort(model.target.rows, kind="stable")
    assert _merged_rows(model.product(given), [model.features[-1]], order, []) is None


def test_shuffled_copies_are_extensions_too() -> None:
    table, model = build()
    order = [*range(30, 60), *range(30)]
    part = model.features[1].take(order)  # type: ignore[arg-type]
    pair = stacked_pairs(model.product((0,)), [part], model.target, 1.01, BACKEND)[0]
    grams = [table.grams[0], oracle.shuffled(table.grams[1], order), table.label]
    assert pair.joint.value == pytest.approx(oracle.joint_entropy(grams, 1.01), abs=1e-11)


def test_how_many_make_a_stack_and_where_none_do() -> None:
    _, model = build(n=100)
    base, parts = model.product((0,)), model.features[1:]
    assert stack_size(base, parts, model.target, 1.01) == STACKS.entries // 100**2
    assert stack_size(base, parts, model.target, 0.9) == 0
    for recipe, label, n in (
        ("CC", "numeric", 60),
        ("CC", "onehot", 60),
        ("CN", "delta", 60),
        ("CC", "delta", STACKS.rows + 1),
    ):
        _, other = build(recipe, n, label)
        assert stack_size(other.product((0,)), other.features[1:], other.target, 1.01) == 0
