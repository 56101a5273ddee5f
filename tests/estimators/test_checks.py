"""All that scikit-learn asks of an estimator."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.naive_bayes import GaussianNB  # noqa: E402 - where it is installed
from sklearn.utils.estimator_checks import estimator_checks_generator  # noqa: E402

from renyi_sklearn import RenyiSelector, RenyiSelectorCV  # noqa: E402

VERSION = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
NOT_OF_THE_ESTIMATOR = {
    "check_positive_only_tag_during_fit": "subtracts a mean in place from whole numbers",
    "check_sample_weight_equivalence_on_sparse_data": "gives sparse data to all that take weights",
}
"""Checks of scikit-learn before 1.8 that no estimator of categories or dense data can pass."""


KNOWN = NOT_OF_THE_ESTIMATOR if VERSION < (1, 8) else {}


def checks(*estimators: Any) -> Any:
    cases = [
        case
        for estimator in estimators
        for case in estimator_checks_generator(
            estimator, expected_failed_checks=KNOWN, mark="xfail"
        )
    ]
    return pytest.mark.parametrize(("estimator", "check"), cases, ids=label)


def label(value: Any) -> str:
    if not isinstance(value, partial):
        return type(value).__name__
    more = ",".join(f"{name}={word}" for name, word in value.keywords.items())
    return value.func.__name__ + (f"({more})" if more else "")


@checks(
    RenyiSelector(),
    RenyiSelector(missing="level"),
    RenyiSelector(missing="drop", categorical_features=None),
    RenyiSelector(criterion="cmi-heuristic", n_jobs=2, alpha=1.5),
)
@pytest.mark.filterwarnings("ignore:RenyiSelector selected no column")
def test_a_selector_is_an_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@checks(RenyiSelectorCV(GaussianNB(), max_features=2))
@pytest.mark.filterwarnings("ignore:RenyiSelector selected no column")
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_a_cross_validated_selector_is_an_estimator(estimator: Any, check: Any) -> None:
    check(estimator)
