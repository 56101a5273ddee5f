"""Whether a run ended as it must: with an answer or with one sentence, and never a wrong answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fuzz import truth
from fuzz.children import Ended, forked, run_program
from fuzz.inputs import SELECT, Input

FAULTS = ("crash", "traceback", "hang", "bug", "words", "wrong")
ENDS = ("answer", "sentence", "use", *FAULTS)
"""Exit code 0; 1; 2; and what must never be."""

ENDINGS = {0: "answer", 1: "sentence", 2: "use"}
STRANGE = re.compile(r"Traceback \(most|panicked at|terminate called|Fatal Python|Segmentation")
BUG = "This is a bug in renyi"


@dataclass(frozen=True)
class Judged:
    """How one input ended.

    Attributes
    ----------
    end
        One of `ENDS`.
    why
        More about a fault.
    compared
        With what the answer was compared, empty for nothing.
    """

    end: str
    why: str = ""
    compared: str = ""


def judge(given: Input, folder: Path) -> tuple[Judged, Ended]:
    """Run the program on an input and judge how it ended."""
    ended = forked(lambda: run_program(given.words), folder)
    found = _by_its_end(ended)
    if found.end == "answer" and given.data is not None and tuple(given.words[:3]) == SELECT:
        found = _by_its_answer(given, ended, folder)
    return found, ended


def _by_its_end(ended: Ended) -> Judged:
    errors = [line for line in ended.err.splitlines() if line.startswith("Error:")]
    faults = (
        ("crash", ended.signal is not None, f"signal {ended.signal}"),
        ("hang", ended.code is None, f"{ended.seconds:.0f} s"),
        ("bug", BUG in ended.err, "".join(line for line in errors if BUG in line)),
        ("traceback", STRANGE.search(ended.err), "".join(ended.err.strip().splitlines()[-1:])),
        ("words", ended.code not in ENDINGS, f"exit code {ended.code}"),
        ("words", ended.code == 0 and errors, "an error with an answer"),
        ("words", ended.code and len(errors) != 1, f"{len(errors)} sentences"),
        ("words", ended.code and ended.out, f"an answer with exit code {ended.code}"),
    )
    for end, holds, why in faults:
        if holds:
            return Judged(end, why)
    return Judged(ENDINGS[ended.code or 0])


def _by_its_answer(given: Input, ended: Ended, folder: Path) -> Judged:
    """Compare with the answer to the table as another program reads it."""
    assert given.data is not None
    source = folder / given.data
    text = source.suffix in {".csv", ".tsv", ".gz", ".ndjson", ".jsonl"}
    again = truth.again_name(given.data)
    if given.kind == "damaged" or text:
        other = forked(lambda: truth.write_again(source, folder / again), folder)
        if other.code != 0:
            refused = "other reader refuses"
            return Judged("wrong", refused) if text else Judged("answer", refused)
        words = [again if word == given.data else word for word in given.words]
        return _compared(ended, lambda: run_program(words), folder, "another reader")
    missing = given.words[given.words.index("--missing") + 1] if "--missing" in given.words else ""
    if given.words[3:] != [given.data, *(["--missing", missing] if missing else [])]:
        return Judged("answer")
    work = lambda: truth.answer_in_memory(source, missing or "error")  # noqa: E731
    return _compared(ended, work, folder, "the table in memory")


def _compared(ended: Ended, work: Callable[[], object], folder: Path, to: str) -> Judged:
    other = forked(work, folder)
    if other.code != 0:
        return Judged("wrong", f"{to}: {other.err.strip()[:200] or 'refused'}")
    apart = truth.difference(ended.out.decode(), other.out.decode())
    return Judged("wrong", f"{to}: {apart}") if apart else Judged("answer", compared=to)
