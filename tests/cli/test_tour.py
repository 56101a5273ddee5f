"""A tour of ten kinds of tables as people have them, with their holes.

Each command answers at the first try, or says in one sentence the one flag with which it does. The
tables are made here: each has columns that tell of its target, which a selection has to find.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

Run = Callable[..., Any]
Columns = Mapping[str, Sequence[Any]]
FLAG = re.compile(r"--[a-z-]+ [a-z]+")


@dataclass(frozen=True)
class Kind:
    """What makes a kind of table and keeps it, what is asked, found, warned of, and mends it."""

    make: Callable[[np.random.Generator], Columns]
    file: str
    asked: tuple[str, ...]
    finds: frozenset[str]
    warns: str = ""
    mends: tuple[str, ...] = ()


def holed(values: Sequence[Any], share: float, rng: np.random.Generator) -> list[Any]:
    gone = rng.random(len(values)) < share
    return [None if lacks else value for value, lacks in zip(values, gone, strict=True)]


def words(codes: Any, names: str) -> list[str]:
    known = names.split()
    return [known[int(code)] for code in np.clip(codes, 0, len(known) - 1)]


def titanic(rng: np.random.Generator) -> Columns:
    n = 180
    sex, deck = rng.integers(0, 2, n), rng.integers(1, 4, n)
    lives = 1.6 * sex - 0.7 * deck + rng.normal(scale=0.7, size=n) > -0.6
    cabin = [f"{'ABC'[d - 1]}{rng.integers(1, 90)}" for d in deck]
    return {
        "survived": lives.astype(int).tolist(),
        "pclass": deck.tolist(),
        "name": [f"Passenger, no. {k}" for k in range(n)],
        "sex": words(sex, "male female"),
        "age": holed(np.round(rng.gamma(6, 5, n), 1).tolist(), 0.2, rng),
        "sibsp": rng.poisson(0.5, n).tolist(),
        "fare": np.round(90 / deck * rng.gamma(4, 0.25, n), 4).tolist(),
        "cabin": holed(cabin, 0.77, rng),
        "embarked": holed(words(rng.integers(0, 3, n), "S C Q"), 0.01, rng),
    }


def houses(rng: np.random.Generator) -> Columns:
    n = 160
    area, quality = rng.gamma(20, 75, n), rng.integers(1, 11, n)
    price = 60 * area + 15000 * quality + rng.normal(scale=8000, size=n)
    return {
        "Id": list(range(1, n + 1)),
        "LotFrontage": [v or "NA" for v in holed(rng.integers(20, 120, n).tolist(), 0.18, rng)],
        "Alley": words(rng.integers(0, 12, n), "Grvl Pave NA"),
        "OverallQual": quality.tolist(),
        "GrLivArea": area.round().astype(int).tolist(),
        "ExterQual": words(quality // 3, "Po Fa TA Gd Ex"),
        "GarageYrBlt": [v or "NA" for v in holed(rng.integers(1900, 2010, n).tolist(), 0.05, rng)],
        "SalePrice": price.round().astype(int).tolist(),
    }


def clinical(rng: np.random.Generator) -> Columns:
    n = 140
    ill = rng.integers(0, 2, n)
    marker = 3 + 1.6 * ill + rng.normal(size=n)
    return {
        "patient": [f"{k:05d}" for k in range(n)],
        "age": rng.integers(30, 90, n).tolist(),
        "sex": words(rng.integers(0, 2, n), "f m"),
        "marker": [str(round(v, 2)).replace(".", ",") for v in marker],
        "stage": holed(words(2 * ill + rng.integers(0, 2, n), "I II III IV"), 0.1, rng),
        "bmi": [
            None if v is None else str(v).replace(".", ",")
            for v in holed(np.round(rng.normal(26, 4, n), 1).tolist(), 0.15, rng)
        ],
        "diagnosis": words(ill, "benign malignant"),
    }


def survey(rng: np.random.Generator) -> Columns:
    n, items = 200, 6
    mood = rng.normal(size=n)
    answers = [
        np.clip(np.round(3 + mood + rng.normal(size=n)), 1, 5).astype(int)
        if k < 3
        else rng.integers(1, 6, n)
        for k in range(items)
    ]
    content = words(np.round(1 + 0.9 * mood + rng.normal(scale=0.4, size=n)), "no rather yes")
    return {
        **{f"q{k + 1}": holed(one.tolist(), 0.08, rng) for k, one in enumerate(answers)},
        "region": holed(words(rng.integers(0, 4, n), "north east south west"), 0.03, rng),
        "weight": np.round(rng.gamma(9, 1 / 9, n), 3).tolist(),
        "content": content,
    }


def sensor(rng: np.random.Generator) -> Columns:
    n = 240
    drift = np.cumsum(rng.normal(size=(3, n)), axis=1)
    load = drift[0] + rng.normal(scale=0.5, size=n)
    times = pl.datetime_range(
        pl.datetime(2024, 1, 1), pl.datetime(2024, 1, 10, 23), "1h", eager=True
    )
    return {
        "time": times.to_list(),
        "inlet": holed(drift[0].tolist(), 0.04, rng),
        "outlet": holed(drift[1].tolist(), 0.04, rng),
        "noise": rng.normal(size=n).tolist(),
        "load": load.tolist(),
    }


def counts(rng: np.random.Generator) -> Columns:
    n, vocabulary = 150, 30
    topic = rng.integers(0, 2, n)
    rates = np.full((n, vocabulary), 0.4)
    rates[:, 3], rates[:, 8] = 0.2 + 2.5 * topic, 2.4 - 2 * topic
    found = rng.poisson(rates)
    return {
        **{f"word{k}": found[:, k].tolist() for k in range(vocabulary - 1)},
        "length": holed((found.sum(axis=1) + 20).tolist(), 0.05, rng),
        "topic": words(topic, "sport politics"),
    }


def one_hot(rng: np.random.Generator) -> Columns:
    n = 180
    town, trade = rng.integers(0, 5, n), rng.integers(0, 4, n)
    income = holed((1500 + 300 * town + rng.normal(scale=120, size=n)).round().tolist(), 0.1, rng)
    return {
        **{f"town_{k}": (town == k).astype(int).tolist() for k in range(5)},
        **{f"trade_{k}": (trade == k).astype(int).tolist() for k in range(4)},
        "income": income,
        "buys": words((town > 2) ^ (rng.random(n) < 0.1), "no yes"),
    }


def panel(rng: np.random.Generator) -> Columns:
    subjects, visits = 40, 4
    ill = np.repeat(np.arange(subjects) % 2, visits)
    n = subjects * visits
    own = np.repeat(rng.normal(size=subjects), visits)
    return {
        "subject": [f"s{k // visits:02d}" for k in range(n)],
        "visit": (np.arange(n) % visits).tolist(),
        "pressure": holed((2 * ill + rng.normal(size=n)).round(2).tolist(), 0.06, rng),
        "weight": holed((own + 0.1 * rng.normal(size=n)).round(2).tolist(), 0.06, rng),
        "group": words(ill, "control treated"),
    }


def genes(rng: np.random.Generator) -> Columns:
    n, many = 60, 80
    kind = np.arange(n) % 2
    levels = rng.normal(size=(many, n))
    levels[17] += 2.5 * kind
    return {
        "sample": [f"GSM{k}" for k in range(n)],
        **{f"gene{k}": holed(one.tolist(), 0.002, rng) for k, one in enumerate(levels)},
        "tissue": words(kind, "normal tumour"),
    }


def spectra(rng: np.random.Generator) -> Columns:
    n, bands = 80, 40
    amount = rng.random(n)
    at = np.arange(bands)
    peak = np.exp(-(((at - 12) / 3) ** 2))
    rows = (
        amount[:, None] * peak + 0.5 * rng.random((n, 1)) + rng.normal(scale=0.05, size=(n, bands))
    )
    return {
        **{f"nm{900 + 10 * k}": holed(rows[:, k].tolist(), 0.002, rng) for k in at},
        "protein": np.round(10 + 5 * amount, 2).tolist(),
    }


TOUR = {
    "titanic": Kind(titanic, "t.csv", ("--target", "survived"), frozenset({"sex"})),
    "houses": Kind(houses, "t.csv", ("--exclude", "Id"), frozenset({"GrLivArea", "OverallQual"})),
    "clinical": Kind(clinical, "semicolons.csv", (), frozenset({"marker", "stage"})),
    "survey": Kind(survey, "t.parquet", ("--weights", "weight"), frozenset({"q1", "q2", "q3"})),
    "sensor": Kind(
        sensor,
        "t.parquet",
        ("--exclude", "time"),
        frozenset({"inlet"}),
        "alike_neighbours",
        ("--blocks", "auto"),
    ),
    "counts": Kind(counts, "t.tsv", (), frozenset({"word3", "word8"})),
    "one-hot": Kind(
        one_hot,
        "t.csv",
        ("--group-columns", "town=town_*", "--group-columns", "trade=trade_*"),
        frozenset({"town"}),
    ),
    "panel": Kind(
        panel, "t.ndjson", (), frozenset({"pressure"}), "repeated_subject", ("--groups", "subject")
    ),
    "genes": Kind(genes, "t.arrow", (), frozenset({"gene17"})),
    "spectra": Kind(spectra, "t.parquet", (), frozenset({"nm1010", "nm1020", "nm1030"})),
}


def kept(kind: str, folder: Path) -> Path:
    """Write a table as such tables are kept."""
    columns, place = TOUR[kind].make(np.random.default_rng(len(kind))), folder / TOUR[kind].file
    if place.suffix in {".csv", ".tsv"}:
        mark = {"t.tsv": "\t", "semicolons.csv": ";"}.get(place.name, ",")
        with place.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=mark)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        return place
    frame = pl.DataFrame(columns)
    match place.suffix:
        case ".parquet":
            frame.write_parquet(place)
        case ".arrow":
            frame.write_ipc(place)
        case _:
            frame.write_ndjson(place)
    return place


def answered(run: Run, *asked: str) -> tuple[Any, list[str]]:
    """Ask, and ask again with the first flag that one sentence names; return what was added."""
    result = run(*asked)
    if result.exit_code == 0:
        return result, []
    told = [line for line in result.stderr.splitlines() if not line.startswith("Warning: ")]
    assert result.stdout == ""
    assert [line.partition(":")[0] for line in told] == ["Error", "Hint"]
    flag = FLAG.search(told[1])
    assert flag is not None, told
    more = flag[0].split()
    again = run(*asked, *more)
    assert again.exit_code == 0, again.stderr
    return again, more


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(TOUR))
def test_a_table_is_answered_at_once_or_says_the_flag(kind: str, run: Run, tmp_path: Path) -> None:
    one, file = TOUR[kind], str(kept(kind, tmp_path))
    seen = run("describe", file, *one.asked)
    assert seen.exit_code == 0, seen.stderr
    answer, added = answered(run, "select", file, *one.asked, "--format", "names")
    assert added == ["--missing", "level"]  # all of these tables have holes
    selected = set(answer.stdout.split())
    assert selected & one.finds
    dropped = run("select", file, *one.asked, "--missing", "drop", "--max-features", "2")
    assert dropped.exit_code == 0, dropped.stderr
    if one.mends:
        _is_mended(run, (file, *one.asked, "--missing", "level"), one)
    quick = ("--runs", "4", "--max-features", "4", "--permutations", "auto:19")
    found, added = answered(run, "compare", file, *one.asked, *quick, "--format", "csv")
    assert added == ["--missing", "level"]
    rows = list(csv.DictReader(found.stdout.splitlines()))
    assert any(set(row["selected"].split("+")) & one.finds for row in rows)


def _is_mended(run: Run, asked: tuple[str, ...], one: Kind) -> None:
    """A warning names an option of rows that belong together, and is gone where that is used."""
    before, after = (
        json.loads(run("select", *asked, *more, "--json").stdout) for more in ((), one.mends)
    )
    said, rest = (
        {note["code"]: note["message"] for note in found["warnings"]} for found in (before, after)
    )
    assert one.mends[0].removeprefix("--") in said[one.warns]
    assert one.warns not in rest
    assert set(after["selected"]) < set(before["selected"])
