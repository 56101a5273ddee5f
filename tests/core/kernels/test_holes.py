"""Numbers some of which are missing, where that is a value of its own."""

import numpy as np
import polars as pl
import pytest

import oracle
import renyi
from every_kernel import SIGMA, EveryKernel, N
from lanes import every_other
from renyi.kernels import KernelProduct, build_part
from renyi.variables import Variable


class Holes(EveryKernel):
    """The checks of every kernel, on rounded numbers a quarter of which is missing."""

    name = ""
    nominal = ""

    def variable(self, seed, n=N):
        rng = np.random.default_rng(seed)
        values = np.round(rng.normal(size=n) * 4) / 4
        values[rng.permutation(n)[: n // 4]] = np.nan
        return Variable.continuous("x", values)

    def part(self, seed=1, n=N, bandwidth=SIGMA):
        return build_part(
            self.variable(seed, n),
            scale="zscore",
            bandwidth=bandwidth,
            nominal=self.nominal,
            kernel=self.name,
        )

    def gram(self, variable, sigma=SIGMA):
        there = ~variable.missing
        points = np.zeros(variable.n)
        points[there] = oracle.zscore(variable.values[there, 0])  # missing at the mean
        shares = np.array([there.mean(), 1 - there.mean()])
        codes = variable.missing.astype(int)
        lacks = (
            oracle.delta(codes)
            if self.nominal == "delta"
            else oracle.onehot(codes, sigma * np.sqrt(1 - (shares**2).sum()))
        )
        return lacks * getattr(oracle, self.name)(points, sigma)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("alpha", "criterion"), every_other([0.6, 1.01, 2.0, 3.0], ["cmi-max", "cmi-perm"])
    )
    def test_a_whole_selection_is_that_of_dense(self, alpha, criterion):
        given = {"alpha": alpha, "kernel": self.name, "nominal": self.nominal, "missing": "level"}
        auto, dense = (
            renyi.select(table(60), criterion=criterion, solver=solver, permutations=59, **given)
            for solver in ("auto", "dense")
        )
        assert auto.selected == dense.selected
        assert auto.verdict.reason == dense.verdict.reason
        for one, other in zip(auto.steps, dense.steps, strict=True):
            assert one.mi == pytest.approx(other.mi, abs=2e-6)


class TestSoftHoles(Holes):
    name = "gaussian"
    nominal = "soft"


class TestHardHoles(Holes):
    name = "gaussian"
    nominal = "delta"


class TestSoftLaplacianHoles(Holes):
    name = "laplacian"
    nominal = "soft"


class TestHardLaplacianHoles(Holes):
    name = "laplacian"
    nominal = "delta"


def table(n, seed=3):
    """Return a table whose target follows a value where it is there, and that another is not."""
    rng = np.random.default_rng(seed)
    value, other = rng.normal(size=(2, n))
    lacks = rng.random(n) < 0.4
    score = np.where(rng.random(n) < 0.3, np.nan, value)
    signal = 2 * value + 3 * lacks + 0.5 * rng.normal(size=n) > 1
    return pl.DataFrame(
        {
            "value": score,
            "lacking": np.where(lacks, np.nan, other),
            "noise": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
            "y": np.where(signal, "yes", "no"),
        },
        nan_to_null=True,
    )


def test_missing_values_and_their_absence_are_found():
    path = renyi.select(table(300), missing="level")
    assert set(path.selected) == {"value", "lacking"}
    assert path.data.rows_used == 300


def test_all_missing_values_are_alike_whatever_stands_in_their_place():
    values = np.array([1.0, np.nan, 2.0, np.nan, 3.0])
    part = build_part(Variable.continuous("x", values), scale="zscore", bandwidth=1.0)
    assert part.distinct == 4
    assert part.rows[1] == part.rows[3]


def test_a_column_without_holes_is_as_without_the_option():
    frame = table(120).drop_nulls()
    assert renyi.select(frame, missing="level").steps == renyi.select(frame).steps


def test_copies_with_the_same_holes_are_the_same():
    frame = table(120).with_columns(months=pl.col("value") * 12)
    path = renyi.select(frame, missing="level", target="y")
    assert path.aliases == {"value": ("months",)}
    other = frame.with_columns(pl.when(pl.int_range(120) > 3).then("months"))
    assert not renyi.select(other, missing="level", target="y").aliases


@pytest.mark.parametrize("nominal", ["soft", "delta"])
@pytest.mark.parametrize("scale", ["zscore", "none", "bins:3", "quantiles:4"])
def test_where_numbers_are_levels_no_value_is_one_more(scale, nominal):
    values = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, np.nan, np.nan] * 4)
    part = build_part(
        Variable.continuous("x", values),
        scale=scale,
        bandwidth=1.0,
        nominal=nominal,
        kernel="delta",
    )
    gram = KernelProduct.of(len(values), [part]).dense()
    missing = np.isnan(values)
    assert set(gram.flat) == {0.0, 1.0}
    assert gram[np.ix_(missing, missing)].all()
    assert not gram[np.ix_(missing, ~missing)].any()
    assert part.distinct == (1 + int(scale[-1]) if ":" in scale else 7)
    assert (part.kernel, part.sigma) == ("delta", None)


@pytest.mark.parametrize("given", [{"kernel": "delta"}, {"score": "jmi"}])
def test_columns_of_levels_with_the_same_holes_are_not_the_same(given):
    """All that tells is `told`; `other` lacks a value in the same rows and is after it noise."""
    rng = np.random.default_rng(5)
    told, other = rng.integers(0, 6, (2, 200)).astype(float)
    y = np.where(told > 2, "high", "low")
    told[:30] = other[:30] = np.nan
    frame = pl.DataFrame({"other": other, "told": told, "y": y}, nan_to_null=True)
    path = renyi.select(frame, missing="level", **given)
    assert path.selected[0] == "told"
    assert not path.aliases
    assert "many_levels" not in {note.code for note in path.warnings}


def test_an_ordinal_column_has_a_step_for_them():
    steps = pl.Series("dose", ["low", "mid", None, "high", None] * 20)
    frame = pl.DataFrame({"dose": steps.cast(pl.Enum(["low", "mid", "high"]))})
    frame = frame.with_columns(y=pl.col("dose").is_null().cast(pl.String))
    path = renyi.select(frame, missing="level", target="y")
    assert path.selected == ("dose",)
    assert renyi.measure(frame, x="dose", y="y", missing="level", alpha=1.0).to_dict()


def test_a_target_without_a_value_is_left_out_and_said():
    frame = table(200).with_columns(y=pl.when(pl.int_range(200) > 9).then("y"))
    path = renyi.select(frame, missing="level")
    assert path.data.rows_used == 190
    assert "10 of 200 rows left out for having no value of the target `y`." in [
        note.message for note in path.warnings
    ]


def test_a_column_that_lacks_half_of_its_values_is_named():
    frame = table(200).with_columns(rare=pl.when(pl.int_range(200) % 3 == 0).then("value"))
    path = renyi.select(frame, missing="level", target="y")
    notes = {note.code: note for note in path.warnings}
    assert notes["half_missing"].columns == ("rare",)


def test_counting_criteria_give_them_a_bin():
    path = renyi.select(table(300), missing="level", criterion="mi-chi2", score="chi2-gain")
    assert "lacking" in path.selected


def test_compare_tells_a_model_where_they_are():
    found = renyi.compare(table(200), missing="level", runs=20, model="logistic")
    best = max(point.mean for point in found.curve)
    assert best > 0.75


def test_a_gap_that_tells_of_the_target_is_said():
    path = renyi.select(table(300), missing="level")
    notes = {note.code: note for note in path.warnings}
    assert notes["missing_tells"].columns == ("lacking",)


def test_describe_says_which_values_are_missing_together():
    frame = pl.DataFrame(
        {
            "a": [None, None, 1.0, 2.0, 3.0, None] * 5,
            "b": [None, None, 1.0, 2.0, None, 4.0] * 5,
            "c": [1.0, 3.0, 2.0, 5.0, 2.5, 1.5] * 5,
            "y": ["u", "v"] * 15,
        }
    )
    found = renyi.describe(frame, missing="level")
    assert found.missing_patterns == ((("a", "b"), 10), ((), 10), (("b",), 5), (("a",), 5))
    assert found.to_dict()["missing_patterns"][0] == {"columns": ["a", "b"], "rows": 10}
    assert renyi.describe(frame.drop("a", "b")).missing_patterns == ()
