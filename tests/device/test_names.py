"""What the numeric core asks of a namespace is there in every CuPy from 13.3 on."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

# what is told of a device that may be absent
from renyi.backend._cupy import _Namespace

CORE = Path(__file__).resolve().parents[2] / "core" / "renyi"
ROOMS = ("backend", "kernels", "entropies", "information", "racing", "scores", "stopping")

# Names of the array standard that CuPy 13.3 lacks (14 has all but the last two), seen in its
# namespace; `_Namespace` adds those that are in use.
LACKING = set(
    """
    acos acosh asin asinh astype atan atan2 atanh bitwise_invert bitwise_left_shift
    bitwise_right_shift concat cumulative_prod cumulative_sum isdtype matrix_transpose permute_dims
    pow unique_all unique_counts unique_inverse unique_values vecdot unstack
    """.split()  # noqa: SIM905 - a list to be read
)
ADDED = {name for name in vars(_Namespace) if not name.startswith("_")}


def names_in_use() -> dict[str, str]:
    """Return each `xp.NAME` of the numeric core and a module that uses it."""
    found = {}
    for room in ROOMS:
        for path in sorted((CORE / room).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and is_namespace(node.value):
                    found[node.attr] = path.name
    return found


def is_namespace(node: ast.expr) -> bool:
    """Whether an expression is `xp` or `something.xp`."""
    return (isinstance(node, ast.Name) and node.id == "xp") or (
        isinstance(node, ast.Attribute) and node.attr == "xp"
    )


def test_the_core_uses_names_that_every_cupy_has() -> None:
    used = names_in_use()
    assert {"exp", "stack", "sum"} <= set(used)  # they are found at all
    lacking = {name: used[name] for name in set(used) & LACKING - ADDED}
    assert not lacking, "CuPy 13 lacks them: add them to `_Namespace`, or write it otherwise"
    assert ADDED <= LACKING


def test_an_installed_cupy_has_them() -> None:
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed", exc_type=ImportError)
    namespace = _Namespace(cupy)
    assert not [name for name in names_in_use() if not hasattr(namespace, name)]
