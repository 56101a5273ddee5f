"""A browser that is there, and pages to open in it.

Without Playwright or a browser the tests are skipped and say so; under RENYI_REQUIRE_BROWSER=1 they
fail instead. RENYI_BROWSER names the program where it is not on the path.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import renyi
from records import heart_path, repeats

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

NAMES = (
    "<script>window.x=1</script>",
    "</script><script>window.x=2</script>",
    '"><img src=x onerror=window.x=3>',
    "javascript:window.x=4",
    "<svg onload=window.x=5>",
    "left\u202eright",
    "two\nlines",
    "nul\x01",
    "W" * 500,
    "emoji \U0001f469\u200d\U0001f52c \u05e9\u05dc\u05d5\u05dd",
    "a'b\"c&d`e",
)
"""What columns may be called."""


LONGEST = 300_000
"""Milliseconds that the browser may take for anything: on any machine, however busy."""


def absent(reason: str) -> None:
    """Skip, or fail where a browser must be there."""
    if os.environ.get("RENYI_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("Playwright is not installed")
    named = os.environ.get("RENYI_BROWSER")
    program = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        absent(f"no browser is there: none of {', '.join(PROGRAMS)}")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"], timeout=LONGEST
        )
        yield found
        found.close()


@dataclass
class Opened:
    """A page in the browser, with what went on in it."""

    page: Any
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def quiet(self) -> bool:
        """Whether the page did nothing but open its own file."""
        return not self.messages and not self.dialogs and self.requests == [self.page.url]

    def column(self, table: str, number: int) -> list[str]:
        """The visible cells of a column, from 1."""
        cells = self.page.locator(f"{table} tbody tr:not([hidden]) > :nth-child({number})")
        return [str(text).strip() for text in cells.all_inner_texts()]

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()


@pytest.fixture
def show(browser: Any) -> Iterator[Callable[..., Opened]]:
    """Open a file as a reader would, without a network."""
    contexts = []

    def opened(file: Path, width: int = 1280, **options: Any) -> Opened:
        context = browser.new_context(
            offline=True, viewport={"width": width, "height": 900}, **options
        )
        contexts.append(context)
        context.set_default_timeout(LONGEST)
        page = context.new_page()
        found = Opened(page)
        page.on("console", lambda message: found.messages.append(message.text))
        page.on("pageerror", lambda error: found.messages.append(str(error)))
        page.on("request", lambda request: found.requests.append(request.url))
        page.on("dialog", lambda dialog: (found.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(file.as_uri())
        return found

    yield opened
    for context in contexts:
        context.close()


def table_of(names: tuple[str, ...], rows: int = 80) -> dict[str, Any]:
    draw = np.random.default_rng(3)
    table: dict[str, Any] = {name: draw.normal(size=rows) for name in names}
    first = table[names[0]]
    table["level <b>"] = [("low", "middle", "</td>high")[k % 3] for k in range(rows)]
    table["one value"] = np.zeros(rows)
    table["y"] = np.where(first + draw.normal(size=rows) / 4 > 0, "yes <i>", "no")
    return table


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages of a path, of hostile names, of repeats, a comparison, of several, and a long one."""
    folder = tmp_path_factory.mktemp("pages")
    table = table_of(NAMES)
    hostile = renyi.select(table, target="y", max_features=3)
    plain = table_of(tuple(f"x{k}" for k in range(8)))
    path = renyi.select(plain, target="y")
    wide = table_of(tuple(f"gene_{k:04d}" for k in range(700)), rows=40)
    made = {
        "path": renyi.report(path, data=plain),
        "hostile": renyi.report(hostile, data=table),
        "repeats": renyi.report(renyi.SelectionPath.from_json(heart_path(**repeats()).to_json())),
        "comparison": renyi.report(renyi.compare(plain, target="y", runs=5), data=plain),
        "several": renyi.report([path, renyi.select(plain, target="y", purpose="news")]),
        "long": renyi.report(renyi.select(wide, target="y", max_features=2), data=wide),
    }
    return {name: one.save(folder / f"{name}.html") for name, one in made.items()}
