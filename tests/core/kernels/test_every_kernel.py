"""Each kernel by itself: what `EveryKernel` asks of all, and what is its own."""

from dataclasses import dataclass

import numpy as np

import oracle
import tables
from every_kernel import SIGMA, EveryKernel, N, others
from renyi.bounds import certifies
from renyi.kernels import KernelPart, TiledKernel
from renyi.options import KERNELS, method_options
from renyi.variables import Variable


class OfNumbers(EveryKernel):
    """A kernel of numbers, on rounded ones."""

    def variable(self, seed, n=N):
        values = np.random.default_rng(seed).normal(size=n)
        return Variable.continuous("x", np.round(values * 4) / 4)


class OfLevels(EveryKernel):
    """A kernel of levels, on four of them."""

    def variable(self, seed, n=N):
        codes = np.random.default_rng(seed).integers(0, 4, size=n)
        codes[:4] = np.arange(4)
        return Variable.nominal("x", codes, tables.LETTERS)


class TestGaussian(OfNumbers):
    name = "gaussian"
    option = "kernel"

    def gram(self, variable, sigma=SIGMA):
        return oracle.gaussian(oracle.zscore(variable.values[:, 0]), sigma)


class TestLaplacian(OfNumbers):
    name = "laplacian"
    option = "kernel"

    def gram(self, variable, sigma=SIGMA):
        return oracle.laplacian(oracle.zscore(variable.values[:, 0]), sigma)

    def test_products_of_them_are_one(self):
        product = self.product(self.part(seed=2), self.part(seed=3))
        assert len(product.tiled) == 1
        assert product.dimensions == 3
        assert len(self.product().times(self.part(seed=2)).tiled) == 1

    def test_many_rows_are_seldom_of_low_rank(self):
        points = np.random.default_rng(0).normal(size=(600, 1))
        tiled = (type(self.part().tiled[0])(points),)
        assert not certifies(np.empty((600, 0)), 600, 1e-6, tiled=tiled)
        assert certifies(np.empty((600, 0)), 600, 1e-6)


class TestSoft(OfLevels):
    name = "soft"
    option = "nominal"

    def gram(self, variable, sigma=SIGMA):
        shares = np.bincount(variable.codes) / variable.n
        return oracle.onehot(variable.codes, sigma * np.sqrt(1 - (shares**2).sum()))


class TestDelta(OfLevels):
    name = "delta"
    option = "nominal"

    def gram(self, variable, sigma=SIGMA):  # noqa: ARG002 - it has none
        return oracle.delta(variable.codes)


class TestDeltaOfNumbers(OfNumbers):
    name = "delta"
    option = "kernel"

    def gram(self, variable, sigma=SIGMA):  # noqa: ARG002 - it has none
        return oracle.delta(variable.values[:, 0])


class TestOnehot(OfLevels):
    name = "onehot"
    option = "label_kernel"

    def gram(self, variable, sigma=SIGMA):  # noqa: ARG002 - it has none
        return oracle.onehot(variable.codes)

    @staticmethod
    def never_alike():  # only targets have it, which are no candidates
        return ()


@dataclass(frozen=True, eq=False)
class RationalQuadratic(TiledKernel):
    """1 / (1 + |u - v|^2): a kernel that does not join, known by its values alone."""

    def values(self, left, right, xp):
        apart = left[:, None, :] - right[None, :, :]
        return 1 / (1 + xp.sum(apart * apart, axis=2))

    def dense(self):
        apart = self.points[:, None, :] - self.points[None, :, :]
        return (1 / (1 + (apart**2).sum(axis=2))) ** self.exponent

    @property
    def entry_error(self):
        return 8 * float(np.finfo(np.float64).eps)


class TestMadeUp(OfNumbers):
    """A kernel of which the package knows nothing but its values."""

    name = "gaussian"

    def gram(self, variable, sigma=SIGMA):
        points = oracle.zscore(variable.values[:, 0]) / sigma
        return 1 / (1 + np.subtract.outer(points, points) ** 2)

    def part(self, seed=1, n=N, bandwidth=SIGMA):
        gaussian = super().part(seed, n, bandwidth)
        empty = np.empty((n, 0))
        return KernelPart(
            "x",
            "rational",
            empty,
            None,
            (),
            gaussian.rows,
            gaussian.distinct,
            gaussian.sigma,
            gaussian.growth,
            (RationalQuadratic(gaussian.points),),
        )

    @staticmethod
    def never_alike():  # whether a sign matters to it nobody knows
        return ()

    def test_a_whole_selection_is_that_of_dense(self):
        """No option offers it."""

    def test_it_stands_beside_others(self):
        product = self.product(self.part(seed=2), *others())
        assert len(product.tiled) == 2 + 1  # the Laplacian among the others


def test_every_kernel_is_tested():
    tested = {one.name for kind in (OfNumbers, OfLevels) for one in kind.__subclasses__()}
    assert tested == {record.name for record in KERNELS}


def test_options_offer_what_the_records_say():
    for record in KERNELS:
        for option in record.options:
            assert getattr(method_options(**{option: record.name}), option) == record.name
