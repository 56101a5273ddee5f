"""What the page says in words."""

from __future__ import annotations

__all__ = [
    "ADDED",
    "BINARIES",
    "CASE_TABLES",
    "CLAIMS",
    "DEPENDENT_ROWS",
    "DETAIL_TABLES",
    "FURTHER_TABLES",
    "INTRODUCTION",
    "LEVELS",
    "NULL_TABLES",
    "OTHER_NULLS",
    "POWER",
    "SETTINGS",
    "TOGETHER_ROWS",
    "TRUTH",
    "TRUTH_OVERVIEW",
    "WAVEFORM",
]

INTRODUCTION = """
    A criterion that stops a search promises something: that noise enters rarely, that what matters
    is found. This page holds each criterion to its promise on tables whose truth is known, because
    they were made. It is written by `python benchmarks/validity.py`, which anyone can run; the
    outcome of every run is in `benchmarks/figures/validity/`, and every run has a seed of its own.

    Runs were done on {machine} They took {hours} hours of one core. Nothing here is timed, and no
    share depends on the machine but for ties in the last digits.

    Shares of runs come with their binomial error. At a chance of .05, 95% of shares lie between
    3.0% and 7.2% where runs are 400, between 1% and 10% where they are 100, and between 0 and 12%
    where they are 50. At .80, of 120 runs, they lie between 72% and 87%. A cell of 50 or 100 runs
    shows a level that is badly broken, and the pooled rows a level that is a little broken. Bars in
    the plots are exact 95% intervals (Clopper and Pearson).

    `default` is what `renyi select` does when nothing is asked for, `news` the other purpose: only
    columns that say something beyond the others. Both judge gains above chance. All other methods
    run on raw gains with fixed settings, listed at the end, and are here to compare with.
    """

CLAIMS = """
    Sizes, effects and noise were fixed before any run, and none was changed after one. Numbers of
    runs are what one core had time for, and no outcome decided on them, but for two: of the eight
    binary columns 100 tables were planned, and became 200 when the first 40 had left doubt; of the
    problems of known truth 40 runs became 120 of each when false columns had entered in five of 40.
    The cases and the binary columns are tables on which an earlier default failed: they were made
    to be passed. A verdict on 10 or 20 runs is worth no more than so many runs are.
    """

LEVELS = """
    ## What a level means here, and what it does not

    Write S' for what is selected, x for the newest column, the best of F candidates, and y for the
    target. **Rows must be exchangeable**: any order of them as likely as any other. Several rows of
    one subject, or rows in time, are not, and p-values are then too small
    ([below](#rows-that-hang-together)).

    Where rows are exchangeable, all permutation tests with a fixed P draw their permutations at
    random, so that their p-values (count + 1) / (P + 1) are valid at every number of rows, for any
    alpha and any kernel that was chosen without looking at y. What differs is the hypothesis.

    `default` and `news` do rest on an approximation. They take no permutations where what chance
    gives, in closed form, makes the answer plain, and end early where a few of them do
    ([theory](theory.md#what-chance-gives)). Else they are the test of 59 permutations, or in small
    tables of up to 999 where those leave it close, whose level is worked out exactly. That they
    keep the level with what is spared is not proved but measured, in the tables below.

    - `cmi-max` shuffles the rows of *all* candidates together and compares the gain of x with the
    largest gain of each replicate. At the first step its hypothesis is that y is independent of all
    columns together, and the chance of selecting anything where that is true is at most the level,
    whatever F and however the columns depend on each other. At a later step, with S' taken as
    given, the hypothesis is that the remaining columns are independent of (y, S') together. Where
    that is true of the step, the chance of going on is at most the level. The search ends with the
    first test that fails. So a search that has all true columns takes a false one with about that
    chance, not with a multiple of it. "About", because S' was chosen on the same rows: noise that
    is still there when all true columns are in has done less well than they did. That makes the
    test careful rather than careless, and the tables of known truth measure it.

    - What `cmi-max` does not test: that y is independent of x *given* S'. A column that depends on
    S' and tells nothing more of y breaks the hypothesis although it is worthless. Its gain may be
    smaller than that of an independent column, since it spreads the rows less. It may be larger,
    where the bandwidth is too large to hold all that S' says of y and a noisy copy brings what the
    kernel left (below: later steps, and the problem *copies*; a smaller bandwidth leaves less).
    `cmi-local` shuffles only among rows that are close in S' and tests independence given S', as
    far as rows that are close are alike. `default` is `cmi-max` on gains above chance in standard
    deviations, `news` is `cmi-local` on the same.

    - `mi-perm` and `cmi-perm`, the paper's test, shuffle x alone. Their level would be true of a
    column named beforehand. x is the best of F, so that the chance of selecting something where
    there is nothing grows with F and reaches 1. With the paper's own rule, go on while count / P is
    at most .05, the level of a single column is 6/101 instead of 5/101 at P = 100. `cmi-perm` asks
    whether what is left grows by losing x, and is void where nothing is left to tell.

    - `mi-chi2` compares with the chi-square distribution that the plug-in information on binned
    data has for one column named beforehand, with many rows in every cell of the table. Neither is
    so after a search: too many columns enter where F is large and S' small, and none where the
    table of S' has more cells than rows.

    - `cmi-heuristic` has no level. It keeps the column that brings CMI to epsilon, so that its
    first column is always selected. As columns are added the estimate of CMI falls to 0 by
    saturation whatever they are: where it stops depends on n and the bandwidth before it depends on
    the data.

    - The level bounds the chance of anything false, not the share of false columns in a result
    (`error_rate` fdr is for that, and is not studied here), and a small p-value does not mean a
    large effect: a column can be significant and worth nothing (`min_gain` is for that).
    """

NULL_TABLES = """
    The target is a fair coin and independent of all columns. Whatever is selected is an error,
    and only the first step matters. The columns: *continuous*, independent standard normal;
    *discrete*, independent nominal of 2, 3, 4, 5, 2, ... categories, the k-th with a chance in
    proportion to 1 / k; *mixed*, in turn standard normal, exponential, nominal of three
    categories, Poisson counts of mean 2; *correlated*, standard normal, each with correlation
    .9 to the one before. 50, 100 and 400 rows. Runs a cell: 400 of `cmi-max`; 100 of `default`,
    50 at 400 rows; at least 80 of the others. The table pools the cells of each number of
    candidates F, for `default` those of the next section too; "rejected" counts cells in which
    the exact test of .05 fails (one-sided, Holm over the cells at .05).

    With few candidates of few categories many replicates tie with the observed value, ties count
    against the column, and the test is more careful than its level.

    At the first step nothing is selected, and alike rows are all rows: `news` is the test of
    `default` there, and `cmi-local` that of `cmi-max`. On raw gains, at alpha 2, all replicates
    come from one matrix product a candidate (`benchmarks/validity/_first_step.py`), with the
    permutations that `renyi select` draws; the tests hold it to what `renyi.select` selects, in
    cells of every kind.
    """

DETAIL_TABLES = """
    So the two of a pair agree in these cells, run by run, and the others are left out for `news`
    and `cmi-local`:
    """

FURTHER_TABLES = """
    Tables that the grid leaves out, `default`, at least 100 runs a cell. *A nominal column* of
    equally likely categories stands first; the others are standard normal, every third nominal
    of three categories. With F = 1 it is alone. *Classes*: mixed columns as above, and a target
    of two classes with fixed sizes, 80 to 20 or 95 to 5 of 100 rows, in random order; of 30
    rows the rare class has 6 or 2. *Heavy tails*: Student's t with 1.5 degrees of freedom,
    which has no variance. *Zeros and ones*: fair, read as numbers. *Near copies*: in turn a
    number, another of correlation .999 to it, a third, and the third rounded to one decimal.
    *Few rows*: columns of the grid.
    """

OTHER_NULLS = """
    The same with other targets; and with a column x1 forced in, of which alone y depends (logit P(y
    = 1) = 2 x1): the share of runs in which the second step selects something. Targets have 100
    runs a cell, later steps at least 50. Columns that are x1 with noise are worthless given x1, but
    not independent of it: that they enter is no error of a test of independence from (y, x1)
    together, which is what `default` and `cmi-max` ask, and it is one of `news` and `cmi-local`,
    which ask what a column says beyond x1.
    """

DEPENDENT_ROWS = """
    Every test on this page takes rows for exchangeable. In these tables they are not: rows that are
    near in time, or of one subject, are alike in the columns and in y, and nothing else joins the
    two. Shuffled rows lose that, so that chance looks smaller than it is. **The level does not hold
    here** unless an option says what belongs together. 200 runs.
    """

TOGETHER_ROWS = """
    With `--groups` or `--blocks` of 200 tables of 30 subjects of 6 rows, y their class, 4 had
    anything selected, and 10 of 200 series of coefficient .95 with 80 rows, turned in a circle.
    By `python benchmarks/together.py --only-with`: 4 of 60 such series, and none of 30 tables each
    of such subjects, of subjects of 2 to 7 rows, of sites within which y varies, of days moved as
    blocks, and of series of coefficient .8 with 200 rows.
    """

TRUTH = """
    Six problems with true columns, noise and, in one, noisy copies, and a seventh that is not
    judged. `default` and `news` have 120 runs, 10 of *xor* and *waveform*, which are slow; the
    others 60, 20 of *waveform*. Their sizes follow one rule that was fixed, with every number in
    the table, before any selection had run: each true term is seen at six standard errors or more
    by the right model, logistic or least squares, that is told the columns and the form of their
    effects. A person who asks the right question of such a table gets a clear answer, so may expect
    one here. Friedman's problem is taken as published.

    "All true found": share of runs in which every true column was selected. "False after them": of
    those runs, the share in which a false one entered once the last true one was in. "Any false":
    share of all runs with a false column at any place. "True ones found": of all true columns, in
    all runs. "Size": median number selected.
    """

TRUTH_OVERVIEW = """
    In one table, per cent: all true found / false after them. Asked are at least 80 and at most 10.
    The problem *copies* tells the purposes apart. Where both true columns are in, the kernel leaves
    some of what they say of y, and every noisy copy brings a little of it. `cmi-max` and `default`
    take the copy: it averages noise away, and a model gains by it. `cmi-local` and `news` compare
    it with permutations among alike rows, in which it brings as much, and leave it out.
    """

WAVEFORM = """
    The waveforms have 19 columns with signal, and x2 and x20 at their ends have hardly any: the
    wave is 1 high there, in the middle 6, and the noise is 1. Asking for all would be asking for
    these two.
    """

CASE_TABLES = """
    Three tables of one true column, drawn anew in each of 100 runs, on which ranking and
    testing raw gains went wrong. What chance gives grows with the categories of a column, so
    that a random city or site came first. And with unequal classes, raw information at alpha 2
    can be negative for a column that spreads in the commoner class only.
    """

BINARIES = """
    {words}. Each is strong alone, but all eight must pass. 200 tables. Beside them a chi-square
    test of each column, at level .05 / 50 (Bonferroni): it tests each for itself and has no order,
    so that any false column of it counts as "any false".
    """

ADDED = """
    A public set, prepared as on the page of [rivals](rivals.md), with all its rows, and the
    same with a column of random names, equally likely, at its end; a fresh column a run, and
    the same seed with and without it. A run is stable if **at most one of the columns selected
    without it leaves, and at most one column comes**, the random one included. Per cent: stable
    / the random column itself selected. Asked are 90 in each place. "Another seed" is what the
    seed of the permutations does by itself: how often two runs with neighbouring seeds on the
    unchanged set are as near to each other. A close test falls either way, and all that would
    have come after it goes or stays with it; where this is below 90 too, it is not the random
    column alone that moves the selection.
    """

POWER = """
    One true column among 20 standard normal ones, 100 rows, at least 100 runs a cell. Tables give
    the share of runs, in per cent, that select the true column first / that select a false one
    instead. The test of `default`, `cmi-max` and the three at the end has level .05 for the best of
    all 20 columns, so the second number is at most about 5 at b = 0 and they can be compared;
    `mi-perm`, `cmi-perm` and `mi-chi2` gain their power by a level that does not hold.
    `cmi-heuristic` always selects its first column. The last three are well-known programs on the
    same tables: they do one step and no search.
    """

SETTINGS = """
    Level .05; alpha 2 and bandwidth 2 on z-scores with a delta kernel for classes, where a
    method says nothing else; the number of the run is the seed of its permutations. The tables
    were fixed before any run. The methods with another bandwidth joined after the first runs at
    bandwidth 2, so as to see what a bandwidth too large does to a test. Outcomes of `default`
    are of the present one; those of methods with fixed settings may be older, since what they
    do has not changed.
    """
