"""The public sets become the variables they should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from renyi.errors import MissingValuesError
from renyi.io import load
from renyi.options import DataOptions

PLAIN = {
    # name: rows, features in use, target's kind and classes, continuous and nominal features
    "bike_hour": (17379, 15, "continuous", 869, 12, 3),
    "breast": (569, 30, "nominal", 2, 30, 0),
    "california_housing": (20640, 8, "continuous", 3842, 8, 0),
    "credit_g": (1000, 20, "nominal", 2, 6, 14),
    "diabetes_reg": (442, 10, "continuous", 214, 10, 0),
    "digits": (1797, 61, "nominal", 10, 58, 3),
    "heart": (270, 13, "nominal", 2, 10, 3),
    "ionosphere": (351, 33, "nominal", 2, 32, 1),
    "iris": (150, 4, "nominal", 3, 4, 0),
    "krvskp": (3196, 36, "nominal", 2, 0, 36),
    "lung": (73, 325, "nominal", 7, 325, 0),
    "lymph": (96, 4026, "nominal", 9, 4026, 0),
    "madelon": (2600, 500, "nominal", 2, 500, 0),
    "parkinsons": (195, 22, "nominal", 2, 22, 0),
    "semeion": (1593, 256, "nominal", 10, 0, 256),
    "sonar": (208, 60, "nominal", 2, 60, 0),
    "spect": (267, 22, "nominal", 2, 0, 22),
    "splice": (3190, 60, "nominal", 3, 0, 60),
    "waveform": (5000, 21, "nominal", 3, 21, 0),
    "waveform_noise": (5000, 40, "nominal", 3, 40, 0),
}


@pytest.mark.parametrize("name", list(PLAIN))
def test_complete_sets(data_set: Callable[[str], Path], name: str) -> None:
    loaded = load(data_set(name))
    dataset = loaded.dataset
    kinds = Counter(feature.kind.value for feature in dataset.features)
    assert (
        dataset.n,
        len(dataset.features),
        dataset.target.kind,
        dataset.target.distinct,
        kinds["continuous"],
        kinds["nominal"],
    ) == PLAIN[name]
    assert loaded.report.target == pl.read_parquet_schema(data_set(name)).names()[-1]


@pytest.mark.parametrize(
    ("name", "missing", "rows", "features"),
    [
        ("adult", "drop", 45222, 14),
        ("adult", "category", 48842, 14),
        ("mushroom", "drop", 5644, 21),
        ("mushroom", "category", 8124, 21),
        ("titanic", "drop", 1043, 7),
    ],
)
def test_sets_with_missing_values(
    data_set: Callable[[str], Path], name: str, missing: str, rows: int, features: int
) -> None:
    with pytest.raises(MissingValuesError):
        load(data_set(name))
    dataset = load(data_set(name), options=DataOptions(missing=missing)).dataset  # type: ignore[arg-type]
    assert (dataset.n, len(dataset.features)) == (rows, features)


def test_traps_are_noted(data_set: Callable[[str], Path]) -> None:
    def codes(name: str) -> set[str]:
        return {note.code for note in load(data_set(name)).report.notes}

    assert codes("ionosphere") == {"constant_column"}
    assert "integer_codes" in codes("heart")
    assert "integer_class_target" in codes("digits")


def test_csv_is_the_same_data(data_set: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("heart", "bike_hour", "credit_g"):
        pl.read_parquet(data_set(name)).write_csv(tmp_path / "a.csv")
        assert (
            load(tmp_path / "a.csv").report.fingerprint == load(data_set(name)).report.fingerprint
        )
