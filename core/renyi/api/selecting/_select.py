"""`renyi.select`: the main job."""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import perf_counter

from renyi._progress import CancelToken, Observer, Progress, ignore_progress
from renyi._typing import (
    ClassWeights,
    ErrorRate,
    LabelKernel,
    NominalKernel,
    NumberKernel,
    PRule,
    Purpose,
    Rank,
    StopWhen,
)
from renyi.api._foreseen import foreseen
from renyi.api._given import (
    Groups,
    Kinds,
    Names,
    Targets,
    data_options,
    names,
    own_bandwidths,
)
from renyi.api._given import (
    pairs as pairs_of,
)
from renyi.api._hooks import check_hooks
from renyi.api._paper import choices_for
from renyi.api._session import open_session
from renyi.api.selecting._checkpoint import checkpoint_place
from renyi.api.selecting._path import SelectionPath
from renyi.api.selecting._reruns import Repeats
from renyi.api.selecting._search import run_search
from renyi.api.selecting._start import Start, check_limit, check_target, largest, read_start
from renyi.execution import crew_of, followed
from renyi.options import (
    Bandwidth,
    MemoryBudget,
    Permutations,
    RunOptions,
    criteria_for,
    method_options,
)

__all__ = ["select"]


def select(  # noqa: PLR0913 - one keyword for each choice, none hidden
    data: object,
    y: object = None,
    *,
    target: Targets = None,
    features: Names = (),
    exclude: Names = (),
    keep: Names = (),
    start: Start = None,
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
    purpose: Purpose | None = None,
    criterion: Names | None = None,
    stop_when: StopWhen | None = None,
    search: str | None = None,
    score: str | None = None,
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
    error_rate: ErrorRate | None = None,
    bins: int | None = None,
    binning: str | None = None,
    min_gain: float | str | None = None,
    lookahead: int | None = None,
    max_features: int | None = None,
    pairs: float | str | None = None,
    solver: str | None = None,
    tolerance: float | None = None,
    seed: int = 0,
    backend: str = "auto",
    jobs: int | None = None,
    max_memory: MemoryBudget | None = None,
    executor: object = None,
    sensitivity: bool = False,
    stability: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Observer | None = None,
    cancel: CancelToken | None = None,
) -> SelectionPath:
    """Choose the columns that matter for a target, in order, and say why it stopped there.

    Greedy forward search by the joint matrix-based Renyi mutual information I(S; y), with a
    stopping criterion. Everything is in bits. An option left None is as the preset says.

    Parameters
    ----------
    data
        A file's path, glob or directory, a known data set's name, a table of polars, pandas, Arrow
        or what narwhals or the PyCapsule interface knows, a mapping of columns, or an array (n, F).
    y
        The target, n values, where it is not a column of `data`.
    target
        Name of the target column, or several for one joint target; inferred if None.
    features, exclude
        Names or globs of the columns to consider and to leave out.
    keep
        Features forced in, in order; they are never tested and count towards `max_features`.
    start
        A result, or the path of one written as JSON, to go on from: its selected features are
        taken as found, in order, after those of `keep`, and the search begins with them.
    group_columns
        Group -> its columns, a name or glob or a list of them: they are taken or left together, as
        one feature that is called as the group is; `features`, `exclude`, `keep`, `kind` and
        `bandwidths` know it by that name.
    kind
        Column (or glob) -> `continuous`, `ordinal` or `nominal`.
    table
        Which sheet of a workbook, or table of a database; of a database a query too.
    decimal
        Decimal mark of a text file, `.` or `,`; by default a dot, and in files with semicolons a
        comma too.
    thousands
        Mark between groups of three digits in a text file: `,`, `.`, `space`, `'` or `_`.
    missing
        `error`, `drop` (complete rows), `level` (a missing value is a value of its own, in columns
        of all kinds) or `category` (the same in nominal columns only).
    rows
        Use a stratified sample of that many rows.
    weights
        How much each row counts: the name of a column, which is no candidate, or n values. Rows of
        weight 0 are left out.
    weight_kind
        `importance`: a row is one draw that counts so much; `frequency`: it stands for so many
        rows, a whole number.
    groups
        The column that names the group (subject, site) that each row belongs to, where rows of a
        group are no draws of their own. It is no candidate. Permutations, halves and draws of rows
        go by groups.
    shuffle
        What permutations move of groups: `whole` ones, among those of as many rows; rows `within`
        groups; or `auto`: whole ones where the target is constant within groups.
    blocks
        The rows in file order are a series in time, of each group where there are groups:
        permutations move blocks of so many rows as a whole or, with `auto`, turn the series in a
        circle.
    preset
        `default`, `paper`, `lrmi` or `shannon`: a full set of choices to start from; None is
        `default`, and `shannon`, which counts levels, for a low-order score. `paper` on one of the
        paper's own sets, by name, prepares it as the paper most likely did, and says so.
    purpose
        What the columns are for: `model`, those that help a model together with the ones before
        (criterion `cmi-max`, the default), or `news`, those that say something beyond them
        (`cmi-local`). The `--for` of the terminal.
    criterion
        One or several of `cmi-max`, `cmi-local`, `cmi-perm`, `mi-perm`, `mi-chi2`,
        `cmi-heuristic`; of a low-order score `score-max`, its default, or `score-perm`; `mi-peak`
        and `markov-blanket`, to compare with; or `none`.
    stop_when
        Stop when `any`, or only when `all`, of several criteria say so.
    search
        How sets are searched: `forward` adds one at a time; `backward` takes away one of all at a
        time, until the criterion finds that needed which tells the least; `floating` goes forward
        and back where that leads to a better set; `beam:K` keeps the K best sets of each size.
    score
        How candidates are ranked: `mi` (joint MI), `chi2-gain`; a low-order score of counted
        levels, `mim`, `mifs` (`mifs:BETA`), `mifs-u`, `nmifs`, `mrmr`, `mrmr-quotient`, `cife`,
        `condred`, `jmi`, `jmi3`, `relax`, `jmim`, `njmim`, `disr`, `cmim`, `icap` or `cmi`
        (Brown et al., JMLR 13, 2012, and later); or `knn` (`knn:NEIGHBOURS`), joint MI by nearest
        neighbours.
    rank
        `chance`: by how many standard deviations a candidate gains above what chance gives it, at
        other orders than 2 by 16 draws a step; or `raw`: by MI as it is. None is `raw` there.
    alpha
        Order of the entropy, above 0.
    bandwidth
        Sigma of the Gaussian kernel on standardised values, or a rule: `steady` or `steady:SIGMA`,
        2 or SIGMA, and wider where so many columns would leave fewer than 30 rows alike;
        `silverman`, `scott`, `median`, `nearest`, `range:SHARE`; `growing`, `growing:SIGMA`,
        `silverman:joint` or `scott:joint`, which grow with the number of features; `auto`, chosen
        by the data.
    bandwidths
        Column -> its own bandwidth.
    standardise
        `zscore`, `minmax`, `rank`, `none`, `bins:B` or `quantiles:B` (bins of equal width or
        frequency).
    kernel
        How numbers are compared: `gaussian`; `laplacian`, `exp(-|a - b| / sigma)`, with a sharper
        peak and heavier tails; or `delta`, equality.
    nominal
        Kernel of nominal features: `soft`, a Gaussian on levels that are equally far apart with
        the spread of a number; or `delta`, equality. Beyond 256 levels it is `delta`.
    label_kernel
        `delta` or `onehot`, for a nominal target.
    class_weights
        `balanced`: rows count so that the classes of a nominal target weigh nearly alike, and a
        continuous target counts by its ranks, at alpha 2; or `none`. None is `none` at other
        orders.
    epsilon
        Threshold of `cmi-heuristic`, bits.
    error_rate
        What the level of `cmi-max` and `cmi-local` bounds: `fwer`, the chance that any false
        column is selected; `fdr`, the share of false columns among those selected.
    permutations, significance, p_rule
        Shuffles, level and p-value rule (`valid` or `paper`) of the permutation criteria. In place
        of a number of shuffles `auto` (or `auto:CAP`) draws none where the answer is plain, and
        `besag-clifford` (or `besag-clifford:CAP`) until 10 copies did as well. None is `auto`: 59
        at .05, more at lower levels, up to 999 where these leave it close and more cost little.
    bins, binning
        Bins of `mi-chi2`, of equal `width` or `frequency`.
    min_gain
        Least gain of a selected feature, in bits or as a share of H(y) such as `1%`; joined to any
        criterion.
    lookahead
        2: where no single feature passes its test, the best pair of the remaining ones is tested,
        and both enter as one step if it does; each of the two looks of a step then has half the
        level. For `cmi-max`, `cmi-local` and `none`, at alpha 2.
    max_features
        Most features to select.
    pairs
        A share of all pairs of rows, `5%` or 0.05, from which sums are estimated at alpha 2, for
        many rows: a step's `.errors` are standard errors, and say what they could turn. None: all.
    solver
        `auto` (the cheapest that meets the tolerance, with the decisions of `dense`), `dense` (no
        shortcut), `eigen`, `low-rank`, `tiles` or `power`.
    tolerance
        Largest error of a reported value, bits.
    seed
        Seed of every random draw.
    backend, jobs, max_memory
        How the work is done: `auto`, `numpy` or `cupy`; worker threads; memory that it may take,
        in bytes, as text such as `8GiB`, or as a share such as `50%` of what is free (80% if
        None). Never changes a number of the answer; where H(y | S) of all features does not fit,
        CMI is left out with a warning.
    executor
        Who does the work: None for threads here; any executor of `concurrent.futures`; a client of
        Dask, which is left open; the address of its scheduler, such as ``tcp://host:8786``; or
        ``local:4``, four processes that end with the call. No number of the answer changes.
    sensitivity
        Whether to repeat the selection at alpha 1.01 (rank raw, class weights none) and 2 with
        bandwidths 1, 2, 3 and `growing`, to show which features stay: `.sensitivity`.
    stability
        On how many halves of the rows to repeat it, an even number, for the frequency of each
        feature and each size: `.stability`.
    checkpoint
        A file that keeps what is finished, step by step. Where it is there and of the same
        selection, the work goes on from it, to the result that it would have had uninterrupted.
        It is a result file as `save` writes it, and in the end it holds the result.
    progress, cancel
        Called with every `Progress` on this thread; a token that stops the work from outside.

    Returns
    -------
    SelectionPath
        The frozen answer; `.selected` holds the names.

    Raises
    ------
    UsageError
        If an option or a column name is wrong, or the checkpoint is of another selection.
    DataError
        If the data cannot be used as they are.
    OutputError
        If the checkpoint cannot be written; the one written last stays.
    Interrupted
        On Ctrl-C; its `.path` holds what was finished.
    ExecutorError
        If the executor cannot be reached, has other versions of renyi, NumPy or SciPy, or fails.
    MissingExtraError
        If it takes Dask and that is not installed.

    References
    ----------
    Yu and Principe, "Simple stopping criteria for information theoretic feature selection",
    Entropy 21 (2019).

    Examples
    --------
    >>> table = {"a": [0.0, 0.1, 1.0, 1.1] * 10, "b": [float(i % 7) for i in range(40)],
    ...          "y": ["n", "n", "p", "p"] * 10}
    >>> select(table, target="y", criterion="mi-perm", alpha=2).selected
    ('a',)
    """
    started = perf_counter()
    check_hooks(progress, cancel)
    place = None if checkpoint is None else checkpoint_place(checkpoint)
    begun = read_start(start)
    own = choices_for(preset, data, standardise)
    method = method_options(
        preset,
        criteria=criteria_for(
            purpose, None if criterion is None else names("criterion", criterion)
        ),
        stop_when=stop_when,
        search=search,
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
        error_rate=error_rate,
        bins=bins,
        binning=binning,
        min_gain=min_gain,
        lookahead=lookahead,
        max_features=max_features,
        pairs=pairs,
        solver=solver,
        tolerance=tolerance,
        seed=seed,
    )
    options = data_options(
        target=target,
        features=features,
        exclude=exclude,
        keep=keep,
        start=() if begun is None else begun.selected,
        group_columns=group_columns,
        kind=(*own.kinds, *pairs_of("kind", kind)),
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
    check_limit(options, method)
    repeats = Repeats(sensitivity, stability)
    run = RunOptions(backend=backend, jobs=jobs, max_memory=max_memory, executor=executor)
    with (
        crew_of(run.executor) as crew,
        followed(progress or ignore_progress, cancel, crew) as observer,
    ):

        def tick(done: int, total: int) -> None:
            if cancel is not None:
                cancel.check()
            observer(Progress("prepare", 1, done, total))

        session = open_session(
            data,
            y,
            options,
            method,
            run,
            one_of_each=True,
            notes=own.notes,
            weights=weights,
            tick=tick,
        )
        check_target(begun, session.report)
        session.entropies.check_memory(largest(method))
        if crew is None:  # how fast others are is not known
            session = foreseen(session, observer, *repeats.foreseen(session))
        return run_search(
            session,
            repeats=repeats,
            checkpoint=place,
            observer=observer,
            cancel=cancel,
            started=started,
        )
