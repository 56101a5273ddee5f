"""A checkpoint that is damaged, edited or of another search is refused and left as it is."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import renyi
import tables

# what a caller gives of a table
from renyi.api._given import data_options

# a session without its search
from renyi.api._session import open_session

# what a checkpoint holds is no part of a door
from renyi.api.selecting._checkpoint import Checkpoint
from renyi.errors import OptionError, OutputError, ReadError
from renyi.information import SetEntropies
from renyi.options import RunOptions, method_options


@pytest.fixture(scope="module")
def frame() -> Any:
    return tables.random_table("CRBNWC", "delta", 60, seed=7).frame


def after_two_steps(progress: renyi.Progress, /) -> None:
    """Interrupt a search, as Ctrl-C does."""
    if progress.phase == "step" and progress.step == 2:
        raise KeyboardInterrupt


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "alpha": ({"alpha": 1.5}, "`alpha` was 2 there and is 1.5 now"),
    "seed": ({"seed": 1}, "`seed` was 0 there and is 1 now"),
    "criterion": (
        {"criterion": ("mi-chi2", "mi-perm")},
        "`criterion` was none there and is mi-chi2, mi-perm now",
    ),
    "limit": ({"max_features": 3}, "`max_features` was None there and is 3 now"),
    "columns": ({"exclude": "f1"}, "`exclude` was empty there and is f1 now"),
    "kind": ({"kind": {"f1": "ordinal"}}, "`kind` was empty there and is f1, ordinal now"),
    "target": ({"target": "y"}, "`target` was None there and is y now"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_selection_is_refused(name: str, frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    renyi.select(frame, alpha=2, criterion="none", checkpoint=file)
    content = file.read_bytes()
    changed, words = OTHERS[name]
    with pytest.raises(OptionError) as refusal:
        renyi.select(frame, **{"alpha": 2, "criterion": "none", **changed}, checkpoint=file)
    assert refusal.value.message.startswith("`checkpoint` must be of the same selection, got ")
    assert refusal.value.message.endswith(f"c.json: {words}.")
    assert file.read_bytes() == content


def test_other_data_are_refused(frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    renyi.select(frame, alpha=2, criterion="none", checkpoint=file)
    with pytest.raises(OptionError, match=r"c\.json: its data are not these\. Name another file"):
        renyi.select(frame[1:], alpha=2, criterion="none", checkpoint=file)


def changed(file: Path, *way: str | int, to: Any = None, sealed: bool = False) -> None:
    """Change a part of a result file, or take it out; with a digest that fits if `sealed`."""
    record = json.loads(file.read_text(encoding="utf-8"))
    *outer, last = way
    part = record
    for key in outer:
        part = part[key]
    if to is None:
        del part[last]
    else:
        part[last] = to
    text = json.dumps(record)
    if sealed:
        old, blank = record["run"]["digest"], "0" * 64
        new = hashlib.sha256(text.replace(old, blank).encode()).hexdigest()
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def test_another_version_is_refused(frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    renyi.select(frame, alpha=2, criterion="none", checkpoint=file)
    major, minor, *_ = renyi.__version__.split(".")
    changed(file, "run", "versions", "renyi", to=f"{major}.{minor}.99", sealed=True)
    renyi.select(frame, alpha=2, criterion="none", checkpoint=file)
    changed(file, "run", "versions", "renyi", to=f"{major}.{int(minor) + 1}.0", sealed=True)
    with pytest.raises(OptionError, match="it was written by renyi"):
        renyi.select(frame, alpha=2, criterion="none", checkpoint=file)


@pytest.mark.parametrize(
    "way",
    [
        (("run", "steps"), None),
        (("run", "versions"), None),
        (("run", "steps"), "many"),
        (("run", "steps"), []),
        (("run", "steps", 0), {"seconds": "long"}),
        (("steps", 0, "action"), "keep"),
    ],
)
def test_what_no_search_goes_on_from_is_refused(way: Any, frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    renyi.select(frame, alpha=2, criterion="none", checkpoint=file)
    changed(file, *way[0], to=way[1], sealed=True)
    with pytest.raises(ReadError, match=r"c\.json` is not a checkpoint: it"):
        renyi.select(frame, alpha=2, criterion="none", checkpoint=file)


def test_steps_of_other_columns_are_refused(frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    renyi.select(frame, alpha=2, criterion="none", checkpoint=file)
    first = renyi.read_result(file).selected[0]
    content = file.read_text(encoding="utf-8")
    file.write_text(content.replace(f'"{first}"', '"other"', 2), encoding="utf-8")
    with pytest.raises((ReadError, OptionError)):
        renyi.select(frame, alpha=2, criterion="none", checkpoint=file)


def test_any_other_file_is_left_alone(frame: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    for content in ("mine", '{"mine": 1}', "[]"):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(ReadError) as refusal:
            renyi.select(frame, alpha=2, criterion="none", checkpoint=file)
        assert refusal.value.message == (
            f"`{file}` is not a checkpoint: it is not a result of `renyi select`."
        )
        assert refusal.value.hint == "Name another file, or remove it to start afresh."
        assert file.read_text(encoding="utf-8") == content


@pytest.mark.parametrize("name", ["c.txt", "c", "c.parquet"])
def test_a_name_of_another_form_is_refused(name: str, frame: Any, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"^`checkpoint` must end in \.json, got `.*`\. It is"):
        renyi.select(frame, alpha=2, criterion="none", checkpoint=tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_is_told_before_the_data_are_read(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no directory"):
        renyi.select("nowhere.parquet", checkpoint=tmp_path / "no" / "c.json")
    (tmp_path / "d.json").mkdir()
    with pytest.raises(OutputError, match="it is not a file"):
        renyi.select("nowhere.parquet", checkpoint=tmp_path / "d.json")
    with pytest.raises(OptionError, match=r"^`checkpoint` must be a file's path"):
        renyi.select("nowhere.parquet", checkpoint=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("first", [True, False])
def test_steps_with_cmi_and_without_are_not_mixed(
    first: bool, frame: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "c.json"
    problem = "H(y | S) of all 6 features does not fit"
    for without in (first, not first):
        monkeypatch.setattr(
            SetEntropies, "everything_problem", problem if without else "", raising=False
        )
        known = "is not" if first else "is"
        words = f"c.json: CMI {known} computed there"
        caught: Any = renyi.Interrupted if without == first else OptionError
        with pytest.raises(caught) as stop:
            renyi.select(frame, criterion="none", checkpoint=file, progress=after_two_steps)
    assert words in stop.value.message
    assert "`max_memory`" in stop.value.hint


@pytest.fixture(scope="module")
def written(frame: Any, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a small checkpoint."""
    file = tmp_path_factory.mktemp("written") / "c.json"
    with pytest.raises(renyi.Interrupted):
        renyi.select(frame, alpha=2, criterion="none", checkpoint=file, progress=after_two_steps)
    return file.read_bytes()


def is_refused(file: Path, session: Any) -> None:
    with pytest.raises((ReadError, OptionError)) as refusal:
        Checkpoint.open(file, session)
    assert "\n" not in refusal.value.message
    assert refusal.value.hint


@pytest.fixture(scope="module")
def session(frame: Any) -> Any:
    options = data_options(
        target=None,
        features=(),
        exclude=(),
        keep=(),
        kind=(),
        missing="error",
        rows=None,
        seed=0,
    )
    method = method_options("default", alpha=2, criteria=("none",))
    return open_session(frame, None, options, method, RunOptions(), one_of_each=True)


@pytest.mark.slow
def test_hundreds_of_flipped_bits_are_refused(written: bytes, session: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_bytes(written)
    assert len(Checkpoint.open(file, session).steps) == 2
    for place in range(0, len(written), 7):
        bit = 1 << place % 8
        file.write_bytes(written[:place] + bytes([written[place] ^ bit]) + written[place + 1 :])
        is_refused(file, session)


def test_a_few_flipped_bits_are_refused(written: bytes, session: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    for place in range(0, len(written), len(written) // 40):
        changed = bytearray(written)
        changed[place] ^= 1
        file.write_bytes(changed)
        is_refused(file, session)


@pytest.mark.parametrize(
    "way", [("steps", 0, "mi"), ("steps", 1, "z"), ("data", "rows"), ("run", "seconds")]
)
def test_an_edited_value_is_refused(way: Any, written: bytes, session: Any, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_bytes(written)
    changed(file, *way, to=61)
    with pytest.raises(ReadError, match="it was changed after it was written") as refusal:
        Checkpoint.open(file, session)
    assert refusal.value.hint == "Name another file, or remove it to start afresh."


def test_a_checkpoint_without_a_digest_is_refused(
    written: bytes, session: Any, tmp_path: Path
) -> None:
    """One of before there were any, or one that was edited along with it."""
    file = tmp_path / "c.json"
    file.write_bytes(written)
    changed(file, "run", "digest")
    with pytest.raises(ReadError, match="it has no digest, so that a change would not show"):
        Checkpoint.open(file, session)
    assert renyi.read_result(file).steps
