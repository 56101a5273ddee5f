"""What is known, what is at hand, and in which order places are looked at."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

# folders of other systems
import renyi.datasets._local as local
from renyi.datasets import SetStatus, cache_folder, find_record, list_sets, locate, write_generated

# records of sets that are not at hand
from renyi.datasets._registry import REGISTRY
from renyi.errors import UsageError
from renyi.io import content_hash

PAPER = [
    *("waveform", "breast", "heart", "spect", "ionosphere"),
    *("parkinsons", "semeion", "lung", "lymph", "madelon"),
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty RENYI_DATA_HOME and an empty cache."""
    monkeypatch.setenv("RENYI_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def status(name: str) -> SetStatus:
    return next(item for item in list_sets() if item.name == name)


def test_the_ten_of_the_paper_come_first() -> None:
    assert [record.name for record in REGISTRY.values() if record.paper] == PAPER
    assert list(REGISTRY)[:10] == PAPER


def test_records_are_whole() -> None:
    for name, record in REGISTRY.items():
        assert record.name == name
        assert all([record.title, record.citation, record.source, record.licence, record.target])
        assert record.content.startswith("sha256:")
        assert len(record.content) == len("sha256:") + 64
        assert record.rows > 1
        assert record.features > 1
    assert len({record.content for record in REGISTRY.values()}) == len(REGISTRY)


def test_an_unknown_name() -> None:
    assert locate("hearts") is None
    assert locate("../data/waveform") is None
    with pytest.raises(UsageError, match="Did you mean heart"):
        find_record("hearts")
    with pytest.raises(UsageError, match="Known: waveform"):
        find_record("zzz")


def test_the_bundled_table_is_found_last(home: Path) -> None:
    bundled = locate("waveform")
    assert bundled is not None
    assert bundled.parent.name in {"data", "bundled"}
    assert status("waveform").state == "generated"
    assert status("heart") == SetStatus(find_record("heart"))
    assert status("heart").state == "not at hand"
    cache_folder().mkdir(parents=True)
    write_generated("waveform", cache_folder() / "waveform.parquet", rows=5000)
    assert status("waveform").place == "cache"
    assert status("waveform").state == "content differs"  # not the published draw
    write_generated("waveform", home / "waveform.parquet", rows=10)
    assert locate("waveform") == home / "waveform.parquet"
    assert status("waveform").place == "RENYI_DATA_HOME"


def test_without_a_home_only_cache_and_package_are_looked_at(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_generated("waveform", home / "waveform.parquet", rows=10)
    monkeypatch.delenv("RENYI_DATA_HOME")
    assert locate("waveform") != home / "waveform.parquet"


def test_a_damaged_file_is_not_what_the_record_names(home: Path) -> None:
    (home / "heart.parquet").write_text("not Parquet")
    assert status("heart").state == "content differs"


def test_a_wheel_carries_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    # an installed package without its data
    import renyi.datasets._places as places

    package = tmp_path / "site" / "renyi" / "datasets"
    (package / "bundled").mkdir(parents=True)
    write_generated("waveform", package / "bundled" / "waveform.parquet", rows=10)
    monkeypatch.setattr(places, "__file__", str(package / "_places.py"))
    assert locate("waveform") == package / "bundled" / "waveform.parquet"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/c"}, Path("/c/renyi")),
        ("linux", {}, Path("/h/.cache/renyi")),
        ("darwin", {"XDG_CACHE_HOME": "/c"}, Path("/h/Library/Caches/renyi")),
        ("win32", {"LOCALAPPDATA": "/l"}, Path("/l/renyi/cache")),
        ("win32", {}, Path("/h/AppData/Local/renyi/cache")),
    ],
)
def test_cache_by_platform(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: Path
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/h"))
    assert cache_folder() == expected


def test_public_sets_have_the_content_that_their_records_name(data_home: Path) -> None:
    found = [
        item for item in map(local._status, REGISTRY.values()) if item.place == "RENYI_DATA_HOME"
    ]
    if not found:
        pytest.skip("RENYI_DATA_HOME holds no known set")
    assert {item.name: item.state for item in found} == {item.name: "verified" for item in found}


def test_shape_and_kinds_fit_the_public_sets(data_home: Path) -> None:
    for name, record in REGISTRY.items():
        path = data_home / f"{name}.parquet"
        if not path.is_file():
            continue
        frame = pl.read_parquet(path)
        assert (frame.height, frame.width - 1) == (record.rows, record.features)
        assert frame.columns[-1] == record.target
        assert {column for column, _ in record.kinds} <= set(frame.columns)
        assert content_hash(frame) == record.content
