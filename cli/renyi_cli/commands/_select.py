"""``renyi select``: the columns that matter, in order, and why it stopped there."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from renyi.errors import Interrupted, OptionError
from renyi_cli import _options as opt
from renyi_cli._console import is_terminal, say, write_page
from renyi_cli._output import (
    chosen_format,
    print_frame,
    print_lines,
    print_text,
    tell_notes,
    tell_written,
)
from renyi_cli._progress import Watch
from renyi_cli._session import Session
from renyi_cli._values import assignments, bandwidths, given, names, number, whole
from renyi_cli.pages._run_lines import run_lines
from renyi_cli.pages._select_page import draw_path

if TYPE_CHECKING:
    from renyi import SelectionPath

__all__ = ["select"]

FORMATS = ("table", "json", "csv", "names")
SUFFIXES = (".json", ".parquet", ".csv")


Checkpoint = Annotated[
    opt.Text,
    opt.option(
        "--checkpoint",
        opt.RUN,
        "FILE",
        "Keep each finished step in FILE; if it is there, go on from it. It is a .json result, "
        "whole in the end.",
    ),
]

Sensitivity = Annotated[
    bool,
    opt.switch(
        "--sensitivity",
        opt.RUN,
        "Repeat the selection at alpha 1.01 and 2 with bandwidths 1, 2, 3 and growing: which "
        "columns stay.",
    ),
]
Stability = Annotated[
    opt.Text,
    opt.option(
        "--stability",
        opt.RUN,
        "N",
        "Repeat the selection on N halves of the rows, an even number such as 100: how often each "
        "column and each size comes out.",
    ),
]


def select(
    ctx: typer.Context,
    data: opt.Data,
    target: opt.Target = None,
    features: opt.Features = None,
    exclude: opt.Exclude = None,
    keep: opt.Keep = None,
    kind: opt.Kinds = None,
    missing: opt.MissingChoice = None,
    rows: opt.Rows = None,
    purpose: opt.Purpose = None,
    criterion: opt.Criteria = None,
    stop_when: opt.StopWhenChoice = None,
    lookahead: opt.Lookahead = None,
    max_features: opt.MaxFeatures = None,
    min_gain: opt.MinGain = None,
    permutations: opt.Permutations = None,
    significance: opt.Significance = None,
    p_rule: opt.PRuleChoice = None,
    error_rate: opt.ErrorRateChoice = None,
    epsilon: opt.Epsilon = None,
    bins: opt.Bins = None,
    binning: opt.Binning = None,
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
    sensitivity: Sensitivity = False,
    stability: Stability = None,
    checkpoint: Checkpoint = None,
    output: opt.Output = None,
    force: opt.Force = False,
    format_: opt.NamesFormat = None,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
    no_progress: opt.NoProgress = False,
    debug: opt.Debug = False,
) -> None:
    """Choose the columns that matter for a target, and say why it stopped there.

    Examples
    --------
    renyi select data.parquet
    renyi select data.parquet --target y --for news --json
    renyi select data.csv --exclude 'id,*_raw' --kind 'grade=ordinal' --alpha 2
    renyi select data.parquet --format names > columns.txt

    Exit status: 0 done (also when no column is selected), 1 failed, 2 wrong use,
    130 interrupted by Ctrl-C (what was finished is printed).
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
        purpose=purpose,
        criterion=tuple(criterion or ()),
        stop_when=stop_when,
        lookahead=whole("--lookahead", lookahead),
        max_features=whole("--max-features", max_features),
        min_gain=min_gain,
        permutations=permutations,
        significance=number("--significance", significance),
        p_rule=p_rule,
        error_rate=error_rate,
        epsilon=number("--epsilon", epsilon),
        bins=whole("--bins", bins),
        binning=binning,
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
        sensitivity=sensitivity or None,
        stability=whole("--stability", stability),
        checkpoint=checkpoint,
    )
    if output is not None and checkpoint is not None and _same(output, checkpoint):
        raise OptionError(
            f"`output` must be another file than the checkpoint, got `{output}`.",
            "The checkpoint holds the result in the end: leave `output` out.",
        )
    if output is not None:
        renyi.check_output(output, force=force, suffixes=SUFFIXES, source=_read(data))
    try:
        session.interrupts.finishing = True
        with Watch(session) as watch:
            path = renyi.select(data, **options, progress=watch)
    except Interrupted as stop:
        session.interrupts.handing_over = True
        if checkpoint is not None and not session.quiet:
            say("Checkpoint:", f"{checkpoint}; the same command goes on from there.", "bold")
        _hand_over(stop.path, form, output, force, session, target_given=target is not None)
        raise typer.Exit(stop.exit_code) from None
    session.interrupts.handing_over = True
    _hand_over(path, form, output, force, session, target_given=target is not None)


def _read(data: str) -> str | Path:
    """Return what is read: a file that exists wins over a known set of its name."""
    import renyi

    found = None if os.path.exists(data) else renyi.datasets.locate(data)  # noqa: PTH110 - any text
    return found or data


def _same(file: str, other: str) -> bool:
    return os.path.realpath(Path(file).expanduser()) == os.path.realpath(Path(other).expanduser())


def _hand_over(
    path: SelectionPath,
    form: str,
    output: str | None,
    force: bool,
    session: Session,
    *,
    target_given: bool,
) -> None:
    """Write the answer where it is wanted and tell the rest on stderr."""
    resumed = path.run.get("resumed_steps", 0)
    if resumed and not session.quiet:
        steps = "1 finished step" if resumed == 1 else f"{resumed} finished steps"
        say("Resumed:", f"{steps} came from the checkpoint.", "bold")
    tell_notes(path.warnings, session)
    seen = form == "table" and is_terminal(sys.stdout)  # the table's heading names the target
    if not (target_given or seen or session.quiet):
        say("Target:", f"{path.data.target} ({path.data.target_reason})", "bold")
    if session.verbose and not session.quiet:
        for name, value in run_lines(path):
            say(f"{name}:", value, "quiet")
    try:
        if output is not None:
            written = path.save(output, force=force)
            tell_written(written, session)
    finally:  # an answer that cannot be written to its file is still an answer
        _print(path, form)


def _print(path: SelectionPath, form: str) -> None:
    if form == "json":
        print_text(path.to_json())
    elif form == "names":
        print_lines(path.selected)
    elif form == "csv":
        print_frame(path.to_polars())
    else:
        write_page(lambda console: draw_path(path, console))
