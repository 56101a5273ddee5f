"""Every kind of question to every kind of table: intervals against the oracle's dense values."""

import functools
import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

import oracle
import tables
from renyi.backend import get_backend
from renyi.bounds import Opening, Question, bracket, certifies

# to see which spectra it finds
from renyi.bounds._bracket import _Bracket
from renyi.kernels import KernelModel
from tables import raw_options

BACKEND = get_backend("numpy")
SLACK = 1e-11
SETS = [("CC", 1.0), ("CCC", 2.0), ("CN", 1.0), ("RC", 0.7), ("BC", 0.3)]
ALPHAS = [1.0, 1.01, 1.5, 2.0, 3.0]


class Truth(NamedTuple):
    features: float
    joint: float

    @property
    def conditional(self):
        return self.joint - self.features


@functools.cache
def case(recipe, sigma, label, n=250, seed=1):
    """Return a table, the product of its features, and the target's part."""
    table = tables.random_table(recipe, label, n, seed, sigma)
    kernel = "onehot" if label == "onehot" else "delta"
    options = raw_options(bandwidth=sigma, label_kernel=kernel)
    model = KernelModel.build(table.dataset, options)
    return table, model.product(range(len(recipe))), model.target


@functools.cache
def truth(recipe, sigma, label, alpha, n=250, seed=1):
    table = case(recipe, sigma, label, n, seed)[0]
    return Truth(
        oracle.joint_entropy(table.grams, alpha),
        oracle.joint_entropy([*table.grams, table.label], alpha),
    )


def check(pair, true):
    """Hold every interval to the dense value."""
    assert pair.features.lower - SLACK <= true.features <= pair.features.upper + SLACK
    assert pair.joint.lower - SLACK <= true.joint <= pair.joint.upper + SLACK
    assert pair.lower - SLACK <= true.conditional <= pair.upper + SLACK
    for solution in (pair.features, pair.joint):
        assert solution.lower <= solution.value <= solution.upper
        assert solution.solver == "low-rank"
    assert pair.lower - SLACK <= pair.conditional <= pair.upper + SLACK
    assert pair.rank > 0
    assert pair.residual > 0


def known(pair, tolerance):
    return max(pair.error, pair.features.error, pair.joint.error) <= tolerance


def ask(recipe, sigma, label, alpha, question, **more):
    _, base, target = case(recipe, sigma, label, **more)
    return bracket(base, target, alpha, BACKEND, question, otherwise=math.inf)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("label", ["delta", "numeric"])
@pytest.mark.parametrize(("recipe", "sigma"), SETS)
def test_every_question_is_answered_and_every_interval_holds(recipe, sigma, label, alpha):
    true = truth(recipe, sigma, label, alpha)
    tolerance = 1e-6
    questions = {
        "rough": Question(tolerance, rough=True),
        "above": Question(tolerance, above=true.conditional - 0.05),
        "below": Question(tolerance, below=true.conditional + 0.05),
        "either": Question(tolerance, true.conditional + 0.4, true.conditional + 0.02),
        "known": Question(tolerance),
    }
    found = {}
    for name, question in questions.items():
        pair = ask(recipe, sigma, label, alpha, question)
        assert pair is not None, name
        check(pair, true)
        assert question.answered(pair)
        found[name] = pair
    assert known(found["known"], tolerance)
    assert found["above"].lower > true.conditional - 0.05 or known(found["above"], tolerance)
    assert found["below"].upper < true.conditional + 0.05 or known(found["below"], tolerance)
    # less is asked, so less is done
    assert found["rough"].rank <= min(found["above"].rank, found["below"].rank)
    assert max(pair.rank for pair in found.values()) == found["known"].rank
    assert found["rough"].rank < found["known"].rank


@pytest.mark.parametrize("alpha", [1.0, 1.01, 2.0])
@pytest.mark.parametrize("label", ["delta", "numeric"])
def test_what_cannot_be_answered_otherwise_is_known_to_the_tolerance(label, alpha):
    """The value is neither above nor below: an estimate on the wrong side never answers."""
    true = truth("CC", 1.0, label, alpha).conditional
    for above, below in [(true + 1e-9, true - 1e-9), (true + 1e-3, true - 1e-3), (true, true)]:
        question = Question(1e-5, above, below)
        pair = ask("CC", 1.0, label, alpha, question)
        check(pair, truth("CC", 1.0, label, alpha))
        sure = pair.lower > above or pair.upper < below
        assert not sure or (above, below) == (true, true)
        assert known(pair, 1e-5)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_a_tolerance_is_kept(tolerance):
    pair = ask("CC", 1.0, "delta", 1.01, Question(tolerance))
    true = truth("CC", 1.0, "delta", 1.01)
    check(pair, true)
    assert known(pair, tolerance)
    assert pair.conditional == pytest.approx(true.conditional, abs=tolerance)


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_close_questions_are_answered_from_the_compression(alpha, monkeypatch):
    """Bounds of its own rank would not tell; the certain lower bound from the compression does."""
    found = []
    closer = _Bracket._compressed

    def watched(self, pair):
        found.append((pair, closer(self, pair)))
        return found[-1][1]

    monkeypatch.setattr(_Bracket, "_compressed", watched)
    true = truth("CCC", 0.7, "delta", alpha, 600)
    bar = true.conditional - (0.03 if alpha < 1.2 else 0.035)
    pair = ask("CCC", 0.7, "delta", alpha, Question(1e-6, bar), n=600)
    check(pair, true)
    before, after = found[-1]
    assert before.lower < bar < after.lower == pair.lower
    assert after.upper == before.upper


@pytest.mark.parametrize("label", ["delta", "numeric"])
@pytest.mark.parametrize("n", [250, 400])
def test_random_questions_contain_the_dense_value(label, n):
    rng = np.random.default_rng(n)
    for _ in range(12):
        recipe, sigma = SETS[rng.integers(len(SETS))]
        alpha = ALPHAS[rng.integers(len(ALPHAS))]
        true = truth(recipe, sigma, label, alpha, n)
        bar = true.conditional + rng.normal() * 10 ** rng.uniform(-6, 0)
        question = Question(10 ** rng.uniform(-8, -2), bar, bar - 10 ** rng.uniform(-9, -2))
        pair = ask(recipe, sigma, label, alpha, question, n=n)
        check(pair, true)
        if pair.lower > question.above:
            assert true.conditional > question.above - SLACK
        if pair.upper < question.below:
            assert true.conditional < question.below + SLACK


def test_where_to_start_changes_the_work_not_the_certainty():
    _, base, target = case("CC", 1.0, "delta")
    true = truth("CC", 1.0, "delta", 1.01)
    question = Question(1e-6, true.conditional - 0.01)
    found = [
        bracket(
            base, target, 1.01, BACKEND, question, opening=Opening(residual), otherwise=math.inf
        )
        for residual in (1.0, 1e-2, 1e-5, 1e-30)
    ]
    for pair in found:
        check(pair, true)
        assert question.answered(pair)
    ranks = [pair.rank for pair in found]
    assert ranks == sorted(ranks)
    assert ranks[0] < ranks[-1]


@pytest.mark.parametrize("likely", [-1.0, 0.0, 0.02, 0.2])
def test_what_is_expected_changes_the_work_not_the_certainty(likely):
    _, base, target = case("CC", 1.0, "delta")
    true = truth("CC", 1.0, "delta", 1.01)
    question = Question(1e-6, true.conditional - 0.01)
    opening = Opening.toward(question, true.conditional - 0.01 + likely)
    pair = bracket(base, target, 1.01, BACKEND, question, opening=opening, otherwise=math.inf)
    check(pair, true)
    assert question.answered(pair)


def test_where_a_compression_is_expected_to_answer_no_spectrum_of_the_whole_is_found(monkeypatch):
    """The upper bound is then what any label with so many classes has."""
    _, base, target = case("CC", 1.0, "delta", 600)
    true = truth("CC", 1.0, "delta", 1.01, 600)
    whole = []
    spectrum = _Bracket._spectrum
    monkeypatch.setattr(
        _Bracket, "_spectrum", lambda self, side: whole.append(1) or spectrum(self, side)
    )
    question = Question(1e-6, true.conditional - 0.02)
    opening = Opening.toward(question, true.conditional)
    pair = bracket(base, target, 1.01, BACKEND, question, opening=opening)
    check(pair, true)
    assert pair.lower > question.above
    assert pair.upper == math.log2(3)
    assert not whole
    # what was expected is not so: then it is found, and the answer is as certain
    question = Question(1e-6, true.conditional + 0.001)
    opening = Opening.toward(question, true.conditional + 0.03)
    pair = bracket(base, target, 1.01, BACKEND, question, opening=opening, otherwise=math.inf)
    check(pair, true)
    assert whole


def test_a_block_of_one_class_has_one_spectrum(monkeypatch):
    """The label says no more than a nominal feature: blocks and classes are the same."""
    table = tables.random_table("NCC", "delta", 600, seed=1)
    label = tables.nominal("y", table.features[0].values)
    model = KernelModel.build(
        tables.Table(table.features, label).dataset, raw_options(bandwidth=1.0)
    )
    found = []
    values = _Bracket._values
    monkeypatch.setattr(
        _Bracket, "_values", lambda self, small: found.append(1) or values(self, small)
    )
    question = Question(1e-6, rough=True)
    base = model.product(range(3))
    pair = bracket(base, model.target, 1.01, BACKEND, question, otherwise=math.inf)
    assert pair.conditional == pytest.approx(0, abs=1e-9)
    assert len(found) == 4


def test_low_rank_answers_by_itself_where_it_is_cheaper():
    _, base, target = case("CC", 2.0, "delta", 400)
    true = truth("CC", 2.0, "delta", 1.01, 400)
    for question in (Question(1e-6), Question(1e-6, rough=True)):
        pair = bracket(base, target, 1.01, BACKEND, question)
        check(pair, true)


@pytest.mark.parametrize("label", ["delta", "numeric"])
def test_eigenvalues_are_left_to_the_caller_where_they_are_cheaper(label):
    """Six narrow features: every row is as good as apart."""
    _, base, target = case("CCCCCC", 0.2, label, 300)
    for question in (Question(1e-6), Question(1e-6, above=0.0)):
        assert bracket(base, target, 1.01, BACKEND, question) is None
    pair = bracket(base, target, 1.01, BACKEND, Question(1e-6), otherwise=math.inf)
    assert pair is not None
    check(pair, truth("CCCCCC", 0.2, label, 1.01, 300))


def test_few_rows_are_left_to_the_caller():
    _, base, target = case("CC", 1.0, "delta", 120)
    assert bracket(base, target, 1.01, BACKEND, Question(1e-6, rough=True)) is None
    pair = bracket(base, target, 1.01, BACKEND, Question(1e-6), otherwise=math.inf)
    check(pair, truth("CC", 1.0, "delta", 1.01, 120))
    # blocks of a nominal feature are matrices of their own
    _, base, target = case("CN", 1.0, "delta", 400)
    assert bracket(base, target, 1.01, BACKEND, Question(1e-6, rough=True)) is None


@pytest.mark.parametrize(
    ("recipe", "label", "alpha"),
    [("CC", "delta", 0.99), ("CC", "onehot", 1.01), ("NB", "delta", 1.01)],
)
def test_where_there_are_no_bounds_there_is_no_answer(recipe, label, alpha):
    _, base, target = case(recipe, 1.0, label)
    assert bracket(base, target, alpha, BACKEND, Question(1e-3), otherwise=math.inf) is None


def test_certifies_tells_low_rank_from_high():
    rng = np.random.default_rng(4)
    assert certifies(np.empty((50, 0)), 50, 1e-6)
    assert certifies(rng.normal(size=(500, 1)), 500, 1e-6)
    assert not certifies(rng.normal(size=(500, 1)) * 1e3, 500, 1e-6)
    assert not certifies(rng.normal(size=(500, 8)), 500, 1e-6)
    wide = rng.normal(size=(500, 3))
    assert certifies(wide, 500, 1e-2) or not certifies(wide, 500, 1e-9)  # a finer one asks more
    assert not certifies(rng.normal(size=(500, 1)), 10**12, 1e-6)  # no factor of so many rows fits


def test_a_question_that_is_open_may_be_answered_early():
    assert not Question(1e-6).open
    assert Question(1e-6, above=0.3).open


def test_it_may_be_enough_to_know_that_neither_side_is_reached():
    _, base, target = case("CCC", 2.0, "delta")
    true = truth("CCC", 2.0, "delta", 1.01).conditional
    wide = Question(1e-6, above=true + 0.1, below=true - 0.1, neither=True)
    pair = bracket(base, target, 1.01, BACKEND, wide, otherwise=math.inf)
    check(pair, truth("CCC", 2.0, "delta", 1.01))
    assert pair.error > 1e-6
    assert true - 0.1 <= pair.lower <= pair.upper <= true + 0.1
    strict = replace(wide, neither=False)
    assert not strict.answered(pair)
    assert bracket(base, target, 1.01, BACKEND, strict, otherwise=math.inf).error <= 1e-6
    assert not replace(wide, above=pair.upper - 1e-9).answered(pair)
    assert not replace(wide, below=pair.lower + 1e-9).answered(pair)


@pytest.mark.parametrize("recipe", ["CCN", "CCB"])
def test_small_blocks_do_not_keep_the_others_from_a_compression(recipe, monkeypatch):
    """A rare level makes a block of a few rows, which is taken whole."""
    closer, found = _Bracket._compressed, []

    def watched(self, pair):
        found.append(closer(self, pair))
        return found[-1]

    monkeypatch.setattr(_Bracket, "_compressed", watched)
    table = tables.random_table(recipe, "delta", 700, 4, 0.7)
    codes = np.where(np.arange(700) < 5, 1, 0)
    rare = tables.nominal("f2", codes)
    table = tables.Table((*table.features[:2], rare), table.target)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=0.7))
    true = Truth(
        oracle.joint_entropy(table.grams, 1.01),
        oracle.joint_entropy([*table.grams, table.label], 1.01),
    )
    question = Question(1e-6, true.conditional - 0.05)
    pair = bracket(model.product(range(3)), model.target, 1.01, BACKEND, question)
    assert found
    check(pair, true)
    assert question.answered(pair)
