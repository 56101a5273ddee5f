"""Rivals that order features; how many to keep is chosen by folds of the training rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rivals._judges import accuracy_or_r2, folds_of, support_vectors
from rivals._table import Encoder, Table

__all__ = ["RANKED", "by_information", "k_best", "mrmr", "mrmr_order", "mrmr_to"]

BINS = 5
FEW_VALUES = 10
SIZES = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200)
RANKED = {
    "mrmr-cv": {"form": "difference", "bins": BINS, "sizes": SIZES, "folds": 5, "model": "svm"},
    "kbest-mi-cv": {"neighbours": 3, "sizes": SIZES, "folds": 5, "model": "svm"},
}
"""What the outcomes depend on, by rival."""

Order = Callable[[Table, int, int], list[str]]
"""From rows, a number of features and a seed to the first so many features."""


def mrmr(train: Table, seed: int) -> list[str]:
    """Take the first features by least redundancy and most relevance, as many as predict best."""
    return _cut(train, seed, mrmr_order)


def k_best(train: Table, seed: int) -> list[str]:
    """Take the features that tell most of the target one by one, as many as predict best."""
    return _cut(train, seed, by_information)


def mrmr_to(size: int) -> Callable[[Table, int], list[str]]:
    """Return the rival that keeps the first so many features by `mrmr_order`."""
    return lambda train, seed: mrmr_order(train, size, seed)


def mrmr_order(train: Table, size: int, seed: int) -> list[str]:  # noqa: ARG001 - nothing is drawn
    """Order by I(x; y) less the mean I(x; s) over those before (Peng, Long and Ding 2005)."""
    columns = [_codes(train.values(name), name in train.nominal) for name in train.names]
    target = _codes(train.y, train.classes)
    starts = np.concatenate([[0], np.cumsum([codes.max() + 1 for codes in columns])])
    levels = np.zeros((len(target), starts[-1]))
    for start, codes in zip(starts[:-1], columns, strict=True):
        levels[np.arange(len(codes)), start + codes] = 1
    relevance = _information(levels, starts, target)
    redundancy = np.zeros(len(columns))
    left = np.ones(len(columns), dtype=bool)
    order: list[int] = []
    while len(order) < min(size, len(columns)):
        gain = relevance - redundancy / max(1, len(order))
        order.append(int(np.where(left, gain, -np.inf).argmax()))
        left[order[-1]] = False
        redundancy += _information(levels, starts, columns[order[-1]])
    return [train.names[k] for k in order]


def by_information(train: Table, size: int, seed: int) -> list[str]:
    """Order by scikit-learn's estimate of I(x; y), by nearest neighbours where x is continuous.

    Few whole numbers count as discrete, since ties mislead neighbours.
    """
    from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

    discrete = [_is_discrete(train, name) for name in train.names]
    stacked = np.column_stack(
        [
            np.unique(train.values(name), return_inverse=True)[1] if codes else train.values(name)
            for name, codes in zip(train.names, discrete, strict=True)
        ]
    )
    scores = (mutual_info_classif if train.classes else mutual_info_regression)(
        stacked, train.y, discrete_features=np.array(discrete), random_state=seed
    )
    return [train.names[k] for k in np.argsort(-scores, kind="stable")[:size]]


def _is_discrete(train: Table, name: str) -> bool:
    if name in train.nominal:
        return True
    values = np.unique(train.values(name))
    return len(values) <= FEW_VALUES and bool(np.all(values == np.round(values)))


def _cut(train: Table, seed: int, order: Order) -> list[str]:
    """Cut an order where it predicts best; each fold has an order of its own."""
    sizes = [size for size in SIZES if size < len(train.names)]
    sizes += [len(train.names)] if len(train.names) <= SIZES[-1] else []
    scores = np.zeros(len(sizes))
    for known, asked in folds_of(train, seed):
        rows, others = train.rows(known), train.rows(asked)
        names = order(rows, sizes[-1], seed)
        encoder = Encoder(rows, names)
        ours, theirs = encoder.columns(rows), encoder.columns(others)
        for k, size in enumerate(sizes):
            # encoded columns stand in the order of the names: the first features are the first
            first = set(names[:size])
            width = sum(owner in first for owner in encoder.owners)
            model = support_vectors(train.classes).fit(ours[:, :width], rows.y)
            told = model.predict(theirs[:, :width])
            scores[k] += accuracy_or_r2(train.classes, others.y, told)
    return order(train, sizes[int(scores.argmax())], seed)


def _codes(values: NDArray[Any], names: bool) -> NDArray[np.int64]:
    """Number the levels of names and of few numbers; cut many numbers into equally full bins."""
    levels, codes = np.unique(values, return_inverse=True)
    if names or len(levels) <= BINS:
        return codes.astype(np.int64)
    edges = np.unique(np.quantile(values, np.linspace(0, 1, BINS + 1)[1:-1]))
    cut = np.searchsorted(edges, values, side="right")
    return np.unique(cut, return_inverse=True)[1].astype(np.int64)


def _information(
    levels: NDArray[np.float64], starts: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the plug-in mutual information of every column with another one, in bits."""
    rows = len(other)
    known = np.zeros((other.max() + 1, rows))
    known[other, np.arange(rows)] = 1
    own, its = levels.sum(axis=0), known.sum(axis=1)
    joint = known @ levels
    expected = np.outer(its, own) / rows
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(joint > 0, joint * np.log2(joint / expected), 0).sum(axis=0)
    return np.add.reduceat(terms, starts[:-1]) / rows
