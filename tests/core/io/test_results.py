"""Results to files and back, whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from records import heart_path
from renyi.errors import IntegrityError, OptionError, OutputError, ReadError
from renyi.io import check_output, read_result, steps_frame, write_result, written_whole
from renyi.options import method_options
from renyi.selection import SelectionPath
from renyi.variables import Note

PATH = heart_path()


def test_one_row_a_step() -> None:
    frame = steps_frame(PATH)
    assert frame["step"].to_list() == [1, 2, 3, 4]
    assert frame["feature"].to_list() == ["thal", "vessels", "age", "oldpeak"]
    assert frame["selected"].to_list() == [True, True, True, False]
    for name in ("mi", "cmi", "gain", "saturation", "error_bound"):
        assert frame[name].to_list() == [getattr(step, name) for step in PATH.steps]
    assert frame["entropy_joint"].to_list() == [step.entropies.joint for step in PATH.steps]
    assert frame["runner_up"].to_list() == ["chest_pain", "chest_pain", None, "chest_pain"]
    assert frame["cmi_perm_stop"].to_list() == [False, False, False, True]
    assert frame["cmi_perm_exceedances"].to_list() == [0, 0, 0, 6]
    assert frame["cmi_perm_null_q50"].to_list() == [0.36] * 4
    assert frame["would_stop_cmi_heuristic"].to_list() == [False] * 4
    assert frame["would_stop_mi_chi2"].to_list() == [None] * 4
    assert frame["cmi_perm_reason"][3] == PATH.steps[3].criteria[0].reason


def test_a_group_is_joined() -> None:
    step = replace(PATH.steps[0], features=("a", "b"))
    assert steps_frame(replace(PATH, steps=(step,)))["feature"].to_list() == ["a+b"]


def test_what_was_not_computed_is_null() -> None:
    step = replace(PATH.steps[0], cmi=None, cmi_code="cmi_not_computed", criteria=())
    frame = steps_frame(replace(PATH, steps=(step,)))
    assert frame.row(0, named=True)["cmi"] is None
    assert frame["cmi_code"].to_list() == ["cmi_not_computed"]
    assert frame["cmi_perm_stop"].to_list() == [None]


def test_no_steps_have_the_same_columns() -> None:
    empty = steps_frame(replace(PATH, steps=()))
    assert empty.height == 0
    full = steps_frame(PATH)
    for name in empty.columns:
        assert empty.schema[name] == full.schema[name]


def test_criterion_none_has_no_columns() -> None:
    path = replace(PATH, options=method_options(criteria="none"))
    assert not [name for name in steps_frame(path).columns if name.startswith("none")]


def test_json_round_trip(tmp_path: Path) -> None:
    file = write_result(PATH, tmp_path / "a.json")
    assert read_result(file) == PATH
    assert json.loads(file.read_text())["selected"] == ["thal", "vessels", "age"]
    assert file.read_text().endswith("}\n")


def test_read_as_another_class(tmp_path: Path) -> None:
    class Own(SelectionPath):
        pass

    assert type(read_result(write_result(PATH, tmp_path / "a.json"), Own)) is Own


def test_tables_round_trip(tmp_path: Path) -> None:
    frame = steps_frame(PATH)
    assert pl.read_parquet(write_result(PATH, tmp_path / "a.parquet")).equals(frame)
    written = pl.read_csv(write_result(PATH, tmp_path / "a.csv"))
    assert written.columns == frame.columns
    assert written["mi"].to_list() == frame["mi"].to_list()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"not json", "it is not JSON"),
        (b" \n", "it is empty"),
        (b'{"a":\n 1', "its JSON is broken or breaks off in line 2"),
        (b'{"schema_version": "1.0", "curve": []}', "it holds a comparison"),
        (b"PAR1\xff\xfe", "it is not text"),
        (b"[]", "it is JSON of something else"),
        (b"{}", "`schema_version` is missing"),
        (b'{"schema_version": "99.0"}', "newer than"),
        (b'{"schema_version": "1.0"}', "not a whole result"),
    ],
)
def test_files_that_are_no_result(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(content)
    with pytest.raises(ReadError) as caught:
        read_result(file)
    assert words in caught.value.message
    assert str(file) in caught.value.message
    assert "Expecting" not in caught.value.message
    assert caught.value.hint


def test_a_result_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="cannot be read: no such file"):
        read_result(tmp_path / "a.json")


def refusal(file: Path, words: str, **given: bool) -> None:
    with pytest.raises((OptionError, OutputError)) as caught:
        write_result(PATH, file, **given)
    assert words in str(caught.value)


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    refusal(tmp_path / "a.xlsx", "must end in .json, .parquet, .csv")
    refusal(tmp_path / "a.jsn", "Did you mean .json?")
    refusal(tmp_path / "none" / "a.json", "there is no directory")
    (tmp_path / "folder.json").mkdir()
    refusal(tmp_path / "folder.json", "it is not a file", force=True)
    (tmp_path / "there.json").write_text("precious")
    refusal(tmp_path / "there.json", "is there already")
    assert (tmp_path / "there.json").read_text() == "precious"
    write_result(PATH, tmp_path / "there.json", force=True)
    assert read_result(tmp_path / "there.json") == PATH


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    refusal(tmp_path / "a.json", "no permission")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    write_result(PATH, link, force=True)
    assert link.is_symlink()
    assert read_result(real) == PATH


def test_nothing_is_left_half_written(tmp_path: Path) -> None:
    place = check_output(tmp_path / "a.txt")
    place.write_text("old")

    def fail(error: BaseException) -> None:
        with written_whole(place) as part:
            part.write_text("half")
            raise error

    for error in (ValueError("no"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            fail(error)
        assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]
        assert place.read_text() == "old"
    with pytest.raises(OutputError, match="No space left"):
        fail(OSError(28, "No space left on device"))
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_files_get_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual.json").write_text("")
    usual = (tmp_path / "usual.json").stat().st_mode
    assert write_result(PATH, tmp_path / "a.json").stat().st_mode == usual


def test_a_result_that_was_changed_is_refused(tmp_path: Path) -> None:
    file = write_result(PATH, tmp_path / "a.json")
    assert write_result(read_result(file), tmp_path / "b.json").read_bytes() == file.read_bytes()
    content = file.read_text()
    file.write_text(content.replace("0.36,", "0.37,", 1))
    with pytest.raises(IntegrityError, match="was changed after it was written") as refusal:
        read_result(file)
    assert refusal.value.hint
    record = json.loads(file.read_text())
    del record["run"]["digest"]
    file.write_text(json.dumps(record))
    assert read_result(file) != PATH


def test_a_digest_in_a_name_is_no_digest(tmp_path: Path) -> None:
    name = f'"digest": "{"0" * 64}"'
    path = replace(PATH, warnings=(Note("odd", name),), run={"odd": name})
    assert read_result(write_result(path, tmp_path / "a.json")) == path
    (tmp_path / "b.json").write_text(path.to_json())
    assert read_result(tmp_path / "b.json") == path


@pytest.mark.parametrize("suffix", [".json", ".parquet", ".csv"])
def test_a_full_disk_is_one_sentence(tmp_path: Path, suffix: str) -> None:
    """A file of 512 bytes is as much as the process may write, as on a disk that is full."""
    resource = pytest.importorskip("resource")
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, limits[1]))
    try:
        with pytest.raises(OutputError, match="cannot be written: File too large"):
            write_result(heart_path(), tmp_path / f"result{suffix}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_left_is_removed_once_nobody_writes_it(tmp_path: Path) -> None:
    place = tmp_path / "a[1].json"
    old, new, other = (
        tmp_path / f".{name}.part"
        for name in ("a[1].json.01234567", "a[1].json.89abcdef", "b.01234567")
    )
    for file in (old, new, other):
        file.write_text("half", encoding="utf-8")
    for file in (old, other):
        os.utime(file, (time.time() - 7200,) * 2)
    with written_whole(place) as part:
        part.write_text("whole", encoding="utf-8")
    assert {file.name for file in tmp_path.iterdir()} == {place.name, new.name, other.name}
