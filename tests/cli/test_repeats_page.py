"""What ``renyi select`` shows of repeated selections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from records import heart_path, repeats
from renyi.selection import Sensitivity, Stability

Run = Callable[..., Any]


def lines_after(out: str, heading: str) -> list[str]:
    lines = out.splitlines()
    return lines[next(k for k, line in enumerate(lines) if line.startswith(heading)) :]


def test_nothing_is_said_of_what_was_not_asked(run: Run, search: Any) -> None:
    out = run("select", "heart.parquet").stdout
    assert "Under other settings" not in out
    assert "On halves" not in out


def test_a_chosen_bandwidth_is_in_the_heading(run: Run, search: Any) -> None:
    auto = replace(heart_path().options, bandwidth="auto")
    search.answer = heart_path(options=auto, bandwidth_choice=repeats()["bandwidth_choice"])
    assert "sigma 0.5 (auto)" in run("select", "heart.parquet").stdout


def test_settings_are_a_row_each_with_the_shares_below(run: Run, search: Any) -> None:
    search.answer = heart_path(**repeats())
    lines = lines_after(run("select", "heart.parquet").stdout, "Under other settings")
    assert lines[0] == "Under other settings (2 of 8 finished)"
    assert lines[1].split() == ["alpha", "bandwidth", "size", "features"]
    assert lines[3].split() == ["1.01", "growing", "1", "thal"]
    assert lines[4].split() == ["2", "1", "-", "too", "large"]
    assert lines[6].split() == ["feature", "settings", "share", "selected", "above"]
    assert lines[8].split() == ["thal", "1", "1.00", "yes"]


def test_halves_have_shares_sizes_and_bounds(run: Run, search: Any) -> None:
    search.answer = heart_path(**repeats())
    out = run("select", "heart.parquet").stdout
    lines = lines_after(out, "On halves")
    assert "On halves of 135 rows" in lines[0]
    assert "each class halved by itself (2 of 4 finished)" in " ".join(lines[:3])
    rows = [line.split() for line in lines]
    assert ["thal", "2", "1.00", "yes"] in rows
    assert ["sex", "1", "0.50", "no"] in rows
    assert "Sizes, number of features in how many halves: 1 in 1, 2 in 1." in lines
    # q = 1.5 of 12 candidates; both halves of the pair have to agree: tau = 1. The closer bound
    # needs more than one pair.
    assert ["0.6", "1", "0.19", "-"] in rows
    assert "Shah and Samworth 2013" in " ".join(out.split())


def test_one_size_in_all_halves_is_a_sentence(run: Run, search: Any) -> None:
    found: Stability = repeats()["stability"]
    halves = tuple(replace(half, selected=("thal",)) for half in found.halves)
    search.answer = heart_path(stability=replace(found, halves=halves))
    assert "Sizes: 1 feature in 2 halves." in run("select", "heart.parquet").stdout


def test_what_was_cut_off_at_once_says_so(run: Run, search: Any) -> None:
    found = repeats()
    search.answer = heart_path(
        sensitivity=Sensitivity(asked=8, settings=()),
        stability=replace(found["stability"], halves=()),
    )
    out = run("select", "heart.parquet").stdout
    assert "(0 of 8 finished)" in out
    assert "(0 of 4 finished)" in " ".join(out.split())


def test_no_feature_anywhere_is_a_sentence(run: Run, search: Any) -> None:
    found: Stability = repeats()["stability"]
    halves = tuple(replace(half, selected=()) for half in found.halves)
    search.answer = heart_path(stability=replace(found, halves=halves))
    out = run("select", "heart.parquet").stdout
    assert "No feature was selected in any of the halves." in out
    assert "Sizes: 0 features in 2 halves." in out
