"""The wheel and the source archive: the same bytes every time, and all that an install needs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = "renyi/datasets/bundled/waveform.parquet"
MOST_BYTES = 900_000
"""Of the wheel without its table; decision 60 says what it is made of."""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packaging")]


class Archives(NamedTuple):
    """What one build made."""

    wheel: Path
    source: Path | None


class Installed(NamedTuple):
    """An environment with the wheel in it, away from the checkout."""

    folder: Path
    python: Path

    def run(self, *words: object, status: int = 0) -> str:
        """Run a program of the environment on words; return what it writes to stdout."""
        kept = {"PATH", "SYSTEMROOT", "TEMP", "TMP", "HOME", "USERPROFILE", "LANG"}
        done = subprocess.run(
            [*map(str, words)],
            cwd=self.folder,
            env={name: value for name, value in os.environ.items() if name in kept},
            capture_output=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stdout


def build(tree: Path, folder: Path, *targets: str, epoch: str = "1764460800") -> Archives:
    """Build in a tree, into a folder, with the build backend that is installed."""
    words = [word for target in targets for word in ("-t", target)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *words],
        cwd=tree,
        env=os.environ | {"SOURCE_DATE_EPOCH": epoch, "PYTHONPATH": ""},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (wheel,) = folder.glob("*.whl")
    return Archives(wheel, next(folder.glob("*.tar.gz"), None))


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    return build(ROOT, tmp_path_factory.mktemp("built"), "wheel", "sdist")


@pytest.fixture(scope="module")
def unpacked(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    assert archives.source is not None
    with tarfile.open(archives.source) as archive:
        archive.extractall(folder, filter="data")
    (tree,) = folder.iterdir()
    return tree


@pytest.fixture(scope="module")
def installed(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment of its own; the libraries it needs are those of the tests.

    They are named in a `.pth` file, which comes after the environment's own folder and whose
    folders are not searched for further such files: an editable install there is not seen.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder / "venv", with_pip=True)
    scripts = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = next(path for path in scripts.iterdir() if re.fullmatch(r"python(\.exe)?", path.name))
    found = Installed(folder, python)
    found.run(python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", archives.wheel)
    own = found.run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    theirs = [path for path in sys.path if Path(path).name in {"site-packages", "dist-packages"}]
    (Path(own) / "libraries.pth").write_text("\n".join(theirs) + "\n", encoding="utf-8")
    return found


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        return message_from_string(archive.read(name).decode())


def test_two_builds_are_equal_to_the_last_byte(archives: Archives, tmp_path: Path) -> None:
    again = build(ROOT, tmp_path, "wheel", "sdist")
    assert archives.wheel.read_bytes() == again.wheel.read_bytes()
    assert archives.source is not None
    assert again.source is not None
    assert archives.source.read_bytes() == again.source.read_bytes()


def test_the_source_archive_makes_the_same_wheel(
    archives: Archives, unpacked: Path, tmp_path: Path
) -> None:
    again = build(unpacked, tmp_path, "wheel")
    assert archives.wheel.read_bytes() == again.wheel.read_bytes()


def test_the_date_is_what_the_build_is_told(archives: Archives, tmp_path: Path) -> None:
    with zipfile.ZipFile(archives.wheel) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(2025, 11, 30, 0, 0, 0)}
    later = build(ROOT, tmp_path, "wheel", epoch="1764547200")
    assert later.wheel.read_bytes() != archives.wheel.read_bytes()


def test_the_source_archive_is_the_whole_project(unpacked: Path) -> None:
    """A packager runs the tests from it; what git knows is in it, what it ignores is not."""
    there = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    assert {"tasks.py", "CITATION.cff", "bindings_r/DESCRIPTION", ".ci/run"} <= there
    assert not [name for name in there if "__pycache__" in name or name.startswith(".venv")]
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
        )
        tracked = {name for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file()}
        assert tracked <= there


def test_the_wheel_is_small(archives: Archives) -> None:
    with zipfile.ZipFile(archives.wheel) as archive:
        table = archive.getinfo(TABLE).compress_size
    assert archives.wheel.stat().st_size - table <= MOST_BYTES


def test_the_wheel_holds_the_four_packages_and_nothing_else(archives: Archives) -> None:
    with zipfile.ZipFile(archives.wheel) as archive:
        names = archive.namelist()
    tops = {name.partition("/")[0] for name in names}
    packages = {"renyi", "renyi_cli", "renyi_paper", "renyi_sklearn"}
    assert {top for top in tops if not top.endswith(".dist-info")} == packages
    assert {f"{package}/py.typed" for package in packages} <= set(names)
    assert [name for name in names if name.startswith("renyi/schemas/") and name.endswith(".json")]
    sources = {
        str(path.relative_to(home)).replace(os.sep, "/")
        for home in (ROOT / "core", ROOT / "cli")
        for path in home.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and ".egg-info" not in str(path)
    }
    assert sources <= set(names)


def test_the_metadata_can_be_shown(archives: Archives) -> None:
    told = metadata(archives.wheel)
    assert told["Name"] == "renyi"
    assert told["License-Expression"] == "MIT"
    assert told["Description-Content-Type"] == "text/markdown"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert str(told.get_payload()).strip() == readme.strip()
    classifiers = told.get_all("Classifier") or []
    trove = pytest.importorskip("trove_classifiers").classifiers
    assert not set(classifiers) - trove
    assert not [
        text for text in classifiers if text.startswith("License ::")
    ]  # said by an expression


def test_every_version_of_python_that_is_tested_is_named(archives: Archives) -> None:
    named = {
        text.rpartition(" ")[2]
        for text in metadata(archives.wheel).get_all("Classifier") or []
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", text)
    }
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^ +python: \[(.*)\]$", workflow, re.MULTILINE)
    assert named == set(re.findall(r"3\.\d+", listed))


def test_an_empty_environment_has_all_it_needs(installed: Installed) -> None:
    where = installed.run(installed.python, "-c", "import renyi; print(renyi.__file__)")
    assert str(installed.folder) in where
    program = installed.python.with_name("renyi" + installed.python.suffix)
    version = installed.run(program, "--version")
    assert installed.run(installed.python, "-m", "renyi", "--version") == version
    assert installed.run(installed.python, "-m", "renyi_cli", "--version") == version
    said = installed.run(
        program, "select", "waveform", "--rows", 500, "--alpha", 2, "-q", "-o", "result.json"
    )
    result = json.loads((installed.folder / "result.json").read_text(encoding="utf-8"))
    assert result["selected"][0] in said
    assert len(result["selected"]) > 3
    installed.run(program, "apply", "result.json", "waveform", "-q", "-o", "reduced.csv")
    reduced = pl.read_csv(installed.folder / "reduced.csv").columns
    assert reduced == [*result["selected"], result["data"]["target"]]
    assert "waveform" in installed.run(program, "datasets", "list")


def test_what_r_and_programs_ask_for_is_there(installed: Installed) -> None:
    """The bridge that R talks to, the schema, the marker of types, the pages of the paper."""
    code = """
        import importlib.resources as resources
        import json
        import renyi, renyi_paper
        from renyi import bridge
        schema = resources.files("renyi.schemas") / "selection-path.schema.json"
        assert "properties" in json.loads(schema.read_text(encoding="utf-8"))
        assert (resources.files("renyi") / "py.typed").is_file()
        assert bridge.versions()
        print(sorted(name for name in dir(renyi_paper) if name[0] != "_")[:1])
    """
    installed.run(installed.python, "-c", "\n".join(line[8:] for line in code.splitlines()))
