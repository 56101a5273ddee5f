"""Every solver against the whole eigenproblem."""

import itertools
import math
from dataclasses import replace

import array_api_strict
import numpy as np
import pytest

import oracle
import tables
from renyi.backend import Backend, get_backend
from renyi.entropies import (
    Counts,
    Problem,
    entropy_from_trace,
    entropy_of_spectrum,
    solve,
    solve_many,
    squared_norm,
)

# each solver, whichever would be chosen
from renyi.entropies._solvers import Dense, Eigen, Power, Tiles
from renyi.errors import BackendError, OptionError
from renyi.factors import TileSize
from renyi.kernels import KernelModel, KernelProduct, build_part
from renyi.variables import Variable
from tables import raw_options

ALPHAS = [0.4, 0.9, 0.999, 1.0, 1.01, 1.3, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 11.0]
RECIPE = "CRBNO"
SETS = [(0,), (1,), (2,), (0, 2), (1, 4), (2, 3), (1, 2, 3), (0, 1, 2, 3, 4)]


def strict_backend():
    """The array standard and nothing else."""
    return Backend(
        name="strict",
        xp=array_api_strict,
        to_device=array_api_strict.asarray,
        to_host=np.asarray,
        eigvalsh=array_api_strict.linalg.eigvalsh,
        free_memory=lambda: 2**30,
        synchronise=lambda: None,
        device="cpu",
    )


BACKENDS = {"numpy": get_backend("numpy"), "strict": strict_backend()}


def close(alpha):
    """Below 1 the oracle's own rounding, eigenvalues of 1e-17 to a small power, is what shows."""
    return 1e-11 if alpha >= 0.9 else 5e-5 if alpha < 0.5 else 2e-7


@pytest.fixture(scope="module", params=["delta", "onehot", "numeric"])
def case(request):
    table = tables.random_table(RECIPE, request.param, 50, seed=1)
    label = "onehot" if request.param == "onehot" else "delta"
    return table, KernelModel.build(table.dataset, raw_options(bandwidth=1.0, label_kernel=label))


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS.keys())
@pytest.mark.parametrize("alpha", ALPHAS)
def test_every_solver_agrees_with_the_oracle(case, alpha, backend):
    table, model = case
    products, truths = [], []
    for chosen, target in itertools.product(SETS, (False, True)):
        products.append(model.product(chosen, target=target))
        grams = [table.grams[j] for j in chosen] + ([table.label] if target else [])
        truths.append(oracle.joint_entropy(grams, alpha))
    for solver in ("auto", "dense"):
        for found, truth in zip(solve_many(products, alpha, backend, solver), truths, strict=True):
            assert found.value == pytest.approx(truth, abs=close(alpha))
            assert found.lower <= found.value <= found.upper
            if alpha >= 0.9:
                assert found.error < 1e-9


@pytest.mark.parametrize(
    ("alpha", "chosen", "solver"),
    [
        (1.01, (2, 3), "counts"),
        (2.0, (2, 3), "counts"),
        (2.0, (0, 2), "tiles"),
        (3.0, (0,), "power"),
        (8.0, (0,), "power"),
        (9.0, (0,), "eigen"),
        (2.5, (0,), "eigen"),
        (1.0, (0, 2), "eigen"),
    ],
)
def test_the_cheapest_exact_solver_is_chosen(case, alpha, chosen, solver):
    _, model = case
    assert solve(model.product(chosen), alpha, BACKENDS["numpy"]).solver == solver
    dense = solve(model.product(chosen), alpha, BACKENDS["numpy"], "dense")
    assert dense.solver == "dense"


def test_small_tiles_give_the_same_sum(case):
    table, model = case
    for chosen in SETS:
        truth = oracle.joint_entropy([*(table.grams[j] for j in chosen), table.label], 2)
        product = model.product(chosen, target=True)
        single, blocks = product.reduced()  # rows without a fellow count by their weights alone
        total = (single**2).sum() / product.total**2
        tile = TileSize(7, 11)
        total += sum(squared_norm(block, BACKENDS["numpy"], tile=tile) for block in blocks)
        assert -math.log2(total) == pytest.approx(truth, abs=1e-12)


def test_solving_many_is_solving_each(case):
    """To the last bit: what is stacked with what must not show."""
    _, model = case
    products = [model.product(chosen, target=True) for chosen in SETS]
    together = solve_many(products, 1.01, BACKENDS["numpy"])
    assert together == [solve(product, 1.01, BACKENDS["numpy"]) for product in products]


@pytest.mark.parametrize("alpha", [0.5, 1.0, 1.01, 2.0, 50.0, 1000.0])
@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_a_flat_spectrum_has_all_the_entropy(alpha, n):
    found = entropy_of_spectrum(np.full(n, 1 / n), alpha, "dense")
    assert found.value == pytest.approx(math.log2(n), abs=1e-12)


def test_zero_entropy_is_not_minus_zero():
    found = entropy_of_spectrum(np.array([0.0, 1.0]), 2.0, "dense")
    assert math.copysign(1, found.value) == 1


@pytest.mark.parametrize("alpha", [1 + step for step in (-1e-3, -1e-6, -1e-9, 1e-12, 1e-9, 1e-6)])
def test_near_one_the_entropy_is_its_expansion(alpha):
    """S_alpha = S_1 - (alpha - 1) ln2 V / 2 + O((alpha - 1)^2), V the variance of -log2 p."""
    shares = np.random.default_rng(0).dirichlet(np.full(200, 0.3))
    information = -np.log2(shares)
    shannon = math.fsum(shares * information)
    variance = math.fsum(shares * (information - shannon) ** 2)
    expected = shannon - (alpha - 1) * math.log(2) * variance / 2
    found = entropy_of_spectrum(shares, alpha, "dense").value
    assert found == pytest.approx(expected, abs=1e-12 + 50 * (alpha - 1) ** 2)


@pytest.mark.parametrize("switch", [0.8, 1.2])
def test_the_two_forms_of_the_formula_meet(switch):
    shares = np.random.default_rng(1).dirichlet(np.full(60, 0.5))
    below = entropy_of_spectrum(shares, switch - 1e-12, "dense").value
    above = entropy_of_spectrum(shares, switch + 1e-12, "dense").value
    assert below == pytest.approx(above, abs=1e-10)


def test_rounding_below_zero_counts_as_zero():
    shares = np.array([-1e-17, 0.25, 0.75])
    for alpha in (0.6, 1.0, 2.0):
        found = entropy_of_spectrum(shares, alpha, "dense").value
        assert found == pytest.approx(oracle.counts_entropy([1, 3], alpha), abs=1e-15)


def test_the_order_of_eigenvalues_does_not_change_a_bit():
    rng = np.random.default_rng(2)
    shares = rng.dirichlet(np.full(80, 0.1))
    for alpha in (0.6, 1.01, 2.5):
        first = entropy_of_spectrum(shares, alpha, "dense")
        assert entropy_of_spectrum(rng.permutation(shares), alpha, "dense") == first


def test_a_trace_with_a_known_error_widens_the_bounds():
    exact = entropy_from_trace(0.25, 8, 2.0, "tiles")
    wide = entropy_from_trace(0.25, 8, 2.0, "tiles", error=1e-6)
    assert exact.value == wide.value == 2.0
    assert wide.upper >= -math.log2(0.25 * (1 - 1e-6))
    assert wide.lower <= -math.log2(0.25 * (1 + 1e-6))


@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.01, 2.0, 3.0])
def test_bounds_hold_for_spectra_known_exactly(alpha):
    """k groups of equal rows far apart: the eigenvalues are the groups' shares."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 30, size=12)
    values = np.repeat(np.arange(12) * 1000.0, sizes)
    column = tables.continuous("f0", values, scale=np.asarray)
    table = tables.Table((column,), tables.nominal("y", np.arange(len(values)) % 2))
    model = KernelModel.build(table.dataset, raw_options(bandwidth=1.0, standardise="none"))
    truth = oracle.counts_entropy(sizes.tolist(), alpha)
    for solver in ("auto", "dense"):
        found = solve(model.product((0,)), alpha, BACKENDS["numpy"], solver)
        assert found.lower <= truth <= found.upper
        assert found.value == pytest.approx(truth, abs=1e-12 if alpha >= 1 else 1e-6)


@pytest.mark.parametrize(
    ("solver", "alpha", "name"),
    [
        ("eigen", 1.01, "eigen"),
        ("eigen", 2.0, "eigen"),
        ("low-rank", 1.0, "low-rank"),
        ("low-rank", 2.5, "low-rank"),
        ("tiles", 2.0, "tiles"),
        ("power", 2.0, "power"),
        ("power", 3.0, "power"),
        ("power", 12.0, "power"),
    ],
)
@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS.keys())
def test_a_solver_by_name_is_taken_and_agrees(case, solver, alpha, name, backend):
    table, model = case
    for chosen in SETS:
        product = model.product(chosen)
        (found,) = solve_many([product], alpha, backend, solver)
        truth = oracle.joint_entropy([table.grams[j] for j in chosen], alpha)
        assert found.solver == ("counts" if product.is_counts else name)
        assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
        assert found.value == pytest.approx(truth, abs=1e-10)


@pytest.mark.parametrize(
    ("solver", "alpha"), [("tiles", 1.01), ("power", 2.5), ("power", 80.0), ("low-rank", 0.6)]
)
def test_a_solver_by_name_that_cannot_is_refused(case, solver, alpha):
    _, model = case
    with pytest.raises(OptionError, match=f"{solver} cannot do alpha"):
        solve_many([model.product((0,))], alpha, BACKENDS["numpy"], solver)


def test_low_rank_cannot_do_a_one_hot_kernel():
    table = tables.random_table("C", "onehot", 30, seed=2)
    model = KernelModel.build(table.dataset, raw_options(label_kernel="onehot"))
    product = model.product((0,), target=True)
    with pytest.raises(OptionError, match="cannot do a one-hot kernel"):
        solve_many([product], 1.01, BACKENDS["numpy"], "low-rank")


def test_low_rank_serves_blocks_and_weights():
    table = tables.random_table("CRN", "delta", 400, seed=5)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=1.5))
    seen = set()
    for chosen in ((0,), (1,), (0, 2), (0, 1)):
        product = model.product(chosen, target=True)
        low, exact = (
            solve_many([product], 1.01, BACKENDS["numpy"], solver)[0]
            for solver in ("auto", "eigen")
        )
        assert low.value == pytest.approx(exact.value, abs=1e-10)
        assert low.lower <= exact.upper
        assert exact.lower <= low.upper
        seen.add(low.solver)
    assert "low-rank" in seen


def test_costs_rank_the_solvers_as_time_does():
    product = KernelModel.build(
        tables.random_table("CCCCC", "delta", 300, seed=6).dataset, raw_options()
    ).product(range(5))
    costs = {
        solver.name: solver.cost(Problem(product, 2.0, 2e-14, 1e-10))
        for solver in (Tiles(), Power(), Eigen(), Dense())
    }
    operations = [cost.operations for cost in costs.values()]
    assert operations == sorted(operations)
    assert costs["power"].bytes > costs["eigen"].bytes == costs["dense"].bytes
    assert Counts().cost(Problem(product, 2.0, 2e-14, 1e-10)).operations == 300


def test_a_device_without_memory_is_one_sentence(case):
    """Where a tile or a matrix does not fit, no traceback of the library's own comes out."""
    _, model = case

    def full(array):
        raise MemoryError

    backend = replace(BACKENDS["numpy"], to_device=full, device="Tiny 1")
    for alpha, solver in (
        (1.01, "eigen"), (1.01, "dense"), (1.01, "low-rank"), (2.0, "tiles"), (3.0, "power")
    ):  # fmt: skip
        with pytest.raises(BackendError, match="memory of the device `Tiny 1`"):
            solve_many([model.product((0, 1))], alpha, backend, solver)


@pytest.mark.parametrize(("alpha", "solver"), [(2.0, "tiles"), (3.0, "power")])
def test_no_eigenvalues_where_a_factor_fails_at_a_whole_alpha(alpha, solver):
    """Two columns and a narrow kernel promise a low rank that is not there."""
    values = np.random.default_rng(5).normal(size=(300, 2))
    grams = [oracle.gaussian(column / 0.01, 1.0) for column in values.T]
    parts = [
        build_part(Variable.continuous(f"x{k}", column), scale="none", bandwidth=0.01)
        for k, column in enumerate(values.T)
    ]
    found = solve(KernelProduct.of(300, parts), alpha, get_backend("numpy"))
    assert found.solver == solver
    assert found.value == pytest.approx(oracle.joint_entropy(grams, alpha), abs=1e-10)
