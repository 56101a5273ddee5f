"""The models that judge a set of features, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from renyi import _validate
from renyi.errors import MissingExtraError, OptionError
from renyi.evaluation._folds import Fold
from renyi.evaluation._support_vectors import predict_by_support_vectors
from renyi.options import option_of

__all__ = ["MODELS", "Model", "find_model"]

Predict: TypeAlias = Callable[[Sequence[Fold]], list[Any]]
"""Called with the folds of several runs; returns, for each, the predictions of its test rows."""

MODELS: Final = ("svm", "logistic", "ridge", "knn", "forest")

RIDGE_PENALTY: Final = 1.0
"""Of the squared coefficients of standardised columns, as scikit-learn's default."""

NEIGHBOURS: Final = 5


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be fitted and judged.

    Attributes
    ----------
    name
        One of `MODELS`.
    predicts_number
        Whether it is judged by R^2 (else by accuracy).
    predict
        Fits and predicts, several runs at a time.
    """

    name: str
    predicts_number: bool
    predict: Predict

    @property
    def measure(self) -> str:
        """What it is judged by: `accuracy` or `r2`, a share of 1 each."""
        return "r2" if self.predicts_number else "accuracy"


def find_model(name: str | None, *, number: bool) -> Model:
    """Return the model of a name, or the usual one, for a target.

    Parameters
    ----------
    name
        One of `MODELS`; None for `svm`, or `ridge` where the target is a number.
    number
        Whether the target is a number.

    Raises
    ------
    OptionError
        If there is no such model, or not for such a target.
    MissingExtraError
        If it needs scikit-learn and that is not installed.
    """
    usual = "ridge" if number else "svm"
    name = usual if name is None else name
    option_of("model", "compare").checked(name)
    table = NUMBERS if number else CLASSES
    if name not in table:
        raise OptionError(
            f"`model` must be one of {', '.join(table)} for a target that is "
            f"{'a number' if number else 'a class'}, got {name!r}.",
            *_validate.left_out("model", usual),
        )
    if name not in OWN[number]:
        _need_sklearn()
    return Model(name, number, table[name])


def _need_sklearn() -> None:
    try:
        import sklearn  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError.for_extra("sklearn", "This model") from error


def _ridge(folds: Sequence[Fold]) -> list[Any]:
    """Ridge regression with an intercept that is not penalised."""
    return [_one_ridge(fold) for fold in folds]


def _one_ridge(fold: Fold) -> Any:
    centre, mean = fold.train.mean(axis=0), fold.taught.mean()
    x, y = fold.train - centre, fold.taught - mean
    rows, width = x.shape
    wide = width > rows  # then the same by the smaller matrix
    gram = x @ x.T if wide else x.T @ x
    gram[np.diag_indices(len(gram))] += RIDGE_PENALTY
    weights = x.T @ np.linalg.solve(gram, y) if wide else np.linalg.solve(gram, x.T @ y)
    return (fold.test - centre) @ weights + mean


def _support_vector_regression(folds: Sequence[Fold]) -> list[Any]:
    """Linear support vector regression, C = 1, of the target in standard deviations."""
    from sklearn.svm import SVR

    told = []
    for fold in folds:
        mean, deviation = fold.taught.mean(), fold.taught.std()
        model = SVR(kernel="linear").fit(fold.train, (fold.taught - mean) / deviation)
        told.append(model.predict(fold.test) * deviation + mean)
    return told


def _fitted(build: Callable[[Fold], Any]) -> Predict:
    """Return the predictions of models that scikit-learn fits one by one."""

    def predict(folds: Sequence[Fold]) -> list[Any]:
        return [build(fold).fit(fold.train, fold.taught).predict(fold.test) for fold in folds]

    return predict


def _logistic(_: Fold) -> Any:
    """Logistic regression, multinomial, ridge penalty with C = 1."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="newton-cholesky")


def _nearest_classes(fold: Fold) -> Any:
    """Most frequent class of the 5 nearest rows."""
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(min(NEIGHBOURS, len(fold.y)))


def _nearest_numbers(fold: Fold) -> Any:
    """Mean of the 5 nearest rows."""
    from sklearn.neighbors import KNeighborsRegressor

    return KNeighborsRegressor(min(NEIGHBOURS, len(fold.y)))


def _forest_classes(fold: Fold) -> Any:
    """Random forest of 100 trees."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(random_state=fold.seed)


def _forest_numbers(fold: Fold) -> Any:
    """Random forest of 100 trees."""
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(random_state=fold.seed)


CLASSES: Final[Mapping[str, Predict]] = {
    "svm": predict_by_support_vectors,
    "logistic": _fitted(_logistic),
    "knn": _fitted(_nearest_classes),
    "forest": _fitted(_forest_classes),
}
NUMBERS: Final[Mapping[str, Predict]] = {
    "svm": _support_vector_regression,
    "ridge": _ridge,
    "knn": _fitted(_nearest_numbers),
    "forest": _fitted(_forest_numbers),
}
OWN: Final[Mapping[bool, tuple[str, ...]]] = {False: ("svm",), True: ("ridge",)}
"""Models that need no scikit-learn, by whether the target is a number."""
