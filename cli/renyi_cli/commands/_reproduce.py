"""``renyi reproduce``: the paper's tables, worked out again beside what it printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from renyi.errors import OptionError
from renyi.wording import duration
from renyi_cli import _options as opt
from renyi_cli._console import say, write_page
from renyi_cli._interrupts import INTERRUPTED
from renyi_cli._output import chosen_format, print_frame, print_text, tell_written
from renyi_cli._progress import Watch
from renyi_cli._session import Session
from renyi_cli._values import given, whole
from renyi_cli.pages._table import Column, print_table

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console

    from renyi_paper import UnitReport

__all__ = ["reproduce"]

FORMATS = ("table", "json", "csv")

Sets = Annotated[
    opt.Texts,
    typer.Argument(
        metavar="[SET]...",
        show_default=False,
        rich_help_panel=opt.DATA,
        help="Names of the paper's sets; without any, those at hand (`renyi datasets list`).",
    ),
]
Folder = Annotated[
    opt.Text,
    opt.option(
        "--out -o",
        opt.OUTPUT,
        "FOLDER",
        "Where finished sets and growing paths are kept, and the page (default reproduction).",
    ),
]
Page = Annotated[
    opt.Text,
    opt.option(
        "--page",
        opt.OUTPUT,
        "FILE",
        "The page, a .md file, its figures in `figures` beside it (default: in FOLDER).",
    ),
]
Tables = Annotated[
    opt.Text,
    opt.option(
        "--tables",
        opt.METHOD,
        "LIST",
        "1 (alpha 1.01), 2 (alpha 2) or 1,2 (default); table 3 follows from them.",
    ),
]
Runs = Annotated[
    opt.Text, opt.option("--runs", opt.METHOD, "N", "Bootstrap runs of the models (default 100).")
]


def reproduce(
    ctx: typer.Context,
    sets: Sets = None,
    tables: Tables = None,
    runs: Runs = None,
    seed: opt.Seed = None,
    jobs: opt.Jobs = None,
    out: Folder = None,
    page: Page = None,
    format_: opt.Format = None,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
    no_progress: opt.NoProgress = False,
    debug: opt.Debug = False,
) -> None:
    """Work out the tables of Yu and Principe (2019) again, beside what they printed.

    Examples
    --------
    renyi reproduce heart spect
    renyi reproduce --out results --page reproduction.md
    renyi reproduce --tables 2 --runs 20

    The small sets take minutes, all ten take hours. What is finished is kept in FOLDER: the same
    command goes on from there. Needs the extras sklearn and plot:
    pip install 'renyi[sklearn,plot]'
    """
    import renyi_paper

    session: Session = ctx.find_root().obj
    form = chosen_format(format_, json, FORMATS)
    options = given(
        folder=out,
        page=page,
        tables=_numbers(tables),
        runs=whole("--runs", runs, "100 is usual."),
        seed=whole("--seed", seed, "0 is the default."),
        jobs=whole("--jobs", jobs, "Leave --jobs out for one a core."),
    )
    folder = options.get("folder", "reproduction")

    def tell(unit: UnitReport) -> None:
        if not session.quiet:
            took = "was there" if unit.seconds is None else duration(unit.seconds)
            say(f"{unit.done}/{unit.total}", f"{unit.name}, {unit.part}: {took}")

    try:
        session.interrupts.finishing = True
        with Watch(session) as watch:
            found = renyi_paper.reproduce(sets, **options, on_unit=tell, progress=watch)
    except KeyboardInterrupt:
        session.interrupts.handing_over = True
        if not session.quiet:
            say("Interrupted:", f"the same command goes on from `{folder}`.", "bold")
        raise typer.Exit(INTERRUPTED) from None
    session.interrupts.handing_over = True
    tell_written(found.page, session)
    frame = found.to_polars()
    if form == "json":
        print_text(frame.write_json())
    elif form == "csv":
        print_frame(frame)
    else:
        write_page(lambda console: _draw(frame, console))


def _numbers(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() for word in words):
        raise OptionError(
            f"--tables must be 1, 2 or 1,2; got {text!r}.", "Table 3 follows from them."
        )
    return tuple(int(word) for word in words)


def _draw(frame: pl.DataFrame, console: Console) -> None:
    rows = frame.to_dicts()
    over = ["" if row["stopped"] else "over " for row in rows]
    print_table(
        console,
        [
            Column(title="table", cells=[str(row["table"]) for row in rows]),
            Column(title="set", cells=[row["set"] for row in rows], right=False, style="name"),
            Column(title="criterion", cells=[row["criterion"] for row in rows], right=False),
            Column(
                title="features",
                cells=[f"{more}{row['features']}" for more, row in zip(over, rows, strict=True)],
            ),
            Column(title="printed", cells=[str(row["printed_features"]) for row in rows]),
            Column(
                title="accuracy, %",
                cells=[f"{row['accuracy']:.1f} +- {row['spread']:.1f}" for row in rows],
                need=2,
            ),
            Column(
                title="printed",
                cells=[
                    f"{row['printed_accuracy']:.1f} +- {row['printed_spread']:.1f}" for row in rows
                ],
                need=1,
            ),
        ],
        apart=[
            place
            for place in range(1, len(rows))
            if (rows[place]["set"], rows[place]["table"])
            != (rows[place - 1]["set"], rows[place - 1]["table"])
        ],
    )
