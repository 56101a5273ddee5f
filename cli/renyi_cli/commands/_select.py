"""``renyi select``: the columns that matter, in order, and why it stopped there."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from renyi.errors import Interrupted, OptionError, Way
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
from renyi_cli.pages._run_lines import run_lines
from renyi_cli.pages._select_page import draw_path

if TYPE_CHECKING:
    from renyi import SelectionPath

__all__ = ["select"]

FORMATS = ("table", "json", "csv", "names")
SUFFIXES = (".json", ".parquet", ".csv")
PAGES = (".html", ".htm")

Report = Annotated[
    opt.Text, opt.option("--report", opt.OUTPUT, "FILE", "Also make a page to look at: .html.")
]


@opt.takes("select")
def select(
    ctx: typer.Context,
    data: opt.Data,
    options: opt.Options,
    output: opt.Output = None,
    report: Report = None,
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
    wanted = _Wanted(form, output, report, force)
    checkpoint, named = options.get("checkpoint"), "target" in options
    if output is not None and checkpoint is not None and _same(output, checkpoint):
        raise OptionError(
            f"`output` must be another file than the checkpoint, got `{output}`.",
            "The checkpoint holds the result in the end: leave ",
            Way("output"),
            " out.",
        )
    if output is not None:
        renyi.check_output(output, force=force, suffixes=SUFFIXES, source=_read(data))
    if report is not None:
        renyi.check_output(report, force=force, suffixes=PAGES, source=_read(data), name="report")
    try:
        session.interrupts.finishing = True
        with Watch(session) as watch:
            path = renyi.select(data, **options, progress=watch)
    except Interrupted as stop:
        session.interrupts.handing_over = True
        if not stop.path.steps:
            if not session.quiet:
                say("Nothing is written:", "no step was finished.", "bold")
            raise typer.Exit(stop.exit_code) from None
        if checkpoint is not None and not session.quiet:
            say("Checkpoint:", f"{checkpoint}; the same command goes on from there.", "bold")
        _hand_over(stop.path, wanted, session, target_given=named)
        raise typer.Exit(stop.exit_code) from None
    session.interrupts.handing_over = True
    _hand_over(path, wanted, session, target_given=named)


class _Wanted(NamedTuple):
    """Where the answer goes."""

    form: str
    output: str | None
    report: str | None
    force: bool


def _read(data: str) -> str | Path:
    """Return what is read: a file that exists wins over a known set of its name."""
    import renyi

    found = None if os.path.exists(data) else renyi.datasets.locate(data)  # noqa: PTH110 - any text
    return found or data


def _same(file: str, other: str) -> bool:
    def real(text: str) -> str:
        return os.path.realpath(os.path.expanduser(text))  # noqa: PTH111 - `~nobody` stays

    return real(file) == real(other)


def _hand_over(
    path: SelectionPath, wanted: _Wanted, session: Session, *, target_given: bool
) -> None:
    """Write the answer where it is wanted and tell the rest on stderr."""
    resumed = path.run.get("resumed_steps", 0)
    if resumed and not session.quiet:
        steps = "1 finished step" if resumed == 1 else f"{resumed} finished steps"
        say("Resumed:", f"{steps} came from the checkpoint.", "bold")
    tell_notes(path.warnings, session)
    seen = wanted.form == "table" and is_terminal(
        sys.stdout
    )  # the table's heading names the target
    if not (target_given or seen or session.quiet):
        say("Target:", f"{path.data.target} ({path.data.target_reason})", "bold")
    if session.verbose and not session.quiet:
        for name, value in run_lines(path):
            say(f"{name}:", value, "quiet")
    try:
        if wanted.output is not None:
            written = path.save(wanted.output, force=wanted.force)
            tell_written(written, session)
        if wanted.report is not None:
            tell_notes(path.report(wanted.report, force=wanted.force).notes, session)
            tell_written(wanted.report, session)
    finally:  # an answer that cannot be written to its file is still an answer
        _print(path, wanted.form)


def _print(path: SelectionPath, form: str) -> None:
    if form == "json":
        print_text(path.to_json())
    elif form == "names":
        print_lines(path.selected)
    elif form == "csv":
        print_frame(path.to_polars())
    else:
        write_page(lambda console: draw_path(path, console))
