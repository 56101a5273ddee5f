"""Breiman's waveforms, against what their description implies."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from renyi.datasets import GENERATED, find_record, generate, write_generated
from renyi.errors import MemoryBudgetError, OptionError, OutputError
from renyi.io import content_hash, load

MANY = generate("waveform", 60_000, seed=7)


def triangle(peak: int) -> np.ndarray:
    """A wave of height 6 that falls by 1 a point on both sides."""
    wave = np.zeros(21)
    for step in range(6):
        wave[peak - 1 + step] = wave[peak - 1 - step] = 6.0 - step
    return wave


A, B, C = triangle(7), triangle(15), triangle(11)


@pytest.mark.parametrize(("label", "first", "second"), [(0, A, B), (1, A, C), (2, B, C)])
def test_moments_of_a_class(label: int, first: np.ndarray, second: np.ndarray) -> None:
    """For u uniform, u f + (1 - u) g has mean (f + g) / 2 and variance (f - g)^2 / 12."""
    values = MANY.filter(pl.col("class") == label).drop("class").to_numpy()
    error = 5 * np.sqrt((1 + (first - second) ** 2 / 12) / len(values))
    assert (np.abs(values.mean(axis=0) - (first + second) / 2) < error).all()
    covariance = np.outer(first - second, first - second) / 12 + np.eye(21)
    assert np.abs(np.cov(values.T) - covariance).max() < 0.1


def test_classes_are_equally_likely() -> None:
    counts = np.bincount(MANY["class"].to_numpy())
    assert len(counts) == 3
    assert np.abs(counts - 20_000).max() < 5 * np.sqrt(60_000 * 2 / 9)


def test_ends_are_noise() -> None:
    for name in ("x1", "x21"):
        for label in range(3):
            values = MANY.filter(pl.col("class") == label)[name].to_numpy()
            assert abs(values.mean()) < 5 / np.sqrt(len(values))
            assert abs(values.std() - 1) < 0.03


def test_values_have_two_decimals_and_no_negative_zero() -> None:
    values = MANY.drop("class").to_numpy()
    assert np.array_equal(values, np.round(values, 2))
    assert not np.signbit(values[values == 0]).any()


def test_second_version_adds_noise_to_the_first() -> None:
    plain, noisy = (generate(name, 4000, seed=3) for name in GENERATED)
    assert noisy.columns == [*(f"x{k}" for k in range(1, 41)), "class"]
    assert noisy.select(plain.columns).equals(plain)
    extra = noisy.select([f"x{k}" for k in range(22, 41)]).to_numpy()
    correlation = np.corrcoef(np.column_stack([extra, plain.to_numpy()]).T)[:19]
    np.fill_diagonal(correlation, 0)
    assert np.abs(correlation).max() < 5 / np.sqrt(4000)


def test_seed_and_rows_decide() -> None:
    assert generate("waveform", 50, seed=1).equals(generate("waveform", 50, seed=1))
    assert not generate("waveform", 50, seed=1).equals(generate("waveform", 50, seed=2))


@pytest.mark.parametrize(
    ("name", "rows", "seed", "words"),
    [
        ("waveforms", 5, 0, "Did you mean `waveform`?"),
        ("heart", 5, 0, "`name` must be one of waveform, waveform_noise"),
        ("waveform", 0, 0, "`rows` must be a whole number of at least 1"),
        ("waveform", 5, -1, "`seed` must be a whole number of at least 0"),
    ],
)
def test_what_cannot_be_made(name: str, rows: int, seed: int, words: str) -> None:
    with pytest.raises(OptionError) as caught:
        generate(name, rows, seed)
    assert words in str(caught.value)


def test_written_table_names_its_target(tmp_path: Path) -> None:
    file = write_generated("waveform", tmp_path / "w.parquet", rows=300, seed=5)
    report = load(file).report
    assert (report.target, report.rows) == ("class", 300)
    assert "metadata" in report.target_reason
    assert report.columns[-1].kind == "nominal"
    with pytest.raises(OutputError, match="is there already"):
        write_generated("waveform", file, rows=300)
    text = write_generated("waveform", tmp_path / "w.csv", rows=300, seed=5)
    assert load(text).report.fingerprint == report.fingerprint


def test_the_documented_command_makes_the_bundled_table(root: Path, tmp_path: Path) -> None:
    """As data/README.md says: rows 5000, seed 0; the content is equal, whatever the writer."""
    file = write_generated("waveform", tmp_path / "waveform.parquet", rows=5000, seed=0)
    made = content_hash(pl.read_parquet(file))
    bundled = root / "data" / "waveform.parquet"
    assert made == content_hash(pl.read_parquet(bundled))
    assert made == find_record("waveform").generated_content
    readme = (root / "data" / "README.md").read_text(encoding="utf-8")
    assert made in readme
    assert hashlib.sha256(bundled.read_bytes()).hexdigest() in readme
    assert "--rows 5000 --seed 0" in readme


def test_more_rows_than_fit_are_refused_before_they_are_made() -> None:
    with pytest.raises(MemoryBudgetError, match="`rows` must fit into memory"):
        generate("waveform", rows=10**12)
