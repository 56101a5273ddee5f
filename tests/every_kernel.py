"""What every kernel must be, whatever it is stored as: a class whose heirs are its tests."""

import numpy as np
import polars as pl
import pytest

import oracle
import renyi
import tables
from renyi.backend import get_backend
from renyi.bounds import Question, banded, bracket, conditional_bound
from renyi.entropies import solve
from renyi.errors import OptionError
from renyi.factors import squared_factor
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel, KernelProduct, equal_kernels

# a kernel as its record makes it
from renyi.kernels._given import Given

# a kernel as its record makes it
from renyi.kernels._model import builder_of
from renyi.options import SOLVERS, record_of
from renyi.order2 import part_sums
from renyi.variables import Variable

NUMPY = get_backend("numpy")
N = 48
SIGMA = 0.8
ALPHAS = (0.6, 1.0, 1.01, 1.5, 2.0, 2.5, 3.0)


class EveryKernel:
    """The checks; a subclass names a kernel, makes a column for it, and gives its definition."""

    name = ""
    option = "kernel"

    def variable(self, seed, n=N):
        """Return a column with equal values among its rows."""
        raise NotImplementedError

    def gram(self, variable, sigma=SIGMA):
        """Return the Gram of that column by the independent program."""
        raise NotImplementedError

    def part(self, seed=1, n=N, bandwidth=SIGMA):
        return builder_of(self.name)(self.variable(seed, n), Given("zscore", bandwidth))

    def product(self, *more, seed=1, n=N):
        return KernelProduct.of(n, [self.part(seed, n), *more])

    # the matrix

    def test_it_is_what_its_definition_says(self):
        variable = self.variable(1)
        dense = self.product().dense()
        assert dense == pytest.approx(self.gram(variable), abs=1e-12)

    def test_it_is_symmetric_positive_semidefinite_and_one_of_a_row_and_itself(self):
        dense = self.product().dense()
        assert np.array_equal(dense, dense.T)
        assert (np.diagonal(dense) == 1).all()
        assert dense.min() >= 0
        assert dense.max() <= 1
        assert np.linalg.eigvalsh(dense).min() > -1e-12 * N

    @pytest.mark.parametrize("exponent", [1.0, 2.0])
    def test_tiles_are_parts_of_the_whole(self, exponent):
        for product in (self.product(), self.product(*others())):
            whole = product.dense() ** exponent
            some, rest = slice(3, 20), slice(11, 47)
            tile = NUMPY.to_host(product.tile(NUMPY, some, rest, exponent))
            off = np.abs(tile - whole[some, rest]).max()
            assert off <= exponent * product.entry_error + 4e-16
            single = product.tile(NUMPY, some, rest, exponent, single=True)
            assert single.dtype == np.float32
            assert single == pytest.approx(whole[some, rest], abs=1e-6)
            assert product.squared().dense() == pytest.approx(product.dense() ** 2, abs=1e-14)

    def test_a_permutation_permutes_rows(self):
        order = np.random.default_rng(4).permutation(N)
        part = self.part()
        whole = self.product().dense()
        moved = KernelProduct.of(N, [part.take(order)]).dense()
        assert moved == pytest.approx(whole[np.ix_(order, order)], abs=1e-15)
        some = np.arange(0, N, 3)
        taken = part.some(some)
        assert (taken.n, taken.distinct) == (len(some), len(np.unique(part.rows[some])))
        fewer = KernelProduct.of(len(some), [taken]).dense()
        assert fewer == pytest.approx(whole[np.ix_(some, some)], abs=1e-15)

    def test_equal_rows_are_the_equal_ones(self):
        part, dense = self.part(), self.product().dense()
        equal = (np.abs(dense[:, None, :] - dense[None, :, :]) < 1e-12).all(axis=2)
        assert np.array_equal(equal, part.rows[:, None] == part.rows[None, :])
        assert part.distinct < N
        assert np.array_equal(np.sort(part.rows[part.representatives()]), np.arange(part.distinct))

    @pytest.mark.parametrize("weighted", [False, True])
    def test_distinct_rows_with_weights_have_the_spectrum(self, weighted):
        product = self.product(*others(1))
        weights = np.random.default_rng(2).uniform(0.5, 1.5, N) if weighted else np.ones(N)
        weights *= N / weights.sum()
        dense = product.dense() * np.sqrt(weights[:, None] * weights[None, :]) / N
        expected = np.linalg.eigvalsh(dense)
        if weighted:
            product = KernelProduct(**{**vars_of(product), "weights": weights})
        lone, blocks = product.reduced()
        found = np.concatenate(
            [lone / N, *(np.linalg.eigvalsh(NUMPY.to_host(b.gram(NUMPY))) for b in blocks)]
        )
        found = np.sort(np.concatenate([found, np.zeros(N - len(found))]))
        assert found == pytest.approx(expected, abs=1e-13)

    def test_a_hardened_part_tells_its_distinct_rows_apart(self):
        part = self.part()
        hard = KernelProduct.of(N, [part.hardened()]).dense()
        assert np.array_equal(hard == 1, part.rows[:, None] == part.rows[None, :])

    def test_a_wider_kernel_is_that_of_its_bandwidth(self):
        if not record_of(self.name).bandwidth:
            assert self.part().at(4) == self.part().at(1) or self.part().at(4).growth == ""
            return
        grown = self.part(bandwidth=f"growing:{SIGMA}").at(4)
        wide = self.gram(self.variable(1), 2 * SIGMA)
        assert grown.sigma == pytest.approx(2 * SIGMA)
        assert KernelProduct.of(N, [grown]).dense() == pytest.approx(wide, abs=1e-12)

    # products

    def test_products_multiply_entry_by_entry(self):
        more = others()
        expected = self.product().dense()
        product = self.product()
        for part in more:
            expected = expected * KernelProduct.of(N, [part]).dense()
            product = product.times(part)
        assert product.dense() == pytest.approx(expected, abs=1e-14)
        assert self.product(*more).dense() == pytest.approx(expected, abs=1e-14)
        twice = self.product().times(self.part(seed=2))
        alone = KernelProduct.of(N, [self.part(seed=2)]).dense()
        assert twice.dense() == pytest.approx(self.product().dense() * alone, abs=1e-14)

    def test_equal_kernels_are_found(self):
        first, second, copy = self.part(), self.part(seed=2), self.part()
        assert equal_kernels([first, second, copy]) in {((0, 2),), self.never_alike()}

    @staticmethod
    def never_alike():
        return ((0, 2),)

    # entropies

    @pytest.mark.parametrize("alpha", ALPHAS)
    def test_every_solver_agrees_with_the_independent_program(self, alpha):
        for more in ((), others(1), others()):
            product = self.product(*more)
            truth = oracle.entropy(product.dense(), alpha)
            for solver in SOLVERS:
                if not self.can(solver, alpha, product):
                    with pytest.raises(OptionError):
                        solve(product, alpha, NUMPY, solver)
                    continue
                found = solve(product, alpha, NUMPY, solver)
                blur = 1e-6 if alpha < 1 else 1e-9  # below 1 rounding of zeros counts
                assert found.value == pytest.approx(truth, abs=blur)
                assert found.lower - blur <= truth <= found.upper + blur

    @staticmethod
    def can(solver, alpha, product):
        if product.is_counts or solver in {"auto", "dense", "eigen"}:
            return True
        if solver == "low-rank":
            return alpha >= 1 and not product.has_onehot
        return alpha == 2 if solver == "tiles" else alpha == int(alpha) and alpha >= 2

    @pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5, 2.0])
    def test_bounds_hold(self, alpha):
        base, label = self.product(others()[0]), labels()
        truth = [oracle.entropy(one.dense(), alpha) for one in (base, base.times(label))]
        conditional = truth[1] - truth[0]
        assert conditional_bound(base, label, alpha, NUMPY) >= conditional - 1e-9
        pair = bracket(base, label, alpha, NUMPY, Question(1e-6), otherwise=np.inf)
        assert (pair is None) == (not base.may_factor)
        if pair is not None:
            for found, value in zip((pair.features, pair.joint), truth, strict=True):
                assert found.lower - 1e-9 <= value <= found.upper + 1e-9
            assert pair.lower - 1e-9 <= conditional <= pair.upper + 1e-9

    def test_bands_hold_on_more_rows(self):
        n = 220
        base, label = self.product(*others(1, n=n), n=n), labels(n)
        pair = banded(base, label, 1.01, NUMPY, Question(1e-5))
        if pair is None:  # no block is large enough, or no bands are to be had
            return
        joint = base.times(label)
        for found, one in ((pair.features, base), (pair.joint, joint)):
            value = oracle.entropy(one.dense(), 1.01)
            assert found.lower - 1e-9 <= value <= found.upper + 1e-9

    def test_sums_and_factors_at_order_two(self):
        part, squared = self.part(), self.product().dense() ** 2
        np.fill_diagonal(squared, 0.0)
        total, squares, rows = part_sums(part, NUMPY)
        assert total == pytest.approx(squared.sum(), rel=1e-5)
        assert squares == pytest.approx((squared**2).sum(), rel=1e-5)
        assert rows == pytest.approx(squared.sum(axis=1), rel=1e-5, abs=1e-5)
        factor = squared_factor(part)
        if factor is not None:
            values = factor.values[part.rows]
            np.fill_diagonal(squared, 1.0)
            assert values @ values.T == pytest.approx(squared, abs=1e-12)

    @pytest.mark.parametrize("alpha", ALPHAS)
    def test_candidates_of_a_step_agree_with_the_independent_program(self, alpha):
        parts = (self.part(), self.part(seed=2), *others())
        grams = [KernelProduct.of(N, [part]).dense() for part in parts]
        for label in (labels(), self.part(seed=3)):
            model = KernelModel(parts, label, N)
            found = SetEntropies(Computation.of(model, alpha, NUMPY))
            target = KernelProduct.of(N, [label]).dense()
            left = [j for j in range(len(parts)) if j]
            pairs = found.candidates((0,), left, lambda done: None)  # noqa: ARG005
            for j, pair in zip(left, pairs, strict=True):
                truth = oracle.mutual_information([grams[0], grams[j]], [target], alpha)
                assert found.mutual_information(pair) == pytest.approx(truth, abs=2e-5)

    @pytest.mark.slow
    @pytest.mark.parametrize("alpha", [0.6, 1.01, 2.0, 3.0])
    def test_a_whole_selection_is_that_of_dense(self, alpha):
        frame, kinds = self.frame()
        given = {
            "target": "y",
            "kind": kinds,
            "alpha": alpha,
            "bandwidth": 1.2,
            self.option: self.name,
        }
        paths = [renyi.select(frame, solver=solver, **given) for solver in ("auto", "dense")]
        auto, dense = paths
        assert auto.selected == dense.selected
        assert auto.verdict.reason == dense.verdict.reason
        for one, other in zip(auto.steps, dense.steps, strict=True):
            assert one.mi == pytest.approx(other.mi, abs=2e-6)
        assert self.name in {column.kernel for column in auto.data.columns}

    def frame(self):
        """Return a table whose target follows its first two columns, and the kinds of columns."""
        rng = np.random.default_rng(8)
        columns = {f"x{j}": self.variable(10 + j, 60) for j in range(4)}
        signal = sum(zscored(columns[name]) for name in ("x0", "x1"))
        classes = signal + 0.4 * rng.normal(size=60) > 0
        kinds = {name: str(variable.kind) for name, variable in columns.items()}
        cells = {name: cells_of(variable) for name, variable in columns.items()}
        cells["y"] = np.where(classes, "yes", "no").tolist()
        return pl.DataFrame(cells), kinds


def others(count=4, n=N):
    """Return a part of each kernel, a Gaussian first."""
    rng = np.random.default_rng(77)
    numbers = Variable.continuous("a", rng.normal(size=n))
    codes = Variable.nominal("b", rng.integers(0, 3, size=n), tables.LETTERS)
    few = Variable.continuous("c", rng.integers(0, 3, size=n) / 1.0)
    names = (("gaussian", numbers), ("laplacian", few), ("soft", codes), ("delta", codes))
    return tuple(builder_of(name)(one, Given("zscore", 1.5)) for name, one in names[:count])


def labels(n=N):
    codes = np.random.default_rng(5).integers(0, 3, size=n)
    return builder_of("delta")(Variable.nominal("y", codes, tables.LETTERS), Given("none", 1.0))


def vars_of(product):
    return {name: getattr(product, name) for name in product.__dataclass_fields__}


def zscored(variable):
    values = variable.values[:, 0] if variable.values.shape[1] else variable.codes
    return oracle.zscore(values)


def cells_of(variable):
    if variable.values.shape[1]:
        return variable.values[:, 0].tolist()
    return [tables.LETTERS[code] for code in variable.codes]
