"""``renyi compare``: where each criterion or score stops, and what its features are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from renyi.errors import Interrupted
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
from renyi_cli.pages._compare_page import draw_comparison, draw_partial
from renyi_cli.pages._scores_page import draw_scores

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import Comparison, PartialComparison, ScoreComparison

    Answer: TypeAlias = Comparison | PartialComparison | ScoreComparison

__all__ = ["compare"]

FORMATS = ("table", "json", "csv")
SUFFIXES = (".json", ".parquet", ".csv")
FIGURES = (".png", ".svg", ".pdf")

Figure = Annotated[
    opt.Text, opt.option("--plot", opt.OUTPUT, "FILE", "A figure of it: .png, .svg or .pdf.")
]


@opt.takes("compare")
def compare(
    ctx: typer.Context,
    data: opt.Data,
    options: opt.Options,
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
    renyi compare data.parquet --score mi --score jmi --score mrmr

    Exit status: 0 done, 1 failed, 2 wrong use, 130 interrupted by Ctrl-C (where the criteria
    stopped so far, and the sizes judged, are printed; of several scores those finished).
    """
    import renyi

    session: Session = ctx.find_root().obj
    form = chosen_format(format_, json, FORMATS)
    if output is not None:
        renyi.check_output(output, force=force, suffixes=SUFFIXES, source=data)
    if plot is not None:
        renyi.check_output(plot, force=force, suffixes=FIGURES, source=data, name="plot")
    try:
        session.interrupts.finishing = True
        with Watch(session) as watch:
            found = renyi.compare(data, **options, progress=watch)
    except Interrupted as stop:
        session.interrupts.handing_over = True
        _begin(stop.path, form, session, target_given="target" in options)
        _print(stop.path, form)
        raise typer.Exit(stop.exit_code) from None
    session.interrupts.handing_over = True
    _begin(found, form, session, target_given="target" in options)
    try:
        if output is not None:
            tell_written(found.save(output, force=force), session)
        if plot is not None:
            found.plot(plot, force=force)
            tell_written(plot, session)
    finally:  # an answer that cannot be written to its file is still an answer
        _print(found, form)


def _begin(found: Answer, form: str, session: Session, *, target_given: bool) -> None:
    """Tell on stderr what an answer on stdout does not."""
    tell_notes(found.warnings, session)
    if form != "table" and not target_given and not session.quiet:
        say("Target:", f"{found.data.target} ({found.data.target_reason})", "bold")


def _print(found: Answer, form: str) -> None:
    if form == "json":
        print_text(found.to_json())
    elif form == "csv":
        print_frame(found.to_polars())
    else:
        write_page(lambda console: _draw(found, console))


def _draw(found: Answer, console: Console) -> None:
    import renyi

    if isinstance(found, renyi.ScoreComparison):
        draw_scores(found, console)
    elif isinstance(found, renyi.PartialComparison):
        draw_partial(found, console)
    else:
        draw_comparison(found, console)
