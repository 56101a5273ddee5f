"""Names, sizes and front doors of the source files."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
import re
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import renyi
import renyi_cli
import renyi_paper

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("cli/**/*.py")])
TESTS = sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/**/*.py")])
IMPORTED = (annotations, TYPE_CHECKING, Any)  # what the facade itself needs
MOST_LINES = 400
MOST_MODULES = 15
NAMELESS = {"utils", "util", "common", "helpers", "helper", "misc"}
DOORLESS = {"renyi.backend._cupy", "renyi._version"}  # CuPy may be absent; one name, a dunder

PACKAGES = [renyi, renyi_paper, renyi_cli]
if importlib.util.find_spec("sklearn"):  # else its package says that it is not installed
    PACKAGES.append(importlib.import_module("renyi_sklearn"))
MODULES = sorted(
    module.name
    for package in PACKAGES
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if module.name not in DOORLESS and not module.name.endswith("__main__")
)


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=label)
def test_a_module_is_a_small_room(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{lines} lines: split it"


def test_a_folder_is_taken_in_at_a_glance() -> None:
    """Its door is not counted."""
    held = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    assert not {label(folder): count for folder, count in held.items() if count > MOST_MODULES}


def test_nothing_is_called_after_nothing() -> None:
    words = {
        label(path): set(re.split(r"[_.]", "_".join(path.relative_to(ROOT).parts)))
        for path in SOURCES + TESTS
    }
    assert not [name for name, parts in words.items() if parts & NAMELESS]


def test_the_version_is_stated_once() -> None:
    stated = [
        label(path)
        for path in SOURCES
        if re.search(
            r"^__version__\s*(?::[^=]+)?=\s*[\"']", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert stated == ["core/renyi/_version.py"]
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert not re.search(r"^version\s*=", pyproject, re.MULTILINE)
    assert renyi.__version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def rank(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions: the order that ruff keeps."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


@pytest.mark.parametrize("name", MODULES)
def test_a_door_lists_what_is_there_in_order(name: str) -> None:
    module = importlib.import_module(name)
    offered = module.__all__
    assert list(offered) == sorted(offered, key=rank), "not in order"
    assert len(set(offered)) == len(offered), "something is listed twice"
    assert not [entry for entry in offered if not hasattr(module, entry)]


def packages() -> list[Path]:
    return [path for path in SOURCES if path.name == "__init__.py"]


@pytest.mark.parametrize("path", packages(), ids=label)
def test_every_folder_has_a_door(path: Path) -> None:
    names = {
        target.id
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    assert "__all__" in names


def test_all_is_the_public_surface() -> None:
    """What is offered, what is there once everything was used, and what a type checker sees."""
    for name in renyi.__all__:
        getattr(renyi, name)
    assert dir(renyi) == sorted(renyi.__all__)
    there = {name for name, value in vars(renyi).items() if is_public(name, value)}
    assert there <= set(renyi.__all__)
    tree = ast.parse(Path(renyi.__file__).read_text(encoding="utf-8"))
    (typed,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    seen = {alias.asname for line in typed.body for alias in line.names}
    assert seen == set(renyi.__all__) - {"__version__"}
    assert list(renyi.__all__) == sorted(renyi.__all__, key=rank)


def is_public(name: str, value: object) -> bool:
    """Whether a name of the package was put there to be used: no import, no submodule."""
    return not name.startswith("_") and not isinstance(value, ModuleType) and value not in IMPORTED


def test_no_room_is_called_as_a_name_of_the_facade() -> None:
    """Once the room is imported its module would stand where the name was."""
    rooms = {found.name for found in pkgutil.iter_modules(renyi.__path__)}
    meant = {"datasets", "errors"}  # the facade offers these rooms themselves
    assert set(renyi.__all__) & rooms <= meant
