"""``renyi datasets``: tables to try things on."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from renyi_cli import _options as opt
from renyi_cli._console import write_page
from renyi_cli._help import Command, Group
from renyi_cli._output import chosen_format, print_lines, print_rows, print_text, tell_written
from renyi_cli._session import Session
from renyi_cli._values import whole
from renyi_cli.pages._table import Column, print_prose, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from renyi.datasets import SetStatus

__all__ = ["datasets"]

FORMATS = ("table", "json", "csv", "names")
FIELDS = (
    "name",
    "title",
    "rows",
    "features",
    "target",
    "state",
    "place",
    "path",
    "fetchable",
    "source",
    "licence",
)

datasets = typer.Typer(
    name="datasets", cls=Group, pretty_exceptions_enable=False, rich_markup_mode=None
)

Sets = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME...",
        show_default=False,
        rich_help_panel=opt.DATA,
        help="Names that `renyi datasets list` shows.",
    ),
]
Made = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        show_default=False,
        rich_help_panel=opt.DATA,
        help="waveform (21 columns) or waveform_noise (40).",
    ),
]
Address = Annotated[
    opt.Text,
    opt.option("--url", opt.DATA, "URL", "Download from here instead; the content must be right."),
]
MadeRows = Annotated[
    str, opt.option("--rows", opt.DATA, "N", "How many rows to make (default 5000).")
]
MadeFile = Annotated[
    opt.Text,
    opt.into("Where to: .parquet, .csv, ... (default NAME.parquet)."),
]
ListFormat = Annotated[
    opt.Text,
    opt.option(
        "--format",
        opt.OUTPUT,
        "FORMAT",
        "On stdout: table (default), json, csv or names (those at hand, one a line).",
    ),
]


@datasets.callback(invoke_without_command=True)
def sets(ctx: typer.Context) -> None:
    """List, fetch and generate tables to try things on.

    Examples
    --------
    renyi datasets list
    renyi datasets fetch heart
    renyi datasets generate waveform --rows 5000 -o waveform.parquet

    A set that is at hand goes by its name: `renyi select heart`.
    """
    if ctx.invoked_subcommand is None:
        print_text(ctx.get_help())


@datasets.command("list", cls=Command)
def list_sets(
    format_: ListFormat = None,
    json: opt.Json = False,
    debug: opt.Debug = False,
) -> None:
    """Show the public sets that are known by name, and which are at hand.

    Examples
    --------
    renyi datasets list
    renyi datasets list --json

    Sets are looked for in the folder that RENYI_DATA_HOME names, in the cache of fetch and in
    the package; each file found is compared with the content hash of the set.
    """
    import renyi

    form = chosen_format(format_, json, FORMATS)
    found = renyi.datasets.list_sets()
    rows = [_row(status) for status in found]
    if form == "json":
        print_text(json_text.dumps(rows, indent=2, ensure_ascii=False))
    elif form == "csv":
        print_rows(FIELDS, [[row[field] for field in FIELDS] for row in rows])
    elif form == "names":
        print_lines(status.name for status in found if status.path is not None)
    else:
        write_page(lambda console: _draw(found, console))


@datasets.command("fetch", cls=Command)
def fetch(
    ctx: typer.Context,
    name: Sets,
    url: Address = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Download public sets into the cache, and refuse any content but the right one.

    Examples
    --------
    renyi datasets fetch heart
    renyi select "$(renyi datasets fetch heart)"

    The files' paths go to stdout. Needs the extra `fetch`: pip install 'renyi[fetch]'
    """
    import renyi

    for each in name:
        print_lines([str(renyi.datasets.fetch(each, url=url))])


@datasets.command("generate", cls=Command)
def generate(
    ctx: typer.Context,
    name: Made,
    rows: MadeRows = "5000",
    seed: opt.Seed = "0",
    output: MadeFile = None,
    force: opt.Force = False,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Make a table: Breiman's waveforms, of which it is known which columns matter.

    Examples
    --------
    renyi datasets generate waveform
    renyi datasets generate waveform_noise --rows 800 --seed 1 -o noisy.csv

    Columns x2 to x20 carry the class; x1, x21 and all later ones are pure noise.
    """
    import renyi

    session: Session = ctx.find_root().obj
    written = renyi.datasets.write_generated(
        name,
        output or f"{name}.parquet",
        rows=whole("--rows", rows, "5000 is the default.") or 0,
        seed=whole("--seed", seed, "0 is the default.") or 0,
        force=force,
    )
    tell_written(written, session)


def _row(status: SetStatus) -> dict[str, Any]:
    record = status.record
    return {
        "name": record.name,
        "title": record.title,
        "rows": record.rows,
        "features": record.features,
        "target": record.target,
        "state": status.state,
        "place": status.place,
        "path": None if status.path is None else str(status.path),
        "fetchable": record.fetchable,
        "source": record.source,
        "licence": record.licence,
    }


def _draw(found: Sequence[SetStatus], console: Console) -> None:
    records = [status.record for status in found]
    places = [
        status.place or ("fetch" if status.record.fetchable else "see source") for status in found
    ]
    print_table(
        console,
        [
            Column(title="name", cells=[r.name for r in records], right=False, style="name"),
            Column(title="rows", cells=[f"{r.rows:,}" for r in records], need=9),
            Column(title="features", cells=[f"{r.features:,}" for r in records], need=8),
            Column(title="target", cells=[r.target for r in records], need=5, right=False, least=8),
            Column(title="state", cells=[status.state for status in found], right=False),
            Column(title="where", cells=places, need=7, right=False),
            Column(title="title", cells=[r.title for r in records], need=3, right=False, least=20),
        ],
        styles=["" if status.path is not None else "quiet" for status in found],
    )
    if any(status.path is None for status in found):
        words = (
            "`renyi datasets fetch NAME` gets those marked fetch; --json names the sources of all."
        )
        console.print()
        print_prose(console, (words, "quiet"))
