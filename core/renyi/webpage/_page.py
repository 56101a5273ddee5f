"""The page: what it shows of each result, put into its templates."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from renyi._version import __version__
from renyi.webpage._beside import beside
from renyi.webpage._how import Drawn
from renyi.webpage._part import Answer, part_of
from renyi.webpage.drawing._svg import shown, with_names

__all__ = ["page"]

TEMPLATES: Final = "templates"


def page(answers: Sequence[Answer], drawn: Sequence[Drawn], names: Sequence[str]) -> str:
    """Return a page of results, as HTML that needs nothing else.

    Parameters
    ----------
    answers
        One or several.
    drawn
        For each its pictures, or why there are none.
    names
        What each is called beside the others.

    Returns
    -------
    str
        Equal for equal results.
    """
    several = len(answers) > 1
    parts = [
        part_of(answer, pictures, f"r{number}", level=3 if several else 2)
        for number, (answer, pictures) in enumerate(zip(answers, drawn, strict=True), 1)
    ]
    together = beside(answers, parts, names) if several else None
    known = _sources()
    style, script = known.pop("style.css"), known.pop("page.js")
    environment = Environment(
        loader=DictLoader(known),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )
    environment.filters["names"] = with_names
    return environment.get_template("page.html.j2").render(
        title=parts[0].headline if together is None else together.headline,
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        parts=parts,
        several=several,
        level=3 if several else 2,
        together=together,
    )


def _sources() -> dict[str, str]:
    folder = files("renyi.webpage") / TEMPLATES
    return {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir()}


def _seen(value: Any) -> Any:
    """Write out what a browser would obey or hide in any text that goes into the page."""
    return shown(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _hash(text: str) -> str:
    """Return the hash by which the page's own policy lets in what it holds, and nothing else."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
