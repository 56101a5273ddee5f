"""Code blocks that run while the site is built, with what they print below them.

On the pages named in `running_pages` every block of `sh`, `python` or `r` runs, in the order of the
page, in one folder that is new for each page. Blocks of one language share a session. A block that
fails is a warning, and so ends the build. A comment above a block may say otherwise:

    <!-- not run: why -->      the block is shown only
    <!-- fails -->             it has to fail: what it prints is the point
    <!-- prints: words -->     what it prints must hold these words (` | ` between several)
    <!-- silent -->            it runs, and what it prints is not shown

Blocks of R run where R is, with the packages named in `NEEDS`; elsewhere the page says that they
did not run.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from docutils import nodes
from sphinx.util import logging

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LOGGER = logging.getLogger(__name__)
COMMENT = re.compile(r"<!-- (not run|fails|prints|silent)(?:: (.*))? -->", re.DOTALL)
LANGUAGES = {"sh": "sh", "bash": "sh", "python": "python", "r": "r"}
NEEDS = ("reticulate", "jsonlite", "recipes")
END = "\x1eend"
COLUMNS = "88"
"""Characters in a line of what is printed: as many as fit on a page."""
NOT_IN_R = "*R was not at hand when this page was built: the blocks of R on it did not run.*"


class BlockError(Exception):
    """A block did not end as it should."""


def interpreter(language: str) -> list[str]:
    """Return the command of a session that reads blocks from its standard input."""
    if language == "sh":
        return ["bash", str(HERE / "sessions" / "session.sh")]
    if language == "python":
        return [sys.executable, str(HERE / "sessions" / "session.py")]
    return ["Rscript", "--vanilla", str(HERE / "sessions" / "session.R")]


def environment(library: str | None) -> dict[str, str]:
    """Return variables under which blocks run this checkout, and print alike everywhere."""
    path = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
    return os.environ | {
        "PATH": os.pathsep.join(path),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "core"), str(ROOT / "cli")]),
        "RENYI_PYTHON": sys.executable,
        "R_LIBS": library or "",
        "COLUMNS": COLUMNS,
        "PYTHONIOENCODING": "utf-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "MPLBACKEND": "Agg",
        "NO_COLOR": "1",
        "RENYI_DATA_HOME": "",
        "OMP_NUM_THREADS": "1",  # pages run beside each other
        "OPENBLAS_NUM_THREADS": "1",
    }


class Sessions:
    """Interpreters of one page, each started at the first block of its language.

    Parameters
    ----------
    folder : Path
        Where they work.
    library : str or None
        The R library that holds the package.
    """

    def __init__(self, folder: Path, library: str | None) -> None:
        self._folder = folder
        self._environment = environment(library)
        self._running: dict[str, subprocess.Popen[str]] = {}

    def run(self, language: str, block: str) -> tuple[str, bool]:
        """Run a block; return what it printed, and whether it went well."""
        process = self._running.get(language) or self._start(language)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{block.rstrip()}\n{END}\n")
        process.stdin.flush()
        printed: list[str] = []
        for line in process.stdout:
            before, mark, status = line.rstrip("\n").partition(END)
            if mark:
                printed.append(before)
                return "\n".join(printed).strip("\n"), status.strip() == "0"
            printed.append(before)
        raise BlockError(f"the session of {language} ended:\n" + "\n".join(printed))

    def close(self) -> None:
        """End them all."""
        for process in self._running.values():
            process.communicate()

    def _start(self, language: str) -> subprocess.Popen[str]:
        self._running[language] = subprocess.Popen(
            interpreter(language),
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        return self._running[language]


@contextmanager
def sessions(library: str | None) -> Iterator[Sessions]:
    """Yield sessions in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="renyi-page-") as folder:
        started = Sessions(Path(folder), library)
        try:
            yield started
        finally:
            started.close()


def marks_above(block: Any) -> dict[str, str]:
    """Return what comments right above a block say of it, and take them out."""
    found: dict[str, str] = {}
    while isinstance(before := block.previous_sibling(), nodes.raw):
        said = COMMENT.fullmatch(before.astext().strip())
        if said is None:
            raise BlockError(f"this says nothing of the block below: {before.astext().strip()}")
        found[said[1]] = (said[2] or "").strip()
        before.parent.remove(before)
    if not found.get("not run", "why"):
        raise BlockError("a block that does not run needs a reason")
    return found


def check(marks: dict[str, str], printed: str, went_well: bool) -> None:
    """Raise BlockError unless a block ended as the page says."""
    if went_well == ("fails" in marks):
        ended = "went well but is marked `fails`" if went_well else "failed"
        raise BlockError(f"a block {ended}:\n{printed}")
    words = [part.strip() for part in marks.get("prints", "").split(" | ")]
    flat = " ".join(printed.split())
    if missing := [part for part in words if part not in flat]:
        raise BlockError(f"a block should print {missing}, but printed:\n{printed}")


def run_page(document: Any, library: str | None) -> None:
    """Run the blocks of a page and put below each what it printed."""
    blocks = [
        node for node in document.findall(nodes.literal_block) if node.get("language") in LANGUAGES
    ]
    began = perf_counter()
    with sessions(library) as started:
        for block in blocks:
            language = LANGUAGES[block["language"]]
            try:
                marks = marks_above(block)
                if "not run" in marks or (language == "r" and library is None):
                    continue
                printed, went_well = started.run(language, block.astext())
                check(marks, printed, went_well)
            except BlockError as error:
                LOGGER.warning("%s", error, location=block)
                continue
            if printed and "silent" not in marks:
                show(block, printed)
    LOGGER.info("blocks of %s ran in %.0f s", document.settings.env.docname, perf_counter() - began)
    if library is None and any(block["language"] == "r" for block in blocks):
        section = next(iter(document.findall(nodes.section)))
        section.insert(1, nodes.paragraph("", "", nodes.emphasis("", NOT_IN_R.strip("*"))))


def show(block: Any, printed: str) -> None:
    """Put what a block printed below it."""
    output = nodes.literal_block(printed, printed, language="text", classes=["printed"])
    output.source, output.line = block.source, block.line
    block.parent.insert(
        block.parent.index(block) + 1, nodes.container("", output, classes=["output"])
    )


def r_library(folder: Path) -> str | None:
    """Install the R package; return its library, or None where R or a package is not at hand."""
    if shutil.which("Rscript") is None:
        return None
    lacks = " || ".join(f"!requireNamespace('{name}', quietly = TRUE)" for name in NEEDS)
    if subprocess.run(
        ["Rscript", "--vanilla", "-e", f"quit(status = {lacks})"], capture_output=True, check=False
    ).returncode:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    install = ["R", "CMD", "INSTALL", "--no-docs", "--no-test-load", f"--library={folder}"]
    with tempfile.TemporaryDirectory() as place:  # compiling leaves the checkout as it is
        copy = shutil.copytree(
            ROOT / "bindings_r", Path(place) / "renyi", ignore=shutil.ignore_patterns("*.o", "*.so")
        )
        done = subprocess.run([*install, str(copy)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BlockError(f"the R package could not be installed:\n{done.stderr}")
    return str(folder)


def install_r(app: Any) -> None:
    """Have the R package at hand before pages are read."""
    app.config.r_library = r_library(Path(app.doctreedir) / "r-library")


def on_doctree_read(app: Any, document: Any) -> None:
    """Run the blocks of a page that has been parsed."""
    if any(fnmatch.fnmatch(app.env.docname, page) for page in app.config.running_pages):
        run_page(document, app.config.r_library)


def setup(app: Any) -> dict[str, bool]:
    """Run blocks once a page is parsed."""
    app.add_config_value("running_pages", [], "env")
    app.add_config_value("r_library", None, "")
    app.connect("builder-inited", install_r)
    app.connect("doctree-read", on_doctree_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
