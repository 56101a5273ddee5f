"""``renyi compare``: where each criterion stops, and what its features are worth."""

from __future__ import annotations

from typing import Annotated

import typer

from renyi.errors import OptionError
from renyi_cli import _options as opt
from renyi_cli._console import say, write_page
from renyi_cli._output import (
    chosen_format,
    print_frame,
    print_text,
    tell_notes,
    tell_written,
)
from renyi_cli._progress import Watch
from renyi_cli._session import Session
from renyi_cli._values import assignments, bandwidths, given, names, number, whole
from renyi_cli._words import CHOICES
from renyi_cli.pages._compare_page import draw_comparison

__all__ = ["compare"]

FORMATS = ("table", "json", "csv")
SUFFIXES = (".json", ".parquet", ".csv")
FIGURES = (".png", ".svg", ".pdf")
JUDGING = "Judging"
COMPARED = ", ".join(word for word in CHOICES["criterion"] if word != "none")

Compared = Annotated[
    opt.Texts,
    opt.option(
        "--criterion",
        opt.STOPPING,
        "NAME",
        f"A criterion to compare, of {COMPARED}; repeatable. Without it: all.",
        "criterion",
    ),
]
ModelName = Annotated[
    opt.Text,
    opt.option(
        "--model",
        JUDGING,
        "NAME",
        "What predicts: for classes svm (linear, default), logistic, knn or forest; for a number "
        "ridge (default), svm, knn or forest. All but svm for classes and ridge need the extra "
        "sklearn.",
        "model",
    ),
]
Runs = Annotated[
    opt.Text,
    opt.option(
        "--runs",
        JUDGING,
        "N",
        "Bootstrap runs (default 100): N rows drawn with replacement train, the rest tests.",
    ),
]
Sizes = Annotated[
    opt.Text,
    opt.option(
        "--sizes",
        JUDGING,
        "LIST",
        "Numbers of features to judge, such as 1-10,20 (default: all to 80, then every tenth); "
        "those that criteria select are added.",
    ),
]
Test = Annotated[
    opt.Text,
    opt.option(
        "--test",
        JUDGING,
        "NAME",
        "How sizes are compared with the best: paired (default), the paper's t-test, or corrected "
        "for the rows that runs share.",
        "test",
    ),
]
Figure = Annotated[
    opt.Text, opt.option("--plot", opt.OUTPUT, "FILE", "A figure of it: .png, .svg or .pdf.")
]


def compare(
    ctx: typer.Context,
    data: opt.Data,
    target: opt.Target = None,
    features: opt.Features = None,
    exclude: opt.Exclude = None,
    keep: opt.Keep = None,
    kind: opt.Kinds = None,
    missing: opt.MissingChoice = None,
    rows: opt.Rows = None,
    criterion: Compared = None,
    max_features: opt.MaxFeatures = None,
    permutations: opt.Permutations = None,
    significance: opt.Significance = None,
    p_rule: opt.PRuleChoice = None,
    epsilon: opt.Epsilon = None,
    bins: opt.Bins = None,
    binning: opt.Binning = None,
    min_gain: opt.MinGain = None,
    model: ModelName = None,
    runs: Runs = None,
    sizes: Sizes = None,
    test: Test = None,
    preset: opt.Preset = None,
    alpha: opt.Alpha = None,
    bandwidth: opt.BandwidthChoice = None,
    standardise: opt.Standardise = None,
    kernel: opt.KernelChoice = None,
    nominal: opt.NominalChoice = None,
    label_kernel: opt.LabelKernelChoice = None,
    class_weights: opt.ClassWeightsChoice = None,
    score: opt.Score = None,
    rank: opt.RankChoice = None,
    solver: opt.Solver = None,
    tolerance: opt.Tolerance = None,
    seed: opt.Seed = None,
    backend: opt.Backend = None,
    jobs: opt.Jobs = None,
    max_memory: opt.MaxMemory = None,
    output: opt.Output = None,
    plot: Figure = None,
    force: opt.Force = False,
    format_: opt.Format = None,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
    no_progress: opt.NoProgress = False,
    debug: opt.Debug = False,
) -> None:
    """Show where each criterion stops, and how well a model predicts from its features.

    Examples
    --------
    renyi compare data.parquet
    renyi compare data.parquet --plot compare.svg
    renyi compare data.csv --criterion cmi-max --criterion cmi-heuristic --json
    renyi compare data.parquet --model forest --runs 30
    """
    import renyi

    session: Session = ctx.find_root().obj
    form = chosen_format(format_, json, FORMATS)
    general, single = bandwidths(bandwidth)
    options = given(
        target=target,
        features=names("--features", features),
        exclude=names("--exclude", exclude),
        keep=names("--keep", keep),
        kind=assignments("--kind", kind, "COLUMN=KIND"),
        missing=missing,
        rows=whole("--rows", rows),
        criterion=tuple(criterion or ()),
        max_features=whole("--max-features", max_features),
        permutations=permutations,
        significance=number("--significance", significance),
        p_rule=p_rule,
        epsilon=number("--epsilon", epsilon),
        bins=whole("--bins", bins),
        binning=binning,
        min_gain=min_gain,
        model=model,
        runs=whole("--runs", runs),
        sizes=_sizes(sizes),
        test=test,
        preset=preset,
        alpha=number("--alpha", alpha),
        bandwidth=general,
        bandwidths=single,
        standardise=standardise,
        kernel=kernel,
        nominal=nominal,
        label_kernel=label_kernel,
        class_weights=class_weights,
        score=score,
        rank=rank,
        solver=solver,
        tolerance=number("--tolerance", tolerance),
        seed=whole("--seed", seed),
        backend=backend,
        jobs=whole("--jobs", jobs),
        max_memory=max_memory,
    )
    if output is not None:
        renyi.check_output(output, force=force, suffixes=SUFFIXES, source=data)
    if plot is not None:
        renyi.check_output(plot, force=force, suffixes=FIGURES, source=data, name="plot")
    with Watch(session) as watch:
        found = renyi.compare(data, **options, progress=watch)
    tell_notes(found.warnings, session)
    if form != "table" and target is None and not session.quiet:
        say("Target:", f"{found.data.target} ({found.data.target_reason})", "bold")
    try:
        if output is not None:
            tell_written(found.save(output, force=force), session)
        if plot is not None:
            found.plot(plot, force=force)
            tell_written(plot, session)
    finally:  # an answer that cannot be written to its file is still an answer
        if form == "json":
            print_text(found.to_json())
        elif form == "csv":
            print_frame(found.to_polars())
        else:
            write_page(lambda console: draw_comparison(found, console))


MOST_SIZES = 100_000
"""Of a list: a slip such as 1-1000000000 is told of, not worked through."""


def _sizes(text: str | None) -> tuple[int, ...] | None:
    """Return numbers of features from a list of numbers and ranges."""
    if text is None:
        return None
    found: list[int] = []
    for item in text.split(","):
        first, dash, last = item.strip().partition("-")
        bounds = (first, last if dash else first)
        if not all(bound.isascii() and bound.isdigit() for bound in bounds):
            raise OptionError(f"--sizes must be numbers such as 1-10,20, got {text!r}.")
        low, high = map(int, bounds)
        if high < low or high - low > MOST_SIZES:
            raise OptionError(f"--sizes must be ranges from low to high, got {item.strip()!r}.")
        found += range(low, high + 1)
    return tuple(found)
