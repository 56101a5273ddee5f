"""``renyi describe``: what the table is taken for, before anything is selected."""

from __future__ import annotations

import typer

from renyi_cli import _options as opt
from renyi_cli._console import write_page
from renyi_cli._output import chosen_format, print_frame, print_text, tell_notes
from renyi_cli._session import Session
from renyi_cli.pages._describe_page import draw_description

__all__ = ["describe"]

FORMATS = ("table", "json", "csv")


@opt.takes("describe")
def describe(
    ctx: typer.Context,
    data: opt.Data,
    options: opt.Options,
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
    description = renyi.describe(data, **options)
    tell_notes(description.notes, session)
    if form == "json":
        print_text(description.to_json())
    elif form == "csv":
        print_frame(description.to_polars())
    else:
        write_page(lambda console: draw_description(description, console))
