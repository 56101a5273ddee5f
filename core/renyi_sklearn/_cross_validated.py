"""`RenyiSelectorCV`: how many columns of a path a model predicts best from."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import narwhals.stable.v1 as nw
import numpy as np
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter

from renyi.errors import Interrupted, OptionError, UsageError
from renyi_sklearn._outputs import picked
from renyi_sklearn._page import named
from renyi_sklearn._picker import ColumnPicker
from renyi_sklearn._refusals import TableError
from renyi_sklearn._selector import RenyiSelector
from renyi_sklearn._tables import frame_of, rows_of, take

__all__ = ["RenyiSelectorCV"]

RULES: Final = ("one_standard_error", "best")
LEAST: Final = 20
"""Sizes looked at, where there are so many features and nothing else is asked."""


class RenyiSelectorCV(ColumnPicker):
    """Choose how many columns of one path to keep by cross-validation of an estimator.

    The path is that of `RenyiSelector` without a stop, forward whatever its `search` is. In each
    fold the whole selection is done again on the training rows, the estimator is fitted on the
    first k columns of that path and scored on the rows left out, for every k: no row judges a
    selection that it took part in. The k that these scores choose is then taken of the path of all
    rows. Where the test of the selector stops on all rows stands beside it.

    Parameters
    ----------
    estimator
        A classifier or regressor.
    selector
        A `RenyiSelector` with the options of the path and of the test; None for the default one.
    rule
        `one_standard_error`: the smallest number whose mean score is within one standard error of
        the best mean. `best`: the number of the best mean, the smallest of equal ones.
    max_features
        Largest number looked at; None for `max_features` of the selector, or else 20, or what the
        test selects where that is more.
    cv, scoring
        As in scikit-learn's `cross_val_score`.
    n_jobs
        Folds worked on at a time, as in scikit-learn.

    Attributes
    ----------
    n_features_
        The number of features chosen; of a selector with `group_columns` a group is one.
    n_features_test_
        The number that the test of the selector selects on all rows.
    path_
        The path of all rows, a `renyi.SelectionPath` that goes on to the largest number looked at.
    test_path_
        The path that ends where the test says so, and why.
    cv_results_
        Arrays with an entry a number: `n_features`, `mean_test_score`, `std_test_score`,
        `standard_error`, and of each fold `split0_test_score` ...
    n_features_in_, feature_names_in_
        As in `RenyiSelector`.

    Notes
    -----
    One feature is the fewest that is looked at, as in scikit-learn's `RFECV`: most estimators fit
    no table without columns. Where nothing tells of the target `n_features_test_` says 0.

    The standard error is that of the mean over folds as if they were independent draws; they share
    training rows, so that it is somewhat too small. The score of the chosen number is the best of
    several and so a little too good: judge the whole by an outer cross-validation.

    Without metadata routing `fit` takes `sample_weight` and `groups`: weights go to the selector
    and to an estimator that takes them, groups to the selector and the splitter; scores are not
    weighted. With `enable_metadata_routing` each goes to who requests it.

    An interrupted `fit` keeps what was finished: once the test has stopped on all rows, that
    number.

    References
    ----------
    Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees" (1984), section 3.4.3
    for the rule; Ambroise and McLachlan, PNAS 99 (2002), for selection within folds.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((120, 5))
    >>> y = X[:, 1] + X[:, 3] > 0
    >>> chosen = RenyiSelectorCV(LogisticRegression()).fit(X, y)
    >>> chosen.n_features_, chosen.n_features_test_, chosen.get_feature_names_out()
    (2, 2, array(['x1', 'x3'], dtype=object))
    """

    def __init__(
        self,
        estimator: Any,
        *,
        selector: Any = None,
        rule: str = "one_standard_error",
        max_features: Any = None,
        cv: Any = None,
        scoring: Any = None,
        n_jobs: Any = None,
    ) -> None:
        self.estimator = estimator
        self.selector = selector
        self.rule = rule
        self.max_features = max_features
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, **params: Any) -> RenyiSelectorCV:  # noqa: N803
        """Find the path and choose how many of its columns to keep.

        Parameters
        ----------
        X, y
            As in `RenyiSelector.fit`.
        **params
            `sample_weight` and `groups`, (n,) each, or with metadata routing what is requested.

        Returns
        -------
        RenyiSelectorCV
            Itself.

        Raises
        ------
        ValueError
            If an option is wrong or the data cannot be used as they are.
        KeyboardInterrupt
            On Ctrl-C.
        """
        self._check()
        given = self._take_over(X)
        routed = self._routed(params)
        whole = Data(X if frame_of(X) is not None else np.asarray(X), y, routed)
        self._test(whole)
        most = self._most()
        self.path_ = _along(self._selector(), most).fit(*whole.xy, **whole.routed.selector).path_
        self._keep(self.n_features_test_)
        sizes = np.arange(1, len(self.path_.selected) + 1)
        target = whole.target
        cv = check_cv(self.cv, target, classifier=is_classifier(self.estimator))
        splits = list(cv.split(np.empty((given.rows, 0)), target, **routed.splitter))
        scorer = check_scoring(self.estimator, scoring=self.scoring)
        judge = Fold(whole, self._selector(), self.estimator, scorer, sizes)
        found = Parallel(n_jobs=self.n_jobs)(delayed(judge)(train, test) for train, test in splits)
        scores = np.array(found)  # (folds, sizes)
        self.cv_results_ = _results(sizes, scores)
        self._keep(_chosen(self.cv_results_, self.rule))
        return self

    def _check(self) -> None:
        if self.rule not in RULES:
            raise OptionError(
                f"`rule` must be one of {', '.join(RULES)}, got {self.rule!r}.",
                "`best` takes the number with the best mean score.",
            )
        most = self.max_features
        if most is not None and (not isinstance(most, int | np.integer) or most < 1):
            raise OptionError(
                f"`max_features` must be a whole number above 0, got {most!r}.",
                "None is all of them.",
            )
        if not hasattr(self.estimator, "fit") or not hasattr(self.estimator, "predict"):
            raise OptionError(
                f"`estimator` must be a classifier or a regressor, got {self.estimator!r}.",
                "Give one that is made, such as LogisticRegression().",
            )
        if self.selector is not None and not isinstance(self.selector, RenyiSelector):
            raise OptionError(
                f"`selector` must be a RenyiSelector, got {self.selector!r}.",
                "None is one with its defaults.",
            )

    def _selector(self) -> Any:
        return RenyiSelector() if self.selector is None else clone(self.selector)

    def _test(self, whole: Data) -> None:
        """Select on all rows with the test."""
        tested = self._selector()
        try:
            with warnings.catch_warnings():  # no column is an answer, as it stands beside another
                warnings.filterwarnings("ignore", "RenyiSelector selected no column")
                tested.fit(*whole.xy, **whole.routed.selector)
        except Interrupted as stopped:
            self.test_path_ = self.path_ = stopped.path
            self._keep(len(stopped.path.selected))
            raise
        self.test_path_ = self.path_ = tested.path_
        self.n_features_test_ = len(tested.path_.selected)
        self._keep(self.n_features_test_)

    def _most(self) -> int:
        asked = self.max_features
        if asked is None:
            asked = getattr(self.selector, "max_features", None)
        return int(max(LEAST, self.n_features_test_) if asked is None else asked)

    def _keep(self, count: int) -> None:
        self.n_features_ = count
        self._chosen = self.path_.data.columns_of(self.path_.selected[:count])

    def _routed(self, params: Mapping[str, Any]) -> Any:
        """Return who of estimator, selector, splitter and scorer gets what of a row."""
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **params)
            return Bunch(
                estimator=routed.estimator.fit,
                selector=routed.selector.fit,
                splitter=routed.splitter.split,
                scorer=routed.scorer.score,
            )
        strange = sorted(set(params) - {"sample_weight", "groups"})
        if strange:
            raise UsageError(
                f"`fit` takes `sample_weight` and `groups`, got `{strange[0]}`.",
                "Others are passed on with set_config(enable_metadata_routing=True).",
            )
        given = {name: values for name, values in params.items() if values is not None}
        weighs = has_fit_parameter(self.estimator, "sample_weight")
        return Bunch(
            estimator={k: v for k, v in given.items() if k == "sample_weight" and weighs},
            selector=given,
            splitter={k: v for k, v in given.items() if k == "groups"},
            scorer={},
        )

    def get_metadata_routing(self) -> Any:
        """Say what `fit` passes on, and to whom."""
        fit = MethodMapping().add(caller="fit", callee="fit")
        return (
            MetadataRouter(owner=type(self).__name__)
            .add(estimator=self.estimator, method_mapping=fit)
            .add(selector=self._selector(), method_mapping=fit)
            .add(
                splitter=check_cv(self.cv, classifier=is_classifier(self.estimator)),
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
            .add(
                scorer=check_scoring(self.estimator, scoring=self.scoring),
                method_mapping=MethodMapping().add(caller="fit", callee="score"),
            )
        )

    def _rule_for_missing(self) -> str:
        return str(getattr(self.selector, "missing", "error"))

    def _sentences(self) -> list[str]:
        said = [f"{self.n_features_} features: {named(self._chosen)}."]
        if hasattr(self, "cv_results_"):
            results = self.cv_results_
            score = results["mean_test_score"][self.n_features_ - 1]
            said = [
                f"{said[0]} Of 1 to {results['n_features'][-1]} along one path, by the rule "
                f"{self.rule}: mean score {score:.4g}, best {results['mean_test_score'].max():.4g}."
            ]
        if hasattr(self, "n_features_test_"):
            reason = self.test_path_.verdict.reason
            said.append(f"The test would select {self.n_features_test_}: it {reason}.")
        return said


@dataclass(frozen=True, eq=False)
class Data:
    """What `fit` was given.

    Attributes
    ----------
    x, y
        The table and the target.
    routed
        Who gets which values of each row.
    """

    x: Any
    y: Any
    routed: Any

    @property
    def xy(self) -> tuple[Any, Any]:
        """Table and target."""
        return self.x, self.y

    @property
    def target(self) -> Any:
        """The target as an array."""
        return np.asarray(nw.to_native(self.y, pass_through=True))

    def of_rows(self, rows: Any) -> Data:
        """Return some rows of it."""
        n = len(self.target)
        routed = {
            who: {
                name: np.asarray(values)[rows]
                if hasattr(values, "__len__") and len(values) == n
                else values
                for name, values in given.items()
            }
            for who, given in self.routed.items()
        }
        return Data(rows_of(self.x, rows), self.target[rows], Bunch(**routed))


@dataclass(frozen=True, eq=False)
class Fold:
    """Scores one split: selection and models see the training rows only."""

    whole: Data
    selector: Any
    estimator: Any
    scorer: Any
    sizes: Any

    def __call__(self, train: Any, test: Any) -> list[float]:
        """Return the score of each size."""
        taught, asked = self.whole.of_rows(train), self.whole.of_rows(test)
        selector = _along(self.selector, int(self.sizes[-1]))
        path = selector.fit(*taught.xy, **taught.routed.selector).path_
        names = [str(name) for name in selector._names]  # noqa: SLF001 - of the same package
        scores: list[float] = []
        for size in self.sizes:
            if size > len(path.selected):  # columns that are constant in these rows are missing
                scores.append(scores[-1])
                continue
            places = [names.index(name) for name in path.data.columns_of(path.selected[:size])]
            model = clone(self.estimator)
            model.fit(_columns(taught.x, places), taught.y, **taught.routed.estimator)
            scored = self.scorer(model, _columns(asked.x, places), asked.y, **asked.routed.scorer)
            scores.append(float(scored))
        return scores


def _along(selector: Any, most: int) -> Any:
    """Return a selector that goes on along its path without a test."""
    return clone(selector).set_params(
        search=None,
        criterion="none",
        purpose=None,
        stop_when=None,
        min_gain=None,
        sensitivity=False,
        stability=None,
        max_features=most,
    )


def _columns(x: Any, places: Sequence[int]) -> Any:
    """Return some columns of a table, in the table's order, as `transform` does."""
    frame = frame_of(x)
    places = sorted(places)
    return x[:, places] if frame is None else picked(take(frame), places)


def _results(sizes: Any, scores: Any) -> dict[str, Any]:
    """Return the scores (folds, sizes) as arrays with an entry a size."""
    folds = len(scores)
    if folds < 2:
        raise OptionError(f"`cv` must give at least 2 folds, got {folds}.", "5 is usual.")
    if not np.isfinite(scores).all():
        raise TableError("A score is not a number: `scoring` cannot judge `estimator` there.")
    return {
        "n_features": sizes,
        "mean_test_score": scores.mean(axis=0),
        "std_test_score": scores.std(axis=0),
        "standard_error": scores.std(axis=0, ddof=1) / np.sqrt(folds),
        **{f"split{k}_test_score": scores[k] for k in range(folds)},
    }


def _chosen(results: Mapping[str, Any], rule: str) -> int:
    """Return the number of features that a rule chooses."""
    mean, best = results["mean_test_score"], int(np.argmax(results["mean_test_score"]))
    if rule == "best":
        return int(results["n_features"][best])
    enough = mean >= mean[best] - results["standard_error"][best]
    return int(results["n_features"][np.flatnonzero(enough)[0]])
