"""How numbers are written in text: read right, or said, with the way to read them right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from renyi.errors import DataError, OptionError, Way
from renyi.io import Loaded, apply_selection, load
from renyi.options import DataOptions
from renyi.variables import Kind

RNG = np.random.default_rng(11)
COUNTS = RNG.integers(-900, 90_000, 300)
LABELS = np.where(COUNTS > 40_000, "a", "b")


def write(path: Path, fields: list[str], separator: str = ",") -> Path:
    lines = [f'"{field}"{separator}{label}' for field, label in zip(fields, LABELS, strict=False)]
    path.write_text("\n".join([f"v{separator}y", *lines]) + "\n", encoding="utf-8")
    return path


def read(path: Path, **options: object) -> Loaded:
    return load(path, options=DataOptions(**options))  # type: ignore[arg-type]


def values(loaded: Loaded) -> list[float]:
    return loaded.dataset.features[0].values[:, 0].tolist()


def codes(loaded: Loaded) -> list[str]:
    return [note.code for note in loaded.report.notes]


def grouped(mark: str) -> list[str]:
    return [f"{count:,}".replace(",", mark) for count in COUNTS]


def test_dots_that_may_mark_thousands_are_said(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", grouped("."), ";")
    assert "possible_thousands" in codes(read(path))
    right = read(path, thousands=".")
    assert values(right) == COUNTS.tolist()
    assert "possible_thousands" not in codes(right)
    assert "possible_thousands" not in codes(read(path, decimal="."))
    assert values(read(path, decimal=".")) == values(read(path))


def test_decimals_are_not_doubted(tmp_path: Path) -> None:
    for fields, separator in (
        ([f"{count / 1000:.3f}" for count in COUNTS], ","),  # three places, and zeros before them
        ([f"{count / 10}" for count in COUNTS], ";"),
        ([f"{count / 1000}".replace(".", ",") for count in COUNTS], ";"),
        ([f"{count % 9 + 1}.{count % 900 + 100}" for count in COUNTS], ","),
    ):
        assert codes(read(write(tmp_path / "a.csv", fields, separator))) == []


@pytest.mark.parametrize(
    ("mark", "word", "ways"),
    [
        (",", ",", (Way("thousands", ","), Way("decimal", ","))),
        (" ", "space", (Way("thousands", "space"),)),
        ("\u202f", "space", None),
        ("'", "'", None),
        ("_", "_", None),
    ],
)
def test_marks_that_are_no_numbers_name_the_option(
    tmp_path: Path, mark: str, word: str, ways: tuple[Way, ...] | None
) -> None:
    path = write(tmp_path / "a.csv", grouped(mark))
    with pytest.raises(DataError, match="numbers with marks that are not read unasked") as caught:
        read(path)
    assert caught.value.ways[0] == Way("thousands", word)
    assert ways is None or caught.value.ways == ways
    assert values(read(path, thousands=word)) == COUNTS.tolist()
    assert read(path, kinds=(("v", "ordinal"),)).dataset.features[0].kind is Kind.ORDINAL


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("1.234.567,25", {"thousands": "."}),
        ("1.234.567,25", {"thousands": ".", "decimal": ","}),
        ("1 234 567,25", {"thousands": "space", "decimal": ","}),
        ("1,234,567.25", {"thousands": ","}),
        ("1'234'567.25", {"thousands": "'"}),
        ("1234567,25", {"decimal": ","}),
    ],
)
@pytest.mark.parametrize("separator", [",", ";"])
def test_both_marks(tmp_path: Path, field: str, options: dict[str, str], separator: str) -> None:
    fields = [field, "12", "-7", "+5", "1e3", ""] * 10
    found = read(write(tmp_path / "a.csv", fields, separator), missing="drop", **options)
    assert values(found)[:5] == [1234567.25, 12, -7, 5, 1000]


def test_what_breaks_a_group_is_no_number(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", ["1,234", "12,34", "5"] * 10)
    with pytest.raises(DataError, match="mixes types"):
        read(path, thousands=",")


def test_marks_of_both_kinds_name_both_options(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", ["1 234,5", "12", "7,25"] * 10)
    with pytest.raises(DataError) as caught:
        read(path)
    assert caught.value.ways == (Way("decimal", ","), Way("thousands", "space"))
    path = write(tmp_path / "b.csv", ["1,5", "12", "7,25"] * 10)
    with pytest.raises(DataError) as caught:
        read(path)
    assert caught.value.ways == (Way("decimal", ","),)


def test_percent_signs(tmp_path: Path) -> None:
    found = read(write(tmp_path / "a.csv", [f"{count / 900:.1f}%" for count in COUNTS]))
    assert values(found) == [float(f"{count / 900:.1f}") for count in COUNTS]
    assert "percent_signs" in codes(found)
    path = write(tmp_path / "b.csv", ["5%", "x", "7 %"] * 10)
    assert read(path).dataset.features[0].levels == ("5%", "7 %", "x")


def test_leading_zeros_are_names(tmp_path: Path) -> None:
    fields = [f"{count % 40:05d}" for count in COUNTS]
    found = read(write(tmp_path / "a.csv", fields))
    variable = found.dataset.features[0]
    assert variable.kind is Kind.NOMINAL
    assert variable.levels[1] == "00001"
    assert codes(found) == ["leading_zeros"]
    asked = read(tmp_path / "a.csv", kinds=(("v", "continuous"),))
    assert values(asked) == [count % 40 for count in COUNTS]
    for plain in (["0", "10", "7"], ["0.5", "00.7", "1"], ["-05", "7", "3"]):
        assert "leading_zeros" not in codes(read(write(tmp_path / "b.csv", plain * 20)))
    apply_selection(["v"], tmp_path / "a.csv", tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet")["v"][0] == fields[0]


def test_marks_go_along_into_a_typed_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", grouped("."), ";")
    apply_selection(["v"], path, tmp_path / "out.parquet", options=DataOptions(thousands="."))
    assert pl.read_parquet(tmp_path / "out.parquet")["v"].to_list() == COUNTS.tolist()


def test_marks_are_for_text_and_differ(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="another mark than"):
        DataOptions(decimal=",", thousands=",")
    frame = pl.DataFrame({"v": COUNTS, "y": LABELS})
    frame.write_parquet(tmp_path / "a.parquet")
    for data in (frame, tmp_path / "a.parquet"):
        for option in ("decimal", "thousands"):
            with pytest.raises(OptionError, match="states its types"):
                load(data, options=DataOptions(**{option: ","}))  # type: ignore[arg-type]
