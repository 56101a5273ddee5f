"""The quadrature by determinants against sums over the spectrum."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

# a quadrature by itself, against eigenvalues
from renyi.bounds._log_dets import deficit, plan_for

ALPHAS = [1.0, 1.001, 1.01, 1.1, 1.2]


def true_deficit(values, alpha):
    positive = values[values > 0]
    logs = np.log(positive)
    p = alpha - 1
    return -float(np.sum(positive * (logs if p == 0 else np.expm1(p * logs) / p)))


def found_deficit(values, alpha, error):
    squares = float(np.sum(values**2))
    plan = plan_for(error, alpha, len(values), squares)
    return deficit(
        lambda shifts: np.log1p(values / shifts[:, None]).sum(axis=1),
        plan,
        alpha,
        len(values),
        squares,
    )


def spectrum(kind, n, rng):
    if kind == "flat":
        values = np.ones(n)
    elif kind == "one":
        values = np.eye(1, n)[0]
    elif kind == "half zero":
        values = rng.random(n) * (np.arange(n) <= n // 2)
    elif kind == "decaying":
        values = np.exp(-rng.uniform(0.1, 40.0) * np.arange(n) / n)
    else:
        values = 10.0 ** rng.uniform(-16, 0, n)
    return values / values.sum()


KINDS = ["flat", "one", "half zero", "decaying", "wild"]


@pytest.mark.slow
@given(
    st.sampled_from(KINDS),
    st.integers(1, 400),
    st.integers(0, 10**6),
    st.sampled_from(ALPHAS),
    st.sampled_from([1e-2, 1e-4, 1e-6, 1e-8]),
)
@settings(derandomize=True, max_examples=3000, deadline=None)
def test_bounds_hold_for_any_spectrum(kind, n, seed, alpha, error):
    values = spectrum(kind, n, np.random.default_rng(seed))
    found = found_deficit(values, alpha, error)
    true = true_deficit(values, alpha)
    slack = 1e-14 * n
    assert found.lower - slack <= true <= found.upper + slack
    assert found.lower <= found.value <= found.upper
    # two ends and the rule itself; rounding beside them
    assert found.upper - found.lower <= 4 * error + 1e-9 * (n + 100)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_smaller_error_takes_few_more_nodes(alpha, kind):
    values = spectrum(kind, 600, np.random.default_rng(0))
    squares = float(np.sum(values**2))
    counts = [len(plan_for(10.0**-k, alpha, 600, squares).nodes) for k in (4, 8)]
    assert counts[0] <= 14
    assert counts[1] <= 48


def test_it_is_continuous_at_alpha_1():
    values = spectrum("decaying", 300, np.random.default_rng(1))
    near = [found_deficit(values, alpha, 1e-8).value for alpha in (1.0, 1 + 1e-9)]
    assert near[0] == pytest.approx(near[1], abs=1e-7)
