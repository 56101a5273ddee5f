"""The whole site, built from clean: no warning, nothing fetched, every link leads somewhere."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")
pytest.importorskip("sklearn", reason="scikit-learn is not installed")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("site"),  # one worker builds it once
]

ROOT = Path(__file__).resolve().parents[2]
LOADED = re.compile(
    r"<(?:script|link|img|iframe|source|object)\b[^>]*?\b(?:src|href|data)=\"([^\"]*)\""
)
SHEET = re.compile(r"url\(([^)]*)\)|@import")
HREF = re.compile(r"<a\b[^>]*?\bhref=\"([^\"]*)\"")
ID = re.compile(r"\bid=\"([^\"]*)\"")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build it as `python tasks.py docs` does, in a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    command = ["--fail-on-warning", "--keep-going", "--quiet", "--jobs", "2", "-c", "docs/site"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *command, "-d", folder / "trees", "docs", folder / "html"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}


def test_every_page_is_there(site: Path, pages: dict[Path, str]) -> None:
    sources = {path.relative_to(ROOT / "docs") for path in ROOT.glob("docs/**/*.md")}
    assert len(sources) > 80
    assert not [path for path in sources if site / path.with_suffix(".html") not in pages]


def test_nothing_is_asked_of_another_site(site: Path, pages: dict[Path, str]) -> None:
    asked = {
        address
        for text in pages.values()
        for address in LOADED.findall(text)
        if re.match(r"(?:https?:)?//", address)
    }
    sheets = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    asked |= {
        found
        for text in sheets
        for found in SHEET.findall(text)
        if re.match(r"[\"']?(?:https?:)?//", found)
    }
    assert not asked
    assert len(sheets) > 2
    assert (site / "searchindex.js").stat().st_size > 100_000


def test_links_and_anchors_lead_somewhere(pages: dict[Path, str]) -> None:
    anchors = {path: set(map(html.unescape, ID.findall(text))) for path, text in pages.items()}
    broken = []
    for path, text in pages.items():
        for link in map(html.unescape, HREF.findall(text)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / unquote(name)).resolve() if name else path
            known = anchors.get(target)
            if not target.exists() or (
                anchor and known is not None and unquote(anchor) not in known
            ):
                broken.append(f"{path.name}: {link}")
    assert not broken


def test_formulas_are_drawn_by_the_browser(site: Path, pages: dict[Path, str]) -> None:
    theory = pages[site / "theory.html"]
    assert theory.count("<math") > 100
    assert "MathJax" not in theory
    assert "\\frac" not in re.sub(r"<annotation.*?</annotation>", "", theory, flags=re.DOTALL)


def test_tutorials_show_what_came_out(site: Path, pages: dict[Path, str]) -> None:
    names = [path.stem for path in ROOT.glob("docs/tutorials/*.md")]
    assert len(names) == 7
    for name in names:
        text = pages[site / "tutorials" / f"{name}.html"]
        assert "output" in text
        assert "R was not at hand" in text or re.search(r"Selected|\[1\]|selected", text), name
    assert "Selected 0 of 8" in re.sub(r"<[^>]*>", "", pages[site / "tutorials" / "xor.html"])


def test_reference_pages_are_made_of_the_program(site: Path, pages: dict[Path, str]) -> None:
    api, terminal = pages[site / "api.html"], pages[site / "terminal.html"]
    for name in ("renyi.select", "renyi.SelectionPath", "renyi_sklearn.RenyiSelector.transform"):
        assert f'id="{name}"' in api
    for option in ("--lookahead", "--group-columns", "--runs"):
        assert option in terminal
    assert "<code" in pages[site / "schema.html"]
    assert 'id="selection-path-step"' in pages[site / "schema.html"]
