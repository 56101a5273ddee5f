"""How well selected columns predict rows that no selection saw: three models of different kinds."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rivals._table import Encoder, Table

__all__ = ["MODELS", "accuracy_or_r2", "folds_of", "judge", "support_vectors"]

MODELS = ("svm", "forest", "knn")
FOREST = {"n_estimators": 100, "random_state": 0}
NEIGHBOURS = 5
FOLDS = 5


def judge(train: Table, test: Table, names: Sequence[str]) -> dict[str, float]:
    """Return accuracy or R2 on the test rows by model; without columns, of the commonest answer."""
    if not names:
        alone = accuracy_or_r2(test.classes, test.y, _commonest(train, len(test.y)))
        return dict.fromkeys(MODELS, alone)
    encoder = Encoder(train, names)
    known, asked = encoder.columns(train), encoder.columns(test)
    scores = {}
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # scikit-learn's of few rows in a class: known, and harmless
        for name in MODELS:
            model = _model(name, train.classes).fit(known, train.y)
            scores[name] = accuracy_or_r2(test.classes, test.y, model.predict(asked))
    return scores


def accuracy_or_r2(classes: bool, truth: NDArray[Any], told: NDArray[Any]) -> float:
    """Return the share of right classes, or 1 less the squared error over that of the mean."""
    if classes:
        return float(np.mean(truth == told))
    return float(1 - np.sum((truth - told) ** 2) / np.sum((truth - truth.mean()) ** 2))


def support_vectors(classes: bool) -> Any:
    """Return a support vector machine with a Gaussian kernel, at scikit-learn's settings."""
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR

    if classes:
        return SVC()
    return TransformedTargetRegressor(SVR(), transformer=StandardScaler())


def folds_of(train: Table, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return five folds of the training rows, or as many as the rarest class has rows."""
    from sklearn.model_selection import KFold, StratifiedKFold

    if not train.classes:
        return list(KFold(FOLDS, shuffle=True, random_state=seed).split(train.y))
    rarest = int(np.unique(train.y, return_counts=True)[1].min())
    count = min(FOLDS, max(2, rarest))
    return list(StratifiedKFold(count, shuffle=True, random_state=seed).split(train.y, train.y))


def _model(name: str, classes: bool) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    if name == "svm":
        return support_vectors(classes)
    if name == "knn":
        return (KNeighborsClassifier if classes else KNeighborsRegressor)(NEIGHBOURS)
    if classes:
        return RandomForestClassifier(**FOREST)
    return RandomForestRegressor(max_features=1 / 3, **FOREST)


def _commonest(train: Table, count: int) -> NDArray[Any]:
    if not train.classes:
        return np.full(count, train.y.mean())
    values, counts = np.unique(train.y, return_counts=True)
    return np.full(count, values[counts.argmax()])
