"""Missing and infinite values, columns that are no use, and samples of rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest

from renyi.errors import ColumnError, DataError, MissingValuesError, OptionError
from renyi.io import Loaded, load

# the name that a level gets
from renyi.io.columns._encode import MISSING_LEVEL
from renyi.options import DataOptions

N = 40
INF, NAN = float("inf"), float("nan")


def base(**columns: Any) -> pl.DataFrame:
    index = np.arange(N)
    return pl.DataFrame(
        {
            "x": (index * 7 % N) + 0.5,
            "w": [*"abcd"] * (N // 4),
            **columns,
            "y": [*"pq"] * (N // 2),
        }
    )


def holes(values: list[Any], *where: int) -> pl.Series:
    return pl.Series([None if k in where else value for k, value in enumerate(values)])


def loaded(frame: pl.DataFrame, **given: Any) -> Loaded:
    return load(frame, options=DataOptions(target="y", **given))


def codes(found: Loaded) -> list[str]:
    return [note.code for note in found.report.notes]


def roles(found: Loaded) -> dict[str, str]:
    return {column.name: column.code or column.role for column in found.report.columns}


def numbers(*where: int) -> pl.Series:
    return holes([k * 3.5 % 11 for k in range(N)], *where)


def words(*where: int) -> pl.Series:
    return holes([*"uvwuv"] * (N // 5), *where)


def test_missing_values_are_an_error_with_counts() -> None:
    frame = base(a=numbers(1, 2), b=words(2, 5, 7))
    with pytest.raises(MissingValuesError) as caught:
        loaded(frame)
    assert "`a` (2), `b` (3)" in caught.value.message
    assert "keeps 36 of 40 rows" in caught.value.hint
    assert "`missing='level'` (a missing value is a value of its own)" in caught.value.hint


def test_only_columns_in_use_count() -> None:
    frame = base(a=numbers(1, 2), b=words(2, 5, 7))
    assert loaded(frame, exclude=("a", "b")).report.rows_used == N
    assert loaded(frame, features=("x",)).report.rows_used == N


def test_many_columns_are_counted_in_short() -> None:
    frame = base(**{f"m{k}": numbers(k) for k in range(15)})
    with pytest.raises(MissingValuesError, match=r"`m9` \(1\) and 5 more\."):
        loaded(frame)


def test_nan_is_missing() -> None:
    values = numbers().set(pl.Series(np.arange(N) == 3), NAN)
    with pytest.raises(MissingValuesError, match=r"`a` \(1\)"):
        loaded(base(a=values))


@pytest.mark.parametrize("kind", ["continuous", "ordinal", "nominal"])
@pytest.mark.parametrize("missing", ["error", "drop", "category"])
def test_infinity_is_always_an_error(kind: str, missing: str) -> None:
    values = (numbers() * 0 + 1.5).set(pl.Series(np.arange(N) < 2), INF)
    other = values.set(pl.Series(np.arange(N) == 9), -INF)
    with pytest.raises(DataError, match=r"infinite ones are in `a` \(2\), `b` \(3\)\."):
        loaded(base(a=values, b=other), missing=missing, kinds=(("a", kind), ("b", kind)))


def test_infinity_in_text_and_target() -> None:
    text = pl.Series(["inf", "1", "2", "3"] * 10)
    with pytest.raises(DataError, match=r"`a` \(10\)"):
        loaded(base(a=text), kinds=(("a", "continuous"),))
    frame = base().with_columns(y=pl.Series([1.5, INF] * 20))
    with pytest.raises(DataError, match=r"`y` \(20\)"):
        loaded(frame)
    assert loaded(base(a=pl.Series([INF, 1.5] * 20)), exclude=("a",)).report.rows == N


def test_drop_keeps_complete_rows() -> None:
    found = loaded(base(a=numbers(1, 2), b=words(2, 5)), missing="drop")
    assert (found.report.rows, found.report.rows_used, found.dataset.n) == (N, N - 3, N - 3)
    assert codes(found) == ["rows_dropped"]
    assert found.report.notes[0].columns == ("a", "b")
    complete = base(a=numbers(1, 2), b=words(2, 5)).drop_nulls()
    assert loaded(complete).report.fingerprint == found.report.fingerprint
    assert [c.missing for c in found.report.columns] == [0, 0, 2, 2, 0]


def test_drop_also_drops_rows_without_a_target() -> None:
    frame = base().with_columns(y=holes([*"pq"] * 20, 0, 1, 2))
    assert loaded(frame, missing="drop").dataset.n == N - 3


def test_drop_with_nothing_complete() -> None:
    frame = base(a=numbers(*range(0, N, 2)), b=words(*range(1, N, 2)))
    with pytest.raises(DataError, match="At least 2 rows must be complete, got 0 of 40"):
        loaded(frame, missing="drop")


def test_a_column_of_no_use_costs_no_rows() -> None:
    """An id with holes, and a column that is constant where it has values."""
    ids = holes([f"k{k}" for k in range(N)], *range(0, N, 3))
    flat = holes([1.0] * N, *range(1, N, 3))
    found = loaded(base(ids=ids, flat=flat, a=numbers(5)), missing="drop")
    assert found.dataset.n == N - 1
    assert roles(found)["ids"] == "id_like_column"
    assert roles(found)["flat"] == "constant_column"
    frame = base(ids=ids, a=numbers(5))
    with pytest.raises(MissingValuesError, match=f"keeps {N - 1} of {N} rows"):
        loaded(frame)


def test_a_column_left_constant_by_dropping_gives_its_rows_back() -> None:
    """`c` varies only where `a` is missing, and is missing itself in other rows."""
    a = numbers(0, 1)
    c = holes([2.5, 3.5] + [1.0] * (N - 2), *range(10, 20))
    found = loaded(base(a=a, c=c), missing="drop")
    assert roles(found)["c"] == "constant_column"
    assert found.dataset.n == N - 2


def test_category_gives_missing_values_a_level() -> None:
    found = loaded(base(b=words(2, 5)), missing="category")
    feature = found.dataset.features[2]
    assert feature.levels == ("u", "v", "w", MISSING_LEVEL)
    assert Counter(feature.codes.tolist())[3] == 2
    assert found.report.rows_used == N
    assert found.report.columns[2].missing == 2


def test_category_finds_a_name_that_is_free() -> None:
    values = holes([MISSING_LEVEL, "a", "b", "a"] * 10, 1)
    feature = loaded(base(b=values), missing="category").dataset.features[2]
    assert feature.levels == (MISSING_LEVEL, "a", "b", MISSING_LEVEL + "'")


def test_one_level_and_missing_are_two_categories() -> None:
    values = holes(["yes"] * N, *range(0, N, 2))
    found = loaded(base(b=values), missing="category")
    assert found.dataset.features[2].levels == ("yes", MISSING_LEVEL)
    assert roles(loaded(base(b=values), missing="drop"))["b"] == "constant_column"


@pytest.mark.parametrize("kind", ["continuous", "ordinal"])
def test_category_does_not_serve_numbers(kind: str) -> None:
    with pytest.raises(MissingValuesError) as caught:
        loaded(base(a=numbers(1), b=words(2)), missing="category", kinds=(("a", kind),))
    assert "`a` (1)" in caught.value.message
    assert "`b`" not in caught.value.message
    assert "drop" in caught.value.hint
    assert "`missing='level'` for all kinds" in caught.value.hint


@pytest.mark.parametrize("missing", ["category", "level"])
def test_rows_without_a_target_are_left_out_and_said(missing: str) -> None:
    frame = base(b=words(2, 5)).with_columns(y=holes([*"pq"] * 20, 0, 2))
    found = loaded(frame, missing=missing)
    assert found.report.rows_used == N - 2
    notes = {note.code: note for note in found.report.notes}
    assert notes["rows_dropped"].columns == ("y",)
    assert found.dataset.features[2].levels[-1] == MISSING_LEVEL  # of row 5
    with pytest.raises(DataError, match="At least 2 rows must be complete, got 1 of 3"):
        loaded(
            frame.with_columns(y=pl.lit(None)).head(3).with_columns(y=pl.Series(["p", None, None])),
            missing=missing,
        )


@pytest.mark.parametrize("kind", ["continuous", "ordinal"])
def test_level_gives_missing_numbers_a_value_of_their_own(kind: str) -> None:
    found = loaded(base(a=numbers(1, 4)), missing="level", kinds=(("a", kind),))
    feature = found.dataset.features[2]
    assert feature.missing is not None
    assert np.flatnonzero(feature.missing).tolist() == [1, 4]
    assert feature.codes[1] == feature.codes[4] == feature.distinct - 1
    assert np.isfinite(feature.values).all()
    other = loaded(base(a=numbers(1, 5)), missing="level", kinds=(("a", kind),))
    assert found.report.fingerprint != other.report.fingerprint
    whole = feature.take(np.array([0, 2, 3]))
    assert whole.missing is None
    half = feature.take(np.array([0, 1, 2]))
    assert half.missing is not None
    assert half.missing.tolist() == [False, True, False]


def test_one_value_and_missing_are_two_values() -> None:
    values = pl.Series([3.5] * N).set(pl.int_range(N, eager=True) % 2 == 0, None)
    found = loaded(base(b=values), missing="level")
    assert found.dataset.features[2].distinct == 2
    assert roles(loaded(base(b=values), missing="drop"))["b"] == "constant_column"


def test_a_copy_of_the_target_with_gaps_is_named() -> None:
    frame = base(copy=holes([*"pq"] * 20, 3)).with_columns(y=pl.Series([*"pq"] * 20))
    numeric = base(copy=numbers(3)).with_columns(y=pl.Series([k * 7.0 % 22 for k in range(N)]))
    for table in (frame, numeric):
        notes = {note.code for note in loaded(table, missing="level").report.notes}
        assert "target_copy" in notes


USELESS = {
    "all_null_column": pl.Series([None] * N, dtype=pl.Float64),
    "constant_column": pl.Series([3] * N),
    "id_like_column": pl.Series([f"k{k % 21}" for k in range(N)]),
    "nested_column": pl.Series([[k] for k in range(N)]),
    "binary_column": pl.Series([b"a", b"b"] * 20),
}


@pytest.mark.parametrize("code", list(USELESS))
def test_useless_columns_are_left_out_and_named(code: str) -> None:
    found = loaded(base(z=USELESS[code]))
    assert roles(found)["z"] == code
    assert codes(found) == [code]
    assert found.report.notes[0].columns == ("z",)
    assert "`z`" in found.report.notes[0].message
    assert found.dataset.names == ("x", "w")
    assert roles(loaded(base(z=USELESS[code]), features=("z*", "x")))["z"] == code


@pytest.mark.parametrize("code", list(USELESS))
def test_useless_columns_asked_for_are_refused(code: str) -> None:
    for given in ({"features": ("z", "x")}, {"keep": ("z",)}):
        with pytest.raises(ColumnError, match="`z` cannot be a feature"):
            loaded(base(z=USELESS[code]), **given)
    with pytest.raises(ColumnError, match="`z` cannot be the target"):
        load(base(z=USELESS[code]), options=DataOptions(target="z"))


def test_as_many_levels_as_half_the_rows_are_no_id() -> None:
    values = pl.Series([f"k{k % 20}" for k in range(N)])
    assert roles(loaded(base(z=values)))["z"] == "feature"


def test_one_class_is_no_target() -> None:
    with pytest.raises(ColumnError, match="`y` cannot be the target: it has one value only"):
        loaded(base().with_columns(y=pl.lit("p")))


def test_no_feature_left() -> None:
    frame = pl.DataFrame({"a": [1] * 6, "b": [None] * 6, "y": [*"pqpqpq"]})
    with pytest.raises(DataError) as caught:
        load(frame)
    assert "No feature is left" in caught.value.message
    assert "`a`: it has one value only" in caught.value.message


def test_constant_is_judged_in_the_rows_used() -> None:
    rare = pl.Series([0.0] * (N - 1) + [1.0])
    assert roles(loaded(base(z=rare)))["z"] == "feature"
    gone = loaded(base(z=rare, a=numbers(N - 1)), missing="drop")
    assert roles(gone)["z"] == "constant_column"
    drawn = loaded(base(z=rare), rows=6)
    assert roles(drawn)["z"] == "constant_column"
    with pytest.raises(ColumnError, match="in the rows used"):
        loaded(base(z=rare), rows=6, keep=("z",))


BIG = pl.DataFrame(
    {
        "x": np.random.default_rng(0).normal(size=1000),
        "y": np.repeat(["a", "b", "c"], [700, 299, 1]),
        "t": np.random.default_rng(1).exponential(size=1000),
    }
)


def test_classes_keep_their_shares() -> None:
    found = loaded(BIG.drop("t"), rows=100)
    counts = Counter(found.dataset.target.levels[code] for code in found.dataset.target.codes)
    # The shares are 70, 29.9 and 0.1: every class has one place before remainders are looked at.
    assert counts == {"a": 70, "b": 29, "c": 1}
    assert codes(found) == ["rows_sampled"]
    assert (found.report.rows, found.report.rows_used) == (1000, 100)


def test_few_places_still_hold_every_class() -> None:
    many = pl.DataFrame({"x": np.arange(110) + 0.5, "y": [f"k{k}" for k in range(10)] * 11})
    lopsided = pl.DataFrame(
        {"x": np.arange(109) + 0.5, "y": ["a"] * 100 + [f"k{k}" for k in range(9)]}
    )
    for frame in (many, lopsided):
        dataset = load(frame, options=DataOptions(rows=20)).dataset
        assert (dataset.n, dataset.target.distinct) == (20, 10)
        with pytest.raises(OptionError, match="twice the number of classes, 10; got 19"):
            load(frame, options=DataOptions(rows=19))


def test_numeric_targets_are_spread_over_their_quantiles() -> None:
    found = load(BIG.drop("y"), options=DataOptions(rows=50))
    ranks = np.searchsorted(np.sort(BIG["t"].to_numpy()), found.dataset.target.values[:, 0])
    assert sorted(ranks // 20) == list(range(50))


def test_samples_depend_on_the_seed_only() -> None:
    frame = BIG.drop("t")
    first = loaded(frame, rows=100).report.fingerprint
    assert loaded(frame, rows=100).report.fingerprint == first
    assert loaded(frame, rows=100, seed=1).report.fingerprint != first


def test_samples_do_not_depend_on_the_names_of_classes() -> None:
    renamed = BIG.drop("t").with_columns(y=pl.col("y").replace({"a": "z", "b": "m", "c": "a"}))
    plain = loaded(BIG.drop("t"), rows=100).dataset.features[0].values
    other = loaded(renamed, rows=100).dataset.features[0].values
    np.testing.assert_array_equal(plain, other)


def test_sampled_rows_stay_in_order() -> None:
    frame = pl.DataFrame({"x": np.arange(1000) + 0.5, "y": BIG["y"]})
    values = loaded(frame, rows=100).dataset.features[0].values[:, 0]
    assert (np.diff(values) > 0).all()


def test_a_sample_of_all_rows_is_no_sample() -> None:
    found = loaded(base(), rows=N)
    assert codes(found) == []
    assert found.report.rows_used == N


def test_rows_are_drawn_from_complete_ones() -> None:
    found = loaded(base(a=numbers(*range(10))), missing="drop", rows=20)
    assert found.report.rows_used == 20
    assert codes(found) == ["rows_dropped", "rows_sampled"]


def test_order_of_rows_changes_nothing_but_the_order() -> None:
    frame = base(a=numbers(), b=words(), z=pl.Series([3, 1, 2, 9] * 10))
    order = np.random.default_rng(3).permutation(N)
    plain, mixed = loaded(frame), loaded(frame[order.tolist()])
    for one, other in zip(plain.dataset.features, mixed.dataset.features, strict=True):
        assert one.levels == other.levels
        np.testing.assert_array_equal(one.codes[order], other.codes)
    assert [c.to_dict() for c in plain.report.columns] == [
        c.to_dict() for c in mixed.report.columns
    ]
    assert codes(plain) == codes(mixed)


def test_a_target_that_dropping_leaves_constant_says_what_for() -> None:
    frame = pl.DataFrame(
        {"a": [0.5, 1.5, 2.5, None, None, None] * 3, "b": np.arange(18.0), "y": [*"pppqqq"] * 3}
    )
    with pytest.raises(ColumnError) as caught:
        load(frame, options=DataOptions(missing="drop"))
    message = caught.value.message
    assert "9 of 18 rows were dropped for missing values in `a` (9)" in message
    assert caught.value.hint.startswith("Exclude `a`")


def test_missing_values_of_the_target_can_only_be_dropped() -> None:
    values = [None, *"pqpqpq" * 3]
    frame = pl.DataFrame({"a": np.arange(19.0), "y": values})
    with pytest.raises(MissingValuesError) as caught:
        load(frame)
    assert "`missing='drop'`" in caught.value.hint
    assert "category" not in caught.value.hint
    assert "exclude" not in caught.value.hint
