"""No module needs one that needs it: top-level, late and type-checking imports all count."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("core/renyi", "core/renyi_paper", "core/renyi_sklearn", "cli/renyi_cli")


def modules() -> dict[str, Path]:
    """Dotted name of every module -> its file."""
    found = {}
    for package in PACKAGES:
        root = ROOT / package
        for file in root.rglob("*.py"):
            parts = file.relative_to(root.parent).with_suffix("").parts
            found[".".join(part for part in parts if part != "__init__")] = file
    return found


def imported(name: str, tree: ast.Module, known: Mapping[str, object]) -> Iterator[str]:
    """Modules that one names in an import, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known or node.module in known:
                    yield inner if inner in known else str(node.module)


def circle(needs: Mapping[str, set[str]]) -> list[str]:
    """One circle among modules, empty where there is none."""
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_import_circle() -> None:
    known = modules()
    assert len(known) > 200
    needs = {
        name: {*imported(name, ast.parse(file.read_text(encoding="utf-8")), known)} - {name}
        for name, file in known.items()
    }
    assert not circle(needs)


@pytest.mark.parametrize(
    "source",
    [
        "import renyi.b",
        "from renyi import b",
        "from renyi.b import name",
        "def late():\n    from renyi.b import name",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from renyi.b import name",
    ],
)
def test_every_way_of_importing_is_seen(source: str) -> None:
    known = {"renyi": None, "renyi.a": None, "renyi.b": None}
    needs = {"renyi.a": {*imported("renyi.a", ast.parse(source), known)}, "renyi.b": {"renyi.a"}}
    assert set(circle(needs)) == {"renyi.a", "renyi.b"}
