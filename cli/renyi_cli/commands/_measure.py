"""``renyi measure``: entropies and information between named columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from renyi_cli import _options as opt
from renyi_cli._console import write_page
from renyi_cli._output import chosen_format, print_rows, print_text, tell_notes
from renyi_cli._session import Session
from renyi_cli._values import assignments, bandwidths, given, names, number, whole
from renyi_cli.pages._numbers import bits
from renyi_cli.pages._table import Column, print_prose, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import Measurement

__all__ = ["measure"]

FORMATS = ("table", "json", "csv")

X = Annotated[
    list[str],
    opt.option("--x", "Columns", "NAMES", "Columns taken together; written like a,b or repeated."),
]
Y = Annotated[
    list[str], opt.option("--y", "Columns", "NAMES", "The other side: usually the target.")
]
Given = Annotated[
    opt.Texts, opt.option("--given", "Columns", "NAMES", "Columns that are already known.")
]


def measure(
    ctx: typer.Context,
    data: opt.Data,
    x: X,
    y: Y,
    given_: Given = None,
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
    """Measure entropies and mutual information between columns, with error bounds.

    Examples
    --------
    renyi measure data.parquet --x age --y survived
    renyi measure data.parquet --x age,fare --y survived --given sex
    renyi measure data.parquet --x age --y survived --alpha 2 --json
    """
    import renyi

    session: Session = ctx.find_root().obj
    form = chosen_format(format_, json, FORMATS)
    general, single = bandwidths(bandwidth)
    options = given(
        given=names("--given", given_),
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
    measurement = renyi.measure(data, x=names("--x", x), y=names("--y", y), **options)
    tell_notes(measurement.notes, session)
    if form == "json":
        print_text(measurement.to_json())
    elif form == "csv":
        print_rows(
            ("name", "value", "error_bound", "text"),
            [(q.name, q.value, q.error_bound, q.text) for q in measurement.quantities],
        )
    else:
        write_page(lambda console: _draw(measurement, console))


def _draw(measurement: Measurement, console: Console) -> None:
    data, found = measurement.data, measurement.quantities
    print_prose(console, (data.source, "heading"), f": {data.rows_used:,} rows, values in bits")
    console.print()
    print_table(
        console,
        [
            Column(title="", cells=[q.name for q in found], right=False, style="name"),
            Column(title="bits", cells=[bits(q.value) for q in found]),
            Column(title="error at most", cells=[f"{q.error_bound:.0e}" for q in found], need=2),
            Column(title="of", cells=[q.text for q in found], need=1, least=20, right=False),
        ],
    )
