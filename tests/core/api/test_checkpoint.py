"""A search that goes on from a checkpoint ends as if nothing had stopped it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import renyi
import tables

# what a caller gives of a table
# a session without its search
# what a checkpoint holds is no part of a door
from renyi.information import SetEntropies

WAYS: dict[str, dict[str, Any]] = {
    "to the last feature": {"criterion": "none"},
    "at alpha 2": {"criterion": "none", "alpha": 2},
    "to the limit": {"criterion": "none", "alpha": 3, "max_features": 4},
    "by a test that fails": {"criterion": "mi-perm", "permutations": 19, "seed": 3},
    "by a test that never fails": {"criterion": "cmi-perm", "significance": 0.9, "alpha": 2},
    "by a threshold, after kept ones": {
        "criterion": ("cmi-heuristic", "mi-chi2"),
        "stop_when": "all",
        "epsilon": 0.05,
        "keep": ["f4", "f3"],
    },
    "by the best of all, draws spared": {
        "criterion": "cmi-max",
        "permutations": "auto",
        "alpha": 2,
        "significance": 0.2,
    },
    "by what chance gives, told by draws": {
        "criterion": "cmi-max",
        "rank": "chance",
        "alpha": 3,
        "significance": 0.5,
    },
    "by a gain too small, with tests that would go on": {
        "criterion": ("mi-perm", "cmi-local"),
        "permutations": "besag-clifford:49",
        "stop_when": "all",
        "min_gain": "8%",
        "alpha": 2,
        "significance": 0.9,
    },
    "backward": {"search": "backward", "criterion": "cmi-max", "alpha": 2, "significance": 0.3},
    "backward, to a limit, after kept ones": {
        "search": "backward",
        "criterion": "none",
        "max_features": 3,
        "keep": ["f4"],
    },
    "floating": {"search": "floating", "criterion": "none", "alpha": 2, "rank": "raw"},
    "by a beam": {"search": "beam:2", "criterion": "cmi-max", "alpha": 2, "significance": 0.9},
    "by chi-square, on a sample": {"criterion": "mi-chi2", "rows": 50, "alpha": 2},
}


@pytest.fixture(scope="module")
def frame() -> Any:
    return tables.random_table("CRBNWC", "delta", 60, seed=7).frame


def answer(path: renyi.SelectionPath) -> str:
    """All of a result but how the work was done, as text."""
    return json.dumps({name: part for name, part in path.to_dict().items() if name != "run"})


class Stop:
    """Interrupts a search once a number of steps is finished."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, progress: renyi.Progress, /) -> None:
        phase = "step" if self.after else "prepare"
        if progress.phase == phase and (progress.step == self.after or not self.after):
            raise KeyboardInterrupt


@pytest.mark.parametrize("way", WAYS)
def test_the_answer_is_that_of_an_uninterrupted_search(
    way: str, frame: Any, tmp_path: Path
) -> None:
    options = WAYS[way]
    whole = renyi.select(frame, **options)
    kept = len(options.get("keep", ()))
    stopped = 0
    for after in range(kept, len(whole.steps)):
        file = tmp_path / f"{after}.json"
        with pytest.raises(renyi.Interrupted) as caught:
            renyi.select(frame, **options, checkpoint=file, progress=Stop(after))
        part = renyi.read_result(file)
        assert part == caught.value.path
        assert part.verdict.stopped == "interrupted"
        assert part.steps == whole.steps[:after]
        path = renyi.select(frame, **options, checkpoint=file, jobs=1)
        assert answer(path) == answer(whole)
        assert path.run["resumed_steps"] == after
        assert len(path.run["steps"]) == len(path.steps)
        assert renyi.read_result(file) == whole
        stopped += 1
    assert stopped


@pytest.mark.parametrize("way", WAYS)
def test_a_finished_search_is_not_searched_again(
    way: str, frame: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "whole.json"
    whole = renyi.select(frame, **WAYS[way], checkpoint=file)
    content = file.read_bytes()
    for method in ("pair", "candidates", "replicates"):
        monkeypatch.setattr(SetEntropies, method, None)
    again = renyi.select(frame, **WAYS[way], checkpoint=file)
    assert answer(again) == answer(whole)
    assert file.read_bytes() == content


def test_one_file_through_many_interruptions(frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "many.json"
    for after in (0, 1, 3, 4):
        with pytest.raises(renyi.Interrupted):
            renyi.select(frame, criterion="none", checkpoint=file, progress=Stop(after))
        assert len(renyi.read_result(file).steps) == after
    path = renyi.select(frame, criterion="none", checkpoint=file)
    assert answer(path) == answer(renyi.select(frame, criterion="none"))


def test_what_came_from_the_checkpoint_is_told_but_not_computed(
    frame: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "part.json"
    with pytest.raises(renyi.Interrupted):
        renyi.select(frame, criterion="none", checkpoint=file, progress=Stop(3))
    sizes = []
    asked = SetEntropies.candidates

    def candidates(entropies: SetEntropies, given: Any, *rest: Any) -> Any:
        sizes.append(len(given))
        return asked(entropies, given, *rest)

    monkeypatch.setattr(SetEntropies, "candidates", candidates)
    seen: list[renyi.Progress] = []
    renyi.select(frame, criterion="none", checkpoint=file, progress=seen.append)
    assert min(sizes) == 3
    assert [p.step for p in seen if p.phase == "step"] == [1, 2, 3, 4, 5, 6]


def test_an_interruption_while_steps_are_taken_over_loses_none(frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "whole.json"
    whole = renyi.select(frame, criterion="none", checkpoint=file)

    def watch(progress: renyi.Progress, /) -> None:
        if progress.phase == "step" and progress.step == 2:
            raise KeyboardInterrupt

    with pytest.raises(renyi.Interrupted):
        renyi.select(frame, criterion="none", checkpoint=file, progress=watch)
    assert renyi.read_result(file) == whole


def test_work_that_fails_leaves_its_finished_steps(frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "failed.json"

    def watch(progress: renyi.Progress, /) -> None:
        if progress.phase == "candidates" and progress.step == 3:
            raise MemoryError

    with pytest.raises(MemoryError):
        renyi.select(frame, criterion="none", checkpoint=file, progress=watch)
    assert len(renyi.read_result(file).steps) == 2


def test_the_same_content_in_another_file_goes_on(frame: Any, tmp_path: Path) -> None:
    csv, parquet = tmp_path / "t.csv", tmp_path / "t.parquet"
    frame.write_csv(csv)
    frame.write_parquet(parquet)
    options: dict[str, Any] = {"criterion": "none", "kind": {"f*": "continuous"}, "alpha": 2}
    options |= {"features": ["f0", "f1", "f4", "f5"], "target": "y"}
    file = tmp_path / "c.json"
    with pytest.raises(renyi.Interrupted):
        renyi.select(csv, **options, checkpoint=file, progress=Stop(2))
    path = renyi.select(parquet, **options, checkpoint=str(file))
    assert path.run["resumed_steps"] == 2
    assert answer(path) == answer(renyi.select(parquet, **options))


def test_nothing_is_left_beside_it(frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    renyi.select(frame, alpha=2, criterion="none", checkpoint=file)
    assert list(tmp_path.iterdir()) == [file]
