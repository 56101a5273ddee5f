"""``renyi plot``: the figure of a selection."""

from __future__ import annotations

from typing import Annotated

import typer

from renyi_cli import _options as opt
from renyi_cli._output import tell_written
from renyi_cli._session import Session

__all__ = ["plot"]

Figure = Annotated[
    str,
    opt.option("--output -o", opt.OUTPUT, "FILE", "The figure: .png, .svg or .pdf."),
]


def plot(
    ctx: typer.Context,
    result: opt.ResultFile,
    output: Figure,
    force: opt.Force = False,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Draw MI and CMI against the number of columns, the null band and the stop.

    Examples
    --------
    renyi select data.parquet -o result.json
    renyi plot result.json -o path.svg

    Needs the extra `plot`: pip install 'renyi[plot]'
    """
    import renyi

    session: Session = ctx.find_root().obj
    renyi.read_result(result).plot(output, force=force)
    tell_written(output, session)
