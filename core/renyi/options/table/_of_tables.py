"""Options of what a table is used for: columns, kinds, missing values, rows."""

from __future__ import annotations

from typing import Final

from renyi import _validate
from renyi.errors import OptionError
from renyi.options.table._option import COLUMNS, SELECT, TABLES, Option, section, whole

__all__ = ["KINDS", "TABLE_OPTIONS"]

DATA: Final = "Data"
MEASURE: Final = ("measure",)
KINDS: Final = ("continuous", "ordinal", "nominal")


def _kinds(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    for _, kind in pairs:
        hint = "Numbers are continuous, names are nominal, and steps in an order are ordinal."
        _validate.choice("kind", kind, KINDS, hint)
    return pairs


def _blocks(value: object) -> int | str:
    hint = "Give the rows of a block, such as 24 for a day of hours, or auto."
    text = value.strip().lower() if isinstance(value, str) else ""
    if text == "auto":
        return text
    if isinstance(value, str) and not (text.isascii() and text.isdigit()):
        raise OptionError(f"`blocks` must be a whole number or auto, got {value!r}.", hint)
    return _validate.whole_number("blocks", int(text) if text else value, 1, hint)


TABLE_OPTIONS: Final[tuple[Option, ...]] = (
    *section(
        DATA,
        COLUMNS,
        Option(
            "target",
            "COLUMN",
            "What to predict; repeatable, for several targets together. Without it: the file's "
            "own renyi.target, else a column named target, label, class or y, else the last one.",
            reads="many",
            flags="--target -t",
            unsaid="inferred",
        ),
        Option(
            "features",
            "NAMES",
            "Only these columns: names or globs, separated by commas or by repeating the "
            "option; a name with a comma in double quotes: '\"a,b\",c'.",
            reads="names",
            default=(),
            unsaid="all",
        ),
        Option(
            "exclude",
            "NAMES",
            "Not these columns; written like --features.",
            reads="names",
            default=(),
            unsaid="none",
        ),
        Option(
            "keep",
            "NAMES",
            "Columns forced in first, in this order, untested.",
            reads="names",
            default=(),
            unsaid="none",
        ),
    ),
    *section(
        DATA,
        SELECT,
        Option(
            "start",
            "FILE",
            "Go on from a result (.json): its selected columns are taken as found, in order, "
            "after those of --keep.",
            default=(),
            unsaid="none",
        ),
    ),
    *section(
        DATA,
        TABLES,
        Option(
            "group_columns",
            "NAME=COLUMNS",
            "Columns taken or left together, as one feature of that name: names or globs, such as "
            "'spectrum=band_*'. Repeatable; a NAME that is said again gets those columns too.",
            reads="groups",
            default=(),
            unsaid="none",
        ),
        Option(
            "weights",
            "COLUMN",
            "How much each row counts: the column that says it, which is no candidate. Rows of "
            "weight 0 are left out.",
            unsaid="all alike",
        ),
        Option(
            "weight_kind",
            "KIND",
            "What weights are: {offered}. importance: a row is one draw that counts so much; "
            "frequency: a row stands for so many rows, a whole number.",
            choices=("importance", "frequency"),
            default="importance",
        ),
    ),
    *section(
        DATA,
        COLUMNS,
        Option(
            "groups",
            "COLUMN",
            "Rows of one group (subject, site) belong together: the column that names it. It is "
            "no candidate; permutations, halves and draws of rows go by groups.",
            unsaid="none",
        ),
        Option(
            "shuffle",
            "HOW",
            "What permutations move of groups: {offered}; whole groups, among those of as many "
            "rows, or rows within groups. auto: whole where the target is constant within groups.",
            choices=("auto", "whole", "within"),
            default="auto",
        ),
        Option(
            "blocks",
            "N|auto",
            "Rows in file order are a series in time: permutations move blocks of N rows as a "
            "whole, or with auto turn the series in a circle.",
            reads="count",
            rule=_blocks,
            unsaid="none",
        ),
    ),
    *section(
        "Columns",
        MEASURE,
        Option(
            "x",
            "NAMES",
            "Columns taken together; written like a,b or repeated.",
            reads="names",
            required=True,
        ),
        Option("y", "NAMES", "The other side: usually the target.", reads="names", required=True),
        Option("given", "NAMES", "Columns that are already known.", reads="names", default=()),
    ),
    *section(
        DATA,
        TABLES,
        Option(
            "kind",
            "COLUMN=KIND",
            "Kind of a column or glob: {offered}. Repeatable; a full name beats a glob, then "
            "the later wins.",
            field="kinds",
            reads="pairs",
            choices=KINDS,
            rule=_kinds,
            default=(),
            unsaid="by type",
        ),
        Option(
            "table",
            "NAME",
            "Which sheet of a workbook, or table of a database; of a database a query too: "
            "'SELECT a, y FROM t'.",
            unsaid="the only one",
        ),
        Option(
            "decimal",
            "MARK",
            "Decimal mark of a text file, {offered}; without it a dot, and in files with "
            "semicolons a comma too.",
            choices=(".", ","),
            unsaid="by the file",
        ),
        Option(
            "thousands",
            "MARK",
            "Mark between groups of three digits in a text file: {offered}.",
            choices=(",", ".", "space", "'", "_"),
            unsaid="none",
        ),
        Option(
            "missing",
            "WHAT",
            "Missing values: error names them and ends the run (default; describe takes "
            "drop), drop leaves out incomplete rows, level makes them a value of their own, "
            "category does so in nominal columns only. Rows without a target are left out.",
            choices=("error", "drop", "level", "category"),
            default="error",
            own={"describe": "drop"},
        ),
        Option(
            "rows",
            "N",
            "Use a random sample of N rows, stratified by class.",
            reads="whole",
            rule=whole("rows", 2),
            unsaid="all",
        ),
    ),
)
