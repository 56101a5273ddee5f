"""The models that judge a set of features, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from renyi import _validate
from renyi._typing import FloatArray
from renyi.errors import MissingExtraError, OptionError

__all__ = ["MODELS", "Model", "find_model"]

Predict: TypeAlias = Callable[[FloatArray, Any, FloatArray, int], Any]
"""Called with training rows (m, k), their target (m,), test rows (t, k) and a seed; returns (t,)
predictions."""

MODELS: Final = ("svm", "logistic", "ridge", "knn", "forest")

RIDGE_PENALTY: Final = 1.0
"""Of the squared coefficients of standardised columns, as scikit-learn's default."""


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
        Fits and predicts.
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
    if name is None:
        name = "ridge" if number else "svm"
    _validate.choice("model", name, MODELS)
    table = NUMBERS if number else CLASSES
    if name not in table:
        raise OptionError(
            f"`model` must be one of {', '.join(table)} for a target that is "
            f"{'a number' if number else 'a class'}, got {name!r}."
        )
    if name != "ridge":
        _need_sklearn()
    return Model(name, number, table[name])


def _need_sklearn() -> None:
    try:
        import sklearn  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError.for_extra("sklearn", "Fitting models") from error


def _support_vectors(train: FloatArray, y: Any, test: FloatArray, _: int) -> Any:
    """Linear support vector machine, hinge loss, C = 1, one class against one."""
    from sklearn.svm import SVC

    return SVC(kernel="linear").fit(train, y).predict(test)


def _support_vector_regression(train: FloatArray, y: Any, test: FloatArray, _: int) -> Any:
    """Linear support vector regression, C = 1, of the target in standard deviations."""
    from sklearn.svm import SVR

    mean, deviation = y.mean(), y.std()
    return SVR(kernel="linear").fit(train, (y - mean) / deviation).predict(test) * deviation + mean


def _logistic(train: FloatArray, y: Any, test: FloatArray, _: int) -> Any:
    """Logistic regression, multinomial, ridge penalty with C = 1."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="newton-cholesky").fit(train, y).predict(test)


def _ridge(train: FloatArray, y: Any, test: FloatArray, _: int) -> Any:
    """Ridge regression with an intercept that is not penalised."""
    centre, mean = train.mean(axis=0), y.mean()
    x = train - centre
    rows, width = x.shape
    if width <= rows:
        gram = x.T @ x
        gram[np.diag_indices(width)] += RIDGE_PENALTY
        weights = np.linalg.solve(gram, x.T @ (y - mean))
    else:  # the same by the smaller matrix
        gram = x @ x.T
        gram[np.diag_indices(rows)] += RIDGE_PENALTY
        weights = x.T @ np.linalg.solve(gram, y - mean)
    return (test - centre) @ weights + mean


def _nearest_classes(train: FloatArray, y: Any, test: FloatArray, _: int) -> Any:
    """Most frequent class of the 5 nearest rows."""
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(min(5, len(train))).fit(train, y).predict(test)


def _nearest_numbers(train: FloatArray, y: Any, test: FloatArray, _: int) -> Any:
    """Mean of the 5 nearest rows."""
    from sklearn.neighbors import KNeighborsRegressor

    return KNeighborsRegressor(min(5, len(train))).fit(train, y).predict(test)


def _forest_classes(train: FloatArray, y: Any, test: FloatArray, seed: int) -> Any:
    """Random forest of 100 trees."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(random_state=seed).fit(train, y).predict(test)


def _forest_numbers(train: FloatArray, y: Any, test: FloatArray, seed: int) -> Any:
    """Random forest of 100 trees."""
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(random_state=seed).fit(train, y).predict(test)


CLASSES: Final[Mapping[str, Predict]] = {
    "svm": _support_vectors,
    "logistic": _logistic,
    "knn": _nearest_classes,
    "forest": _forest_classes,
}
NUMBERS: Final[Mapping[str, Predict]] = {
    "svm": _support_vector_regression,
    "ridge": _ridge,
    "knn": _nearest_numbers,
    "forest": _forest_numbers,
}
