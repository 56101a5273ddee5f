"""The options that commands share, each in its panel of the help page."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from renyi_cli._declare import (
    DATA,
    METHOD,
    OTHER,
    OUTPUT,
    RUN,
    STOPPING,
    option,
    switch,
    telling,
)
from renyi_cli._method_options import (
    Alpha,
    BandwidthChoice,
    ClassWeightsChoice,
    KernelChoice,
    LabelKernelChoice,
    NominalChoice,
    Preset,
    RankChoice,
    Score,
    Solver,
    Standardise,
    Tolerance,
)
from renyi_cli._words import DEFAULTS, offered

__all__ = [
    "DATA",
    "METHOD",
    "OTHER",
    "OUTPUT",
    "RUN",
    "STOPPING",
    "Alpha",
    "Backend",
    "BandwidthChoice",
    "Binning",
    "Bins",
    "ClassWeightsChoice",
    "Criteria",
    "Data",
    "Debug",
    "Epsilon",
    "ErrorRateChoice",
    "Exclude",
    "Features",
    "Force",
    "Format",
    "Jobs",
    "Json",
    "Keep",
    "KernelChoice",
    "Kinds",
    "LabelKernelChoice",
    "Lookahead",
    "MaxFeatures",
    "MaxMemory",
    "MinGain",
    "MissingChoice",
    "NamesFormat",
    "NoProgress",
    "NominalChoice",
    "Output",
    "PRuleChoice",
    "Permutations",
    "Preset",
    "Purpose",
    "Quiet",
    "RankChoice",
    "ResultFile",
    "Rows",
    "Score",
    "Seed",
    "Significance",
    "Solver",
    "Standardise",
    "StopWhenChoice",
    "Target",
    "Text",
    "Texts",
    "Tolerance",
    "Verbose",
    "option",
    "switch",
]

Text: TypeAlias = str | None
Texts: TypeAlias = list[str] | None

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        show_default=False,
        rich_help_panel=DATA,
        help="Parquet, Arrow/Feather, CSV, TSV or NDJSON file, a glob or folder of Parquet files, "
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
Target = Annotated[
    Text,
    option(
        "--target -t",
        DATA,
        "COLUMN",
        "What to predict. Without it: the file's own renyi.target, else a column named target, "
        "label, class or y, else the last one.",
    ),
]
Features = Annotated[
    Texts,
    option(
        "--features",
        DATA,
        "NAMES",
        "Only these columns: names or globs, separated by commas or by repeating the option; "
        "a name with a comma in double quotes: '\"a,b\",c'.",
    ),
]
Exclude = Annotated[
    Texts, option("--exclude", DATA, "NAMES", "Not these columns; written like --features.")
]
Keep = Annotated[
    Texts,
    option("--keep", DATA, "NAMES", "Columns forced in first, in this order, untested."),
]
Kinds = Annotated[
    Texts,
    option(
        "--kind",
        DATA,
        "COLUMN=KIND",
        f"Kind of a column or glob: {offered('kind')}. Repeatable; a full name beats a glob, "
        "then the later wins.",
    ),
]
MissingChoice = Annotated[
    Text,
    option(
        "--missing",
        DATA,
        "WHAT",
        "Missing values: error names them and ends the run (default; describe takes drop), drop "
        "leaves out incomplete rows, category makes them a level of nominal columns.",
        "missing",
    ),
]
Rows = Annotated[
    Text, option("--rows", DATA, "N", "Use a random sample of N rows, stratified by class.")
]

Purpose = Annotated[
    Text,
    option(
        "--for",
        STOPPING,
        "WHAT",
        f"What the columns are for: {offered('purpose')}. Model: those that help together with the "
        "ones before (cmi-max); news: those that say something beyond them (cmi-local).",
        "purpose",
    ),
]
Criteria = Annotated[
    Texts,
    option(
        "--criterion",
        STOPPING,
        "NAME",
        f"When to stop: {offered('criterion')}. Repeatable.",
        "criterion",
    ),
]
StopWhenChoice = Annotated[
    Text,
    option(
        "--stop-when",
        STOPPING,
        "WHEN",
        f"With several criteria, stop when {offered('stop_when')} of them say so.",
        "stop_when",
    ),
]
Lookahead = Annotated[
    Text,
    option(
        "--lookahead",
        STOPPING,
        "1|2",
        "2: where no single column passes, test the best pair of columns, each at half the level "
        "(cmi-max, cmi-local, none; alpha 2).",
    ),
]
MaxFeatures = Annotated[
    Text,
    option("--max-features", STOPPING, "N", "Select at most N columns, forced ones included."),
]
Permutations = Annotated[
    Text,
    option(
        "--permutations",
        STOPPING,
        "N",
        f"Most shuffles of a permutation test (default {DEFAULTS['permutations']}, more at lower "
        "levels). auto or auto:N draws none where the answer is plain, besag-clifford until 10 "
        "copies did as well.",
    ),
]
MinGain = Annotated[
    Text,
    option(
        "--min-gain",
        STOPPING,
        "BITS",
        "Least gain of a selected column, in bits or as a share of H(y) such as 1%; joined to any "
        "criterion.",
    ),
]
Significance = Annotated[
    Text,
    option(
        "--significance",
        STOPPING,
        "LEVEL",
        f"Level of the tests, between 0 and 1 (default {DEFAULTS['significance']}).",
    ),
]
ErrorRateChoice = Annotated[
    Text,
    option(
        "--error-rate",
        STOPPING,
        "RATE",
        "What the level of cmi-max and cmi-local bounds: fwer (default), the chance of any false "
        "column; fdr, the share of false ones among those selected, which keeps more.",
        "error_rate",
    ),
]
PRuleChoice = Annotated[
    Text,
    option(
        "--p-rule",
        STOPPING,
        "RULE",
        "p-value of a permutation test: valid (default) is (count + 1) / (N + 1), paper is "
        "count / N.",
        "p_rule",
    ),
]
Epsilon = Annotated[
    Text,
    option(
        "--epsilon",
        STOPPING,
        "BITS",
        f"Threshold of cmi-heuristic (default {DEFAULTS['epsilon']}).",
    ),
]
Bins = Annotated[
    Text,
    option(
        "--bins",
        STOPPING,
        "N",
        f"Bins a continuous column is cut into for mi-chi2 (default {DEFAULTS['bins']}).",
    ),
]
Binning = Annotated[
    Text,
    option("--binning", STOPPING, "HOW", f"Bins of equal {offered('binning')}.", "binning"),
]

Seed = Annotated[
    Text,
    option("--seed", RUN, "N", f"Seed of every random draw (default {DEFAULTS['seed']})."),
]
Backend = Annotated[
    Text,
    option(
        "--backend",
        RUN,
        "NAME",
        "Where arrays are computed: auto (default), numpy or cupy.",
        "backend",
    ),
]
Jobs = Annotated[Text, option("--jobs", RUN, "N", "Worker threads (default: one a core).")]
MaxMemory = Annotated[
    Text,
    option(
        "--max-memory",
        RUN,
        "SIZE",
        "Memory that matrices and factors may take: 8GiB, 800MB, 2e9 (bytes), or 50% of what is "
        "free (default 80%).",
    ),
]

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
    option(
        "--output -o",
        OUTPUT,
        "FILE",
        "Also write the result to FILE: .json (whole), .parquet or .csv (a row a step).",
    ),
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
