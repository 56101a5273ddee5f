"""Links to folders and to pages outside `docs`, which a code host can show and the site has not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[([^\]]+)\]\(([\w./-]+(?:/|\.md))\)")


def within_the_site(text: str, folder: Path) -> str:
    """Point links to a folder at the page of its name; take out those that lead out of the site.

    Those that lead to nothing stay, to be complained of when the page is parsed.
    """

    def other(link: re.Match[str]) -> str:
        words, target = link.groups()
        place = (folder / target).resolve()
        if place.is_dir() and place.with_suffix(".md").is_file():
            return f"[{words}]({target.rstrip('/')}.md)"
        return words if place.is_dir() or not place.is_relative_to(DOCS) else link[0]

    return LINK.sub(other, text)


def on_source_read(app: Any, name: str, source: list[str]) -> None:
    """Do so in a page that has been read."""
    source[0] = within_the_site(source[0], Path(app.env.doc2path(name)).parent)


def setup(app: Any) -> dict[str, bool]:
    """Look through each page before it is parsed."""
    app.connect("source-read", on_source_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
