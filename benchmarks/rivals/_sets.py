"""The public sets: what of each is used, and how it is brought into shape."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rivals._table import Table

__all__ = ["BY_NAME", "MOST_ROWS", "SETS", "Source", "facts_of", "load", "prepare"]

MOST_ROWS = 800
FEWEST_OF_A_CLASS = 5
MOST_HOLES = 0.25
SEED = 7


@dataclass(frozen=True)
class Source:
    """One set. Its target is the last column of the file.

    Attributes
    ----------
    name
        Of the file.
    codes
        Features whose whole numbers are names; text is names anyway.
    without
        Features that are left out, and why: in words.
    classes
        Whether the target is a class.
    """

    name: str
    codes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    why: str = ""
    classes: bool = True


_HEART = (
    "sex",
    "chest",
    "fasting_blood_sugar",
    "resting_electrocardiographic_results",
    "exercise_induced_angina",
    "slope",
    "thal",
)
SETS = (
    Source("iris"),
    Source("diabetes_reg", classes=False),
    Source("heart", codes=_HEART),
    Source("spect"),
    Source("parkinsons"),
    Source("titanic"),
    Source("california_housing", classes=False),
    Source(
        "bike_hour",
        codes=("season", "weekday", "weathersit"),
        without=("dteday", "casual", "registered"),
        why="the date itself, and two that add up to the target",
        classes=False,
    ),
    Source("sonar"),
    Source("ionosphere"),
    Source("breast"),
    Source("waveform"),
    Source("credit_g"),
    Source("adult"),
    Source("krvskp"),
    Source("mushroom"),
    Source("waveform_noise"),
    Source("lung"),
    Source("digits"),
    Source("splice"),
    Source("lymph"),
    Source("semeion"),
    Source("madelon"),
)
"""Those that take little time first."""
BY_NAME = {source.name: source for source in SETS}


def prepare(frame: pl.DataFrame, source: Source) -> Table:
    """Leave out columns with many holes, rows with any, rare classes, and rows too many."""
    from sklearn.model_selection import train_test_split

    target = frame.columns[-1]
    frame = frame.drop(source.without)
    holes = [name for name in frame.columns if frame[name].null_count() > MOST_HOLES * len(frame)]
    frame = frame.drop(holes).drop_nulls()
    if source.classes:
        often = Counter(frame[target].to_list())
        rare = [value for value, count in often.items() if count < FEWEST_OF_A_CLASS]
        frame = frame.filter(~pl.col(target).is_in(rare))
    if len(frame) > MOST_ROWS:
        rows, _ = train_test_split(
            np.arange(len(frame)),
            train_size=MOST_ROWS,
            random_state=SEED,
            stratify=np.array(frame[target].to_list()) if source.classes else None,
        )
        frame = frame[np.sort(rows).tolist()]
    text = {name for name in frame.columns if frame[name].dtype == pl.String}
    nominal = frozenset((text | set(source.codes)) - {target})
    return Table(frame, target, nominal, source.classes)


@cache
def load(name: str) -> Table:
    """Return a set from the folder of the public sets.

    Raises
    ------
    FileNotFoundError
        If the folder is not known or does not hold it.
    """
    return prepare(_read(name), BY_NAME[name])


def facts_of(name: str) -> dict[str, Any]:
    """Return what the page says of a set, in JSON values."""
    whole, table, source = _read(name), load(name), BY_NAME[name]
    gone = [column for column in whole.columns if column not in table.frame.columns]
    return {
        "rows": table.frame.height,
        "rows_of": whole.height,
        "complete": whole.drop(gone).drop_nulls().height,
        "columns": len(table.names),
        "nominal": len(table.nominal),
        "classes": len(np.unique(table.y)) if table.classes else 0,
        "without": list(source.without),
        "why": source.why,
        "holes": [column for column in gone if column not in source.without],
        "table": table.digest(),
    }


def _read(name: str) -> pl.DataFrame:
    home = os.environ.get("RENYI_DATA_HOME")
    if not home:
        told = "Set RENYI_DATA_HOME to the folder that holds the sets as Parquet files."
        raise FileNotFoundError(told)
    return pl.read_parquet(Path(home).expanduser() / f"{name}.parquet")
