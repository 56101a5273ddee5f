"""What the page says, from units made up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from renyi.errors import OutputError
from renyi_paper import OwnUnit, TableUnit, write_page
from reproduction_units import judged, own_unit, table_unit


def page(
    folder: Path, tables: tuple[TableUnit, ...] = (table_unit(),), own: tuple[OwnUnit, ...] = ()
) -> str:
    pytest.importorskip("matplotlib")
    write_page(folder / "page.md", tables, own)
    return (folder / "page.md").read_text(encoding="utf-8")


def row(text: str, start: str, number: int = 0) -> list[str]:
    """The cells of the rows that start with a word."""
    lines = [line for line in text.splitlines() if line.startswith(f"| {start} |")]
    return [cell.strip() for cell in lines[number].strip("|").split("|")]


def test_sizes_stand_beside_the_printed_ones(tmp_path: Path) -> None:
    text = page(tmp_path)
    # settings, then numbers of features, then accuracies
    assert row(text, "heart", 1) == [
        *("heart", "**13** / 13", "**4** / 4", "3 / 2", "**4** / 4"),
        *("**13** / 13", "**6** / 6"),
    ]
    assert "- `mi-chi2`: 0 of 1; off by one: 1." in text
    assert "- `cmi-perm`: 1 of 1; off by one: 0." in text
    assert "- `cmi-heuristic`, sigma 0.707: 1 of 1; off by one: 0." in text
    assert "- optimal: 1 of 1; off by one: 0." in text


def test_an_accuracy_at_another_size_shows_the_one_at_the_printed_size_too(tmp_path: Path) -> None:
    cells = row(page(tmp_path), "heart", 2)
    assert cells[2] == "74.0 ± 3.0 / 80.4 ± 3.3"
    assert cells[3] == "73.0 ± 3.0 [72.0] / 76.9 ± 3.8"


def test_a_criterion_that_has_not_stopped_says_over(tmp_path: Path) -> None:
    unit = table_unit(criteria={**table_unit().criteria, "cmi-perm": judged(13, stopped=False)})
    assert row(page(tmp_path, (unit,)), "heart", 1)[2] == "over 13 / 4"


def test_ranks_and_table_3(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert row(text, "cmi-heuristic") == ["cmi-heuristic", "4.0", "4.0", "1.9"]
    assert row(text, "cmi-perm and mi-chi2")[2:] == ["0.0561", "0.0561"]


def test_the_default_stands_beside_the_best_criterion_of_both_tables(tmp_path: Path) -> None:
    better = table_unit(
        table=2, criteria={**table_unit().criteria, "mi-perm": judged(9, accuracy=0.9)}
    )
    text = page(tmp_path, (table_unit(), better), (own_unit(),))
    cells = row(text, "heart", 5)
    assert cells[:3] == ["heart", "2", "82.0 ± 14.1"]
    assert cells[3] == "mi-perm, alpha 2: 9 features, 90.0 ± 14.1"
    assert cells[4] == "-8.0"
    unit = table_unit()
    place = max(range(len(unit.sizes)), key=lambda k: unit.accuracy[k])
    best, spread = unit.accuracy[place], unit.spread[place]
    assert cells[6] == f"{unit.sizes[place]} features, {100 * best:.1f} ± {100 * spread:.1f}"
    half = float(cells[5]) * spread / 0.141421
    assert float(cells[7]) == pytest.approx(82.0 - 100 * best + half, abs=0.2)
    assert f"of the best size of all on {int(float(cells[7]) >= 0)} of 1" in text
    assert "more than half the interval on 1 of 1 sets" in text
    assert "number of features is 2; that of the printed `cmi-heuristic`" in text
    assert "is 13 in Table 1 and 6 in Table 2" in " ".join(text.split())


def test_a_default_without_a_table_has_nothing_beside_it(tmp_path: Path) -> None:
    assert row(page(tmp_path, (), (own_unit(),)), "heart")[3:] == ["-"] * 5


def test_what_is_missing_and_what_is_less_than_all_is_said(tmp_path: Path) -> None:
    text = page(tmp_path, (table_unit(), table_unit("madelon")))
    missing = re.search(r"Not worked out yet: (.*)\n", text)
    assert missing is not None
    assert "`spect`" in missing[1]
    assert "`heart`" not in missing[1]
    assert "- `madelon`: 6 of its 500 features" in text
    assert "- `semeion`: " not in text


def test_its_figures_are_beside_it(tmp_path: Path) -> None:
    text = page(tmp_path, (table_unit("waveform"), table_unit("waveform", 2)))
    named = set(re.findall(r"\]\((figures/[^)]*)\)", text))
    assert named == {
        "figures/reproduction-table-1.svg",
        "figures/reproduction-table-2.svg",
        "figures/reproduction-figure-1.svg",
    }
    assert {str(file.relative_to(tmp_path)) for file in (tmp_path / "figures").iterdir()} == named
    assert "Figure 1" not in page(tmp_path, (table_unit("heart"),)).split("## Settings")[1]


def test_equal_units_make_equal_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert page(tmp_path / "a") == page(tmp_path / "b")
    one, other = (
        (tmp_path / name / "figures" / "reproduction-table-1.svg").read_bytes() for name in "ab"
    )
    assert one == other


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "figures").write_text("a file")
    with pytest.raises(OutputError, match="figures` cannot be made"):
        page(tmp_path)


def test_rows_of_both_tables_are_shown_where_they_differ(tmp_path: Path) -> None:
    units = (table_unit("madelon", rows=1300), table_unit("madelon", 2, rows=2600))
    assert row(page(tmp_path, units), "madelon")[1] == "1,300; 2,600"
