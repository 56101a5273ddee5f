"""Option values and defaults as help pages and completion show them.

They repeat what `renyi.options` says, because a help page must not wait for NumPy to load; a test
compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

__all__ = ["CHOICES", "DEFAULTS", "completed", "offered"]

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "backend": ("auto", "numpy", "cupy"),
    "bandwidth": (
        "silverman",
        "scott",
        "silverman:joint",
        "scott:joint",
        "median",
        "nearest",
        "range:SHARE",
        "steady",
        "steady:SIGMA",
        "growing",
        "growing:SIGMA",
        "auto",
    ),
    "binning": ("width", "frequency"),
    "class_weights": ("balanced", "none"),
    "criterion": (
        "cmi-heuristic",
        "cmi-perm",
        "cmi-max",
        "cmi-local",
        "mi-perm",
        "mi-chi2",
        "none",
    ),
    "error_rate": ("fwer", "fdr"),
    "kernel": ("gaussian", "laplacian"),
    "kind": ("continuous", "ordinal", "nominal"),
    "label_kernel": ("delta", "onehot"),
    "missing": ("error", "drop", "category"),
    "model": ("svm", "logistic", "ridge", "knn", "forest"),
    "nominal": ("soft", "delta"),
    "p_rule": ("valid", "paper"),
    "preset": ("default", "paper", "lrmi"),
    "purpose": ("model", "news"),
    "rank": ("chance", "raw"),
    "score": ("mi", "chi2-gain"),
    "solver": ("auto", "dense", "eigen", "low-rank", "tiles", "power"),
    "standardise": ("zscore", "minmax", "rank", "none", "bins:B"),
    "stop_when": ("any", "all"),
    "test": ("paired", "corrected"),
}

DEFAULTS: Final[dict[str, str]] = {
    "alpha": "2",
    "bandwidth": "steady",
    "binning": "width",
    "bins": "5",
    "class_weights": "balanced",
    "criterion": "cmi-max",
    "epsilon": "0.0001",
    "error_rate": "fwer",
    "kernel": "gaussian",
    "label_kernel": "delta",
    "nominal": "soft",
    "p_rule": "valid",
    "permutations": "auto:59",
    "purpose": "model",
    "rank": "chance",
    "score": "mi",
    "seed": "0",
    "significance": "0.05",
    "solver": "auto",
    "standardise": "zscore",
    "stop_when": "any",
    "tolerance": "1e-06",
}


def offered(option: str) -> str:
    """Return an option's values in words, the default among them named.

    Examples
    --------
    >>> offered("binning")
    'width (default) or frequency'
    """
    default = DEFAULTS.get(option)
    words = [f"{word} (default)" if word == default else word for word in CHOICES[option]]
    return f"{', '.join(words[:-1])} or {words[-1]}"


def completed(option: str) -> Callable[[str], list[str]]:
    """Return what a shell asks for an option's values that start with what is typed."""

    def starting_with(incomplete: str) -> list[str]:
        return [word for word in CHOICES[option] if word.startswith(incomplete)]

    return starting_with
