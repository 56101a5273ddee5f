"""Target, features, exclusions, forced columns and kinds by name and glob."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from renyi.errors import ColumnError
from renyi.io import load
from renyi.options import DataOptions
from renyi.variables import ColumnReport, DataReport

RNG = np.random.default_rng(7)
FRAME = pl.DataFrame(
    {
        "age": [31.5, 42.0, 27.0, 55.5],
        "aged": [1.0, 2.0, 4.0, 3.0],
        "x[1]": [0.5, 0.25, 1.0, 2.0],
        "x1": [4, 8, 1, 2],
        "y": [*"pqpq"],
    }
)


def report(frame: pl.DataFrame = FRAME, **given: object) -> DataReport:
    return load(frame, options=DataOptions(**given)).report  # type: ignore[arg-type]


def features(**given: object) -> list[str]:
    return [column.name for column in report(**given).columns if column.role == "feature"]


def entry(found: DataReport, name: str) -> ColumnReport:
    return next(column for column in found.columns if column.name == name)


@pytest.mark.parametrize(
    ("names", "target", "why"),
    [
        (["a", "Target", "b"], "Target", "named Target"),
        (["LABEL", "a", "b"], "LABEL", "named LABEL"),
        (["a", "CLASS", "b"], "CLASS", "named CLASS"),
        (["Y", "a", "b"], "Y", "named Y"),
        (["y", "class", "b"], "class", "named class"),
        (["class", "label", "target"], "target", "named target"),
        (["a", "Class", "class"], "Class", "named Class"),
        (["a", "b", "targets"], "targets", "last column"),
    ],
)
def test_target_is_inferred(names: list[str], target: str, why: str) -> None:
    frame = pl.DataFrame({name: [0.5 + k, 1.0, 2.5, 3.0, 5.5] for k, name in enumerate(names)})
    found = report(frame)
    assert found.target == target
    assert why in found.target_reason
    assert entry(found, target).role == "target"


def test_target_asked_for_wins() -> None:
    found = report(target="x1")
    assert (found.target, found.target_reason) == ("x1", "asked for")
    assert entry(found, "y").role == "feature"


def test_excluded_columns_are_no_target() -> None:
    assert report(exclude=("y",)).target == "x1"
    assert report(exclude=("x*", "y")).target == "aged"


def test_features_come_in_the_order_of_the_table() -> None:
    assert features(features=("x1", "age")) == ["age", "x1"]
    assert features(features=("age*",)) == ["age", "aged"]
    assert features(features=("*",)) == ["age", "aged", "x[1]", "x1"]
    assert features(exclude=("age",)) == ["aged", "x[1]", "x1"]
    assert features(features=("age*", "x1"), exclude=("*d",)) == ["age", "x1"]


def test_a_full_name_means_that_column_alone() -> None:
    assert features(features=("x[1]",)) == ["x[1]"]
    assert features(exclude=("x[1]",)) == ["age", "aged", "x1"]


def test_kept_columns_are_features_too() -> None:
    assert features(features=("age",), keep=("x1",)) == ["age", "x1"]


def test_left_out_columns_say_why() -> None:
    found = report(features=("age", "aged"), exclude=("aged",))
    assert (entry(found, "aged").code, entry(found, "x1").code) == ("excluded", "not_asked")
    assert entry(found, "aged").reason == "excluded by name"
    assert [column.name for column in found.columns] == FRAME.columns


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"target": "yy"}, "`target` must name columns of the data, got `yy`. Did you mean `y`?"),
        ({"features": ("agee",)}, "Did you mean `age` or `aged`?"),
        ({"exclude": ("q*",)}, "`exclude` must name columns of the data, got `q*`."),
        ({"keep": ("zzz",)}, "Columns: `age`, `aged`, `x[1]`, `x1`, `y`."),
        ({"kinds": (("Age ", "nominal"),)}, "`kind` must name columns"),
        ({"target": "y", "features": ("y", "age")}, "`features` must not hold the target `y`"),
        ({"features": ("y", "age")}, "`features` must not hold the target `y`"),
        ({"keep": ("y",)}, "`keep` must not hold the target `y`"),
        ({"target": "y", "exclude": ("y",)}, "`exclude` must not hold the target `y`"),
        ({"keep": ("age",), "exclude": ("a*",)}, "`keep` must not hold a column that is excluded"),
        ({"keep": ("age", "age")}, "`keep` must name each column once, got `age` twice"),
        ({"exclude": ("*",)}, "`exclude` must leave a target"),
    ],
)
def test_roles_that_cannot_be(given: dict[str, object], words: str) -> None:
    with pytest.raises(ColumnError) as caught:
        report(**given)
    assert words in str(caught.value)


def test_metadata_of_a_target_that_is_gone() -> None:
    table = FRAME.to_arrow().replace_schema_metadata({"renyi.target": "gone"})
    with pytest.raises(ColumnError, match="names the target `gone`"):
        load(table)


def kinds(*asked: tuple[str, str]) -> dict[str, str | None]:
    return {column.name: column.kind for column in report(WIDE, kinds=asked).columns}


WIDE = pl.DataFrame(
    {
        "a1": [1, 2, 3, 1, 2, 3, 1, 2],
        "a2": [3, 2, 1, 1, 2, 3, 1, 2],
        "b": [1, 1, 2, 3, 2, 3, 1, 3],
        "y": [1, 2, 3, 4, 1, 2, 3, 4],
    }
)


def test_a_full_name_beats_a_glob_then_the_later_wins() -> None:
    assert kinds(("a1", "nominal"), ("*", "ordinal")) == {
        "a1": "nominal",
        "a2": "ordinal",
        "b": "ordinal",
        "y": "ordinal",
    }
    assert kinds(("a*", "nominal"), ("a2", "ordinal"))["a2"] == "ordinal"
    assert kinds(("*", "nominal"), ("a*", "ordinal"))["a1"] == "ordinal"
    assert kinds(("a1", "nominal"), ("a1", "ordinal"))["a1"] == "ordinal"
    assert kinds(("*", "continuous"), ("y", "nominal"))["y"] == "nominal"


def rows_in_some_order() -> pd.DataFrame:
    frame = pd.DataFrame({"x": RNG.normal(size=80), "y": ["a", "b"] * 40})
    frame.index = pd.Index(RNG.permutation(80))
    return frame


def with_index(found: DataReport) -> list[tuple[str, str]]:
    return [(column.name, column.code) for column in found.columns if column.role == "dropped"]


@pytest.mark.parametrize(("name", "written"), [(None, "__index_level_0__"), ("patient", "patient")])
def test_the_index_that_pandas_wrote_is_left_out(
    tmp_path: Path, name: str | None, written: str
) -> None:
    frame = rows_in_some_order().rename_axis(name)
    frame.drop(columns="y").assign(cls=frame["y"]).to_parquet(tmp_path / "a.parquet")
    found = load(tmp_path / "a.parquet").report
    assert found.target == "cls"  # the last column of the file is the index
    assert with_index(found) == [(written, "index_column")]
    note = next(note for note in found.notes if note.code == "index_column")
    assert note.columns == (written,)
    assert f"`{written}`" in note.message
    without = load(pl.DataFrame({"x": frame["x"].to_numpy(), "cls": frame["y"].to_list()}))
    assert found.fingerprint == without.report.fingerprint
    asked = load(tmp_path / "a.parquet", options=DataOptions(features=(written, "x")))
    assert asked.dataset.names == ("x", written)
    table = pa.Table.from_pandas(frame)
    assert with_index(load(table).report) == [(written, "index_column")]


def test_an_index_of_several_levels_and_one_that_counts(tmp_path: Path) -> None:
    frame = rows_in_some_order()
    levels = pd.MultiIndex.from_arrays([[*"ab"] * 40, RNG.permutation(80)])
    frame.set_index(levels).to_parquet(tmp_path / "a.parquet")
    dropped = with_index(load(tmp_path / "a.parquet").report)
    assert dropped == [(f"__index_level_{k}__", "index_column") for k in (0, 1)]
    frame.reset_index(drop=True).to_parquet(tmp_path / "b.parquet")
    assert with_index(load(tmp_path / "b.parquet").report) == []
    lost = pl.read_parquet(tmp_path / "a.parquet")  # polars forgets what pandas said of it
    assert with_index(load(lost).report) == dropped


def test_a_first_column_without_a_name_is_the_index(tmp_path: Path) -> None:
    frame = rows_in_some_order()
    frame.to_csv(tmp_path / "a.csv")
    assert with_index(load(tmp_path / "a.csv").report) == [("", "index_column")]
    again = pd.read_csv(tmp_path / "a.csv")
    assert with_index(load(again).report) == [("Unnamed: 0", "index_column")]
    named = load(tmp_path / "a.csv", options=DataOptions(target="y", keep=("",)))
    assert named.dataset.names == ("", "x")
    frame.insert(1, "", range(80))
    frame.to_csv(tmp_path / "b.csv", index=False)
    assert with_index(load(tmp_path / "b.csv").report) == []  # not the first


def test_an_index_can_be_excluded_like_any_column(tmp_path: Path) -> None:
    rows_in_some_order().to_csv(tmp_path / "a.csv")
    found = load(tmp_path / "a.csv", options=DataOptions(exclude=("",))).report
    assert with_index(found) == [("", "excluded")]
