"""Bounds from a few traces against eigenvalues."""

import math

import array_api_strict
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import oracle
from renyi.backend import Backend, get_backend
from renyi.entropies import Problem, Series, solve_many

# a quadrature by itself, against sums
from renyi.entropies._radau import excess, excess_bounds
from renyi.kernels import KernelProduct, build_part
from renyi.variables import Variable

BACKEND = get_backend("numpy")
STRICT = Backend(
    name="strict",
    xp=array_api_strict,
    to_device=array_api_strict.asarray,
    to_host=np.asarray,
    eigvalsh=array_api_strict.linalg.eigvalsh,
    free_memory=lambda: 2**30,
    synchronise=lambda: None,
    device="cpu",
)
ALPHAS = [0.4, 0.9, 1.0, 1.01, 1.5, 2.0, 2.5, 3.0, 3.7, 5.5]


def product_of(n, d, sigma, *, seed=0, label=""):
    rng = np.random.default_rng(seed)
    columns = [Variable.continuous(f"x{k}", rng.normal(size=n)) for k in range(d)]
    parts = [build_part(column, scale="zscore", bandwidth=sigma) for column in columns]
    if label:
        codes = Variable.nominal("y", rng.integers(0, 2, n), ("p", "q"))
        parts.append(build_part(codes, scale="zscore", bandwidth=1.0, label_kernel=label))
    return KernelProduct.of(n, parts)


@given(
    st.integers(2, 12),
    st.integers(0, 10**6),
    st.sampled_from([0.02, 0.2, 0.5, 1.0, 4.0]),
    st.sampled_from(ALPHAS),
    st.sampled_from([1, 3]),
)
@settings(derandomize=True, max_examples=400, deadline=None)
def test_rules_bound_the_mean_over_any_spectrum(n, seed, scale, alpha, known):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 3)) / scale
    if n > 4:
        points[1] = points[0]  # a spectrum with a zero
    x = np.linalg.eigvalsh(oracle.gaussian(points, 1.0)) - 1
    x = np.maximum(x, -1.0)
    moments = [float(np.mean(x**k)) for k in (2, 3, 4)]
    low, high = excess_bounds(moments[:known], float(np.abs(x).max()), alpha)
    truth = float(np.mean(excess(x, alpha)))
    slack = 1e-9 * (1 + abs(truth)) if known == 3 else 1e-12 * (1 + abs(truth))
    assert low - slack <= truth <= high + slack


@pytest.mark.parametrize(("alpha", "known"), [(2.0, 1), (2.0, 3), (3.0, 3), (4.0, 3)])
def test_rules_are_exact_for_polynomials_of_known_moments(alpha, known):
    x = np.array([-0.5, -0.1, 0.0, 0.2, 0.4])
    moments = [float(np.mean(x**k)) for k in (2, 3, 4)][:known]
    expected = np.mean((1 + x) ** alpha - 1 - alpha * x) / (alpha - 1)
    assert excess_bounds(moments, 0.5, alpha) == pytest.approx((expected, expected), rel=1e-12)


def test_no_distance_from_the_identity_is_no_excess():
    assert excess_bounds((0.0,), 0.0, 1.5) == (0.0, 0.0)
    assert excess_bounds((0.0, 0.0, 0.0), 0.0, 1.5) == (0.0, 0.0)


@pytest.mark.parametrize("alpha", [-1.0, 0.3, 1.0, 1.01, 2.5])
def test_the_excess_at_the_end_is_one(alpha):
    assert excess(np.array([-1.0, 0.0]), abs(alpha)).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("backend", [BACKEND, STRICT], ids=["numpy", "strict"])
@pytest.mark.parametrize("label", ["", "delta", "onehot"])
@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.01, 2.0, 3.5])
@pytest.mark.parametrize(("d", "sigma", "tolerance"), [(30, 1.0, 1e-6), (16, 0.8, 1e-3)])
def test_it_bounds_the_value_by_eigenvalues(d, sigma, tolerance, alpha, label, backend):
    product = product_of(420 if label != "delta" else 800, d, sigma, label=label)
    problem = Problem(product, alpha, 2e-14, tolerance)
    assert Series().applies(problem)
    (found,) = Series().solve([problem], backend)
    (truth,) = solve_many([product], alpha, BACKEND, "eigen")
    assert found.lower <= truth.upper
    assert truth.lower <= found.upper
    assert found.error <= tolerance
    assert found.solver == "series"
    assert abs(found.value - truth.value) <= found.error + truth.error


def test_four_moments_are_taken_where_one_does_not_do():
    product = product_of(500, 14, 0.7)
    wide, close = (
        Series().solve([Problem(product, 1.01, 2e-14, tolerance)], BACKEND)[0]
        for tolerance in (1e-3, 2e-7)
    )
    (truth,) = solve_many([product], 1.01, BACKEND, "eigen")
    assert close.error < 2e-7
    assert wide.error > 1e-6
    assert close.value == pytest.approx(truth.value, abs=close.error + truth.error)


def test_it_does_not_apply_far_from_the_identity_or_with_equal_rows():
    assert not Series().applies(Problem(product_of(500, 3, 1.0), 1.01, 2e-14, 1e-6))
    assert not Series().applies(Problem(product_of(100, 40, 0.5), 1.01, 2e-14, 1e-6))  # small
    rows = np.repeat(np.random.default_rng(1).normal(size=250), 2)
    part = build_part(Variable.continuous("x", rows), scale="zscore", bandwidth=0.01)
    assert not Series().applies(Problem(KernelProduct.of(500, [part]), 1.01, 2e-14, 1e-6))


def test_it_gives_up_where_rows_outside_the_sample_are_close():
    """A knot of 40 close rows that the probe does not see."""
    rng = np.random.default_rng(2)
    values = rng.normal(size=(400, 30))
    step = 400 // 32
    knot = [k for k in range(400) if k % step][:40]
    values[knot] = values[knot[0]] + 1e-3 * rng.normal(size=(40, 30))
    parts = [
        build_part(Variable.continuous(f"x{k}", values[:, k]), scale="zscore", bandwidth=0.8)
        for k in range(30)
    ]
    problem = Problem(KernelProduct.of(400, parts), 1.01, 2e-14, 1e-6)
    assert Series().applies(problem)
    assert Series().solve([problem], BACKEND) == [None]
    found = solve_many([problem.product], 1.01, BACKEND, tolerance=1e-6)[0]
    truth = solve_many([problem.product], 1.01, BACKEND, "dense")[0]
    assert found.solver == "eigen"
    assert found.value == pytest.approx(truth.value, abs=1e-10)


def test_auto_takes_it_where_it_is_close_enough():
    product = product_of(500, 40, 0.8)
    tight, loose = (
        solve_many([product], 1.01, BACKEND, tolerance=tolerance)[0] for tolerance in (1e-18, 1e-6)
    )
    assert (tight.solver, loose.solver) == ("eigen", "series")
    assert loose.value == pytest.approx(tight.value, abs=1e-6)
    assert loose.upper >= math.log2(500) - 1e-9
