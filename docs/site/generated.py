"""What is made from the program itself, where a page has a comment `<!-- made: WHAT -->`.

contents        the navigation, out of the lists of links of that page
pages: FOLDER   links to all pages of a folder
functions, classes, errors, estimators
                the docstrings of the Python packages
help            the help page of each command
schema: NAME    the fields of a JSON schema
file: PATH      a Markdown file of the project's root, without its title
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MADE = re.compile(r"^<!-- made: (\w+)(?:: ([\w./-]+))? -->$", re.MULTILINE)
LISTED = re.compile(r"^- \[[^\]]+\]\(([\w./-]+)\.md\)", re.MULTILINE)
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def contents(text: str, _: str) -> str:
    """Return a hidden table of contents for each section of a page that lists pages."""
    first, *titled = re.split(r"^## ", text, flags=re.MULTILINE)
    made = []
    for section in [f"\n{first}", *titled]:
        if names := LISTED.findall(section):
            caption = section.partition("\n")[0]
            options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
            made.append("\n".join(["```{toctree}", *options, "", *names, "```"]))
    return "\n\n".join(made)


def pages(_: str, folder: str) -> str:
    """Return links to the pages of a folder, and a table of contents of them."""
    found = sorted((DOCS / folder).glob("*.md"))
    listed = []
    for page in found:
        title = TITLE.search(page.read_text(encoding="utf-8"))
        assert title is not None, f"{page} has no title"
        listed.append(f"- [{title[1]}]({folder}/{page.name})")
    names = "\n".join(f"{folder}/{page.stem}" for page in found)
    return "\n".join(listed) + f"\n\n```{{toctree}}\n:hidden:\n\n{names}\n```"


def _documented(directive: str, names: Iterator[str] | list[str], *options: str) -> str:
    lines = [f"   :{option}" for option in options]
    found = ["\n".join([f".. {directive}:: {name}", *lines]) for name in names]
    return "```{eval-rst}\n" + "\n\n".join(found) + "\n```"


def _public() -> dict[str, Any]:
    import renyi  # noqa: PLC0415 - not needed by the other pages

    return {name: getattr(renyi, name) for name in renyi.__all__}


def functions(_: str, __: str) -> str:
    """Return the functions of `renyi`, from their docstrings."""
    found = [f"renyi.{name}" for name, it in _public().items() if inspect.isfunction(it)]
    return _documented("autofunction", found)


def classes(_: str, __: str) -> str:
    """Return the classes of `renyi`, from their docstrings."""
    found = [
        f"renyi.{name}"
        for name, it in _public().items()
        if inspect.isclass(it) and not issubclass(it, BaseException)
    ]
    return _documented("autoclass", found, "members:", "inherited-members:")


def errors(_: str, __: str) -> str:
    """Return the errors of `renyi`, from their docstrings."""
    from renyi import errors as room  # noqa: PLC0415

    found = [
        f"renyi.errors.{name}"
        for name, it in vars(room).items()
        if inspect.isclass(it) and issubclass(it, room.RenyiError)
    ]
    return _documented("autoexception", found)


def estimators(_: str, __: str) -> str:
    """Return the estimators of `renyi_sklearn`, from their docstrings."""
    import renyi_sklearn  # noqa: PLC0415

    return "\n\n".join(
        _documented(
            "autoclass",
            [f"renyi_sklearn.{name}"],
            f"members: {', '.join(_own(getattr(renyi_sklearn, name)))}",
            "inherited-members:",
        )
        for name in renyi_sklearn.__all__
    )


def _own(of: type) -> list[str]:
    """Return what an estimator has of its own: the rest is as everywhere in scikit-learn."""
    return [
        name
        for name, it in inspect.getmembers(of)
        if not name.startswith("_") and getattr(it, "__module__", "").startswith("renyi")
    ]


def terminal(_: str, __: str) -> str:
    """Return the help page of each command, as the terminal shows it."""
    from typer.main import get_command  # noqa: PLC0415

    from renyi_cli._app import app  # noqa: PLC0415

    made = []
    for name, command in _commands(get_command(app), ""):
        os.environ |= {"COLUMNS": "88", "NO_COLOR": "1"}
        context = command.make_context(f"renyi {name}".strip(), [], resilient_parsing=True)
        shown = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        heading = f"## renyi {name}\n\n" if name else ""
        made.append(f"{heading}```text\n{shown}\n```")
    return "\n\n".join(made)


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    yield name, command
    for member, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, f"{name} {member}".strip())


def schema(_: str, name: str) -> str:
    """Return the fields of each object of a JSON schema, one table each."""
    path = ROOT / "core" / "renyi" / "schemas" / f"{name}.schema.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    made = [known["description"], _fields(known)]
    for part, inner in known.get("$defs", {}).items():
        if "properties" in inner:
            made += [f"### {name}: {part}", inner.get("description", ""), _fields(inner)]
    return "\n\n".join(made)


def _fields(of: dict[str, Any]) -> str:
    rows = ["| field | type | holds |", "|---|---|---|"]
    for name, field in of["properties"].items():
        told = "" if field is True else field.get("description", "").replace("|", "\\|")
        rows.append(f"| `{name}` | {_type(field)} | {told} |")
    return "\n".join(rows)


def _type(field: Any) -> str:
    if field is True:
        return "any"
    if "$ref" in field:
        return f"`{field['$ref'].rpartition('/')[2]}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    if many := field.get("anyOf", field.get("oneOf")):
        return " or ".join(_type(one) for one in many)
    known = field.get("type", "any")
    if known == "array":
        return _list(field)
    return " or ".join(known) if isinstance(known, list) else str(known)


def _list(field: dict[str, Any]) -> str:
    if "prefixItems" in field:
        return f"list of ({', '.join(_type(one) for one in field['prefixItems'])})"
    return f"list of {_type(field['items'])}" if "items" in field else "list"


def file(_: str, path: str) -> str:
    """Return a Markdown file of the project's root without its title, its links as from `docs`."""
    text = (ROOT / path).read_text(encoding="utf-8").partition("\n")[2]
    return re.sub(r"\]\((?:docs/|(?=[\w.-]+/))", "](", text)


MAKERS: dict[str, Callable[[str, str], str]] = {
    "contents": contents,
    "pages": pages,
    "functions": functions,
    "classes": classes,
    "errors": errors,
    "estimators": estimators,
    "help": terminal,
    "schema": schema,
    "file": file,
}


def on_source_read(_: Any, __: str, source: list[str]) -> None:
    """Put what is made where its comment stands."""
    text = source[0]
    source[0] = MADE.sub(lambda mark: MAKERS[mark[1]](text, mark[2] or ""), text)


def setup(app: Any) -> dict[str, bool]:
    """Fill pages before they are parsed."""
    app.connect("source-read", on_source_read, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
