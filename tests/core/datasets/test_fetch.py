"""Downloads from a server of our own: what matches is kept, nothing else."""

from __future__ import annotations

import io
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import polars as pl
import pytest

# a cache of its own
import renyi.datasets._fetch as fetching
from renyi.datasets import fetch, find_record

# files that are not fetched in a test
from renyi.datasets._raw import RAW

# records of sets that are not at hand
from renyi.datasets._registry import REGISTRY
from renyi.errors import IntegrityError, MissingExtraError, OutputError, ReadError, UsageError
from renyi.io import content_hash, read_frame

pooch = pytest.importorskip("pooch", reason="the extra `fetch` is not installed")


class Server:
    """Some contents by path on 127.0.0.1."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.asked: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                content = outer.contents.get(self.path.lstrip("/"))
                self.send_response(404 if content is None else 200)
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


# --- small sets in the public form of real ones -------------------------------------------------


def fields(frame: pl.DataFrame, order: list[str] | None = None) -> list[list[str]]:
    picked = frame if order is None else frame.select(order)
    return [["?" if v is None else str(v) for v in row] for row in picked.rows()]


def lines(rows: list[list[str]], separator: str = ",", end: str = "\n") -> bytes:
    return "".join(separator.join(row) + end for row in rows).encode()


def public_form(name: str, frame: pl.DataFrame) -> list[bytes]:  # noqa: PLR0911 - one a set
    """Write a table in the form of the set's public files, in their order."""
    *names, target = frame.columns
    front = [target, *names]
    match name:
        case "adult":
            half = frame.height // 2
            last = [[*row[:-1], row[-1] + "."] for row in fields(frame[half:])]
            first = lines(fields(frame[:half]), ", ") + b"\n"
            return [first, b"|1x3 Cross validator\n" + lines(last, ", ") + b"\n"]
        case "bike_hour":
            rows = [[str(k), *row] for k, row in enumerate(fields(frame), start=1)]
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as archive:
                archive.writestr("Readme.txt", "read me")
                archive.writestr("hour.csv", lines([["instant", *frame.columns], *rows]))
            return [buffer.getvalue()]
        case "breast":
            return [lines([[str(9000 + k), *row] for k, row in enumerate(fields(frame, front))])]
        case "heart":
            codes = {"absent": "1", "present": "2"}
            rows = [
                [*(f"{float(v):.1f}" for v in row[:-1]), codes[row[-1]]] for row in fields(frame)
            ]
            return [lines(rows, " ")]
        case "ionosphere" | "sonar" | "digits":
            return [lines(fields(frame))]
        case "madelon":
            cut = 2000 if frame.height == 2600 else frame.height // 2
            parts = (frame[:cut], frame[cut:])
            pairs = [
                (lines(fields(part, names), " ", " \n"), lines(fields(part, [target])))
                for part in parts
            ]
            return [content for pair in pairs for content in pair]
        case "mushroom":
            return [lines(fields(frame, front))]
        case "parkinsons":
            order = [*names[:16], target, *names[16:]]
            rows = [[f"phon_{k}", *row] for k, row in enumerate(fields(frame, order))]
            return [lines([["name", *order], *rows], end="\r\n")]
        case "semeion":
            rows = [
                [*(f"{float(v):.4f}" for v in row[:-1])]
                + ["1" if int(row[-1]) == k else "0" for k in range(10)]
                for row in fields(frame)
            ]
            return [lines(rows, " ", " \n")]
        case "spect":
            cut = min(80, frame.height // 2)
            return [lines(fields(part, front), end="\r\n") for part in (frame[:cut], frame[cut:])]
    raise AssertionError(name)


def serve(server: Server, name: str, frame: pl.DataFrame) -> str:
    contents = public_form(name, frame)
    server.contents |= dict(zip(RAW[name].files, contents, strict=True))
    return server.url


SONAR = pl.DataFrame(
    {
        **{f"x{k}": [0.01 * k, 0.02 * k, 0.5, 0.25] for k in range(1, 61)},
        "y": ["R", "R", "M", "M"],
    }
)


@pytest.fixture
def small_sonar(monkeypatch: pytest.MonkeyPatch) -> pl.DataFrame:
    """A registry in which `sonar` is a table of four rows."""
    record = replace(find_record("sonar"), content=content_hash(SONAR))
    monkeypatch.setitem(REGISTRY, "sonar", record)  # type: ignore[arg-type]
    return SONAR


def test_public_files_by_their_folder(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame, capfd: pytest.CaptureFixture[str]
) -> None:
    place = fetch("sonar", url=serve(server, "sonar", small_sonar), cache=tmp_path / "deep" / "c")
    assert place == tmp_path / "deep" / "c" / "sonar.parquet"
    assert read_frame(place).equals(small_sonar)
    assert capfd.readouterr() == ("", "")


def test_the_registry_knows_the_address(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = serve(server, "sonar", small_sonar)
    monkeypatch.setitem(RAW, "sonar", replace(RAW["sonar"], base=base))  # type: ignore[arg-type]
    assert fetch("sonar", cache=tmp_path).is_file()


def test_what_is_in_the_cache_is_not_fetched_again(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame
) -> None:
    url = serve(server, "sonar", small_sonar)
    fetch("sonar", url=url, cache=tmp_path)
    asked = len(server.asked)
    fetch("sonar", url=url, cache=tmp_path)
    assert len(server.asked) == asked
    (tmp_path / "sonar.parquet").write_text("damaged")
    fetch("sonar", url=url, cache=tmp_path)
    assert len(server.asked) > asked
    assert read_frame(tmp_path / "sonar.parquet").equals(small_sonar)


@pytest.mark.parametrize("form", ["parquet", "csv", "ndjson"])
def test_a_table_in_any_format(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame, form: str
) -> None:
    buffer = io.BytesIO()
    getattr(small_sonar, f"write_{form}")(buffer)
    server.contents[f"some/table.{form}"] = buffer.getvalue()
    place = fetch("sonar", url=f"{server.url}some/table.{form}", cache=tmp_path)
    assert content_hash(read_frame(place)) == find_record("sonar").content


def test_one_public_file_by_its_own_address(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame
) -> None:
    server.contents["copy.all-data"] = public_form("sonar", small_sonar)[0]
    assert fetch("sonar", url=f"{server.url}copy.all-data", cache=tmp_path).is_file()


def test_other_content_is_refused_and_nothing_kept(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame
) -> None:
    other = small_sonar.with_columns(x7=pl.col("x7") + 1e-9)
    cache = tmp_path / "cache"
    with pytest.raises(IntegrityError) as caught:
        fetch("sonar", url=serve(server, "sonar", other), cache=cache)
    assert content_hash(small_sonar) in caught.value.message
    assert not cache.exists() or list(cache.iterdir()) == []


def test_a_good_file_survives_a_failed_fetch(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sonar.parquet").write_text("mine")
    other = small_sonar.reverse()
    with pytest.raises(IntegrityError):
        fetch("sonar", url=serve(server, "sonar", other), cache=tmp_path)
    assert (tmp_path / "sonar.parquet").read_text() == "mine"
    assert [file.name for file in tmp_path.iterdir()] == ["sonar.parquet"]


def test_downloads_that_fail(server: Server, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="cannot be downloaded: 404"):
        fetch("sonar", url=server.url, cache=tmp_path)
    with pytest.raises(ReadError, match="cannot be downloaded"):
        fetch("sonar", url="http://127.0.0.1:9/", cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_content_in_another_form(server: Server, tmp_path: Path) -> None:
    for content, words in (
        (b"<html>moved</html>", "lines of 61 fields"),
        (b"", "lines of 61 fields"),
        (b"\xff\xfe", "not text"),
    ):
        server.contents["sonar.all-data"] = content
        with pytest.raises(ReadError, match=words):
            fetch("sonar", url=server.url, cache=tmp_path)
    server.contents["a.parquet"] = b"<html>moved</html>"
    with pytest.raises(ReadError, match="holds text"):
        fetch("sonar", url=f"{server.url}a.parquet", cache=tmp_path)


@pytest.mark.parametrize(
    ("name", "contents", "words"),
    [
        ("bike_hour", [b"no zip"], "not a zip archive"),
        ("parkinsons", [b"name,a\nr,1\n"], "no column `status`"),
        ("semeion", [b"0 " * 266], "ten indicators"),
        ("madelon", [b"1 2\n", b"1\n-1\n", b"", b""], "differ in length"),
    ],
)
def test_other_forms_have_their_own_checks(name: str, contents: list[bytes], words: str) -> None:
    with pytest.raises(ReadError, match=words):
        RAW[name].parse(contents)


def test_an_archive_without_the_table(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("hour.csv", "instant,a\n1,2\n")
    with pytest.raises(ReadError, match="no column `dteday`"):
        RAW["bike_hour"].parse([buffer.getvalue()])


@pytest.mark.parametrize(
    "name", [name for name, record in REGISTRY.items() if not record.fetchable]
)
def test_sets_without_a_public_form_say_what_to_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        fetch(name, cache=tmp_path)
    assert f"put {name}.parquet into the folder that RENYI_DATA_HOME names" in caught.value.hint
    assert find_record(name).source in caught.value.hint


def test_addresses_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="http or https"):
        fetch("sonar", url=tmp_path.as_uri(), cache=tmp_path)
    with pytest.raises(UsageError, match="must name a table"):
        fetch("lung", url="http://127.0.0.1:9/lung.mat", cache=tmp_path)
    with pytest.raises(UsageError, match="must name a table"):
        fetch("spect", url="http://127.0.0.1:9/SPECT.train", cache=tmp_path)
    with pytest.raises(UsageError, match="Did you mean sonar"):
        fetch("sonnar", cache=tmp_path)


def test_a_cache_that_cannot_be_made(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be made"):
        fetch("sonar", url=serve(server, "sonar", small_sonar), cache=tmp_path / "file" / "cache")


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MissingExtraError) as caught:
        fetch("sonar", cache=tmp_path)
    assert "pip install 'renyi[fetch]'" in str(caught.value)


def test_the_default_cache(
    server: Server, tmp_path: Path, small_sonar: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "cache_folder", lambda: tmp_path / "cache")
    url = serve(server, "sonar", small_sonar)
    assert fetch("sonar", url=url) == tmp_path / "cache" / "sonar.parquet"


@pytest.mark.slow
@pytest.mark.parametrize("name", list(RAW))
def test_public_forms_become_the_sets(
    name: str, data_set: Callable[[str], Path], server: Server, tmp_path: Path
) -> None:
    """Written in the form of its public files and fetched, a set is itself, types included."""
    frame = pl.read_parquet(data_set(name))
    place = fetch(name, url=serve(server, name, frame), cache=tmp_path)
    back = pl.read_parquet(place)
    assert content_hash(back) == find_record(name).content
    assert [dtype.is_integer() for dtype in back.dtypes] == [
        dtype.is_integer() for dtype in frame.dtypes
    ]
    assert back.columns == frame.columns


def test_all_public_forms_are_tested() -> None:
    assert set(RAW) == {name for name, record in REGISTRY.items() if record.fetchable}
