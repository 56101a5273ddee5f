"""Certified intervals contain the dense value: ten thousand random trials, degenerate ones too.

A trial is a random table with a random order and width. What the kernels are is read off their
parts (scaled coordinates, codes, off-level values); the Gram is made from these in extended
precision and its spectrum is a whole eigenproblem. The truth has a rounding error of its own, which
is stated here and widens every interval by as much.
"""

import math
from collections import Counter

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from renyi.backend import get_backend
from renyi.bounds import Question, bracket, conditional_bound
from renyi.entropies import solve_many
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel, KernelProduct, build_part
from renyi.variables import Variable

pytestmark = pytest.mark.slow  # some ten seconds together

BACKEND = get_backend("numpy")
EPS = float(np.finfo(np.float64).eps)
ALPHAS = (
    0.3,
    0.6,
    0.9,
    0.999,
    1.0,
    1.001,
    1.01,
    1.3,
    1.5,
    2.0,
    2.5,
    3.0,
    4.0,
    5.0,
    8.0,
    11.0,
    60.0,
)
COLUMNS = (
    "normal",
    "heavy",
    "rounded",
    "copy",
    "constant",
    "two",
    "far",
    "nominal",
    "binary",
    "id",
)
FROM_ONE = (1.0, 1.001, 1.01, 1.3, 1.5, 2.0, 2.5, 3.0, 11.0)
NEEDS_EIGENVALUES = (1.0, 1.001, 1.01, 1.3, 1.5, 2.5, 11.0, 60.0)
SMOOTH = ("normal", "normal", "normal", "heavy", "far", "copy", "constant", "binary")
TARGETS = ("classes", "classes", "soft", "constant", "numbers", "id")
COUNT, SMALL, LOOSE, SHUFFLED, BRACKETS = 10, 600, 100, 100, 200
"""Blocks, and trials of each kind a block: 10,000 in all."""

BLOCKS = [0, *(pytest.param(block, marks=pytest.mark.study) for block in range(1, COUNT))]


@pytest.fixture(autouse=True)
def _one_thread():
    with ThreadpoolController().limit(limits=1, user_api="blas"):
        yield


# What is true


def gram_of(parts, n):
    """The Hadamard product of the parts' Grams, in extended precision, (n, n)."""
    gram = np.ones((n, n), dtype=np.longdouble)
    for part in parts:
        if part.codes is not None:
            gram *= part.codes[:, None] == part.codes[None, :]
        for soft in part.soft:
            same = soft.codes[:, None] == soft.codes[None, :]
            gram *= np.where(same, np.longdouble(1), np.longdouble(soft.off))
        points = part.coordinates.astype(np.longdouble)
        apart = points[:, None, :] - points[None, :, :]
        gram *= np.exp(-(apart**2).sum(axis=2) / 2)
    return gram


def dense(parts, n, alpha):
    """Return S_alpha of the product and how far rounding may have moved it, bits.

    Eigenvalues of a matrix of trace 1 are off by eps; the entropy's slope there is at most
    alpha log2(1 / eps) where alpha is at least 1. Below, a zero that came out as eps adds eps^alpha
    to the sum.
    """
    values = np.linalg.eigvalsh((gram_of(parts, n) / n).astype(np.float64)).astype(np.longdouble)
    values = values[values > 0]
    values /= values.sum()
    if alpha == 1:
        return float(-(values * np.log2(values)).sum()), 64 * n * EPS
    order = np.longdouble(alpha)
    largest = values.max()
    sum_of_powers = ((values / largest) ** order).sum()
    entropy = (np.log2(sum_of_powers) + order * np.log2(largest)) / (1 - order)
    slack = 64 * n * EPS
    if alpha < 1:
        power_sum = float(sum_of_powers * largest**order)
        slack += 2 * n * EPS**alpha / ((1 - alpha) * math.log(2) * power_sum)
    return float(entropy), slack


def check(solution, parts, n, alpha):
    """Hold an interval to the truth; return how far its value is from it, in the truth's slacks."""
    truth, slack = dense(parts, n, alpha)
    told = f"{solution}, truth {truth!r} +- {slack:.1e}, alpha {alpha}, n {n}"
    assert math.isfinite(solution.value), told
    assert solution.lower <= solution.value <= solution.upper, told
    assert solution.lower - slack <= truth <= solution.upper + slack, told
    return abs(solution.value - truth) / slack


# Random tables


def column(kind, name, rng, n, sigma, earlier):
    """Return the part of one random column."""
    if kind in {"nominal", "binary", "id"}:
        levels = {"nominal": min(n, 4), "binary": 2, "id": n}[kind]
        codes = np.arange(n) if kind == "id" else rng.integers(0, levels, n)
        names = tuple(map(str, range(levels)))
        return build_part(Variable.nominal(name, codes, names), scale="none", bandwidth=1.0)
    if kind == "copy" and earlier:
        return earlier[int(rng.integers(len(earlier)))]
    values = {
        "normal": lambda: rng.normal(size=n),
        "heavy": lambda: rng.standard_cauchy(n),
        "rounded": lambda: rng.integers(0, 5, n) / 4.0,
        "copy": lambda: np.repeat(rng.normal(size=n), 2)[:n],
        "constant": lambda: np.full(n, 3.0),
        "two": lambda: (rng.random(n) < 0.2).astype(float),
        "far": lambda: np.concatenate((rng.normal(size=n - 1), [1e4])),
    }[kind]()
    return build_part(Variable.continuous(name, values), scale="zscore", bandwidth=sigma)


def random_sigma(rng):
    """Mostly as people use it; sometimes all rows are as good as apart, or as good as equal."""
    if rng.random() < 0.2:
        return float(rng.choice([1e-6, 1e-3, 1e3, 1e6]))
    return float(10 ** rng.uniform(-1, 1))


def target_of(rng, n, sigma):
    kind = rng.choice(TARGETS)
    if kind == "numbers":
        return column("normal", "y", rng, n, sigma, [])
    codes = {
        "classes": lambda: rng.integers(0, int(rng.integers(2, 5)), n),
        "soft": lambda: rng.integers(0, 3, n),
        "constant": lambda: np.zeros(n, dtype=np.int64),
        "id": lambda: np.arange(n),
    }[kind]()
    variable = Variable.nominal("y", codes, tuple(map(str, range(max(n, 5)))))
    label = "onehot" if kind == "soft" else "delta"
    return build_part(variable, scale="none", bandwidth=1.0, label_kernel=label)


def random_parts(rng, n, most, kinds=COLUMNS):
    sigma = random_sigma(rng)
    parts = []
    for number in range(int(rng.integers(1, most + 1))):
        parts.append(column(rng.choice(kinds), f"x{number}", rng, n, sigma, parts))
    if rng.random() < 0.05:  # every row like every other
        parts = [column("constant", "c", rng, n, sigma, [])] * len(parts)
    return parts, target_of(rng, n, sigma)


def random_alpha(rng):
    return float(rng.choice(ALPHAS) if rng.random() < 0.8 else rng.uniform(0.4, 4))


# Trials


@pytest.mark.parametrize("block", BLOCKS)
def test_every_solver_on_few_rows(block):
    seen = Counter()
    for trial in range(SMALL):
        rng = np.random.default_rng((block, trial))
        n = 2 if trial % 10 == 0 else int(rng.integers(3, 22))
        alpha = random_alpha(rng)
        parts, target = random_parts(rng, n, 4)
        sets = [parts, [*parts, target]]
        products = [KernelProduct.of(n, some) for some in sets]
        for solver in ("auto", "dense"):
            for some, found in zip(sets, solve_many(products, alpha, BACKEND, solver), strict=True):
                check(found, some, n, alpha)
                seen[found.solver] += 1
        check_conditional_bound(products[0], sets, target, n, alpha)
    assert {"counts", "tiles", "power", "eigen", "dense"} <= set(seen)


def check_conditional_bound(product, sets, target, n, alpha):
    """H(y | S) of a hard label is at least 0 and at most its bound."""
    bound = conditional_bound(product, target, alpha, BACKEND)
    if bound == math.inf:
        return
    (alone, slack), (joint, more) = (dense(some, n, alpha) for some in sets)
    assert joint - alone <= bound + slack + more, (bound, joint - alone, alpha, n)


@pytest.mark.parametrize("block", BLOCKS)
def test_low_rank_however_loose(block):
    """One or two coordinates on enough rows; the residual allowed is 1e-14 to 1e-2."""
    seen = Counter()
    far = 0
    for trial in range(LOOSE):
        rng = np.random.default_rng((block, trial, 1))
        n = int(rng.integers(128, 150))
        alpha = float(rng.choice(NEEDS_EIGENVALUES))
        residual = float(10 ** rng.uniform(-7, -2)) if trial % 5 else 2e-14
        parts, target = random_parts(rng, n, 2, SMOOTH)
        sets = [parts, [*parts, target]]
        products = [KernelProduct.of(n, some) for some in sets]
        found = solve_many(products, alpha, BACKEND, "auto", residual=residual)
        for some, solution in zip(sets, found, strict=True):
            distance = check(solution, some, n, alpha)
            seen[solution.solver] += 1
            far += solution.solver == "low-rank" and distance > 10
    assert seen["low-rank"] > LOOSE / 4
    assert far > LOOSE / 20, "no residual was loose enough to need its bounds"


@pytest.mark.parametrize("block", BLOCKS)
def test_candidates_and_shuffled_copies(block):
    """What is found for a step's candidates and for replicates, loose or not."""
    seen = Counter()
    for trial in range(SHUFFLED):
        rng = np.random.default_rng((block, trial, 2))
        n = int(rng.integers(128, 150)) if trial % 5 == 0 else int(rng.integers(2, 40))
        alpha = 2.0 if trial % 2 else random_alpha(rng)
        parts, target = random_parts(rng, n, 3)
        entropies = SetEntropies(
            Computation.of(KernelModel(tuple(parts), target, n), alpha, BACKEND, jobs=1)
        )
        newest = len(parts) - 1
        before = tuple(range(newest))
        orders = [rng.permutation(n) for _ in range(2)]
        question = random_question(rng)
        pairs = entropies.replicates(before, newest, orders, lambda _: None, question)
        pairs = [*pairs, *entropies.candidates(before, [newest], lambda _: None, question)]
        for order, pair in zip([*orders, np.arange(n)], pairs, strict=True):
            members = [*parts[:newest], parts[newest].take(order)]
            check_pair(pair, members, target, n, alpha)
            seen[pair.features.solver] += 1
    assert seen["products"] > SHUFFLED / 4


@pytest.mark.parametrize("block", BLOCKS)
def test_bounds_on_the_difference(block):
    """H(y | Z) from factors of any rank, asked exactly, roughly, or only on which side it is."""
    answered = 0
    for trial in range(BRACKETS):
        rng = np.random.default_rng((block, trial, 3))
        n = int(rng.integers(2, 90))
        alpha = float(rng.choice(FROM_ONE))
        parts, target = random_parts(rng, n, 3)
        base = KernelProduct.of(n, parts)
        pair = bracket(base, target, alpha, BACKEND, random_question(rng), otherwise=math.inf)
        if pair is not None:
            answered += 1
            check_pair(pair, parts, target, n, alpha)
    assert answered > BRACKETS / 10


def random_question(rng):
    tolerance = float(10 ** rng.uniform(-9, 0))
    way = rng.random()
    if way < 0.4:
        return Question(tolerance)
    if way < 0.6:
        return Question(1e-9, rough=True)
    return Question(1e-9, above=float(rng.uniform(0, 2)), below=float(rng.uniform(-0.1, 1)))


def check_pair(pair, parts, target, n, alpha):
    """Hold H(Z), H(Z, y) and H(y | Z) to the truth."""
    check(pair.features, parts, n, alpha)
    check(pair.joint, [*parts, target], n, alpha)
    (alone, slack), (joint, more) = (dense(some, n, alpha) for some in (parts, [*parts, target]))
    told = f"{pair}, truth {joint - alone!r} +- {slack + more:.1e}, alpha {alpha}, n {n}"
    assert pair.lower <= pair.conditional <= pair.upper, told
    assert pair.lower - slack - more <= joint - alone <= pair.upper + slack + more, told


def test_there_are_ten_thousand():
    assert COUNT * (SMALL + LOOSE + SHUFFLED + BRACKETS) >= 10_000
