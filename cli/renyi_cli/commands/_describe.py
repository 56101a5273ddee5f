"""``renyi describe``: what the table is taken for, before anything is selected."""

from __future__ import annotations

import typer

from renyi_cli import _options as opt
from renyi_cli._console import write_page
from renyi_cli._output import chosen_format, print_frame, print_text, tell_notes
from renyi_cli._session import Session
from renyi_cli._values import assignments, bandwidths, given, names, number, whole
from renyi_cli.pages._describe_page import draw_description

__all__ = ["describe"]

FORMATS = ("table", "json", "csv")


def describe(
    ctx: typer.Context,
    data: opt.Data,
    target: opt.Target = None,
    features: opt.Features = None,
    exclude: opt.Exclude = None,
    keep: opt.Keep = None,
    kind: opt.Kinds = None,
    missing: opt.MissingChoice = None,
    rows: opt.Rows = None,
    preset: opt.Preset = None,
    alpha: opt.Alpha = None,
    bandwidth: opt.BandwidthChoice = None,
    standardise: opt.Standardise = None,
    kernel: opt.KernelChoice = None,
    nominal: opt.NominalChoice = None,
    label_kernel: opt.LabelKernelChoice = None,
    class_weights: opt.ClassWeightsChoice = None,
    solver: opt.Solver = None,
    tolerance: opt.Tolerance = None,
    seed: opt.Seed = None,
    backend: opt.Backend = None,
    jobs: opt.Jobs = None,
    max_memory: opt.MaxMemory = None,
    format_: opt.Format = None,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Show what each column is taken for, its kernel and what it alone says of the target.

    Examples
    --------
    renyi describe data.parquet
    renyi describe data.csv --target price --kind 'zip=nominal'
    renyi describe data.parquet --json

    Nothing is selected. Columns that select would leave out are shown with the reason; what
    looks wrong (constant, duplicate or id-like columns, missing values) is said on stderr.
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
        preset=preset,
        alpha=number("--alpha", alpha),
        bandwidth=general,
        bandwidths=single,
        standardise=standardise,
        kernel=kernel,
        nominal=nominal,
        label_kernel=label_kernel,
        class_weights=class_weights,
        solver=solver,
        tolerance=number("--tolerance", tolerance),
        seed=whole("--seed", seed),
        backend=backend,
        jobs=whole("--jobs", jobs),
        max_memory=max_memory,
    )
    description = renyi.describe(data, **options)
    tell_notes(description.notes, session)
    if form == "json":
        print_text(description.to_json())
    elif form == "csv":
        print_frame(description.to_polars())
    else:
        write_page(lambda console: draw_description(description, console))
