"""Words of the command line that nobody should type, and somebody will."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from renyi.options import OPTIONS

ODD_WORDS = (
    *("", " ", "0", "-1", "1", "2", "3", "0.5", "1e-300", "1e400", "nan", "inf", "-inf", "NaN"),
    *("1.0000000000000002", "\uff11", "1_0", "0x10", " 2", "2 ", "+2", "1,5", "1/2", "50%", "0%"),
    *("101%", "1e3", "9" * 30, "-", "--", "*", "[", "x*", "y", "nosuch", "a,b,,c", ",", "=", "x="),
    *("=2", "x=nominal", "x=2", "*=ordinal", "y=continuous", "auto", "auto:0", "auto:x", "none"),
    *("None", "true", "é", "\x1b[31m", "a\nb", "%", "{}", "cmi-max", "CMI-MAX", "x" * 3000),
    *("1-3", "3-1", "1-", "8GiB", "1 KB", "1XB", "-5MB", "steady:", "steady:nan", "range:2"),
    *("steady:3", "growing", "range:0.2", "bins:4", "auto:19", "19", "4", "0.05", "1%", "x,z"),
    *("bins:0", "bins:1.5", "zscore", "soft", "eigen", "dense", "news", "paper", "lrmi", "drop"),
)
FILES = ("out.json", "out.csv", "out.parquet", "out.txt", "no/such/x.json", "/dev/full", ".", "")
"""Places to write to."""

REPEATED = {"permutations", "stability", "runs"}
"""More of these is more work, to any end: they are not given numbers of many digits."""

OF_A_COMMAND = {
    "select": ("--output", "--format", "--force", "--json", "-q", "-v", "--no-progress"),
    "describe": ("--format", "--json", "-q"),
    "measure": ("--x", "--y", "--given", "--format", "--json", "-q"),
    "compare": ("--plot", "--sizes", "--model", "--test", "--format", "--json", "-q"),
}
SWITCHES = {"--force", "--json", "-q", "-v", "--no-progress", "--sensitivity"}
USUAL = {"compare": ("--runs", "4"), "measure": ("--x", "x", "--y", "y")}


def odd_flags(rng: np.random.Generator, name: str, columns: Sequence[str]) -> list[str]:
    """Return a command on a table with up to three flags, most of them with odd values."""
    command = str(rng.choice(["select", "select", "select", "describe", "measure", "compare"]))
    words = [command, name, *USUAL.get(command, ())]
    known = [one for one in OPTIONS if command in one.verbs]
    for _ in range(int(rng.integers(1, 4))):
        if rng.random() < 0.3:
            flag = str(rng.choice(OF_A_COMMAND[command]))
            words += [flag] if flag in SWITCHES else [flag, _value(rng, flag, (), columns)]
            continue
        one = known[int(rng.integers(0, len(known)))]
        flag = one.typed.split()[0]
        if flag in SWITCHES:
            words.append(flag)
            continue
        value = _value(rng, flag, tuple(one.choices), columns)
        if one.name in REPEATED and value.strip("auto: ").isdigit() and len(value) > 9:
            value = "7"
        words += [flag, value]
    return words


def _value(
    rng: np.random.Generator, flag: str, choices: Sequence[str], columns: Sequence[str]
) -> str:
    places = FILES if flag in {"--output", "--plot", "--checkpoint"} else ()
    if places:
        pools = [places, ODD_WORDS]
    elif choices:
        pools = [choices, choices, ODD_WORDS]
    else:
        pools = [ODD_WORDS, ODD_WORDS, columns]
    pool = pools[int(rng.integers(0, len(pools)))]
    return str(rng.choice(np.array(pool, dtype=object)))
