"""`renyi.compare`: every criterion on one path, or several scores, and how well models predict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Unpack, overload

from renyi import _validate
from renyi._progress import CancelToken, Observer, Progress, ignore_progress
from renyi._typing import ClassWeights, LabelKernel, NominalKernel, NumberKernel, PRule, Rank
from renyi.api._given import (
    Groups,
    Kinds,
    Names,
    Targets,
    data_options,
    own_bandwidths,
    pairs,
)
from renyi.api._hooks import check_hooks
from renyi.api._paper import choices_for
from renyi.api._session import Session, open_session
from renyi.api.comparing._comparison import Comparison
from renyi.api.comparing._given import ComparisonGiven
from renyi.api.comparing._methods import Scores, methods_of, possible_with, scores_of
from renyi.api.comparing._score_comparison import ScoreComparison
from renyi.api.comparing._scores import scores_side_by_side
from renyi.api.comparing._side_by_side import Judging
from renyi.errors import OptionError, UsageError
from renyi.evaluation import PairedTest, find_model, is_number
from renyi.execution import followed
from renyi.options import (
    Bandwidth,
    MemoryBudget,
    MethodOptions,
    Permutations,
    RunOptions,
    method_options,
    option_of,
)
from renyi.variables import Variable

__all__ = ["compare"]


@overload
def compare(
    data: object,
    y: object = None,
    *,
    score: str | None = None,
    **given: Unpack[ComparisonGiven],
) -> Comparison: ...


@overload
def compare(
    data: object,
    y: object = None,
    *,
    score: Sequence[str],
    **given: Unpack[ComparisonGiven],
) -> Comparison | ScoreComparison: ...


def compare(  # noqa: PLR0913 - one keyword for each choice, none hidden
    data: object,
    y: object = None,
    *,
    target: Targets = None,
    features: Names = (),
    exclude: Names = (),
    keep: Names = (),
    group_columns: Groups = None,
    kind: Kinds = None,
    table: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    missing: str = "error",
    rows: int | None = None,
    weights: object = None,
    weight_kind: str = "importance",
    groups: str | int | None = None,
    shuffle: str = "auto",
    blocks: int | str | None = None,
    preset: str | None = None,
    criterion: Names | None = None,
    model: str | None = None,
    runs: int = 100,
    sizes: Sequence[int] | None = None,
    test: PairedTest = "paired",
    score: Scores = None,
    rank: Rank | None = None,
    alpha: float | None = None,
    bandwidth: Bandwidth | None = None,
    bandwidths: Mapping[str, Bandwidth] | None = None,
    standardise: str | None = None,
    kernel: NumberKernel | None = None,
    nominal: NominalKernel | None = None,
    label_kernel: LabelKernel | None = None,
    class_weights: ClassWeights | None = None,
    epsilon: float | None = None,
    permutations: Permutations | None = None,
    significance: float | None = None,
    p_rule: PRule | None = None,
    bins: int | None = None,
    binning: str | None = None,
    min_gain: float | str | None = None,
    max_features: int | None = None,
    solver: str | None = None,
    tolerance: float | None = None,
    seed: int = 0,
    backend: str = "auto",
    jobs: int | None = None,
    max_memory: MemoryBudget | None = None,
    progress: Observer | None = None,
    cancel: CancelToken | None = None,
) -> Comparison | ScoreComparison:
    """Ask every criterion where to stop on one path, and judge each answer by a model.

    Or, of several scores, where the path of each stops.

    The path is that of `select`; each criterion stops where `select` with it alone would. How well
    the first k features predict is judged by the protocol of Yu and Principe (2019): in each run n
    rows drawn with replacement train a model and the rows never drawn test it, with the same draws
    for all k. The features were chosen on all rows, test rows included, so that the scores compare
    numbers of features; for new data they are somewhat too good. Of several targets each has a
    model of its own, and the score of a run is their mean.

    Parameters
    ----------
    data, y, target, features, exclude, keep, group_columns, kind, table, decimal, thousands
        As in `select`.
    missing, rows
        As in `select`.
    groups, shuffle, blocks
        As in `select`; bootstrap runs draw whole groups, or blocks of rows.
    weight_kind, preset
        As in `select`.
    weights
        As in `select`; bootstrap runs draw rows in proportion, and judge predictions so.
    criterion
        The criteria to compare; None for all, and with several scores for the one that goes with
        each. Of several scores each is asked those that it takes.
    model
        `svm` (linear), `logistic`, `knn` or `forest` for classes; `ridge`, `svm`, `knn` or `forest`
        for a number. None for `svm`, or `ridge` for a number. `svm` for classes and `ridge` need
        no extra, all others `sklearn`.
    runs
        Bootstrap runs, at least 2.
    sizes
        Numbers of features to look at besides those that criteria select; None for every one to 80
        and every tenth beyond.
    test
        How sizes are compared with the best one: `paired`, the paper's t-test, or `corrected` for
        the rows that runs share (Nadeau and Bengio 2003).
    score
        As in `select`; a list of several compares their paths, each from where its score starts
        (its own preset where `preset` is None), on the same draws.
    rank, alpha, bandwidth, bandwidths, standardise, kernel
        As in `select`.
    nominal, label_kernel, class_weights
        As in `select`.
    epsilon, permutations, significance, p_rule, bins, binning, min_gain
        As in `select`; `significance` is the level of the t-test, too.
    max_features
        Most features of the path; None for all of up to 64, and of more for what the criteria
        take, at least 20 and at most 100.
    solver, tolerance, seed, backend, jobs, max_memory
        As in `select`.
    progress, cancel
        As in `select`; while models are fitted the phase is `models`.

    Returns
    -------
    Comparison or ScoreComparison
        The frozen answer; the latter of several scores.

    Raises
    ------
    UsageError
        If an option or a column name is wrong.
    DataError
        If the data cannot be used as they are, or no bootstrap draw can.
    MissingExtraError
        If the model needs scikit-learn and that is not installed.
    Interrupted
        On Ctrl-C once the path has a step; its `.path` is a `PartialComparison`,
        or the `ScoreComparison` of those of several scores that were finished.

    Examples
    --------
    >>> table = {"a": [0.0, 0.1, 1.0, 1.1] * 10, "b": [float(i % 7) for i in range(40)],
    ...          "y": ["n", "n", "p", "p"] * 10}
    >>> found = compare(table, target="y", criterion="mi-perm", alpha=2, runs=10)
    >>> found.results[0].selected, found.smallest
    (('a',), 1)
    >>> found = compare(table, target="y", score=["mim", "jmi"], runs=10)
    >>> [(stop.score, stop.criterion, stop.features) for stop in found.stops]
    [('mim', 'score-max', 1), ('jmi', 'score-max', 1)]
    """
    started = perf_counter()
    check_hooks(progress, cancel)
    own = choices_for(preset, data, standardise)

    def under(score: str | None, criteria: tuple[str, ...]) -> MethodOptions:
        method = method_options(
            preset,
            criteria=criteria,
            score=score,
            rank=rank,
            alpha=alpha,
            bandwidth=bandwidth,
            bandwidths=own_bandwidths(bandwidths),
            standardise=own.standardise,
            kernel=kernel,
            nominal=nominal,
            label_kernel=label_kernel,
            class_weights=class_weights,
            epsilon=epsilon,
            permutations=permutations,
            significance=significance,
            p_rule=p_rule,
            bins=bins,
            binning=binning,
            min_gain=min_gain,
            max_features=max_features,
            solver=solver,
            tolerance=tolerance,
            seed=seed,
        )
        # single steps, and as far as is asked: a preset's limit is for selecting
        return replace(method, max_features=max_features, lookahead=1)

    methods = methods_of(scores_of(score), preset, criterion, under)
    options = data_options(
        target=target,
        features=features,
        exclude=exclude,
        keep=keep,
        group_columns=group_columns,
        kind=(*own.kinds, *pairs("kind", kind)),
        table=table,
        decimal=decimal,
        thousands=thousands,
        missing=missing,
        rows=rows,
        weights=weights,
        weight_kind=weight_kind,
        seed=seed,
        groups=groups,
        shuffle=shuffle,
        blocks=blocks,
    )
    methods = [possible_with(options, method) for method in methods]
    option_of("runs", "compare").checked(runs)
    option_of("test", "compare").checked(test)
    _check_sizes(sizes)
    run = RunOptions(backend=backend, jobs=jobs, max_memory=max_memory)
    with followed(progress or ignore_progress, cancel) as observer:

        def tick(done: int, total: int) -> None:
            if cancel is not None:
                cancel.check()
            observer(Progress("prepare", 1, done, total))

        sessions: list[Session] = []
        for method in methods:
            session = open_session(
                data,
                y,
                options,
                method.options,
                run,
                one_of_each=True,
                notes=(*own.notes, *method.notes),
                weights=weights,
                read=sessions[0].read if sessions else None,
                tick=tick,
            )
            sessions.append(session)
        chosen = find_model(model, number=_of_numbers(sessions[0].loaded.dataset.targets))
        return scores_side_by_side(
            sessions,
            Judging(chosen, runs, None if sizes is None else tuple(sizes), test),
            asked=methods[0].asked,
            observer=observer,
            cancel=cancel,
            started=started,
        )


def _of_numbers(targets: Sequence[Variable]) -> bool:
    """Whether the targets are numbers; classes and numbers together have no score.

    Raises
    ------
    UsageError
        If they are some of both.
    """
    if len({is_number(target) for target in targets}) > 1:
        raise UsageError(
            "`compare` scores classes by accuracy and numbers by R^2, of which there is no mean; "
            "got targets of both.",
            "Compare for each target by itself, or for those of one sort.",
        )
    return is_number(targets[0])


def _check_sizes(sizes: object) -> None:
    if sizes is None:
        return
    hint = "Write it as [1, 2, 5]; without it all numbers to 80 are judged."
    if isinstance(sizes, str) or not isinstance(sizes, Iterable) or not list(sizes):
        raise OptionError(f"`sizes` must be a list of whole numbers, got {sizes!r}.", hint)
    for size in sizes:
        _validate.whole_number("sizes", size, 0, hint)
