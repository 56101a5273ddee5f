"""Rows that count differently: their entropies, tests, predictions, and what is refused."""

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.errors import ColumnError, DataError, MissingValuesError, OptionError


def table(n=120, seed=0, target="classes"):
    """Return a table of all kinds with whole weights from 1 to 3 and a few gaps."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n))
    signal = x + 0.7 * rng.normal(size=n)
    y = np.where(signal > 0.3, "yes", "no") if target == "classes" else signal
    return pl.DataFrame(
        {
            "x": x,
            "z": z,
            "c": rng.choice(list("abc"), n),
            "h": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
            "w": rng.integers(1, 4, n),
            "y": y,
        },
        nan_to_null=True,
    )


def expanded(frame):
    return frame.select(pl.exclude("w").repeat_by("w")).explode(pl.all())


def same(one, other):
    values = {quantity.name: quantity.value for quantity in other.quantities}
    return values == {name: pytest.approx(one[name], abs=2e-6) for name in values}


GIVEN = {"missing": "level", "target": "y"}
MEASURED = {"x": ["x", "c", "h"], "y": "y", "given": "z", "missing": "level"}


@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize("alpha", [0.7, 1.0, 1.01, 2.0, 3.0])
def test_weight_two_is_two_rows(alpha, target):
    """Both kinds of weights, in every entropy, for rules that do not count rows."""
    frame = table(60, target=target)
    given = {**MEASURED, "alpha": alpha, "bandwidth": 1.5, "class_weights": "none"}
    twice = renyi.measure(expanded(frame), **given)
    for kind in ("importance", "frequency"):
        found = renyi.measure(frame, weights="w", weight_kind=kind, **given)
        assert same(found, twice)


@pytest.mark.parametrize("standardise", ["zscore", "rank", "minmax"])
@pytest.mark.parametrize("nominal", ["soft", "delta"])
@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_scales_count_rows_by_their_weights(standardise, nominal, kernel):
    frame = table(60)
    given = {
        **MEASURED,
        "bandwidth": 1.5,
        "standardise": standardise,
        "nominal": nominal,
        "kernel": kernel,
        "class_weights": "none",
    }
    twice = renyi.measure(expanded(frame), **given)
    found = renyi.measure(frame, weights="w", **given)
    assert same(found, twice)


@pytest.mark.parametrize("criterion", ["cmi-max", "cmi-local", "cmi-perm", "mi-chi2"])
def test_frequencies_are_rows(criterion):
    frame = table()
    rows = renyi.select(expanded(frame), criterion=criterion, **GIVEN)
    found = renyi.select(frame, weights="w", weight_kind="frequency", criterion=criterion, **GIVEN)
    assert found.data.rows_used == frame["w"].sum()
    assert found.steps == rows.steps
    assert found.verdict == rows.verdict
    assert found.data_options.weights == "w"


def test_equal_weights_are_none():
    frame = table().with_columns(w=pl.lit(2.5))
    plain = renyi.select(frame.drop("w"), **GIVEN)
    found = renyi.select(frame, weights="w", **GIVEN)
    assert found.steps == plain.steps
    roles = {column.name: column.role for column in found.data.columns}
    assert roles["w"] == "weights"


def test_a_row_of_weight_zero_is_not_there():
    frame = table().with_columns(w=pl.when(pl.int_range(120) < 30).then(0.0).otherwise("w"))
    found = renyi.select(frame, weights="w", **GIVEN)
    rest = renyi.select(frame.slice(30), weights="w", **GIVEN)
    assert found.steps == rest.steps
    assert found.data.rows_used == 90
    assert [n.columns for n in found.warnings if n.code == "rows_dropped"] == [("w",)]


PAIRS = (
    [("classes", "cmi-max"), ("numbers", "cmi-perm")],
    [
        ("classes", "cmi-perm"),
        ("numbers", "cmi-max"),
    ],
)
"""Each order and number of rows meets both targets and both criteria, not every pair of them."""


@pytest.mark.parametrize(
    ("alpha", "rows", "target", "criterion"),
    [
        (*size, *pair)
        for place, size in enumerate(
            [(0.8, 60), (1.01, 70), (1.01, 230), (1.5, 230), (2.0, 70), (3.0, 60)]
        )
        for pair in PAIRS[place % 2]
    ],
)
def test_auto_is_dense(alpha, rows, target, criterion):
    frame = table(rows, 4, target).with_columns(w=pl.col("w") * 0.37 + pl.col("x").exp())
    given = {**GIVEN, "weights": "w", "alpha": alpha, "permutations": 39}
    auto, dense = (
        renyi.select(frame, solver=solver, criterion=criterion, **given)
        for solver in ("auto", "dense")
    )
    assert auto.verdict.reason == dense.verdict.reason
    assert auto.selected == dense.selected
    for one, other in zip(auto.steps, dense.steps, strict=True):
        assert one.mi == pytest.approx(other.mi, abs=2e-6)
        assert one.gain == pytest.approx(other.gain, abs=4e-6)


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_chance_is_the_mean_over_orders(target):
    """The closed form, with weights that stay with the target, against permuted columns."""
    frame = table(50, 1, target).with_columns(w=pl.col("w") ** 2)
    given = {"target": "y", "features": "x", "weights": "w", "criterion": "none", "bandwidth": 1.0}
    given["standardise"] = "none"  # a scale by weights would change with the order
    step = renyi.select(frame, **given).steps[0]
    rng = np.random.default_rng(5)
    x = frame["x"].to_numpy()
    gains = [
        renyi.select(frame.with_columns(x=rng.permutation(x)), **given).steps[0].gain
        for _ in range(200)
    ]
    assert abs(np.mean(gains) - step.chance) < 4 * np.std(gains) / np.sqrt(200) + 1e-3
    assert np.std(gains) == pytest.approx(step.above_chance / step.z, rel=0.3)


def test_values_may_come_apart():
    frame = table()
    apart = renyi.select(frame.drop("w"), weights=frame["w"].to_list(), **GIVEN)
    column = renyi.select(frame, weights="w", **GIVEN)
    assert apart.steps == column.steps
    assert apart.data_options.weights == "weights"
    matrix = renyi.select(
        frame.select("x", "z").to_numpy(), frame["y"].to_numpy(), weights=frame["w"].to_numpy()
    )
    assert matrix.selected == ("x1",)


def test_the_result_is_read_again(tmp_path):
    path = renyi.select(table(), weights="w", **GIVEN)
    path.save(tmp_path / "path.json")
    assert renyi.read_result(tmp_path / "path.json").data_options == path.data_options
    plain = renyi.select(table(), exclude="w", **GIVEN)
    assert path.data.fingerprint != plain.data.fingerprint


def test_predictions_are_judged_by_weights():
    """Rows that follow another rule count next to nothing."""
    rng = np.random.default_rng(2)
    n = 200
    x = rng.normal(size=n)
    other = np.arange(n) % 2 == 0
    y = np.where((x > 0) != other, "p", "q")
    frame = pl.DataFrame({"x": x, "w": np.where(other, 1e-3, 1.0), "y": y})
    plain = renyi.compare(frame.drop("w"), target="y", runs=20, criterion="cmi-max")
    found = renyi.compare(frame, target="y", weights="w", runs=20, criterion="cmi-max")
    assert found.curve[-1].mean > 0.9
    assert plain.curve[-1].mean < 0.7
    everything = renyi.compare(frame, target="y", weights="w", runs=20)
    assert "mi-chi2" not in {result.criterion for result in everything.results}
    assert "criteria_left_out" in {note.code for note in everything.warnings}


def test_describe_and_stability_take_them():
    frame = table()
    found = renyi.describe(frame, weights="w", **GIVEN)
    roles = {column.name: column.role for column in found.data.columns}
    assert roles["w"] == "weights"
    path = renyi.select(frame, weights="w", stability=10, **GIVEN)
    assert path.stability is not None


WRONG = {
    "negative": (pl.lit(-1.0), DataError, "finite and not negative; `w` holds -1"),
    "infinite": (pl.lit(float("inf")), DataError, "finite and not negative; `w` holds inf"),
    "nothing": (pl.lit(0), DataError, "above 0 somewhere"),
    "words": (pl.lit("much"), ColumnError, "must be a column of numbers"),
    "missing": (pl.when(pl.int_range(120) > 3).then("w"), MissingValuesError, "in 4 rows"),
    "one row": (pl.when(pl.int_range(120) == 3).then(1).otherwise(0), DataError, "2 rows must"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_weights_are_refused(case):
    values, error, message = WRONG[case]
    with pytest.raises(error, match=message):
        renyi.select(table().with_columns(w=values), weights="w", **GIVEN)


def test_weights_that_cannot_be_are_refused():
    frame = table()
    half = frame.with_columns(w=pl.col("w") / 2)
    with pytest.raises(DataError, match="frequencies must be whole numbers; `w` holds"):
        renyi.select(half, weights="w", weight_kind="frequency", **GIVEN)
    many = frame.with_columns(w=pl.lit(10**7))
    with pytest.raises(DataError, match="1,200,000,000 rows"):
        renyi.select(many, weights="w", weight_kind="frequency", **GIVEN)
    with pytest.raises(ColumnError, match="`weights` must be a column of its own, got `y`"):
        renyi.select(frame, weights="y", **GIVEN)
    with pytest.raises(ColumnError, match="got `ww`"):
        renyi.select(frame, weights="ww", **GIVEN)
    with pytest.raises(OptionError, match="`criterion` mi-chi2 counts rows"):
        renyi.select(frame, weights="w", criterion="mi-chi2", **GIVEN)
    with pytest.raises(OptionError, match="`score` chi2-gain counts rows"):
        renyi.select(frame, weights="w", score="chi2-gain", criterion="none", **GIVEN)
    with pytest.raises(DataError, match="`weights` must have one value a row"):
        renyi.select(frame, weights=[1.0, 2.0], **GIVEN)
