"""What was asked: the runs, and what each may take."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from measuring import Selection, Workbench

__all__ = ["NONE", "PLAIN", "PRINTED", "ROWS", "Limit", "Printed"]


@dataclass(frozen=True)
class Limit:
    """One row: a run and what it may take.

    Attributes
    ----------
    name
        In the store.
    words
        What the page calls it.
    source
        A public set, or the number of generated rows.
    options
        Words of the command besides kinds, seed and `--json`.
    seconds, gib
        At most, of the whole process; `gib` None where nothing is asked.
    features
        Of a generated table.
    factor
        At least, over the naive loop; None where that cannot run.
    """

    name: str
    words: str
    source: str | int
    options: str
    seconds: float
    factor: float | None = None
    gib: float | None = None
    features: int = 20

    def selection(self, bench: Workbench) -> Selection:
        """Return the run; on little data where it is a quick trial."""
        if isinstance(self.source, int):
            rows = min(self.source, TRIAL_ROWS) if bench.quick else self.source
            options = self.options.replace("0.2%", "5%") if bench.quick else self.options
            if self.features > WAVES:
                return Selection(bench.tables.wide(rows, self.features), tuple(options.split()))
            table = bench.tables.generated(rows)
            return Selection(table, (*options.split(), "--exclude", "x21"))
        table = bench.tables.public(self.source)
        if not bench.quick:
            return Selection(table, tuple(self.options.split()))
        return Selection(bench.tables.first(table, *TRIAL), _short(self.options))


WAVES = 21
"""Features of a generated table of waveforms."""

TRIAL_ROWS = 2000
TRIAL = (150, 12)
"""Rows of a generated table, and rows and features of another one, in a quick trial."""


def _short(options: str) -> tuple[str, ...]:
    """Return the words of a command that ends after two features."""
    words = options.split()
    if "--max-features" in words:
        words[words.index("--max-features") + 1] = "2"
        return tuple(words)
    return (*words, "--max-features", "2")


NONE = "--criterion none --max-features"
PERM = "--criterion cmi-perm --permutations 100"
ROWS = (
    Limit(
        "waveform-1.01",
        "waveform 5000 x 21, cmi-perm, P = 100, alpha 1.01, bandwidth 1, until it stops",
        "waveform",
        f"{PERM} --alpha 1.01 --bandwidth 1",
        60,
        100,
    ),
    Limit(
        "waveform-2", "the same at alpha 2", "waveform", f"{PERM} --alpha 2 --bandwidth 1", 8, 200
    ),
    Limit(
        "waveform-first-8",
        "waveform, first 8 features, criterion none, alpha 1.01, bandwidth 2",
        "waveform",
        f"{NONE} 8 --alpha 1.01 --bandwidth 2",
        90,
        20,
    ),
    Limit(
        "breast",
        "breast 569 x 30, cmi-perm, P = 100, alpha 1.01, bandwidth 1",
        "breast",
        f"{PERM} --alpha 1.01 --bandwidth 1",
        3,
        10,
    ),
    Limit(
        "madelon-1.01",
        "madelon 2600 x 500, 10 features, criterion none, bandwidth 2, alpha 1.01",
        "madelon",
        f"{NONE} 10 --alpha 1.01 --bandwidth 2",
        330,
        20,
    ),
    Limit(
        "madelon-2",
        "the same at alpha 2",
        "madelon",
        f"{NONE} 10 --alpha 2 --bandwidth 2",
        10,
        200,
    ),
    Limit(
        "lymph",
        "lymph 96 x 4026, cmi-perm, P = 100, first 20 features, alpha 1.01, bandwidth 1",
        "lymph",
        f"{PERM} --max-features 20 --alpha 1.01 --bandwidth 1",
        12,
        4,
    ),
    Limit(
        "semeion",
        "semeion 1593 x 256, first 20 features, criterion none, alpha 1.01, bandwidth 1",
        "semeion",
        f"{NONE} 20 --alpha 1.01 --bandwidth 1",
        240,
        7,
    ),
    Limit(
        "100000-mi",
        "100,000 x 20 (waveform-like), mi-perm, P = 100, alpha 2, bandwidth 2, first 4 features",
        100_000,
        "--criterion mi-perm --permutations 100 --max-features 4 --alpha 2 --bandwidth 2",
        60,
        gib=2,
    ),
    Limit(
        "100000-cmi",
        "the same with cmi-perm",
        100_000,
        f"{PERM} --max-features 4 --alpha 2 --bandwidth 2",
        900,
        gib=2,
    ),
    Limit(
        "1000000-2",
        "1,000,000 x 20, criterion none, alpha 2, bandwidth 2, first 3 features",
        1_000_000,
        f"{NONE} 3 --alpha 2 --bandwidth 2",
        180,
        gib=4,
    ),
    Limit(
        "1000000-1.01",
        "1,000,000 x 20, criterion none, alpha 1.01, bandwidth 2, first 2 features",
        1_000_000,
        f"{NONE} 2 --alpha 1.01 --bandwidth 2",
        240,
        gib=4,
    ),
    Limit(
        "100000-pairs",
        "100,000 x 20, all at the defaults, `--pairs 5%`, until it stops",
        100_000,
        "--pairs 5%",
        180,
        gib=4,
    ),
    Limit(
        "1000000-pairs",
        "1,000,000 x 20, all at the defaults, `--pairs 0.2%`, `--max-memory 4GiB`, until it stops",
        1_000_000,
        "--pairs 0.2% --max-memory 4GiB",
        900,
        gib=4,
    ),
    Limit(
        "1000000-wide",
        "1,000,000 x 50, criterion none, `--pairs 0.2%`, `--max-memory 4GiB`, first 3 features",
        1_000_000,
        f"{NONE} 3 --pairs 0.2% --max-memory 4GiB",
        900,
        gib=4,
        features=50,
    ),
)

BIN = Path(sys.executable)
OWN_TABLE = Path(__file__).resolve().parents[2] / "data" / "waveform.parquet"
PLAIN = (
    (
        "readme",
        "`renyi select data/waveform.parquet`, all at the defaults",
        [str(BIN.with_name("renyi")), "select", str(OWN_TABLE), "--json"],
        60,
    ),
    ("help", "`renyi --help`", [str(BIN.with_name("renyi")), "--help"], 0.35),
    ("import", "`import renyi`", [str(BIN), "-c", "import renyi"], 0.15),
)


@dataclass(frozen=True)
class Printed:
    """What LRMI printed for the first ten features, minutes, and what is asked of us, seconds."""

    source: str
    exact: float
    approximation: float
    alpha: str
    seconds: float


PRINTED = (
    Printed("breast", 0.31, 0.25, "2", 2),
    Printed("semeion", 56, 44, "1.01", 20),
    Printed("madelon", 570, 39, "2", 15),
    Printed("waveform_noise", 318, 14, "2", 20),
)
