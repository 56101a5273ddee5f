"""Tables fit any width, and lose columns, never digits."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.cells import cell_len

from renyi_cli._console import draw

# tables of any width, without a page around them
from renyi_cli.pages._table import GAP, MARGIN, Column, fit, print_table, shorten

NUMBERS = ["0.1234", "12.3456"]
COLUMNS = [
    Column(title="#", cells=["1", "2"]),
    Column(title="feature", cells=["a quite long name of a feature", "x"], least=14, right=False),
    Column(title="MI", cells=NUMBERS),
    Column(title="CMI", cells=NUMBERS, need=10),
    Column(title="gain", cells=NUMBERS, need=8),
    Column(title="gap", cells=NUMBERS, need=5),
]


def drawn(width: int, **given: Any) -> list[str]:
    columns = given.pop("columns", COLUMNS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        text = draw(io.StringIO(), lambda console: print_table(console, columns, **given))
    return text.splitlines()


@pytest.mark.parametrize("width", range(30, 90, 3))
def test_a_table_fits_and_numbers_stay_whole(width: int) -> None:
    lines = drawn(width)
    assert len(lines) == 4
    assert all(cell_len(line) <= width for line in lines)
    shown = [column for column, _ in fit(COLUMNS, width)]
    for row, line in enumerate(lines[2:]):
        values = line.split()
        assert values[-(len(shown) - 2) :] == [NUMBERS[row]] * (len(shown) - 2)


def test_the_least_needed_columns_go_first() -> None:
    needed = []
    for width in range(90, 20, -1):
        titles = [column.title for column, _ in fit(COLUMNS, width)]
        if not needed or needed[-1] != titles:
            needed.append(titles)
    everything = [column.title for column in COLUMNS]
    assert needed == [everything[:count] for count in (6, 5, 4, 3)]


def test_spare_width_goes_to_what_was_shortened() -> None:
    widths = {column.title: width for column, width in fit(COLUMNS, 200)}
    assert widths["feature"] == len("a quite long name of a feature")
    assert sum(widths.values()) + GAP * 5 + MARGIN < 200


@pytest.mark.parametrize("text", ["a long name of a feature", "\u540d\u524d" * 10, "e\u0301" * 20])
@pytest.mark.parametrize("width", [3, 8, 11])
def test_the_middle_is_left_out(text: str, width: int) -> None:
    short = shorten(text, width, "...")
    assert cell_len(short) <= width
    head, dots, tail = short.partition("...")
    assert dots
    assert text.startswith(head)
    assert text.endswith(tail)
    assert shorten(text, 100, "...") == text


def test_markup_and_control_characters_are_shown_not_obeyed() -> None:
    cells = ["[red]x[/red]", "a\x1b[31mb\nc", ":smile:"]
    lines = drawn(80, columns=[Column(title="feature", cells=cells, right=False)])
    text = "\n".join(lines)
    assert "[red]x[/red]" in text
    assert ":smile:" in text
    assert r"a\x1b[31mb" in text
    assert "\x1b" not in text


def test_a_dumb_terminal_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    text = "\n".join(drawn(35, apart=[1]))
    assert text.isascii()
    assert "..." in text
    assert text.count("-----") >= 2


def test_a_second_line_stands_below_its_cell() -> None:
    column = Column(title="feature", cells=["a", "b"], below=["", "not selected"], right=False)
    assert drawn(80, columns=[column])[2:] == ["a", "b", "not selected"]


def test_a_row_apart_has_a_line_above() -> None:
    lines = drawn(100, apart=[1])
    assert len(lines) == 5
    assert lines[1] == lines[3]
    assert set(lines[3]) == {"\u2500"}
