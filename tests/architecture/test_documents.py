"""What the documents say can be followed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("data/*.md")])
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*"))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


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
