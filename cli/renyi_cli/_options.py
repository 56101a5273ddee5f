"""The options of the terminal itself, each in its panel of the help page.

Those of the verbs of `renyi` come from its table, by `takes`.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

from renyi_cli._declare import (
    DATA,
    METHOD,
    OTHER,
    OUTPUT,
    Options,
    option,
    registered,
    switch,
    takes,
    telling,
)

__all__ = [
    "DATA",
    "METHOD",
    "OTHER",
    "OUTPUT",
    "AnswerFile",
    "Data",
    "Debug",
    "Force",
    "Format",
    "Jobs",
    "Json",
    "NamesFormat",
    "NoProgress",
    "Options",
    "Output",
    "Quiet",
    "ResultFile",
    "Seed",
    "Text",
    "Texts",
    "Verbose",
    "into",
    "option",
    "switch",
    "table_of",
    "takes",
]


def into(text: str) -> Any:
    """Declare the file that a command writes."""
    return option("--output -o", OUTPUT, "FILE", text)


def table_of(text: str) -> Any:
    """Declare the table that a result is of."""
    return option("--data", DATA, "FILE", text)


Text: TypeAlias = str | None
Texts: TypeAlias = list[str] | None

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        show_default=False,
        rich_help_panel=DATA,
        help="Parquet, Arrow/Feather, CSV, TSV or NDJSON file, a workbook (.xlsx, .ods) or SQLite "
        "database, a glob or folder of Parquet files, "
        "- for standard input, or a name that `renyi datasets list` shows.",
    ),
]
ResultFile = Annotated[
    str,
    typer.Argument(
        metavar="RESULT",
        show_default=False,
        rich_help_panel=DATA,
        help="A .json file that `renyi select --output` wrote.",
    ),
]
AnswerFile = Annotated[
    str,
    typer.Argument(
        metavar="RESULT",
        show_default=False,
        rich_help_panel=DATA,
        help="A .json file that `renyi select --output` or `renyi compare --output` wrote.",
    ),
]
Seed = Annotated[Text, registered("seed")]
Jobs = Annotated[Text, registered("jobs")]

Format = Annotated[
    Text, option("--format", OUTPUT, "FORMAT", "table (default), json or csv on stdout.")
]
NamesFormat = Annotated[
    Text,
    option(
        "--format",
        OUTPUT,
        "FORMAT",
        "On stdout: table (default), json, csv (a row a step) or names (a selected name a line).",
    ),
]
Json = Annotated[bool, switch("--json", OUTPUT, "Short for --format json.")]
Output = Annotated[
    Text,
    into("Also write the result to FILE: .json (whole), .parquet or .csv (a row a step)."),
]
Force = Annotated[bool, switch("--force", OUTPUT, "Replace FILE if it exists.")]
Quiet = Annotated[
    bool, switch("--quiet -q", OUTPUT, "Nothing on stderr but errors.", telling("quiet", True))
]
Verbose = Annotated[
    bool,
    switch(
        "--verbose -v",
        OUTPUT,
        "More on stderr: each step, how it was computed.",
        telling("verbose", True),
    ),
]
NoProgress = Annotated[
    bool, switch("--no-progress", OUTPUT, "No live progress on stderr.", telling("progress", False))
]
Debug = Annotated[
    bool,
    switch("--debug", OTHER, "Show the traceback of an error.", telling("debug", True)),
]
