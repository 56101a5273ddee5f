"""The core does not speak terminal: an option that leads out of an error is data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from renyi import errors
from renyi.errors import OptionError, Way
from renyi_cli._errors import typed_way as typed

ROOT = Path(__file__).resolve().parents[2]
# the table says flags
OF_THE_TERMINAL = {"_of_method.py", "_of_tables.py", "_of_stopping.py", "_option.py"}


def texts(file: Path) -> Iterator[str]:
    """The texts of a module but its docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def test_no_message_of_the_core_has_an_option_as_it_is_typed() -> None:
    files = sorted((ROOT / "core" / "renyi").rglob("*.py"))
    said = [(f.name, text) for f in files if f.name not in OF_THE_TERMINAL for text in texts(f)]
    flag = re.compile(r"(?<![\w-])--[a-z]|Set missing to")
    assert not [one for one in said if flag.search(re.sub(r"`renyi .*?`", "", one[1]))]


def without_a_way_out(file: Path) -> Iterator[int]:
    """Lines of a module that make an error of a sentence alone."""
    kinds = {name for name in errors.__all__ if name.endswith("Error")}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or len(node.args) != 1:
            continue
        if isinstance(node.func, ast.Name) and node.func.id in kinds:
            yield node.lineno


def test_every_error_has_a_way_out() -> None:
    """But those of the bridge, which tell other programs how to call it."""
    folders = ("core/renyi", "core/renyi_paper", "core/renyi_sklearn", "cli")
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    found = [
        f"{f}:{line}" for f in files if f.parent.name != "bridge" for line in without_a_way_out(f)
    ]
    assert len(files) > 300
    assert found == []


@pytest.mark.parametrize(
    ("way", "python", "terminal"),
    [
        (Way("alpha", 2), "`alpha=2`", "--alpha 2"),
        (Way("rows", rule="N"), "`rows=N`", "--rows N"),
        (Way("max_memory"), "`max_memory`", "--max-memory"),
        (Way("missing", "drop"), "`missing='drop'`", "--missing drop"),
        (Way("purpose", "news"), "`purpose='news'`", "--for news"),
        (Way("target", False), "`target=False`", "--no-target"),
        (Way("kind", {"a": "nominal"}), "`kind={'a': 'nominal'}`", "--kind a=nominal"),
    ],
)
def test_each_front_end_has_words_of_its_own(way: Way, python: str, terminal: str) -> None:
    error = OptionError("It must be.", "Use ", way, ".")
    assert (error.hint, str(error)) == (f"Use {python}.", f"It must be. Use {python}.")
    assert (error.ways, error.hint_in(typed)) == ((way,), f"Use {terminal}.")
