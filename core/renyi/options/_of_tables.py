"""Options of what a table is used for: columns, kinds, missing values, rows."""

from __future__ import annotations

from typing import Final

from renyi import _validate
from renyi.options._record import COLUMNS, TABLES, Option, section, whole

__all__ = ["KINDS", "TABLE_OPTIONS"]

DATA: Final = "Data"
MEASURE: Final = ("measure",)
KINDS: Final = ("continuous", "ordinal", "nominal")


def _kinds(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    for _, kind in pairs:
        _validate.choice("kind", kind, KINDS)
    return pairs


TABLE_OPTIONS: Final[tuple[Option, ...]] = (
    *section(
        DATA,
        COLUMNS,
        Option(
            name="target",
            flags="--target -t",
            metavar="COLUMN",
            help="What to predict. Without it: the file's own renyi.target, else a column named "
            "target, label, class or y, else the last one.",
            unsaid="inferred",
        ),
        Option(
            name="features",
            metavar="NAMES",
            reads="names",
            help="Only these columns: names or globs, separated by commas or by repeating the "
            "option; a name with a comma in double quotes: '\"a,b\",c'.",
            default=(),
            unsaid="all",
        ),
        Option(
            name="exclude",
            metavar="NAMES",
            reads="names",
            help="Not these columns; written like --features.",
            default=(),
            unsaid="none",
        ),
        Option(
            name="keep",
            metavar="NAMES",
            reads="names",
            help="Columns forced in first, in this order, untested.",
            default=(),
            unsaid="none",
        ),
    ),
    *section(
        "Columns",
        MEASURE,
        Option(
            name="x",
            metavar="NAMES",
            reads="names",
            help="Columns taken together; written like a,b or repeated.",
            required=True,
        ),
        Option(
            name="y",
            metavar="NAMES",
            reads="names",
            help="The other side: usually the target.",
            required=True,
        ),
        Option(
            name="given",
            metavar="NAMES",
            reads="names",
            help="Columns that are already known.",
            default=(),
        ),
    ),
    *section(
        DATA,
        TABLES,
        Option(
            name="kind",
            field="kinds",
            metavar="COLUMN=KIND",
            reads="pairs",
            help="Kind of a column or glob: {offered}. Repeatable; a full name beats a glob, then "
            "the later wins.",
            choices=KINDS,
            rule=_kinds,
            default=(),
            unsaid="by type",
        ),
        Option(
            name="missing",
            metavar="WHAT",
            help="Missing values: error names them and ends the run (default; describe takes "
            "drop), drop leaves out incomplete rows, category makes them a level of nominal "
            "columns.",
            choices=("error", "drop", "category"),
            default="error",
            own={"describe": "drop"},
        ),
        Option(
            name="rows",
            metavar="N",
            reads="whole",
            help="Use a random sample of N rows, stratified by class.",
            rule=whole("rows", 2),
            unsaid="all",
        ),
    ),
)
