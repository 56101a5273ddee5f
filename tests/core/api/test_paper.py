"""The preset `paper` on the paper's own sets, beside what the paper printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import renyi

# choices of the paper that a call only shows together
from renyi.api._paper import PREPARED, choices_for
from renyi.datasets import find_record

# records of sets that are not at hand
from renyi.datasets._registry import REGISTRY

Find = Callable[[str], Path]


@pytest.mark.parametrize(
    ("name", "by_cmi", "by_mi"),
    [
        ("heart", 4, 4),
        pytest.param("spect", 11, 7, marks=pytest.mark.slow),
        pytest.param("ionosphere", 7, 7, marks=pytest.mark.slow),
        ("parkinsons", 4, 4),
        pytest.param("breast", 2, 2, marks=pytest.mark.study),
    ],
)
def test_it_examines_as_many_features_as_table_1_prints(
    name: str, by_cmi: int, by_mi: int, data_set: Find
) -> None:
    """Features examined, the one that failed counted, under the permutation criteria."""
    data_set(name)
    examined = [
        len(renyi.select(name, preset="paper", criterion=criterion).steps)
        for criterion in ("cmi-perm", "mi-perm")
    ]
    assert examined == [by_cmi, by_mi]


def test_a_set_by_name_is_prepared_as_the_paper_did(data_set: Find) -> None:
    path = data_set("heart")
    named = renyi.select("heart", preset="paper", criterion="none", max_features=1)
    assert named.options.standardise == "bins:5"
    assert {column.kind for column in named.data.columns if column.role == "feature"} == {
        "continuous"
    }
    assert named.data.target == "class"
    (note,) = [note for note in named.warnings if note.code == "paper_settings"]
    assert "5 bins of equal width" in note.message
    by_path = renyi.select(str(path), preset="paper", criterion="none", max_features=1)
    assert "nominal" in {c.kind for c in by_path.data.columns if c.role == "feature"}
    assert not [note for note in by_path.warnings if note.code == "paper_settings"]


def test_what_the_caller_says_goes_first(data_set: Find) -> None:
    data_set("heart")
    found = renyi.select(
        "heart",
        preset="paper",
        standardise="zscore",
        kind={"sex": "nominal"},
        criterion="none",
        max_features=1,
    )
    kinds = {column.name: column.kind for column in found.data.columns}
    assert found.options.standardise == "zscore"
    assert (kinds["sex"], kinds["thal"]) == ("nominal", "continuous")
    (note,) = [note for note in found.warnings if note.code == "paper_settings"]
    assert "bins" not in note.message


def test_measure_and_describe_prepare_it_alike(data_set: Find) -> None:
    data_set("breast")
    column, target = "mean radius", find_record("breast").target
    described = renyi.describe("breast", preset="paper", features=column, alpha=2)
    measured = renyi.measure("breast", x=column, y=target, preset="paper", alpha=2)
    assert described.options.standardise == measured.options.standardise == "none"
    assert described.columns[0].mi_with_target == pytest.approx(measured["I(x;y)"], abs=1e-9)


@pytest.mark.parametrize("data", ["iris", "no_such_set", "heart.csv", {"heart": [1.0]}, None])
def test_nothing_is_added_to_any_other_table(data: object) -> None:
    assert choices_for("paper", data, "rank").standardise == "rank"
    assert choices_for("paper", data).kinds == ()


def test_nothing_is_added_without_the_preset_or_where_a_file_has_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert choices_for("default", "heart").notes == ()
    assert choices_for("paper", "heart").notes
    (tmp_path / "heart").write_text("a,y\n")
    monkeypatch.chdir(tmp_path)
    assert choices_for("paper", "heart").notes == ()


def test_every_preparation_has_its_words() -> None:
    prepared = {
        record.paper_settings.standardise
        for record in REGISTRY.values()
        if record.paper_settings is not None
    }
    assert prepared == set(PREPARED)
