"""Rivals that work on encoded columns; a feature is kept if any of its levels is."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rivals._judges import accuracy_or_r2, folds_of
from rivals._table import Encoder, Table

__all__ = ["ENCODED", "boruta", "eliminate", "lasso"]

BORUTA = {
    "trees": 50,
    "more": "5 sqrt F",
    "depth": 7,
    "iterations": 40,
    "alpha": 0.05,
    "tentative": "left out",
}
ELIMINATE = {"trees": 30, "more": "3 sqrt F", "left out at a time": 1 / 3, "folds": 5}
LASSO = {"C": [0.01, 0.0316, 0.1, 0.316, 1.0, 3.16, 10.0], "folds": 5}
ENCODED = {"boruta": BORUTA, "rfecv": ELIMINATE, "l1": LASSO}
"""What the outcomes depend on, by rival."""


def boruta(train: Table, seed: int) -> list[str]:
    """Keep what forests find more important than the best of shuffled copies (package `boruta`)."""
    from boruta import BorutaPy

    encoder = Encoder(train)
    trees = _trees(BORUTA["trees"], len(encoder.owners))
    judge = BorutaPy(
        _forest(train.classes, trees, seed, max_depth=BORUTA["depth"]),
        n_estimators=trees,
        max_iter=BORUTA["iterations"],
        alpha=BORUTA["alpha"],
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judge.fit(encoder.columns(train), _numbered(train))
    return encoder.features(np.asarray(judge.support_, dtype=bool))


def eliminate(train: Table, seed: int) -> list[str]:
    """Drop what a forest finds least important, a third at a time; the size by folds.

    The loop of scikit-learn's `RFECV` drops equally many each time, which is either slow for many
    columns or coarse for few.
    """
    encoder = Encoder(train)
    columns, y = encoder.columns(train), train.y
    sizes = _sizes(columns.shape[1])
    folds = folds_of(train, seed)
    scores = np.zeros(len(sizes))
    for known, asked in folds:
        for k, (kept, model) in enumerate(
            _eliminations(columns[known], y[known], train.classes, seed)
        ):
            told = model.predict(columns[asked][:, kept])
            scores[k] += accuracy_or_r2(train.classes, y[asked], told)
    best = _last_best(scores)
    kept = np.arange(columns.shape[1])
    for k, (left, _) in enumerate(_eliminations(columns, y, train.classes, seed)):
        kept = left
        if k == best:
            break
    there = np.zeros(columns.shape[1], dtype=bool)
    there[kept] = True
    return encoder.features(there)


def lasso(train: Table, seed: int) -> list[str]:
    """Keep what has a coefficient: logistic regression with an L1 penalty, or the lasso."""
    from sklearn.linear_model import LassoCV
    from sklearn.preprocessing import StandardScaler

    encoder = Encoder(train)
    columns = StandardScaler().fit_transform(encoder.columns(train))
    folds = folds_of(train, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not train.classes:
            return encoder.features(LassoCV(cv=folds).fit(columns, train.y).coef_ != 0)
        strengths = LASSO["C"]
        scores = np.zeros(len(strengths))
        for known, asked in folds:
            for k, strength in enumerate(strengths):
                model = _logistic(strength, train).fit(columns[known], train.y[known])
                scores[k] += np.mean(model.predict(columns[asked]) == train.y[asked])
        best = _logistic(strengths[int(scores.argmax())], train).fit(columns, train.y)
        models = getattr(best, "estimators_", [best])
    return encoder.features(np.any([model.coef_[0] != 0 for model in models], axis=0))


def _logistic(strength: float, train: Table) -> Any:
    """One model for two classes, else one a class against the rest."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    one = LogisticRegression(
        C=strength, l1_ratio=1, solver="liblinear", max_iter=200, random_state=0
    )
    return one if len(np.unique(train.y)) == 2 else OneVsRestClassifier(one)


def _eliminations(columns: NDArray[Any], y: NDArray[Any], classes: bool, seed: int) -> Any:
    """Yield, from all columns down to one, those that are left and a forest on them."""
    kept = np.arange(columns.shape[1])
    importance = np.zeros(len(kept))
    for size in _sizes(len(kept)):
        kept = np.sort(kept[np.argsort(-importance, kind="stable")[:size]])
        trees = _trees(ELIMINATE["trees"], size)
        model = _forest(classes, trees, seed).fit(columns[:, kept], y)
        yield kept, model
        importance = model.feature_importances_


def _sizes(count: int) -> list[int]:
    sizes = [count]
    while sizes[-1] > 1:
        sizes.append(min(sizes[-1] - 1, int(np.ceil(sizes[-1] * 2 / 3))))
    return sizes


def _trees(least: int, columns: int) -> int:
    """Return more trees for more than a hundred columns: a few would never try most of them."""
    return max(least, round(least / 10 * columns**0.5))


def _last_best(scores: NDArray[np.float64]) -> int:
    """Return where the best score is, of equal ones that of the fewest columns."""
    return int(len(scores) - 1 - scores[::-1].argmax())


def _forest(classes: bool, trees: int, seed: int, **more: Any) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    if classes:
        return RandomForestClassifier(trees, random_state=seed, **more)
    return RandomForestRegressor(trees, max_features=1 / 3, random_state=seed, **more)


def _numbered(train: Table) -> NDArray[Any]:
    """Return the target in numbers, which is what Boruta takes."""
    return np.unique(train.y, return_inverse=True)[1] if train.classes else train.y
