"""``renyi plot``: the figure of a selection."""

from __future__ import annotations

from typing import Annotated

import typer

from renyi.errors import OptionError
from renyi_cli import _options as opt
from renyi_cli._output import tell_written
from renyi_cli._session import Session

__all__ = ["plot"]

ONLY = {"figure", "data"}
"""Options of figures of a selection."""

SUFFIXES = (".png", ".svg", ".pdf")

Place = Annotated[str, opt.into("The figure: .png, .svg or .pdf.")]
Table = Annotated[opt.Text, opt.table_of("The table of the selection, for --figure redundancy.")]


@opt.takes("plot")
def plot(
    ctx: typer.Context,
    result: opt.AnswerFile,
    options: opt.Options,
    output: Place,
    data: Table = None,
    force: opt.Force = False,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Draw a selection or a comparison, for a screen or for a page.

    Examples
    --------
    renyi select data.parquet -o result.json
    renyi plot result.json -o path.svg
    renyi plot result.json -o path.pdf --size one
    renyi plot result.json -o matrix.svg --figure redundancy --data data.parquet
    renyi plot compare.json -o compare.svg

    Needs the extra `plot`: pip install 'renyi[plot]'
    """
    import renyi

    session: Session = ctx.find_root().obj
    renyi.check_output(output, force=force, suffixes=SUFFIXES)
    if data is not None:
        options["data"] = data
    found = renyi.read_answer(result)
    if not isinstance(found, renyi.SelectionPath) and (of_selections := options.keys() & ONLY):
        raise OptionError(
            f"`{min(of_selections)}` must be left out: {result} is a comparison, of which there is "
            "one figure.",
            f"The same without it draws {result}.",
        )
    found.plot(output, force=force, **options)
    tell_written(output, session)
