"""The public files of the sets, and how each becomes a table: features first, the target last.

A numeric column whose values are all whole becomes integers. Fields of ``?`` are missing.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import polars as pl

from renyi.errors import ReadError, Way

__all__ = ["RAW", "RawFiles"]

Rows: TypeAlias = "list[list[str]]"

_ARCHIVE: Final = "https://archive.ics.uci.edu/ml/machine-learning-databases/"


@dataclass(frozen=True, slots=True)
class RawFiles:
    """The public files of one set.

    Attributes
    ----------
    base
        The address that the files' names are joined to.
    files
        Names of the files, in order.
    parse
        From their contents, in order, to the table.
    """

    base: str
    files: tuple[str, ...]
    parse: Callable[[Sequence[bytes]], pl.DataFrame]


def _unlike(problem: str) -> ReadError:
    return ReadError(
        problem, "Try again, or name another place of it: ", Way("url", rule="URL"), "."
    )


def _rows(content: bytes, separator: str | None = ",") -> Rows:
    """Return the fields of the lines that are not blank; no separator means white space."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _unlike("The downloaded file is not text.") from error
    lines = (line.strip() for line in text.splitlines())
    return [[field.strip() for field in line.split(separator)] for line in lines if line]


def _frame(names: Sequence[str], rows: Rows) -> pl.DataFrame:
    """Build a table of rows of text."""
    width = len(names)
    if not rows or any(len(row) != width for row in rows):
        raise _unlike(f"The downloaded file does not have lines of {width} fields.")
    columns = zip(names, zip(*rows, strict=True), strict=True)
    return pl.DataFrame([_column(name, fields) for name, fields in columns])


def _column(name: str, fields: Sequence[str]) -> pl.Series:
    text = pl.Series(name, [None if field == "?" else field for field in fields], dtype=pl.String)
    numbers = text.cast(pl.Float64, strict=False)
    if numbers.null_count() > text.null_count():
        return text
    whole = bool((numbers.drop_nulls() == numbers.drop_nulls().floor()).all())
    return numbers.cast(pl.Int64) if whole else numbers


def _last(rows: Rows, place: int) -> Rows:
    """Move one field of every row to its end."""
    return [[*row[:place], *row[place + 1 :], row[place]] for row in rows]


def _numbered(count: int) -> list[str]:
    return [f"x{number}" for number in range(1, count + 1)]


def _breast(contents: Sequence[bytes]) -> pl.DataFrame:
    parts = (
        "radius",
        "texture",
        "perimeter",
        "area",
        "smoothness",
        "compactness",
        "concavity",
        "concave points",
        "symmetry",
        "fractal dimension",
    )
    names = [
        *(f"mean {part}" for part in parts),
        *(f"{part} error" for part in parts),
        *(f"worst {part}" for part in parts),
        "diagnosis",
    ]
    return _frame(names, _last([row[1:] for row in _rows(contents[0])], 0))


def _heart(contents: Sequence[bytes]) -> pl.DataFrame:
    names = (
        "age",
        "sex",
        "chest",
        "resting_blood_pressure",
        "serum_cholestoral",
        "fasting_blood_sugar",
        "resting_electrocardiographic_results",
        "maximum_heart_rate_achieved",
        "exercise_induced_angina",
        "oldpeak",
        "slope",
        "number_of_major_vessels",
        "thal",
        "class",
    )
    classes = {"1": "absent", "2": "present"}
    rows = _rows(contents[0], None)
    return _frame(names, [[*row[:-1], classes.get(row[-1], row[-1])] for row in rows])


def _spect(contents: Sequence[bytes]) -> pl.DataFrame:
    names = [*(f"F{number}" for number in range(1, 23)), "OVERALL_DIAGNOSIS"]
    return _frame(names, _last([row for content in contents for row in _rows(content)], 0))


def _ionosphere(contents: Sequence[bytes]) -> pl.DataFrame:
    return _frame([*(f"a{n:02}" for n in range(1, 35)), "class"], _rows(contents[0]))


def _parkinsons(contents: Sequence[bytes]) -> pl.DataFrame:
    """Leave out the first column, a name, and move the target from among the features."""
    rows = [row[1:] for row in _rows(contents[0])]
    if not rows or "status" not in rows[0]:
        raise _unlike("The downloaded file has no column `status`.")
    header, *rows = _last(rows, rows[0].index("status"))
    return _frame(header, rows)


def _semeion(contents: Sequence[bytes]) -> pl.DataFrame:
    """Turn the ten indicators after the 256 pixels into a digit."""
    rows = []
    for row in _rows(contents[0], None):
        indicators = row[256:]
        if sorted(indicators) != ["0"] * 9 + ["1"]:
            raise _unlike("The downloaded file does not end its lines in ten indicators.")
        rows.append([*row[:256], str(indicators.index("1"))])
    return _frame([*_numbered(256), "y"], rows)


def _madelon(contents: Sequence[bytes]) -> pl.DataFrame:
    """Join the training and the validation part, their labels in files of their own."""
    rows: Rows = []
    for data, labels in ((contents[0], contents[1]), (contents[2], contents[3])):
        values, targets = _rows(data, None), _rows(labels, None)
        if len(values) != len(targets):
            raise _unlike("The downloaded files of values and labels differ in length.")
        rows += [[*row, *target] for row, target in zip(values, targets, strict=True)]
    return _frame([*_numbered(500), "y"], rows)


def _sonar(contents: Sequence[bytes]) -> pl.DataFrame:
    return _frame([*_numbered(60), "y"], _rows(contents[0]))


def _mushroom(contents: Sequence[bytes]) -> pl.DataFrame:
    names = (
        "cap-shape",
        "cap-surface",
        "cap-color",
        "bruises?",
        "odor",
        "gill-attachment",
        "gill-spacing",
        "gill-size",
        "gill-color",
        "stalk-shape",
        "stalk-root",
        "stalk-surface-above-ring",
        "stalk-surface-below-ring",
        "stalk-color-above-ring",
        "stalk-color-below-ring",
        "veil-type",
        "veil-color",
        "ring-number",
        "ring-type",
        "spore-print-color",
        "population",
        "habitat",
        "class",
    )
    return _frame(names, _last(_rows(contents[0]), 0))


def _digits(contents: Sequence[bytes]) -> pl.DataFrame:
    pixels = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)]
    return _frame([*pixels, "y"], _rows(contents[0]))


def _adult(contents: Sequence[bytes]) -> pl.DataFrame:
    """Leave out the remark that the second file starts with, and the full stops of its labels."""
    names = (
        "age",
        "workclass",
        "fnlwgt",
        "education",
        "education-num",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
        "native-country",
        "income",
    )
    rows = [row for content in contents for row in _rows(content) if not row[0].startswith("|")]
    return _frame(names, [[*row[:-1], row[-1].removesuffix(".")] for row in rows])


def _bike_hour(contents: Sequence[bytes]) -> pl.DataFrame:
    """Take one table of a zip archive without its first column, which numbers the rows."""
    try:
        with zipfile.ZipFile(io.BytesIO(contents[0])) as archive:
            content = archive.read("hour.csv")
    except (zipfile.BadZipFile, KeyError) as error:
        raise _unlike("The downloaded file is not a zip archive with hour.csv.") from error
    header, *rows = [row[1:] for row in _rows(content)]
    frame = _frame(header, rows)
    if "dteday" not in frame.columns:
        raise _unlike("The downloaded file has no column `dteday`.")
    return frame.with_columns(pl.col("dteday").str.to_date("%Y-%m-%d", strict=False))


RAW: Final[Mapping[str, RawFiles]] = {
    "adult": RawFiles(f"{_ARCHIVE}adult/", ("adult.data", "adult.test"), _adult),
    "bike_hour": RawFiles(f"{_ARCHIVE}00275/", ("Bike-Sharing-Dataset.zip",), _bike_hour),
    "breast": RawFiles(f"{_ARCHIVE}breast-cancer-wisconsin/", ("wdbc.data",), _breast),
    "digits": RawFiles(f"{_ARCHIVE}optdigits/", ("optdigits.tes",), _digits),
    "heart": RawFiles(f"{_ARCHIVE}statlog/heart/", ("heart.dat",), _heart),
    "ionosphere": RawFiles(f"{_ARCHIVE}ionosphere/", ("ionosphere.data",), _ionosphere),
    "madelon": RawFiles(
        f"{_ARCHIVE}madelon/",
        (
            "MADELON/madelon_train.data",
            "MADELON/madelon_train.labels",
            "MADELON/madelon_valid.data",
            "madelon_valid.labels",
        ),
        _madelon,
    ),
    "mushroom": RawFiles(f"{_ARCHIVE}mushroom/", ("agaricus-lepiota.data",), _mushroom),
    "parkinsons": RawFiles(f"{_ARCHIVE}parkinsons/", ("parkinsons.data",), _parkinsons),
    "semeion": RawFiles(f"{_ARCHIVE}semeion/", ("semeion.data",), _semeion),
    "sonar": RawFiles(
        f"{_ARCHIVE}undocumented/connectionist-bench/sonar/", ("sonar.all-data",), _sonar
    ),
    "spect": RawFiles(f"{_ARCHIVE}spect/", ("SPECT.train", "SPECT.test"), _spect),
}
"""By name of the set; the rest have no public file that is read here."""
