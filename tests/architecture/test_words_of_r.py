"""Errors of the R package end with a way out, as those of Python do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).resolve().parents[2] / "bindings_r" / "R").glob("*.R"))
CALL = re.compile(r"\brenyi_abort\(")
PARTS = re.compile(r'"(?:\\.|[^"\\])*"|#[^\n]*|[(),]|.', re.DOTALL)


def arguments(text: str) -> int:
    """Count the arguments of a call, from what follows its opening parenthesis."""
    depth, commas = 1, 0
    for part in PARTS.findall(text):
        depth += (part == "(") - (part == ")")
        commas += part == "," and depth == 1
        if not depth:
            break
    return commas + 1


def without_way(text: str) -> Iterator[int]:
    """Yield the lines of errors that have a code and a sentence, and nothing else."""
    for call in CALL.finditer(text):
        if not text[: call.start()].endswith("#") and arguments(text[call.end() :]) < 3:
            yield text.count("\n", 0, call.start()) + 1


def test_every_error_of_r_has_a_way_out() -> None:
    found = {path.name: [*without_way(path.read_text(encoding="utf-8"))] for path in SOURCES}
    assert SOURCES
    assert not {name: lines for name, lines in found.items() if lines}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('renyi_abort("a", "b, (c")', [1]),
        ('renyi_abort("a", sprintf("%s, %s", x, f(y)))', [1]),
        ('\nrenyi_abort(\n "a", "b", # well, yes\n "c"\n)', []),
        ('renyi_abort("a", "b)", hint, column = name)', []),
    ],
)
def test_a_way_out_is_told_from_none(text: str, lines: list[int]) -> None:
    assert [*without_way(text)] == lines
