"""Tables by address: what a server of this machine gives is read as a file of that name."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import polars as pl
import pytest

from renyi.errors import MemoryBudgetError, ReadError
from renyi.io import load

FRAME = pl.DataFrame({"x": [0.5 * k for k in range(40)], "y": [*"pq"] * 20})
SEEN: list[tuple[str, str]] = []


class Answers(BaseHTTPRequestHandler):
    """Gives a table in the form that is asked for, or what else a server may do."""

    def do_GET(self) -> None:
        SEEN.append((self.path, str(self.headers.get("Authorization"))))
        text = FRAME.write_csv().encode()
        match self.path.partition("?")[0]:
            case "/a.csv":
                self._give(text)
            case "/a.csv.gz":
                self._give(gzip.compress(text))
            case "/moved.csv":
                self.send_response(302)
                self.send_header("Location", "file:///etc/hostname")
                self.end_headers()
            case "/cut.csv":
                self._give(text, length=len(text) + 10)
            case "/endless.csv":
                self._give(b"x,y\n" + b"1,2\n" * 30_000_000)
            case _:
                self.send_error(404)

    def _give(self, content: bytes, length: int | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(length or len(content)))
        self.end_headers()
        try:
            self.wfile.write(content)
        except OSError:  # whoever asked has seen enough
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        yield f"127.0.0.1:{serving.server_address[1]}"
        serving.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.mark.parametrize("path", ["a.csv", "a.csv.gz", "a.csv?signature=secret#part"])
def test_a_table_at_an_address(server: str, path: str) -> None:
    report = load(f"http://{server}/{path}").report
    assert report.fingerprint == load(FRAME).report.fingerprint
    assert report.source == f"http://{server}/{path.partition('?')[0]}"
    assert SEEN[-1][1] == "None"  # no credentials were sent
    assert ("signature=secret" in SEEN[-1][0]) == ("?" in path)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("none.csv", "Not Found"),
        ("moved.csv", "cannot be fetched"),
        ("cut.csv", "cannot be fetched"),
    ],
)
def test_an_address_that_gives_nothing(server: str, path: str, words: str) -> None:
    with pytest.raises(ReadError, match=words) as caught:
        load(f"http://{server}/{path}?signature=secret")
    assert "secret" not in str(caught.value)


def test_what_is_too_long_is_left(server: str) -> None:
    with pytest.raises(MemoryBudgetError, match="read whole"):
        load(f"http://{server}/endless.csv", max_memory="70MB")


def test_names_and_passwords_are_refused(server: str) -> None:
    asked = len(SEEN)
    with pytest.raises(ReadError, match="no name or password") as caught:
        load(f"http://user:secret@{server}/a.csv")
    assert "secret" not in str(caught.value)
    assert len(SEEN) == asked


def test_nobody_is_there() -> None:
    with pytest.raises(ReadError, match="cannot be fetched"):
        load("http://127.0.0.1:1/a.csv")
