"""What the documents say can be followed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from renyi import errors
from renyi_cli._app import app

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("data/*.md")])
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*"))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


OF_THE_PROGRAM = {"--help", "--version", "--install-completion", "--show-completion"}


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(path: Path) -> set[str]:
    """The anchors that a renderer gives a document's headings."""
    text = re.sub(
        r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    headings = re.findall(r"^#+\s+(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=label)
def test_links_lead_somewhere(path: Path) -> None:
    broken = []
    for link in LINK.findall(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue  # another site: nothing to check without a network
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


def test_decisions_are_numbered_in_one_row() -> None:
    names = [path.name for path in DECISIONS]
    assert all(re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", name) for name in names)
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


@pytest.mark.parametrize("path", DECISIONS, ids=label)
def test_a_decision_has_its_three_parts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(path.name[:4])}. ")
    at = [text.find(f"**{part}.**") for part in ("Context", "Decision", "Consequences")]
    assert -1 not in at
    assert at == sorted(at)


def commands(path: Path) -> list[list[str]]:
    """Every `renyi ...` of a document's shell blocks, as words, comments left out."""
    text = path.read_text(encoding="utf-8")
    found = []
    for block in re.findall(r"^```(?:sh|bash|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r"\s(?:&&|\||;)\s", line.removeprefix("$ ")):
                words = shlex.split(part, comments=True)
                if words and words[0].rpartition("/")[2] == "renyi":
                    found.append(words[1:])
    return found


FIGURES = sorted((ROOT / "docs" / "figures").glob("*"))


@pytest.mark.parametrize("file", FIGURES, ids=label)
def test_a_figure_is_shown_with_the_command_that_makes_it(file: Path) -> None:
    shown = [
        (path, after)
        for path in ROOT.glob("docs/*.md")
        for after in path.read_text(encoding="utf-8").split(f"](figures/{file.name})")[1:]
    ]
    assert shown, "no page shows it"
    known = offered()
    for path, after in shown:
        made = re.search(r"^The figure is made by `([^`]+)`", after, re.MULTILINE)
        assert made, f"{path.name} does not say how it is made"
        assert made.start() < 600, f"{path.name} says it too far below"
        program, command, *words = shlex.split(made[1])
        if program == "renyi":
            assert {word for word in words if word.startswith("--")} <= known[command]
            named = f"docs/figures/{file.name}" in words
            assert named or command == "reproduce", "it makes another file"
        else:
            assert program == "python"
            assert (ROOT / command).is_file()
            assert words[-1].lstrip("-") == "page"


def offered() -> dict[str, set[str]]:
    """Command of the terminal -> its options."""
    found: dict[str, set[str]] = {}

    def walk(command: Any, name: str) -> None:
        members = getattr(command, "commands", None)
        if members is None:
            found[name] = {option for param in command.params for option in param.opts} | {"-h"}
        else:
            for member in members:
                walk(members[member], f"{name} {member}".strip())

    walk(typer.main.get_command(app), "")
    return found


SHELL = [(path, words) for path in DOCUMENTS for words in commands(path)]


@pytest.mark.parametrize(
    ("path", "words"), SHELL, ids=[f"{label(path)}: {' '.join(words)}" for path, words in SHELL]
)
def test_an_example_names_what_exists(path: Path, words: list[str]) -> None:
    known = offered()
    name = next((" ".join(words[:k]) for k in (2, 1) if " ".join(words[:k]) in known), None)
    assert name is not None, f"{label(path)}: no such command"
    asked = {
        word.partition("=")[0] for word in words if re.fullmatch(r"-\w|--\w[\w-]*(=.*)?", word)
    }
    assert asked <= known[name] | {"--help"}


def test_the_reference_lists_every_option() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(--[\w-]+)", text))
    there = {option for options in offered().values() for option in options if option[:2] == "--"}
    assert told - OF_THE_PROGRAM <= there, "the reference names what is not there"
    assert there <= told, "the reference is silent on an option"


def test_the_reference_lists_every_code() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in ROOT.glob("core/renyi/**/*.py")]
    notes = r"(?:Note\(|_about\(\s*steps,|_leave_out\(name,)\s*\"([a-z_0-9]+)\""
    codes = {code for source in sources for code in re.findall(notes, source)}
    for error in vars(errors).values():
        if isinstance(error, type) and isinstance(getattr(error, "code", None), str):
            codes.add(error.code)
    assert len(codes) > 20, "the search for codes found too few: mend it"
    assert not [code for code in codes - {"error"} if f"`{code}`" not in text]
