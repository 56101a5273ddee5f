"""`RenyiSelector`: `renyi.select` as an estimator."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, Final

import numpy as np

import renyi
from renyi.errors import Interrupted, OptionError, Way
from renyi.io import NamedTable
from renyi_sklearn._callbacks import CallbackPart, Listening, with_callbacks
from renyi_sklearn._page import named
from renyi_sklearn._picker import ColumnPicker
from renyi_sklearn._refusals import as_here
from renyi_sklearn._tables import Given
from renyi_sklearn._targets import free_name, jobs_of, row_values, seed_of, target_of

__all__ = ["RenyiSelector"]

OWN: Final = ("categorical_features", "target_kind", "score_name", "random_state", "n_jobs")
"""Parameters that `renyi.select` spells otherwise."""


class RenyiSelector(CallbackPart, ColumnPicker):
    """Select the columns that matter for a target, and stop where a test says so.

    `renyi.select` as a scikit-learn transformer: greedy forward search by the joint matrix-based
    Renyi mutual information with the target, ended by a stopping criterion. No number of columns
    has to be given. An option left None is as the preset says.

    Parameters
    ----------
    criterion, purpose, stop_when
        When to stop, see `renyi.select`; None is `cmi-max`.
    search
        In which way sets of columns are searched, forward if None.
    score_name, rank
        How candidates are ranked; the first is `score` there, which scikit-learn takes for a
        method.
    alpha, bandwidth, bandwidths, standardise, kernel, nominal, label_kernel, class_weights
        Entropy and kernels.
    epsilon, permutations, significance, p_rule, error_rate, bins, binning, min_gain, lookahead
        Of the criteria.
    max_features
        Most features to select.
    keep, start, group_columns
        Features forced in; a result to go on from; columns taken or left together. Columns are
        named as by `get_feature_names_out`, `x0`, `x1` ... where the table has no names; `keep`
        takes numbers of columns too.
    categorical_features
        Which columns are names and no quantities. `from_dtype`: those of text, of categories,
        ordered or not, and of truth values; a column of numbers is one of numbers, however few.
        Names or numbers of columns, or a mask (F,): those and no others. None: none.
    target_kind
        `continuous`, `ordinal` or `nominal`. None: a number where scikit-learn's `type_of_target`
        finds it continuous, else classes; to it whole numbers are classes, however many.
    missing
        `error`, `drop`, `level` or `category`, see `renyi.select`.
    rows
        Use a stratified sample of that many rows.
    weight_kind
        What `sample_weight` is: `importance`, or `frequency`, as if a row stood there so often.
    shuffle, blocks
        Of rows that belong together.
    preset
        `default`, `paper` or `lrmi`.
    solver, pairs, tolerance, backend, max_memory
        How the work is done.
    executor
        Who does it: None for threads here, a client of Dask, an executor of `concurrent.futures`,
        or an address. A clone shares it. What is pickled, as by `n_jobs` of a cross-validation,
        needs an address.
    sensitivity, stability
        Whether the selection is repeated under other settings and on how many halves of the rows:
        `path_.sensitivity`, `path_.stability`.
    random_state
        Seed of every random draw, a whole number as `seed` of `renyi.select`; or a `RandomState` or
        `Generator` that gives one, or None for NumPy's global generator.
    n_jobs
        Worker threads: None for 1 unless joblib says otherwise, -1 for all cores. It never changes
        the answer.

    Attributes
    ----------
    path_
        The frozen `renyi.SelectionPath`: `path_.selected` in the order of entering, the steps with
        their numbers, why it stopped.
    report_
        A page of `path_`, a `renyi.Report`; ``path_.report(data=X, y=y)`` has pictures too.
    n_features_in_
        Number of columns seen by `fit`.
    feature_names_in_
        Their names, where the table has any.

    Notes
    -----
    An interrupted `fit` sets `path_` to what was finished, and the interruption goes on. Callbacks,
    from scikit-learn 1.9 on, hear of every step; one that returns True ends the search there.

    References
    ----------
    Yu and Principe, "Simple stopping criteria for information theoretic feature selection",
    Entropy 21 (2019).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((100, 4))
    >>> y = X[:, 2] > 0
    >>> selector = RenyiSelector().fit(X, y)
    >>> selector.get_feature_names_out()
    array(['x2'], dtype=object)
    >>> selector.transform(X).shape
    (100, 1)
    """

    def __init__(  # noqa: PLR0913 - one keyword for each choice, none hidden
        self,
        *,
        criterion: Any = None,
        purpose: Any = None,
        stop_when: Any = None,
        search: Any = None,
        score_name: Any = None,
        rank: Any = None,
        alpha: Any = None,
        bandwidth: Any = None,
        bandwidths: Any = None,
        standardise: Any = None,
        kernel: Any = None,
        nominal: Any = None,
        label_kernel: Any = None,
        class_weights: Any = None,
        epsilon: Any = None,
        permutations: Any = None,
        significance: Any = None,
        p_rule: Any = None,
        error_rate: Any = None,
        bins: Any = None,
        binning: Any = None,
        min_gain: Any = None,
        lookahead: Any = None,
        max_features: Any = None,
        keep: Any = (),
        start: Any = None,
        group_columns: Any = None,
        categorical_features: Any = "from_dtype",
        target_kind: Any = None,
        missing: str = "error",
        rows: Any = None,
        weight_kind: str = "frequency",
        shuffle: str = "auto",
        blocks: Any = None,
        preset: Any = None,
        solver: Any = None,
        pairs: Any = None,
        tolerance: Any = None,
        backend: str = "auto",
        max_memory: Any = None,
        executor: Any = None,
        sensitivity: bool = False,
        stability: Any = None,
        random_state: Any = 0,
        n_jobs: Any = None,
    ) -> None:
        self.criterion = criterion
        self.purpose = purpose
        self.stop_when = stop_when
        self.search = search
        self.score_name = score_name
        self.rank = rank
        self.alpha = alpha
        self.bandwidth = bandwidth
        self.bandwidths = bandwidths
        self.standardise = standardise
        self.kernel = kernel
        self.nominal = nominal
        self.label_kernel = label_kernel
        self.class_weights = class_weights
        self.epsilon = epsilon
        self.permutations = permutations
        self.significance = significance
        self.p_rule = p_rule
        self.error_rate = error_rate
        self.bins = bins
        self.binning = binning
        self.min_gain = min_gain
        self.lookahead = lookahead
        self.max_features = max_features
        self.keep = keep
        self.start = start
        self.group_columns = group_columns
        self.categorical_features = categorical_features
        self.target_kind = target_kind
        self.missing = missing
        self.rows = rows
        self.weight_kind = weight_kind
        self.shuffle = shuffle
        self.blocks = blocks
        self.preset = preset
        self.solver = solver
        self.pairs = pairs
        self.tolerance = tolerance
        self.backend = backend
        self.max_memory = max_memory
        self.executor = executor
        self.sensitivity = sensitivity
        self.stability = stability
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_clone__(self) -> RenyiSelector:
        """Clone it, all but its executor, which is no thing that can be copied."""
        bare = copy(self)
        bare.executor = None
        made: RenyiSelector = super(RenyiSelector, bare).__sklearn_clone__()
        made.executor = self.executor
        return made

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(
        self,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> RenyiSelector:
        """Select columns.

        Parameters
        ----------
        X
            (n, F) array, or a table of pandas, polars, Arrow or what else narwhals knows.
        y
            (n,) target, or (n, T) for T targets that are taken together.
        sample_weight
            (n,) how much each row counts.
        groups
            (n,) which group (subject, site) each row belongs to, where rows of a group are no draws
            of their own.

        Returns
        -------
        RenyiSelector
            Itself.

        Raises
        ------
        ValueError
            If an option is wrong or the data cannot be used as they are.
        Interrupted
            On Ctrl-C; `path_` is what was finished.
        """
        with as_here():
            given = self._take_over(X)
            target = target_of(y, given.names, self.target_kind, given.rows)
            columns = dict(zip(given.names, given.columns, strict=True)) | target.columns
            asides: dict[str, Any] = {}
            for argument, option, values in (
                ("sample_weight", "weights", sample_weight),
                ("groups", "groups", groups),
            ):
                found = row_values(argument, values, given.rows)
                if found is not None:
                    own = getattr(found, "name", None)
                    asides[option] = free_name((own, option), list(columns))
                    columns[asides[option]] = found
            kinds = kinds_of(given, self.categorical_features) | target.kinds
            self._search(NamedTable(given.source, columns), list(target.columns), kinds, asides)
        if not self._chosen:
            reason = self.path_.verdict.reason
            warnings.warn(f"RenyiSelector selected no column: {reason}.", stacklevel=2)
        return self

    def _search(
        self, table: NamedTable, targets: list[str], kinds: dict[str, str], asides: dict[str, Any]
    ) -> None:
        options = {name: v for name, v in self.get_params(deep=False).items() if name not in OWN}
        options["keep"] = _names_of("keep", self.keep, self._names)
        if "weights" not in asides and self.weight_kind == "frequency":
            options["weight_kind"] = "importance"  # nothing to count by
        listening = Listening(self)
        try:
            self.path_ = renyi.select(
                table,
                target=targets,
                kind=kinds,
                score=self.score_name,
                seed=seed_of(self.random_state),
                jobs=jobs_of(self.n_jobs),
                progress=listening.step,
                cancel=listening.token,
                **asides,
                **options,
            )
        except Interrupted as stopped:
            self.path_ = stopped.path
            if not listening.token.cancelled:  # else a callback ended it, as it may
                raise
        finally:
            if self.__sklearn_is_fitted__():
                self._chosen = tuple(self.path_.columns)
        listening.end()

    def _rule_for_missing(self) -> str:
        return str(self.missing)

    def _sentences(self) -> list[str]:
        path = self.path_
        count = len(self._names)
        if not path.selected:
            first = f"None of {count} columns was selected."
        else:
            first = f"{len(self._chosen)} of {count} columns selected: {named(path.selected)}."
        return [first, f"The search {path.verdict.reason}."]


def kinds_of(given: Given, asked: Any) -> dict[str, str]:
    """Return the kind of each column that its type does not say.

    Raises
    ------
    ValueError
        If `asked` is no way to name columns, or leaves out one of text.
    """
    if isinstance(asked, str):
        if asked != "from_dtype":
            raise OptionError(
                "`categorical_features` must be `from_dtype`, None, or names, numbers or a mask of "
                f"columns, got {asked!r}.",
                "Name one column as a list.",
            )
        of_numbers = [n for n, number in zip(given.names, given.numbers, strict=True) if number]
        of_texts = [name for name, text in zip(given.names, given.texts, strict=True) if text]
        return dict.fromkeys(of_numbers, "continuous") | dict.fromkeys(of_texts, "nominal")
    nominal = set(_names_of("categorical_features", _unmasked(asked, given.names), given.names))
    kinds = dict.fromkeys(nominal, "nominal")
    for name, number, text, column in zip(
        given.names, given.numbers, given.texts, given.columns, strict=True
    ):
        if name in nominal:
            continue
        if text:
            raise OptionError(
                f"`categorical_features` must name every column of text or categories, and leaves "
                f"out `{name}`.",
                "Use ",
                Way("categorical_features", "from_dtype"),
                ", or make it a column of numbers.",
            )
        if number or _is_truth(column):
            kinds[name] = "continuous"
    return kinds


def _is_truth(column: Any) -> bool:
    dtype = str(getattr(column, "dtype", getattr(column, "type", "bool"))).lower()
    return dtype.startswith("bool")


def _unmasked(asked: Any, names: Sequence[str]) -> Any:
    """Return a mask as numbers of columns."""
    if asked is None:
        return ()
    mask = np.asarray(asked)
    if mask.dtype.kind != "b":
        return mask.tolist() if isinstance(asked, np.ndarray) else asked
    if mask.shape != (len(names),):
        raise OptionError(
            f"`categorical_features` as a mask must say of each of {len(names)} columns whether "
            f"it is one; its shape is {mask.shape}.",
            "Or give names or numbers of columns.",
        )
    return np.flatnonzero(mask).tolist()


def _names_of(argument: str, asked: Any, names: Sequence[str]) -> list[str]:
    """Return columns by name, of which some may be given by number."""
    found = []
    single = isinstance(asked, str) or not isinstance(asked, Iterable)
    for one in () if asked is None else (asked,) if single else asked:
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, int | np.integer) and -len(names) <= one < len(names):
            found.append(names[int(one)])
        else:
            raise OptionError(
                f"`{argument}` must name columns, or number them from 0 to {len(names) - 1}, got "
                f"{one!r}.",
                "Give them as a list, such as [0, 3].",
            )
    return found
