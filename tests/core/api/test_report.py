"""`renyi.report`: whose rows are shown, what is said where they cannot be, and what is refused."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.errors import IntegrityError, OptionError, OutputError, ReadError, UsageError

ROWS = 60


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    draw = np.random.default_rng(1)
    a = draw.normal(size=ROWS)
    return pl.DataFrame(
        {
            "a": a,
            "b": draw.normal(size=ROWS),
            "kind": ["secret one", "secret two", "secret three"] * 20,
            "y": np.where(a > 0, "p", "q"),
        }
    )


@pytest.fixture
def table(frame: pl.DataFrame, tmp_path: Path) -> Path:
    place = tmp_path / "table.parquet"
    frame.write_parquet(place)
    return place


@pytest.fixture
def result(table: Path, tmp_path: Path) -> Path:
    return renyi.select(table, target="y", alpha=2).save(tmp_path / "result.json")


def has_pictures(page: renyi.Report) -> bool:
    return "data-still>Picture" in page.html


def test_the_file_that_the_result_names_is_opened(result: Path, tmp_path: Path) -> None:
    page = renyi.report(result, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert has_pictures(page)
    assert page.notes == ()
    assert page.html == renyi.read_result(result).report().html


def test_no_data_leaves_nothing_of_the_rows_in_the_page(result: Path) -> None:
    page = renyi.report(result, no_data=True)
    assert not has_pictures(page)
    assert page.notes == ()
    assert "no pictures" not in page.html


def test_no_data_leaves_no_level_of_a_column_in_page_or_result() -> None:
    words = ["soft-one", "hard-one", "mid-one"] * 20
    frame = pl.DataFrame({"x": words, "y": ["no-class", "yes-class", "yes-class"] * 20})
    path = renyi.select(frame, target="y", kind={"x": "ordinal"})
    assert [note.code for note in path.warnings if note.columns == ("x",)] == ["alphabetical_order"]
    page = path.report(data=frame)
    assert "soft-one" in page.html
    bare = path.report(no_data=True)
    assert "-one" not in bare.html + path.to_json()
    assert "-class" not in bare.html + path.to_json()


def test_several_quantities_are_each_drawn_and_the_list_says_which_it_shows() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=120)
    frame = pl.DataFrame(
        {"x": x, "z": draw.normal(size=120), "up": x, "down": draw.normal(size=120) - x}
    )
    html = renyi.select(frame, target=["up", "down"]).report(data=frame).html
    portraits = html.partition('<div class="portraits')[2].partition("</figure>")[0]
    assert re.findall(r'<p class="label">(\w+)</p>', portraits) == ["up", "down"]
    assert "Of 2 targets it is set against the first, up." in html


def test_a_table_that_moved_is_named(result: Path, table: Path, tmp_path: Path) -> None:
    moved = table.rename(tmp_path / "moved.parquet")
    page = renyi.report(result)
    assert not has_pictures(page)
    (note,) = page.notes
    assert (note.code, "is not at hand" in note.message) == ("no_pictures", True)
    assert "There are no pictures of the columns: the table" in page.html
    assert has_pictures(renyi.report(result, data=moved))


def test_a_table_that_changed_is_told(result: Path, table: Path, frame: pl.DataFrame) -> None:
    changed = frame.with_columns(pl.col("b") + 1e-3)
    changed.write_parquet(table)
    for page in (renyi.report(result), renyi.report(result, data=changed)):
        assert not has_pictures(page)
        assert "its fingerprint differs" in page.notes[0].message
        assert "its fingerprint differs" in page.html
    frame.drop("b").write_parquet(table)
    assert not has_pictures(renyi.report(result))
    table.write_bytes(b"no table")
    assert "cannot be read as it was" in renyi.report(result).notes[0].message
    with pytest.raises(ReadError):
        renyi.report(result, data=table)


def test_a_table_in_memory_is_given_with_what_was_given_apart(frame: pl.DataFrame) -> None:
    x, y, weights = frame.drop("y"), frame["y"], np.linspace(1, 2, ROWS)
    path = renyi.select(x, y, weights=weights, alpha=2)
    assert not has_pictures(path.report())
    assert "renyi.select(\n    table," in path.report().html
    assert "In the terminal" not in path.report().html
    assert has_pictures(path.report(data=x, y=y, weights=weights))
    assert not has_pictures(path.report(data=x, y=y, weights=weights[::-1]))


def test_rows_that_were_drawn_or_left_out_are_the_same_ones(frame: pl.DataFrame) -> None:
    holed = frame.with_columns(
        pl.when(pl.col("b") > 1).then(None).otherwise(pl.col("b")).alias("b")
    )
    for options in ({"missing": "drop", "rows": 30}, {"missing": "level"}):
        path = renyi.select(holed, target="y", alpha=2, seed=5, **options)  # type: ignore[arg-type]
        assert has_pictures(path.report(data=holed))


@pytest.mark.parametrize("source", ["http://localhost:9/x.parquet", "/dev/zero", "standard input"])
def test_nothing_but_files_is_opened_for_a_name(source: str, result: Path, tmp_path: Path) -> None:
    record = json.loads(result.read_text(encoding="utf-8"))
    record["data"]["source"] = source
    del record["run"]["digest"]
    hostile = tmp_path / "hostile.json"
    hostile.write_text(json.dumps(record), encoding="utf-8")
    page = renyi.report(hostile)
    assert not has_pictures(page)
    assert page.notes[0].code == "no_pictures"


def test_a_pipe_is_not_waited_for(result: Path, tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names here")
    os.mkfifo(tmp_path / "pipe.csv")
    record = json.loads(result.read_text(encoding="utf-8"))
    record["data"]["source"] = str(tmp_path / "pipe.csv")
    path = renyi.SelectionPath.from_dict(record)
    assert not has_pictures(path.report())


def test_comparisons_are_read_and_shown(frame: pl.DataFrame, tmp_path: Path) -> None:
    one = renyi.compare(frame, target="y", runs=4, criterion=["cmi-max", "mi-perm"])
    two = renyi.compare(frame, target="y", runs=4, score=["mi", "jmi"])
    for found, words in ((one, "2 criteria"), (two, "2 scores")):
        place = found.save(tmp_path / f"{words[:9]}.json")
        page = renyi.report(place, data=frame)
        assert f"{words} compared for the target y" in page.html
        assert has_pictures(page)
        assert page.html == found.report(data=frame).html
        assert type(found).from_json(found.to_json()) == found


def test_a_comparison_that_is_not_whole_is_refused(frame: pl.DataFrame, tmp_path: Path) -> None:
    record: dict[str, Any] = renyi.compare(frame, target="y", runs=3, criterion="mi-peak").to_dict()
    place = tmp_path / "comparison.json"
    for change in ({"best": 99}, {"runs": "many"}, {"results": [{}]}, {"schema_version": "2.0"}):
        place.write_text(json.dumps(record | change), encoding="utf-8")
        with pytest.raises(ReadError, match="comparison"):
            renyi.report(place)


def test_several_results_stand_side_by_side(result: Path, frame: pl.DataFrame) -> None:
    path = renyi.read_result(result)
    page = renyi.report([result, renyi.select(frame, target="y", seed=1, alpha=2), path])
    assert page.html.count("<article") == 3
    assert page.html.count("<h1") == 1
    assert "seed" in page.html.partition("What differs")[2].partition("Columns selected")[0]


def test_what_is_no_result_is_refused_in_a_sentence(result: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    for text, words in (
        ("[1]", "it is JSON of something else"),
        ("{", "its JSON is broken or breaks off in line 1"),
        ('{"a": 1}', "`schema_version` is missing"),
        (result.read_text(encoding="utf-8")[:2000], "its JSON is broken or breaks off in line"),
        ('{"schema_version": "9.0"}', "newer than"),
    ):
        other.write_text(text, encoding="utf-8")
        with pytest.raises(ReadError, match="other") as caught:
            renyi.report(other, tmp_path / "page.html")
        assert words in str(caught.value)
    with pytest.raises(ReadError):
        renyi.report(tmp_path / "none.json")
    changed = result.read_text(encoding="utf-8").replace('"seed": 0', '"seed": 1', 1)
    other.write_text(changed, encoding="utf-8")
    with pytest.raises(IntegrityError):
        renyi.report(other)
    with pytest.raises(UsageError):
        renyi.report([])
    for wrong in (3, [result, None], {"a": 3}):
        with pytest.raises(
            UsageError, match=r"what `select` or `compare` returned.* got (3|None)\."
        ):
            renyi.report(wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`no_data` leaves the table alone"):
        renyi.report(result, data=tmp_path / "table.csv", no_data=True)
    assert not (tmp_path / "page.html").exists()


def test_a_page_is_written_whole_or_not_at_all(result: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="is there already"):
        renyi.report(result, page)
    assert page.read_text(encoding="utf-8") == "mine"
    renyi.report(result, page, force=True)
    with pytest.raises(OptionError, match="must end in"):
        renyi.report(result, tmp_path / "page.pdf")
    with pytest.raises(OutputError, match="no directory"):
        renyi.report(result, tmp_path / "no" / "page.html")
    assert not [one for one in tmp_path.iterdir() if one.suffix == ".part"]
