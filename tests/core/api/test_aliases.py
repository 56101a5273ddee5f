"""Columns that are the same are one candidate, and the result says so."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.variables import Note

N = 80
RNG = np.random.default_rng(1)
X, Z, NOISE = RNG.normal(size=(3, N))
Y = ["p" if value > 0 else "q" for value in 2 * X + Z + 0.3 * RNG.normal(size=N)]
WORDS = [f"w{code}" for code in RNG.integers(0, 3, size=N)]


def frame(**more: object) -> pl.DataFrame:
    return pl.DataFrame({"x": X, "z": Z, "noise": NOISE, **more, "y": Y})


def selection(table: pl.DataFrame, **given: object) -> renyi.SelectionPath:
    chosen = {"target": "y", "criterion": "none", "alpha": 2, **given}
    return renyi.select(table, **chosen)


def note(notes: tuple[Note, ...], code: str = "duplicate_column") -> Note | None:
    return next((item for item in notes if item.code == code), None)


def test_a_copy_is_never_selected_and_changes_nothing() -> None:
    plain = selection(frame())
    path = selection(frame(far=-3 * X + 100, words=WORDS, other=[w.upper() for w in WORDS]))
    assert set(path.selected) == {"x", "z", "noise", "words"}
    assert path.aliases == {"x": ("far",), "words": ("other",)}
    found = note(path.warnings)
    assert found is not None
    assert "`x` = `far`; `words` = `other`" in found.message
    copied = selection(frame(far=-3 * X + 100))
    assert [step.mi for step in copied.steps] == [step.mi for step in plain.steps]
    assert [step.cmi for step in copied.steps] == [step.cmi for step in plain.steps]
    assert copied.selected == plain.selected
    assert "feature" in {c.role for c in copied.data.columns if c.name == "far"}


def test_only_aliases_of_selected_features_are_listed() -> None:
    table = frame(again=NOISE, far=2 * X)
    path = selection(table, max_features=1)
    assert set(path.aliases) <= set(path.selected)
    assert path.selected == ("x",)
    assert path.aliases == {"x": ("far",)}


def test_a_kept_column_stands_for_its_copies() -> None:
    path = selection(frame(far=2 * X, farther=3 * X), keep="far")
    assert path.selected[0] == "far"
    assert "x" not in path.selected
    assert path.aliases == {"far": ("x", "farther")}
    both = selection(frame(far=2 * X), keep=["far", "x"])
    assert both.selected == ("far", *(name for name in path.selected[1:]))
    assert both.aliases == {"far": ("x",)}


def test_a_search_with_aliases_resumes(tmp_path) -> None:
    place = tmp_path / "kept.json"
    table = frame(far=2 * X)
    first = selection(table, keep="far", checkpoint=place)
    record = json.loads(place.read_text())
    record["steps"] = record["steps"][:2]
    record["run"]["steps"] = record["run"]["steps"][:2]
    record["selected"] = record["selected"][:2]
    record["unselected"] = []
    record["verdict"] = {"stopped": "interrupted", "reason": "cut off", "step": 2, "criteria": []}
    place.unlink()
    renyi.SelectionPath.from_json(json.dumps(record)).save(place)
    assert selection(table, keep="far", checkpoint=place) == first


def test_the_json_form_holds_them() -> None:
    path = selection(frame(far=2 * X))
    assert json.loads(path.to_json())["aliases"] == {"x": ["far"]}
    assert renyi.SelectionPath.from_json(path.to_json()) == path
    assert path.to_polars()["aliases"].to_list() == [
        "far" if name == "x" else None for name in path.selected
    ]


def test_describe_names_them() -> None:
    found = renyi.describe(frame(far=2 * X), target="y", alpha=2)
    assert {column.name: column.alias_of for column in found.columns} == {
        "x": None,
        "z": None,
        "noise": None,
        "far": "x",
    }
    assert found.to_polars().filter(pl.col("name") == "far")["alias_of"].item() == "x"
    assert found.to_dict()["columns"][3]["alias_of"] == "x"
    assert note(found.notes) is not None


def test_columns_that_differ_are_no_aliases() -> None:
    near = frame(near=X + 1e-5 * NOISE, cubed=X**3)
    assert not selection(near).aliases
    assert note(selection(near).warnings) is None


@pytest.mark.parametrize("standardise", ["zscore", "rank"])
def test_the_kernel_decides(standardise: str) -> None:
    """Ranks of a cube are those of the values; z-scores are others."""
    path = selection(frame(cubed=X**3), standardise=standardise)
    assert path.aliases == ({"x": ("cubed",)} if standardise == "rank" else {})


def test_many_groups_are_said_in_short() -> None:
    columns = {f"{side}{k}": NOISE[RNG.permutation(N)] for k in range(8) for side in "a"}
    copies = {f"b{k}": columns[f"a{k}"] for k in range(8)}
    found = note(selection(frame(**columns, **copies), max_features=1).warnings)
    assert found is not None
    assert found.message.endswith("and 3 more groups.")
    assert len(found.columns) == 16
