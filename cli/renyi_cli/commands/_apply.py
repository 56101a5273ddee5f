"""``renyi apply``: keep the selected columns of a table."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from renyi_cli import _options as opt
from renyi_cli._console import write_bytes
from renyi_cli._output import tell_written
from renyi_cli._session import Session

__all__ = ["apply"]

Reduced = Annotated[
    str,
    opt.into(
        "The reduced table, its form by suffix: .parquet, .arrow, .csv, ...; - for CSV to stdout.",
    ),
]
NoTarget = Annotated[bool, opt.switch("--no-target", opt.OUTPUT, "Leave the target out.")]


def apply(
    ctx: typer.Context,
    result: opt.ResultFile,
    data: opt.Data,
    output: Reduced,
    no_target: NoTarget = False,
    force: opt.Force = False,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Write a table with the selected columns, and the target, of DATA.

    Examples
    --------
    renyi apply result.json data.parquet -o reduced.parquet
    renyi apply result.json new.csv -o reduced.csv --no-target
    renyi apply result.json new.csv -o -

    Columns keep their types and values; large files are streamed.
    """
    import renyi

    session: Session = ctx.find_root().obj
    if output == "-":
        with TemporaryDirectory(prefix="renyi-") as folder:
            file = renyi.apply(result, data, Path(folder) / "table.csv", target=not no_target)
            with file.open("rb") as table:
                while piece := table.read(1 << 20):
                    write_bytes(piece)
        return
    written = renyi.apply(result, data, output, force=force, target=not no_target)
    tell_written(written, session)
