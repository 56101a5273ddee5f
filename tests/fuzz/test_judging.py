"""The harness sees what it is there to see."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

import renyi
from fuzz import truth
from fuzz.children import forked
from fuzz.judging import Judged, _by_its_end

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

SENTENCE = "Error: `x` is not there."


def ended(work, folder: Path, limit: float = 300.0) -> Judged:
    return _by_its_end(forked(work, folder, limit=limit))


def leave(code: int, err: str = "", out: str = "") -> None:
    os.write(2, err.encode())
    os.write(1, out.encode())
    raise SystemExit(code)


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
@pytest.mark.parametrize(
    ("work", "end"),
    [
        (lambda: leave(0, out="a"), "answer"),
        (lambda: leave(1, f"{SENTENCE}\nHint: Look.\n"), "sentence"),
        (lambda: leave(2, SENTENCE), "use"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "crash"),
        (lambda: {}["none"], "traceback"),
        (lambda: leave(1, "thread 'x' panicked at src/lib.rs\n"), "traceback"),
        (lambda: leave(1, "Error: This is a bug in renyi: an unexpected KeyError."), "bug"),
        (lambda: leave(1), "words"),
        (lambda: leave(1, f"{SENTENCE}\n{SENTENCE}\n"), "words"),
        (lambda: leave(1, SENTENCE, "half"), "words"),
        (lambda: leave(0, SENTENCE, "an answer"), "words"),
        (lambda: leave(3, SENTENCE), "words"),
    ],
)
def test_every_end_is_known(work, end: str, tmp_path: Path) -> None:
    assert ended(work, tmp_path).end == end


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_child_that_does_not_end_is_killed(tmp_path: Path) -> None:
    assert ended(signal.pause, tmp_path, 0.3).end == "hang"
    assert list(tmp_path.iterdir()) == []


def test_another_answer_is_seen() -> None:
    table = {"a": [0.0, 0.1, 1.0, 1.1] * 10, "y": ["n", "n", "p", "p"] * 10}
    whole = renyi.select(table, target="y").to_json()
    assert truth.difference(whole, whole) == ""
    changed = json.loads(whole)
    changed["steps"][0]["mi"] += 1e-15
    assert truth.difference(whole, json.dumps(changed)) == "steps"
    other = renyi.select({**table, "a": [0.0, 0.1, 1.0, 1.2] * 10}, target="y").to_json()
    assert truth.difference(whole, other)


@pytest.mark.parametrize(
    ("name", "raw", "again"),
    [
        ("t.csv", b'a,y\r\n"1\n",x\r\n\r\n2,"z"\n', b'a,y\n"1\n",x\n2,z\n'),
        ("t.csv", b"a,y\n1\n", None),
        ("t.csv", b"a,y\n\xff,1\n", None),
        ("t.tsv", b"a\ty\n1\t2\n", b"a\ty\n1\t2\n"),
        ("t.ndjson", b'{"a":1.50}\n\n{"a":null}\n', b'{"a": 1.5}\n{"a": null}\n'),
        ("t.ndjson", b'{"a":1,"a":2}\n', None),
        ("t.ndjson", b'{"a":NaN}\n', b'{"a": null}\n'),
    ],
)
def test_text_is_read_by_another_program(
    name: str, raw: bytes, again: bytes, tmp_path: Path
) -> None:
    source, to = tmp_path / name, tmp_path / truth.again_name(name)
    source.write_bytes(raw)
    if again is None:
        with pytest.raises(SystemExit):
            truth.write_again(source, to)
        return
    truth.write_again(source, to)
    assert to.read_bytes() == again
