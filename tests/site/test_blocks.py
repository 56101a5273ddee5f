"""Code blocks of a page run in sessions, and what they print is held to what the page says."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document

running: Any = importlib.import_module("running")


@pytest.fixture
def sessions() -> Iterator[Any]:
    with running.sessions(None) as started:
        yield started


def page(*parts: tuple[str, str]) -> Any:
    """Make a parsed page of comments (`html`) and blocks (by language)."""
    document = new_document("page.md", get_default_settings())
    section = nodes.section("", nodes.title("", "Page"))
    document += section
    for kind, text in parts:
        made: Any = nodes.raw("", text, format="html")
        if kind != "html":
            made = nodes.literal_block(text, text, language=kind)
        section += made
    return document


def run(caplog: pytest.LogCaptureFixture, *parts: tuple[str, str]) -> tuple[str, list[str]]:
    """Run a page; return its text and what it warned of."""
    document = page(*parts)
    running.run_page(document, "page", None)
    return document.astext(), [record.getMessage() for record in caplog.records]


def test_blocks_of_a_language_share_a_session_and_all_a_folder(sessions: Any) -> None:
    assert sessions.run("python", "x = 6 * 7\nopen('x.txt', 'w').write(str(x))") == ("2", True)
    assert sessions.run("python", "x + 1") == ("43", True)
    assert sessions.run("sh", "cat x.txt; echo; echo no newline at the end >&2") == (
        "42\nno newline at the end",
        True,
    )


def test_a_block_that_fails_says_so_and_the_session_goes_on(sessions: Any) -> None:
    printed, went_well = sessions.run("python", "print('first')\n1 / 0\nprint('never')")
    assert not went_well
    assert printed == "first\nZeroDivisionError: division by zero"
    assert sessions.run("python", "'still here'") == ("'still here'", True)
    printed, went_well = sessions.run("sh", "echo first\nfalse\necho never")
    assert (printed, went_well) == ("first", False)
    assert sessions.run("sh", "echo again") == ("again", True)
    assert not sessions.run("sh", "false | true")[1]
    assert sessions.run("sh", "exit 3") == ("", False)


def test_a_command_cannot_eat_the_blocks_that_follow(sessions: Any) -> None:
    assert sessions.run("sh", "cat") == ("", True)
    assert sessions.run("sh", "echo after") == ("after", True)


def test_the_checkout_is_what_runs(sessions: Any) -> None:
    printed, _ = sessions.run("python", "import renyi\nrenyi.__file__")
    assert Path(printed.strip("'")) == running.ROOT / "core" / "renyi" / "__init__.py"


def test_what_a_block_prints_stands_below_it(caplog: pytest.LogCaptureFixture) -> None:
    text, warnings = run(caplog, ("sh", "echo $((6 * 7))"), ("text", "echo not run"))
    assert not warnings
    assert "echo $((6 * 7))\n\n42" in text


@pytest.mark.parametrize(
    ("comments", "block", "warned"),
    [
        ([], "false", "a block failed"),
        (["<!-- fails -->"], "true", "went well but is marked"),
        (["<!-- prints: two | three -->"], "echo one two", "should print ['three']"),
        (["<!-- not run: -->"], "true", "says nothing of the block"),
        (["<!-- skip -->"], "true", "says nothing of the block"),
    ],
)
def test_a_page_that_says_otherwise_is_warned_of(
    comments: list[str], block: str, warned: str, caplog: pytest.LogCaptureFixture
) -> None:
    _, warnings = run(caplog, *[("html", said) for said in comments], ("sh", block))
    assert len(warnings) == 1
    assert warned in warnings[0]


def test_comments_are_obeyed_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    text, warnings = run(
        caplog,
        *(
            ("html", "<!-- fails -->"),
            ("html", "<!-- prints: a b -->"),
            ("sh", "echo a; echo b; false"),
        ),
        *(("html", "<!-- not run: it needs a mainframe -->"), ("sh", "echo c$((1 + 1))")),
        *(("html", "<!-- silent -->"), ("sh", "echo d$((1 + 1))")),
    )
    assert not warnings
    assert "a\nb" in text
    assert "c2" not in text
    assert "d2" not in text
    assert "<!--" not in text


def test_a_page_shows_no_place_of_this_machine_and_no_endless_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text, warnings = run(caplog, ("sh", "echo Wrote $PWD/result.json"), ("python", "'w ' * 100"))
    assert not warnings
    assert "Wrote result.json" in text
    assert max(map(len, text.splitlines())) < 100


def test_without_r_a_page_says_that_its_blocks_did_not_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text, warnings = run(caplog, ("r", "1 + 1"))
    assert not warnings
    assert "R was not at hand" in text
    assert "[1] 2" not in text
