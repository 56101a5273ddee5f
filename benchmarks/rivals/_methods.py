"""All that is compared: ways to call `renyi.select`, well-known selectors, mRMR at equal size."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from rivals._encoded import ENCODED, boruta, eliminate, lasso
from rivals._ranked import RANKED, k_best, mrmr, mrmr_to
from rivals._table import Table

__all__ = [
    "AT",
    "METHODS",
    "RENYI",
    "RIVALS",
    "Method",
    "code_of_renyi",
    "method_of",
    "of_renyi",
    "versions",
]

RENYI: dict[str, dict[str, Any]] = {
    "default": {},
    "news": {"purpose": "news"},
    "fdr": {"error_rate": "fdr"},
}
"""Keyword options of `renyi.select` by the name that the tables give them."""

AT = "mrmr-at-"
"""Before the name of a method of `RENYI`: mRMR cut to as many columns as that one chose."""

Select = Callable[[Table, int], list[str]]


@dataclass(frozen=True)
class Method:
    """One way to select.

    Attributes
    ----------
    name
        In tables and the store.
    settings
        What its outcomes depend on, in JSON values.
    select
        From training rows and a seed to names.
    """

    name: str
    settings: dict[str, Any]
    select: Select


def _everything(train: Table, seed: int) -> list[str]:  # noqa: ARG001 - nothing is drawn
    return list(train.names)


RIVALS: dict[str, tuple[Select, dict[str, Any]]] = {
    "all": (_everything, {}),
    "boruta": (boruta, ENCODED["boruta"]),
    "rfecv": (eliminate, ENCODED["rfecv"]),
    "l1": (lasso, ENCODED["l1"]),
    "mrmr-cv": (mrmr, RANKED["mrmr-cv"]),
    "kbest-mi-cv": (k_best, RANKED["kbest-mi-cv"]),
}
METHODS = (*RENYI, *RIVALS)


def method_of(name: str, size: int = 0) -> Method:
    """Return a method by name; `size` is asked of mRMR at equal size alone.

    Raises
    ------
    KeyError
        If there is no such method.
    """
    if name.startswith(AT):
        return Method(name, {"of": name.removeprefix(AT), **RANKED["mrmr-cv"]}, mrmr_to(size))
    if name in RENYI:
        options = RENYI[name]
        return Method(name, {"options": options}, lambda train, _: of_renyi(train, options))
    select, settings = RIVALS[name]
    return Method(name, settings, select)


def of_renyi(train: Table, options: dict[str, Any]) -> list[str]:
    """Return what `renyi.select` keeps; on one core, so that seconds mean the same for all."""
    import renyi

    kinds = dict.fromkeys(sorted(train.nominal), "nominal")
    kinds[train.target] = "nominal" if train.classes else "continuous"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = renyi.select(train.frame, target=train.target, kind=kinds, **{"jobs": 1, **options})
    return list(path.selected)


@cache
def code_of_renyi() -> str:
    """Return eight digits that change with the package's source, as this process began with it."""
    import renyi

    folder = Path(renyi.__file__).parent
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        whole.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return whole.hexdigest()[:8]


def versions(name: str) -> dict[str, str]:
    """Return the versions of what a method and the models are made of."""
    packages = ["scikit-learn", "boruta"] if name == "boruta" else ["scikit-learn"]
    return {package: metadata.version(package) for package in packages}
