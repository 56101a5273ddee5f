"""``renyi measure``: entropies and information between named columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from renyi.wording import bits
from renyi_cli import _options as opt
from renyi_cli._console import write_page
from renyi_cli._output import chosen_format, print_rows, print_text, tell_notes
from renyi_cli._session import Session
from renyi_cli.pages._table import Column, print_prose, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import Measurement

__all__ = ["measure"]

FORMATS = ("table", "json", "csv")


@opt.takes("measure")
def measure(
    ctx: typer.Context,
    data: opt.Data,
    options: opt.Options,
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
    measurement = renyi.measure(data, **options)
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
