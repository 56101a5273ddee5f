"""Kinds by type and values, as the rules say, and untyped text."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from renyi.errors import ColumnError, DataError
from renyi.io import load

# the limit, to come to either side of it
from renyi.io.columns._kinds import MOST_CLASSES

# a column without a file around it
from renyi.io.files.text._untyped import MISSING_MARKS, typed_column
from renyi.options import DataOptions
from renyi.variables import ColumnReport, Dataset

N = 120
Y = pl.Series([*"ppqqq"] * (N // 5))


def cycle(values: list[Any]) -> pl.Series:
    return pl.Series([values[i % len(values)] for i in range(N)], strict=False)


def feature(values: pl.Series, **given: Any) -> tuple[ColumnReport, list[str]]:
    options = DataOptions(target="y", **given)
    report = load(pl.DataFrame({"x": values, "ok": np.arange(N) + 0.5, "y": Y}), options=options)
    return report.report.columns[0], [note.code for note in report.report.notes]


def target(values: pl.Series, **given: Any) -> tuple[Dataset, list[str]]:
    loaded = load(
        pl.DataFrame({"x": np.arange(N) + 0.5, "t": values}), options=DataOptions(**given)
    )
    return loaded.dataset, [note.code for note in loaded.report.notes]


@pytest.mark.parametrize(
    ("values", "kind", "notes"),
    [
        (cycle([0.5, 1.5]), "continuous", []),
        (cycle([1.0, 2.0]), "continuous", []),
        (cycle([7, 9]), "nominal", []),
        (cycle([1, 2, 3]), "continuous", ["integer_codes"]),
        (cycle([*range(10)]), "continuous", ["integer_codes"]),
        (cycle([*range(11)]), "continuous", []),
        (cycle(["a", "b", "c"]), "nominal", []),
        (cycle([True, False]), "nominal", []),
        (cycle([Decimal("0.10"), Decimal("0.20")]), "continuous", []),
        (cycle([date(2020, 1, 1), date(2020, 1, 2)]), "continuous", []),
        (cycle([datetime(2020, 1, 1), datetime(2020, 1, 2)]), "continuous", []),
        (cycle([timedelta(1), timedelta(2)]), "continuous", []),
        (cycle([time(1), time(2)]), "continuous", []),
        (cycle(["a", "b"]).cast(pl.Categorical), "nominal", []),
        (cycle(["1", "2", "x"]), "nominal", []),
    ],
)
def test_kind_of_a_feature(values: pl.Series, kind: str, notes: list[str]) -> None:
    report, codes = feature(values)
    assert report.kind == kind
    assert codes == notes
    assert report.reason


@pytest.mark.parametrize(
    ("distinct", "kind"),
    [(2, "nominal"), (3, "nominal"), (MOST_CLASSES, "nominal"), (MOST_CLASSES + 1, "continuous")],
)
@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.Decimal(10, 2)])
def test_kind_of_a_whole_numbered_target(distinct: int, kind: str, dtype: pl.DataType) -> None:
    dataset, notes = target(cycle([*range(distinct)]).cast(dtype))
    assert dataset.target.kind == kind
    assert ("integer_class_target" in notes) == (2 < distinct <= MOST_CLASSES)
    if kind == "nominal":
        assert dataset.target.levels == tuple(str(k) for k in range(distinct))


def test_few_rows_a_value_make_a_target_a_quantity() -> None:
    frame = pl.DataFrame({"x": np.arange(19) + 0.5, "y": [k % 4 for k in range(19)]})
    assert load(frame).dataset.target.kind == "continuous"
    more = pl.DataFrame({"x": np.arange(20) + 0.5, "y": [k % 4 for k in range(20)]})
    assert load(more).dataset.target.kind == "nominal"


def test_two_values_are_classes_however_few_rows() -> None:
    frame = pl.DataFrame({"x": [0.5, 1.5, 2.5, 3.0], "y": [0, 1, 1, 0]})
    assert load(frame).dataset.target.kind == "nominal"


def test_kind_of_other_targets() -> None:
    assert target(cycle([0.5, 1.5]))[0].target.kind == "continuous"
    assert target(cycle([True, False]))[0].target.levels == ("false", "true")
    assert target(cycle(["b", "a"]))[0].target.levels == ("a", "b")
    assert target(cycle([date(2020, 1, 1), date(2020, 1, 5)]))[0].target.kind == "continuous"


def test_kind_does_not_depend_on_the_sample() -> None:
    values = pl.Series([1] * 60 + [2] * 59 + [3])
    report, _ = feature(values, rows=20)
    assert report.kind == "continuous"
    rows = pl.DataFrame({"x": np.arange(N) + 0.5, "y": cycle([*range(12)])})
    assert load(rows, options=DataOptions(rows=24)).dataset.target.kind == "nominal"


def test_kind_asked_for_wins() -> None:
    codes = cycle([10, 2, 30, 9])
    assert feature(codes, kinds=(("x", "nominal"),))[0].kind == "nominal"
    assert feature(codes, kinds=(("x", "ordinal"),))[0].kind == "ordinal"
    assert feature(cycle([7, 9]), kinds=(("x", "continuous"),))[0].kind == "continuous"
    assert target(cycle([0, 1, 2]), kinds=(("t", "continuous"),))[0].target.kind == "continuous"


def variable(values: pl.Series, kind: str) -> Any:
    frame = pl.DataFrame({"x": values, "y": Y})
    return load(frame, options=DataOptions(kinds=(("x", kind),))).dataset.features[0]


def test_ordinal_levels_are_in_order() -> None:
    numbers = variable(cycle([10, 2, 30, 9]), "ordinal")
    assert numbers.levels == ("2", "9", "10", "30")
    assert numbers.values[:4, 0].tolist() == [2.0, 0.0, 3.0, 1.0]
    assert variable(cycle(["b", "a", "c"]), "ordinal").levels == ("a", "b", "c")


def test_ordinal_distances_do_not_depend_on_the_rows_drawn() -> None:
    frame = pl.DataFrame({"x": [5] + [1, 9] * 60, "y": ["p"] + [*"pq"] * 60})
    options = DataOptions(kinds=(("x", "ordinal"),), rows=20)
    values = load(frame, options=options).dataset.features[0].values
    assert set(values[:, 0]) == {0.0, 2.0}


def test_text_can_be_read_as_numbers() -> None:
    assert variable(cycle([" 1.5", "2", "-3"]), "continuous").values[:3, 0].tolist() == [1.5, 2, -3]
    assert variable(cycle([True, False]), "continuous").values[:2, 0].tolist() == [1.0, 0.0]
    with pytest.raises(ColumnError, match=r"`x` cannot be continuous: .* such as 'low'"):
        variable(cycle(["1", "low"]), "continuous")
    with pytest.raises(ColumnError, match="cannot be continuous"):
        variable(cycle(["1", "low"]).cast(pl.Categorical), "continuous")


def test_many_numbers_as_text_are_noted() -> None:
    report, codes = feature(cycle([str(k) for k in range(30)]))
    assert report.kind == "nominal"
    assert codes == ["numbers_as_text"]


@pytest.mark.parametrize(
    ("fields", "dtype", "values"),
    [
        (["1", " 2", None], "Int64", [1, 2, None]),
        (["1", "2.5", ""], "Float64", [1.0, 2.5, None]),
        (["1e3", "-.5", "+2"], "Float64", [1000.0, -0.5, 2.0]),
        (["nan", "1"], "Float64", [None, 1.0]),
        (["9223372036854775808", "+1"], "Decimal(precision=38, scale=0)", [2**63, 1]),
        (["9" * 39, "1"], "Float64", [1e39, 1.0]),
        (["True", "FALSE", " "], "Boolean", [True, False, None]),
        (["true", "NA"], "Boolean", [True, None]),
        (["2020-02-29", "2020-03-01"], "Date", [date(2020, 2, 29), date(2020, 3, 1)]),
        (["2020-02-29", "?"], "Date", [date(2020, 2, 29), None]),
        (["2020-02-30", "2020-03-01"], "String", ["2020-02-30", "2020-03-01"]),
        (["10:00:00", "23:59:59"], "Time", [time(10), time(23, 59, 59)]),
        (["a", " b", ""], "String", ["a", " b", None]),
        (["NA", "-"], "Null", [None, None]),
        (["", " "], "Null", [None, None]),
    ],
)
def test_types_of_untyped_fields(fields: list[str], dtype: str, values: list[Any]) -> None:
    column = typed_column("a", pl.Series(fields, dtype=pl.String))
    assert column.dtype == dtype
    assert column.values.to_list() == values
    assert column.values.name == column.name == "a"


def test_times_with_and_without_a_zone() -> None:
    plain = typed_column("a", pl.Series(["2020-01-01 10:00:00", "2020-01-01T10:00:00.5"]))
    assert plain.values.to_list() == [
        datetime(2020, 1, 1, 10),
        datetime(2020, 1, 1, 10, 0, 0, 500_000),
    ]
    zoned = typed_column("a", pl.Series(["2020-01-01T10:00:00Z", "2020-01-01 12:00:00+02:00"]))
    assert zoned.values.n_unique() == 1


def test_decimal_commas_go_with_semicolons(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x;w;y\n1,5;a,b;p\n2;a;q\n0,25;a;p\n3;a;q\n4,5;a,b;p\n9;a;q\n")
    dataset = load(path).dataset
    assert dataset.features[0].values[:, 0].tolist() == [1.5, 2.0, 0.25, 3.0, 4.5, 9.0]
    assert dataset.features[1].levels == ("a", "a,b")


@pytest.mark.parametrize("mark", MISSING_MARKS)
def test_marks_for_missing_in_numbers(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "a.csv"
    lines = [f"{k}.5,{'pq'[k % 2]}" for k in range(20)]
    path.write_text("\n".join(["x,y", *lines, f"{mark},p"]))
    report = load(path, options=DataOptions(missing="drop")).report
    assert (report.columns[0].missing, report.rows_used) == (1, 20)
    assert "missing_marks" in [note.code for note in report.notes]


def test_marks_for_missing_in_text_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "a,p\nb,q\n?,p\n" * 5)
    loaded = load(path)
    assert loaded.dataset.features[0].levels == ("?", "a", "b")
    assert [note.code for note in loaded.report.notes] == ["possible_missing_marks"]


def mixed(path: Path, numbers: int, texts: int) -> Path:
    fields = [str(k) for k in range(numbers)] + [f"t{k}" for k in range(texts)]
    path.write_text(
        "x,y\n" + "".join(f"{f},{'pq'[k % 2]}\n" for k, f in enumerate(fields)), encoding="utf-8"
    )
    return path


def test_numbers_with_a_few_texts_are_refused(tmp_path: Path) -> None:
    path = mixed(tmp_path / "a.csv", 300, 1)
    with pytest.raises(DataError) as caught:
        load(path)
    assert "`x` mixes types: 300 numbers and 1 other value, such as 't0'" in caught.value.message
    assert "nominal" in caught.value.hint
    with pytest.raises(ColumnError, match="cannot be continuous"):
        load(path, options=DataOptions(kinds=(("x", "continuous"),)))


def test_a_mixed_column_can_be_taken_as_nominal(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "1,p\n2,q\n3+,p\n0,q\n" * 5)
    with pytest.raises(DataError, match="mixes types"):
        load(path)
    loaded = load(path, options=DataOptions(kinds=(("x", "nominal"),)))
    assert loaded.dataset.features[0].levels == ("0", "1", "2", "3+")


def test_text_with_some_numbers_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "a,p\nb,q\n7,p\n" * 5)
    assert [note.code for note in load(path).report.notes] == ["mixed_column"]


def test_header_that_may_be_data_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("5.1,3.5,0\n4.9,3.0,1\n4.7,3.2,1\n4.6,3.1,2\n4.2,3.3,2\n")
    assert "header_of_numbers" in [note.code for note in load(path).report.notes]
    path.write_text("0,1,2\n4.9,3.0,1\n4.7,3.2,0\n4.6,3.1,1\n4.4,3.5,0\n")
    assert "header_of_numbers" not in [note.code for note in load(path).report.notes]


@pytest.mark.parametrize("digits", [17, 19, 20, 31])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_long_whole_numbers_keep_their_differences(
    tmp_path: Path, digits: int, suffix: str
) -> None:
    low = 10 ** (digits - 1) + 1
    path = tmp_path / f"a.{suffix}"
    ids = [low + (7 * k) % N for k in range(N)]
    if suffix == "csv":
        path.write_text("x,y\n" + "".join(f"{ids[k]},{Y[k]}\n" for k in range(N)))
    else:
        pl.DataFrame({"x": pl.Series(ids, dtype=pl.Decimal(38, 0)), "y": Y}).write_parquet(path)
    loaded = load(path)
    assert loaded.dataset.features[0].values[:, 0].tolist() == [(7 * k) % N for k in range(N)]
    assert loaded.report.columns[0].distinct == N


def test_fingerprints_tell_long_numbers_apart() -> None:
    def fingerprint(low: int) -> str:
        frame = pl.DataFrame({"x": [low + k for k in range(N)], "y": Y})
        return load(frame).report.fingerprint

    assert fingerprint(2**60) != fingerprint(2**61)
    assert fingerprint(5) != fingerprint(6)


def test_an_order_by_alphabet_is_said() -> None:
    words = cycle(["mid", "low", "high"])
    frame = pl.DataFrame({"x": words, "y": Y})
    (found,) = load(frame, options=DataOptions(kinds=(("x", "ordinal"),))).report.notes
    assert found.code == "alphabetical_order"
    assert found.message.endswith(": `x`."), "levels are values: a result holds none of those"
    declared = words.cast(pl.Enum(["low", "mid", "high"]))
    assert feature(declared, kinds=(("x", "ordinal"),))[1] == []
    assert feature(cycle([3, 1, 2]), kinds=(("x", "ordinal"),))[1] == []


def test_a_header_half_of_numbers_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("0.3456,1.5239,yes\n" + "0.5,1.5,no\n0.25,3.5,yes\n" * 5)
    (found,) = (n for n in load(path).report.notes if n.code == "header_of_numbers")
    assert found.columns == ("0.3456", "1.5239")
    path.write_text("2020,b,yes\n" + "0.5,1.5,no\n0.25,3.5,yes\n" * 5)
    assert "header_of_numbers" not in [n.code for n in load(path).report.notes]
