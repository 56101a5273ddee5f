"""One tangent for many small matrices: its bounds hold, and no answer is other than by values."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import oracle
import tables
from renyi.backend import Backend, get_backend
from renyi.bounds import CommonTangent, Pair, Question, StackSizes, pairs_of_stacks

# bounds that an answer replaces where they leave it open
from renyi.bounds._screen import _Screen
from renyi.information import Thresholds
from renyi.kernels import KernelModel, KernelPart
from tables import raw_options

BACKEND = get_backend("numpy")
SIZE = 4
SLACK = 1e-11


def build(
    n: int = 60, features: int = 40, seed: int = 5, letter: str = "C"
) -> tuple[Any, KernelModel]:
    table = tables.random_table(letter * features, "delta", n, seed)
    return table, KernelModel.build(table.dataset, raw_options(bandwidth=1.0))


def spread(
    task: Callable[[Sequence[KernelPart]], list[Pair]], stacks: list[Sequence[KernelPart]]
) -> Generator[list[Pair], None, None]:
    yield from map(task, stacks)


def asked(
    model: KernelModel, given: tuple[int, ...], question: Question, alpha: float = 1.01
) -> list[Pair]:
    parts = model.features[len(given) :]
    base, target = model.product(given), model.target
    found = pairs_of_stacks(base, parts, target, alpha, BACKEND, SIZE, question, spread)
    return [pair for some in found for pair in some]


def truths(table: Any, given: tuple[int, ...], alpha: float) -> list[tuple[float, float]]:
    return [
        (
            oracle.joint_entropy([*(table.grams[j] for j in given), gram], alpha),
            oracle.joint_entropy([*(table.grams[j] for j in given), gram, table.label], alpha),
        )
        for gram in table.grams[len(given) :]
    ]


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5, 2.0])
def test_the_tangent_is_below_what_it_bounds(alpha: float) -> None:
    """For matrices near and far, with the gradient of the matrix itself where it touches."""
    rng = np.random.default_rng(1)
    spans, p = [slice(0, 7), slice(7, 12)], alpha - 1

    def density() -> Any:
        left = rng.normal(size=(12, 12))
        return left @ left.T / np.trace(left @ left.T)

    def gain(matrix: Any) -> float:
        values = np.linalg.eigvalsh(matrix)
        by_class = np.concatenate([np.linalg.eigvalsh(matrix[s, s]) for s in spans])
        if p == 0:
            return float(values @ np.log(values) - by_class @ np.log(by_class))
        return float((values**alpha).sum() - (by_class**alpha).sum()) / p

    centre = density()
    tangent = CommonTangent(centre, spans, alpha, BACKEND)
    own = float(np.sum(centre * tangent.gradient)) - tangent.offset
    assert own == pytest.approx(gain(centre), abs=1e-6)
    for share in (1e-3, 0.1, 1.0):
        other = (1 - share) * centre + share * density()
        low = float(np.sum(other * tangent.gradient)) - tangent.offset
        assert low <= gain(other)


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.7, 2.0])
@pytest.mark.parametrize("given", [(), (0,), (0, 1, 2), tuple(range(8)), tuple(range(30))])
@pytest.mark.parametrize("letter", ["C", "R"])  # many levels, and five
def test_bounds_hold(letter: str, alpha: float, given: tuple[int, ...]) -> None:
    table, model = build(letter=letter)
    parts = model.features[len(given) :]
    pairs = _Screen(model.product(given), parts, model.target, alpha, BACKEND, SIZE).bounds(parts)
    for pair, (features, joint) in zip(pairs, truths(table, given, alpha), strict=True):
        assert pair.lower - SLACK <= joint - features <= pair.upper + SLACK
        assert pair.lower <= pair.conditional <= pair.upper <= np.log2(3)
        assert pair.features.lower - SLACK <= features <= pair.features.upper + SLACK
        assert pair.joint.lower - SLACK <= joint <= pair.joint.upper + SLACK
        assert pair.rank  # no exact value


def test_shuffled_copies_and_equal_rows_are_bounded_too() -> None:
    table = tables.random_table("CRR", "delta", 60, 3)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=1.0))
    orders = [np.random.default_rng(k).permutation(60) for k in range(6)]
    parts = [model.features[1].take(order) for order in orders]
    screen = _Screen(model.product((0,)), parts, model.target, 1.01, BACKEND, SIZE)
    for pair, order in zip(screen.bounds(parts), orders, strict=True):
        grams = [table.grams[0], oracle.shuffled(table.grams[1], order)]
        true = oracle.joint_entropy([*grams, table.label], 1.01)
        assert pair.lower - SLACK <= true - oracle.joint_entropy(grams, 1.01)


@pytest.mark.parametrize("alpha", [1.0, 1.01, 2.0])
def test_few_levels_and_all_pairs_of_rows_tell_the_same(alpha: float) -> None:
    """Of one column, of two, and of both kinds in one stack."""
    table = tables.random_table("RORC" * 3, "delta", 60, 3)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=1.0))
    one, two = model.features[4], model.features[5]
    wide = replace(
        one,
        coordinates=np.hstack((one.coordinates, two.coordinates)),
        rows=one.rows * two.distinct + two.rows,
        distinct=one.distinct * two.distinct,
    )
    parts = [*model.features[2:], wide, one.take(np.random.default_rng(0).permutation(60))]
    asked = (model.product((0, 1)), parts, model.target, alpha, BACKEND, SIZE)
    screen = _Screen(*asked, level_share=0.4)
    assert [screen._form(part)[0] for part in parts] == [p.name[1:] not in "3711" for p in parts]
    by_levels = [pair.lower for pair in screen.bounds(parts)]
    by_pairs = [pair.lower for pair in _Screen(*asked, level_share=0.0).bounds(parts)]
    assert by_levels == pytest.approx(by_pairs, abs=1e-12)


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_what_is_left_open_bounds_that_of_every_extension(alpha: float) -> None:
    """Asked for H(y | Z) alone, bounds answer once the set itself leaves less open than that."""
    given = tuple(range(20))
    table, model = build()
    own = [table.grams[j] for j in given]
    left = oracle.joint_entropy([*own, table.label], alpha) - oracle.joint_entropy(own, alpha)
    for tolerance, solver in ((2 * left, "tangent"), (left / 50, "eigen")):
        pairs = asked(model, given, Question(tolerance, alone=True), alpha)
        assert {pair.features.solver for pair in pairs} == {solver}
        for pair, (features, joint) in zip(pairs, truths(table, given, alpha), strict=True):
            assert pair.conditional == pytest.approx(joint - features, abs=tolerance)


def test_a_question_is_answered_for_each() -> None:
    given = tuple(range(8))
    table, model = build()
    values = [joint - features for features, joint in truths(table, given, 1.01)]
    bar = sorted(values)[1]
    pairs = asked(model, given, Question(1e-6, above=bar))
    assert len(pairs) == len(values)
    settled = [pair.features.solver for pair in pairs]
    assert settled.count("tangent") >= 5
    assert settled.count("eigen") >= 2
    for pair, value in zip(pairs, values, strict=True):
        assert pair.lower - SLACK <= value
        if pair.features.solver == "tangent":
            assert pair.lower > bar
        else:
            assert pair.conditional == pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize(
    ("given", "question", "alpha"),
    [
        (tuple(range(8)), Question(1e-6), 1.01),  # values
        (tuple(range(8)), Question(1e-6, below=1e-4), 1.01),  # none is known to be so low
        (tuple(range(8)), Question(1e-6, above=-1.0), 3.0),  # beyond alpha 2 it does not hold
        (tuple(range(28)), Question(1e-6, above=-1.0), 1.01),  # 12 are too few
        ((), Question(1e-6, rough=True), 1.01),  # far apart: it would settle nothing
    ],
)
def test_values_are_computed_where_bounds_do_not_serve(
    given: tuple[int, ...], question: Question, alpha: float
) -> None:
    table, model = build()
    pairs = asked(model, given, question, alpha)
    for pair, (features, joint) in zip(pairs, truths(table, given, alpha), strict=True):
        assert pair.rank == 0
        assert pair.conditional == pytest.approx(joint - features, abs=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_a_search_chooses_as_by_all_values(alpha: float, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Thresholds(stacks=StackSizes(entries=SIZE * 60 * 60))
    table, _ = build()
    options = {"alpha": alpha, "bandwidth": 1.0, "criteria": "cmi-perm", "permutations": 19}
    options |= {"significance": 0.9, "max_features": 12}
    asked: list[int] = []
    bounds = _Screen.bounds

    def counted(screen: _Screen, parts: Sequence[KernelPart]) -> list[Pair]:
        asked.append(len(parts))
        return bounds(screen, parts)

    monkeypatch.setattr(_Screen, "bounds", counted)
    found, _ = tables.search(table, thresholds=small, **options)
    assert sum(asked) > 100
    dense, _ = tables.search(table, **options, solver="dense")
    assert [s.features for s in found] == [s.features for s in dense]
    assert [s.mi for s in found] == pytest.approx([s.mi for s in dense], abs=1e-6)
    for one, other in zip(found, dense, strict=True):
        assert one.runner_up is not None
        assert other.runner_up is not None
        assert one.runner_up.features == other.runner_up.features


@pytest.mark.parametrize("letter", ["C", "R"])
def test_a_device_gives_the_same_bounds(letter: str) -> None:
    strict = pytest.importorskip("array_api_strict")
    device = Backend(
        name="strict",
        xp=strict,
        to_device=strict.asarray,
        to_host=np.asarray,
        eigvalsh=strict.linalg.eigvalsh,
        free_memory=lambda: 2**33,
        synchronise=lambda: None,
        device="strict",
    )
    _, model = build(letter=letter)
    parts = model.features[8:]
    here, there = (
        _Screen(model.product(range(8)), parts, model.target, 1.01, backend, SIZE).bounds(parts)
        for backend in (BACKEND, device)
    )
    assert [p.lower for p in here] == pytest.approx([p.lower for p in there], abs=1e-10)
