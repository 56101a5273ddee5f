"""Units, the folder that keeps them, and what a rerun does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import renyi
import renyi_paper
import renyi_paper._reproduce as reproduction
from renyi.errors import OptionError, OutputError, ReadError
from renyi_paper import PRINTED_CRITERIA
from renyi_paper._units import UnitWork
from reproduction_units import own_unit, table_unit

pytestmark = pytest.mark.slow  # some ten seconds together

pytest.importorskip("sklearn")
pytest.importorskip("matplotlib")


class MadeUp:
    """Works out nothing: units made up, and a list of what was asked for."""

    asked: list[str]
    fails_at: str

    def __init__(self, name: str, *_: Any) -> None:
        self.name = name

    def _ask(self, part: str) -> None:
        if f"{self.name} {part}" == MadeUp.fails_at:
            raise KeyboardInterrupt
        MadeUp.asked.append(f"{self.name} {part}")

    def table(self, table: int) -> Any:
        self._ask(f"table {table}")
        return table_unit(self.name, table)

    def own(self) -> Any:
        self._ask("default")
        return own_unit(self.name)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> type[MadeUp]:
    MadeUp.asked, MadeUp.fails_at = [], ""
    monkeypatch.setattr(reproduction, "UnitWork", MadeUp)
    monkeypatch.setattr(reproduction, "locate", lambda name: Path(f"/{name}.parquet"))
    return MadeUp


def test_each_set_and_table_once_then_the_defaults(made_up: type[MadeUp], tmp_path: Path) -> None:
    told: list[renyi_paper.UnitReport] = []
    found = renyi_paper.reproduce(["spect", "heart"], folder=tmp_path, runs=2, on_unit=told.append)
    assert made_up.asked == [
        *("spect table 1", "spect table 2", "heart table 1", "heart table 2"),
        *("spect default", "heart default"),
    ]
    assert [(unit.name, unit.table) for unit in found.tables] == [
        *(("heart", 1), ("heart", 2), ("spect", 1), ("spect", 2)),
    ]
    assert [unit.name for unit in found.own] == ["heart", "spect"]
    assert [(unit.done, unit.total) for unit in told] == [(k, 6) for k in range(1, 7)]
    assert told[0].seconds == 3.5
    assert found.page == tmp_path / "reproduction.md"
    assert "| heart |" in found.page.read_text()


def test_a_rerun_works_out_only_what_is_missing(made_up: type[MadeUp], tmp_path: Path) -> None:
    made_up.fails_at = "heart table 2"
    with pytest.raises(KeyboardInterrupt):
        renyi_paper.reproduce("heart", folder=tmp_path, runs=2)
    assert made_up.asked == ["heart table 1"]
    assert not (tmp_path / "reproduction.md").exists()
    made_up.asked, made_up.fails_at = [], ""
    told: list[renyi_paper.UnitReport] = []
    renyi_paper.reproduce("heart", folder=tmp_path, runs=2, on_unit=told.append)
    assert made_up.asked == ["heart table 2", "heart default"]
    assert [unit.seconds for unit in told] == [None, 3.5, 2.0]
    assert not [file for file in tmp_path.iterdir() if file.name.endswith(".part")]


def test_the_page_shows_every_unit_in_the_folder(made_up: type[MadeUp], tmp_path: Path) -> None:
    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    renyi_paper.reproduce("heart", folder=tmp_path / "all", runs=2, tables=[1])
    found = renyi_paper.reproduce("spect", folder=tmp_path / "all", runs=2, tables=[1], page=page)
    assert [unit.name for unit in found.tables] == ["heart", "spect"]
    assert (page.parent / "figures" / "reproduction-table-1.svg").is_file()


def test_without_names_it_takes_what_is_at_hand(
    made_up: type[MadeUp], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_hand = {"lung", "heart"}
    monkeypatch.setattr(
        reproduction, "locate", lambda name: Path(name) if name in at_hand else None
    )
    renyi_paper.reproduce(folder=tmp_path, runs=2, tables=(2,))
    assert made_up.asked == [
        *("heart table 2", "lung table 2", "heart default", "lung default"),
    ]
    at_hand.clear()
    with pytest.raises(ReadError, match="None of the paper's sets is at hand"):
        renyi_paper.reproduce(folder=tmp_path)
    with pytest.raises(ReadError, match="`heart` is known, but not at hand"):
        renyi_paper.reproduce("heart", folder=tmp_path)


def test_all_sets_are_in_the_order_of_their_cost() -> None:
    assert set(reproduction.CHEAP_FIRST) == set(reproduction.printed_tables().sets)


@pytest.mark.parametrize("change", [{"seed": 1}, {"runs": 3}, {"version": "0.0.9"}])
def test_units_of_other_choices_are_refused_before_any_work(
    change: dict[str, Any], made_up: type[MadeUp], tmp_path: Path
) -> None:
    unit = replace(own_unit("heart"), **change)
    (tmp_path / "heart-default.unit.json").write_text(json.dumps(unit.to_dict()))
    with pytest.raises(OptionError, match=next(iter(change))) as raised:
        renyi_paper.reproduce("heart", folder=tmp_path, runs=2)
    assert "heart-default.unit.json" in raised.value.message
    assert made_up.asked == []


def test_a_default_that_has_changed_is_worked_out_again(
    made_up: type[MadeUp], tmp_path: Path
) -> None:
    old = replace(own_unit("heart"), options="another criterion")
    (tmp_path / "heart-default.unit.json").write_text(json.dumps(old.to_dict()))
    found = renyi_paper.reproduce("heart", folder=tmp_path, runs=2)
    assert made_up.asked[-1] == "heart default"
    assert found.own == (own_unit("heart"),)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sets": "iris"}, "`set` must be one of"),
        ({"sets": "hart"}, "heart"),
        ({"tables": (3,)}, "`tables` must be 1, 2 or both"),
        ({"tables": ()}, "`tables` must be 1, 2 or both"),
        ({"runs": 1}, "`runs` must be"),
        ({"seed": -1}, "`seed` must be"),
        ({"jobs": 0}, "`jobs` must be"),
        ({"page": "page.txt"}, "must end in .md"),
    ],
)
def test_wrong_options_are_refused_before_any_work(
    options: dict[str, Any], words: str, made_up: type[MadeUp], tmp_path: Path
) -> None:
    given = {"sets": "heart", "folder": tmp_path, "runs": 2, **options}
    with pytest.raises(OptionError) as raised:
        renyi_paper.reproduce(**given)
    assert words in f"{raised.value.message} {raised.value.hint}"
    assert made_up.asked == []


def test_a_folder_that_is_a_file(made_up: type[MadeUp], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be made"):
        renyi_paper.reproduce("heart", folder=tmp_path / "file", runs=2)


def test_a_damaged_unit_is_named(made_up: type[MadeUp], tmp_path: Path) -> None:
    (tmp_path / "heart-1.unit.json").write_text('{"format"')
    with pytest.raises(ReadError, match=r"heart-1\.unit\.json"):
        renyi_paper.reproduce("heart", folder=tmp_path, runs=2)
    assert made_up.asked == []


def test_ours_beside_the_printed_ones_as_a_table(made_up: type[MadeUp], tmp_path: Path) -> None:
    frame = renyi_paper.reproduce("heart", folder=tmp_path, runs=2, tables=[1]).to_polars()
    assert frame["criterion"].to_list() == [*PRINTED_CRITERIA, "optimal"]
    assert frame["features"].to_list() == [13, 4, 3, 4, 6]
    assert frame["printed_features"].to_list() == [13, 4, 2, 4, 6]
    assert frame["printed_accuracy"].to_list() == [81.7, 80.4, 76.9, 80.4, 82.6]
    assert frame["accuracy"].to_list() == pytest.approx([80.0, 80.0, 80.0, 80.0, 76.0])


def test_one_path_gives_what_each_criterion_gives_alone(
    data_set: Callable[[str], Path], tmp_path: Path
) -> None:
    """A real unit: parkinsons, whose criteria all stop before the path ends."""
    data_set("parkinsons")
    work = UnitWork("parkinsons", tmp_path, 2, 0, None, None, None)
    unit = work.table(2)
    alone = {
        criterion: renyi.select("parkinsons", preset="paper", alpha=2, criterion=criterion)
        for criterion in PRINTED_CRITERIA
    }
    for criterion, path in alone.items():
        counted = len(path.selected) if criterion == "mi-chi2" else len(path.steps)
        assert unit.criteria[criterion].features == counted, criterion
        assert unit.path[: len(path.steps)] == tuple(step.features[0] for step in path.steps)
    whole = renyi.select("parkinsons", preset="paper", alpha=2, criterion="none")
    assert unit.path == whole.selected
    assert unit.mi == pytest.approx([step.mi for step in whole.steps], abs=1e-5)
    assert unit.sizes == tuple(range(1, len(unit.path) + 1))
    assert all(0.6 < accuracy < 1 for accuracy in unit.accuracy)
    chosen = unit.criteria["cmi-heuristic"]
    assert unit.accuracy_at(chosen.features)[0] == pytest.approx(np.mean(chosen.runs), abs=1e-6)
    again = work.table(2)  # from the checkpoints: the same, but for the time it took
    assert replace(again, seconds=unit.seconds) == unit
    assert again.seconds["paths"] == unit.seconds["paths"]  # what it took at first
