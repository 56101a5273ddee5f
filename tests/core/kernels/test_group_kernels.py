"""Columns that are one feature: the geometric mean of their kernels."""

import math

import numpy as np
import polars as pl
import pytest

import oracle
import renyi
from every_kernel import SIGMA, EveryKernel, N
from renyi.backend import get_backend
from renyi.entropies import solve
from renyi.kernels import KernelProduct, build_part, equal_kernels
from renyi.variables import Variable

NUMPY = get_backend("numpy")


def numbers(name, seed, n):
    values = np.random.default_rng(seed).normal(size=n)
    return Variable.continuous(name, np.round(values * 2) / 2)


def names(name, seed, n, levels=3):
    codes = np.random.default_rng(seed).integers(0, levels, n)
    return Variable.nominal(name, codes, tuple("abcdefgh"[:levels]))


def holed(name, seed, n):
    values = np.round(np.random.default_rng(seed).normal(size=n) * 2) / 2
    values[::5] = np.nan
    return Variable.continuous(name, values)


class Groups(EveryKernel):
    """The checks of every kernel, on a group of columns whose rows repeat."""

    name = "gaussian"
    nominal = "soft"
    makers = (numbers, names, holed)

    def variable(self, seed, n=N):
        half = [make(str(k), 10 * seed + k, n // 2) for k, make in enumerate(self.makers)]
        rows = np.arange(n) % (n // 2)
        return Variable.joint("g", [one.take(rows) for one in half])

    def part(self, seed=1, n=N, bandwidth=SIGMA):
        return build_part(
            self.variable(seed, n),
            scale="zscore",
            bandwidth=bandwidth,
            nominal=self.nominal,
            kernel=self.name,
        )

    def gram(self, variable, sigma=SIGMA):
        grams = [self.gram_of(member, sigma) for member in variable.members]
        return oracle.hadamard(grams, variable.n) ** (1 / len(grams))

    def gram_of(self, member, sigma):
        if member.levels:
            return self.gram_of_levels(member.codes, sigma)
        number = getattr(oracle, self.name)
        if member.missing is None:
            return number(oracle.zscore(member.values[:, 0]), sigma)
        there = ~member.missing
        points = np.zeros(member.n)
        points[there] = oracle.zscore(member.values[there, 0])
        return number(points, sigma) * self.gram_of_levels(member.missing.astype(int), sigma)

    def gram_of_levels(self, codes, sigma):
        if self.nominal == "delta":
            return oracle.delta(codes)
        shares = np.bincount(codes) / len(codes)
        return oracle.onehot(codes, sigma * math.sqrt(1 - (shares**2).sum()))

    @pytest.mark.slow
    @pytest.mark.parametrize("alpha", [0.6, 1.01, 2.0, 3.0])
    def test_a_whole_selection_is_that_of_dense(self, alpha):
        rng = np.random.default_rng(8)
        columns = {
            f"g{group}{k}": make("x", 10 * group + k, 60)
            for group in range(3)
            for k, make in enumerate(self.makers)
        }
        cells = {name: cells_of(variable) for name, variable in columns.items()}
        signal = columns["g00"].values[:, 0] + 0.5 * rng.normal(size=60)
        frame = pl.DataFrame({**cells, "y": np.where(signal > 0, "yes", "no")}, nan_to_null=True)
        groups = {f"group{k}": f"g{k}*" for k in range(3)}
        given = {"missing": "level", "kernel": self.name, "nominal": self.nominal, "alpha": alpha}
        auto, dense = (
            renyi.select(frame, target="y", group_columns=groups, solver=solver, **given)
            for solver in ("auto", "dense")
        )
        assert auto.selected == dense.selected
        assert auto.steps[0].feature == "group0"
        assert auto.verdict.reason == dense.verdict.reason
        for one, other in zip(auto.steps, dense.steps, strict=True):
            assert one.mi == pytest.approx(other.mi, abs=2e-6)


def cells_of(variable):
    """Return the values of a column as a table has them."""
    if variable.levels:
        return [variable.levels[code] for code in variable.codes]
    missing = variable.missing
    return (
        variable.values[:, 0]
        if missing is None
        else np.where(missing, np.nan, variable.values[:, 0])
    )


class TestSoftGroup(Groups):
    pass


class TestHardGroup(Groups):
    nominal = "delta"


class TestNumbers(Groups):
    makers = (numbers, numbers, numbers, numbers)


class TestLaplacianGroup(Groups):
    name = "laplacian"


def built(variable, **given):
    return build_part(variable, scale="zscore", bandwidth=1.5, **given)


def dense(part):
    return KernelProduct.of(part.n, [part]).dense()


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
@pytest.mark.parametrize("nominal", ["soft", "delta"])
@pytest.mark.parametrize("make", [numbers, names, holed])
@pytest.mark.parametrize("copies", [1, 2, 7])
def test_a_group_of_copies_of_one_column_has_its_kernel(kernel, nominal, make, copies):
    given = {"kernel": kernel, "nominal": nominal}
    column = make("x", 3, 40)
    group = built(Variable.joint("g", [column] * copies), **given)
    single = built(column, **given)
    assert dense(group) == pytest.approx(dense(single), abs=1e-14)
    for size in (2, 5):
        assert dense(group.at(size)) == pytest.approx(dense(single.at(size)), abs=1e-14)


@pytest.mark.parametrize("size", [1, 2, 6])
def test_its_width_grows_as_that_of_one_feature(size):
    column = numbers("x", 3, 60)
    for rule in ("steady", "growing", "silverman:joint"):
        parts = [
            build_part(one, scale="zscore", bandwidth=rule)
            for one in (column, Variable.joint("g", [names("z", 1, 60), column]))
        ]
        single, group = (part.at(size) for part in parts)
        assert group.sigma == single.sigma
        shrunk = parts[1].coordinates / (group.sigma / parts[1].sigma)
        assert group.coordinates == pytest.approx(shrunk)


def test_dummies_of_a_column_of_two_levels_are_that_column():
    column = names("x", 5, 50, levels=2)
    yes = column.codes.astype(float)
    dummies = [Variable.continuous("yes", yes), Variable.continuous("no", 1 - yes)]
    for some in (dummies, dummies[:1]):
        group = built(Variable.joint("g", some))
        assert dense(group) == pytest.approx(dense(built(column, nominal="soft")), abs=1e-14)


def test_its_mean_squared_distance_is_that_of_one_number():
    rng = np.random.default_rng(0)
    columns = [Variable.continuous(str(k), rng.normal(size=200)) for k in range(100)]
    columns += [names("z", 1, 200, levels=5)]
    points = built(Variable.joint("g", columns), nominal="soft").coordinates * 1.5
    distances = ((points[:, None] - points[None, :]) ** 2).sum(axis=2)
    assert distances.mean() == pytest.approx(2.0)


def test_a_hundred_bands_do_not_leave_every_row_alone():
    rng = np.random.default_rng(1)
    bands = [Variable.continuous(str(k), rng.normal(size=300)) for k in range(100)]
    group = KernelProduct.of(300, [built(Variable.joint("g", bands))])
    apart = KernelProduct.of(300, [built(band) for band in bands])
    assert solve(group, 2.0, NUMPY).value < 1.5
    assert solve(apart, 2.0, NUMPY).value == pytest.approx(math.log2(300), abs=0.1)


def test_a_group_of_names_is_an_equality_where_they_are_compared_so():
    columns = [names(str(k), k, 60) for k in range(3)]
    part = built(Variable.joint("g", columns))
    assert part.is_hard
    assert part.distinct == len(set(zip(*(c.codes for c in columns), strict=True)))
    assert np.array_equal(
        dense(part), oracle.hadamard([oracle.delta(c.codes) for c in columns], 60)
    )


def test_a_part_says_what_the_kernel_of_each_column_is():
    columns = [names("z", 1, 60), numbers("x", 3, 60)]
    part = built(Variable.joint("g", columns), nominal="soft")
    assert [tuple(one) for one in part.columns] == [("z", "soft", 1.5), ("x", "gaussian", 1.5)]
    assert (part.kernel, part.is_soft) == ("gaussian", False)
    assert [tuple(one) for one in built(columns[1]).columns] == [("x", "gaussian", 1.5)]
    assert built(Variable.joint("g", columns[:1]), nominal="soft").is_soft


def test_groups_that_are_the_same_are_found():
    one, other = numbers("a", 1, 60), numbers("b", 2, 60)
    scaled = Variable.continuous("c", -3 * other.values)
    group, turned = (
        built(Variable.joint("g", [one, other])),
        built(Variable.joint("h", [scaled, one])),
    )
    another = built(Variable.joint("i", [one, numbers("d", 4, 60)]))
    copies = built(Variable.joint("j", [other, scaled]))
    assert equal_kernels([built(one), group, another, turned]) == ((1, 3),)
    assert equal_kernels([copies, group, built(other), built(scaled)]) == ((0, 2, 3),)
    holes = Variable.joint("k", [holed("e", 1, 60), one])
    hard = [built(holes), built(Variable.joint("l", [holes.members[1], holes.members[0]]))]
    assert equal_kernels(hard) == ((0, 1),)


@pytest.mark.parametrize("rows", [[0, 3, 5, 9, 11], list(range(30))])
def test_some_rows_of_a_group_are_those_of_its_columns(rows):
    group = Variable.joint("g", [names("z", 1, 40), numbers("x", 3, 40), holed("h", 2, 40)])
    taken = group.take(np.array(rows))
    whole = np.column_stack([one.codes for one in group.members])[rows]
    equal = (whole[:, None] == whole[None, :]).all(axis=2)
    assert np.array_equal(taken.codes[:, None] == taken.codes[None, :], equal)
    assert [one.name for one in taken.columns] == ["z", "x", "h"]
