"""``renyi report``: a page to look at."""

from __future__ import annotations

from typing import Annotated

import typer

from renyi_cli import _options as opt
from renyi_cli._output import tell_notes, tell_written
from renyi_cli._session import Session

__all__ = ["report"]

Results = Annotated[
    list[str],
    typer.Argument(
        metavar="RESULT...",
        show_default=False,
        rich_help_panel=opt.DATA,
        help="One or several .json files that `renyi select --output` or `renyi compare --output` "
        "wrote; several stand side by side.",
    ),
]
Page = Annotated[str, opt.into("The page: .html.")]
Table = Annotated[
    opt.Text,
    opt.table_of(
        "Where the table is now, for small pictures of its columns; without it the file that the "
        "result names.",
    ),
]
NoData = Annotated[
    bool,
    opt.switch(
        "--no-data",
        opt.DATA,
        "Leave the table alone: nothing but what the results hold is in the page.",
    ),
]


def report(
    ctx: typer.Context,
    results: Results,
    output: Page,
    data: Table = None,
    no_data: NoData = False,
    force: opt.Force = False,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Make a page of results: one HTML file to look at, that fetches nothing.

    Examples
    --------
    renyi select data.parquet -o result.json
    renyi report result.json -o report.html
    renyi report result.json --data moved/data.parquet -o report.html
    renyi report model.json news.json -o both.html

    Pictures of the columns are made of summaries of the table, if it is still the same.
    """
    import renyi

    session: Session = ctx.find_root().obj
    page = renyi.report(results, output, data=data, no_data=no_data, force=force)
    tell_notes(page.notes, session)
    tell_written(output, session)
