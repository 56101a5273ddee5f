"""Tests go in by the doors: what is inside they import with a reason, and never overwrite."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = sorted(ROOT.glob("tests/**/*.py"))
PACKAGES = {"renyi", "renyi_cli", "renyi_paper", "renyi_sklearn"}


def inside(module: str) -> bool:
    """Return whether a module is inside a room; one right inside a package is a room."""
    package, *path = module.split(".")
    return package in PACKAGES and len(path) > 1 and any(part.startswith("_") for part in path)


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, module) of each module that is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            for alias in node.names:
                place = "/".join([*node.module.split("."), alias.name])
                if any(ROOT.glob(f"*/{place}.py")):
                    yield node.lineno, f"{node.module}.{alias.name}"


def without_reason(text: str) -> list[str]:
    """Return what is imported from inside a room with no comment above it."""
    lines = text.splitlines()
    return [
        f"line {line}: {module}"
        for line, module in imported(ast.parse(text))
        if inside(module) and not lines[line - 2].lstrip().startswith("#")
    ]


def overwritten(text: str) -> list[str]:
    """Return the constants that are patched, and the ways around a door."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr == "__globals__":
            found.append(f"line {node.lineno}: __globals__")
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        words = [one.value for one in node.args[:2] if isinstance(one, ast.Constant)]
        names = [word.rpartition(".")[2] for word in words if isinstance(word, str)]
        if node.func.attr == "setattr" and any(name.isupper() for name in names):
            found.append(f"line {node.lineno}: {words[0]}")
    return found


def told(by: Callable[[str], list[str]]) -> dict[str, list[str]]:
    found = {str(path.relative_to(ROOT)): by(path.read_text(encoding="utf-8")) for path in TESTS}
    return {name: lines for name, lines in found.items() if lines}


def test_a_test_says_why_it_looks_inside_a_room() -> None:
    """Say it in a comment right above the import, or import from the room's door."""
    assert not told(without_reason)


def test_no_constant_is_patched() -> None:
    """Thresholds are handed in, see `renyi.information.Thresholds`."""
    assert not told(overwritten)


@pytest.mark.parametrize(
    "line",
    [
        "from renyi.bounds._bracket import bracket",
        "from renyi.backend import _lapack",
        "import renyi.datasets._local as local",
        "from renyi.io.files._untyped import typed_column",
    ],
)
def test_what_is_inside_is_told(line: str) -> None:
    assert without_reason(f"\n{line}\n")
    assert not without_reason(f"# a reason\n{line}\n")


def test_a_door_needs_no_reason() -> None:
    for line in ("from renyi.bounds import Pair", "from renyi._random import permutation"):
        assert not without_reason(f"\n{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        'monkeypatch.setattr("renyi.order2._quadratic.TILE", 7)',
        'patch.setattr(module, "FEW_COLUMNS", 0)',
        "solve.__globals__",
    ],
)
def test_what_is_patched_is_told(line: str) -> None:
    assert overwritten(line)


def test_a_function_may_be_watched() -> None:
    assert not overwritten('monkeypatch.setattr(Passes, "pairs", watched)')
