"""Help pages: they open with examples, fit eighty columns, and say what is true."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer
from typer.main import get_command

import renyi
from renyi_cli._app import app

Run = Callable[..., Any]
PROGRAM = get_command(app)


def commands(within: Any = PROGRAM, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    for name, command in getattr(within, "commands", {}).items():
        yield from commands(command, (*words, name))


def find(words: tuple[str, ...]) -> Any:
    command: Any = PROGRAM
    for word in words:
        command = command.commands[word]
    return command


COMMANDS = list(commands())


def test_all_commands_are_there() -> None:
    top = {
        *("select", "describe", "measure", "compare", "plot", "report", "apply"),
        *("reproduce", "datasets", "doctor", "setup"),
    }
    assert {words[0] for words in COMMANDS if words} == top
    assert {words[1] for words in COMMANDS if len(words) > 1} == {"list", "fetch", "generate"}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_a_page_opens_with_examples_and_fits(words: tuple[str, ...], flag: str, run: Run) -> None:
    result = run(*words, flag)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith(" ".join(["Usage: renyi", *words]))
    assert max(map(len, lines)) <= 80
    heading = lines.index("Examples:")
    assert heading < 7
    assert lines[heading + 1].startswith("  renyi ")
    assert not re.search(r"\[/?(bold|red|dim)\]|:--|--$|--------", result.stdout)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_option_is_on_its_page_with_a_text(words: tuple[str, ...], run: Run) -> None:
    page = run(*words, "--help").stdout
    command = find(words)
    for param in command.get_params(typer.Context(command)):
        assert len(param.help) > 5, param.name
        shown = param.opts if param.param_type_name == "option" else [param.metavar]
        assert all(name in page for name in shown)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_examples_are_commands_that_exist(words: tuple[str, ...], run: Run) -> None:
    page = run(*words, "--help").stdout.splitlines()
    examples = [line.strip() for line in page if line.startswith("  renyi ")]
    assert examples
    for example in examples:
        line = re.split(r"  +| > ", example)[0].replace('"$(renyi datasets fetch heart)"', "heart")
        command, rest = PROGRAM, shlex.split(line)[1:]
        while rest and rest[0] in getattr(command, "commands", {}):
            command = command.commands[rest.pop(0)]  # type: ignore[attr-defined]
        command.make_context("renyi", rest)  # type: ignore[attr-defined]  # raises where it is wrong


@pytest.mark.parametrize("words", [(), ("datasets",)], ids=" ".join)
def test_no_command_shows_the_page(words: tuple[str, ...], run: Run) -> None:
    assert run(*words).stdout == run(*words, "--help").stdout
    assert run(*words).exit_code == 0


def test_a_dumb_terminal_gets_a_plain_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    page = run("select", "--help").stdout
    assert page.isascii()
    assert "--criterion" in page


def test_version(run: Run) -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"renyi {renyi.__version__}\n")


def test_compare_offers_every_choice_of_the_facade() -> None:
    offered = {param.name for param in find(("compare",)).params}
    taken = set(inspect.signature(renyi.compare).parameters)
    assert taken - offered == {"y", "bandwidths", "progress", "cancel"}
    assert "purpose" not in taken, "it compares the criteria of both"


def test_select_offers_every_choice_of_the_facade() -> None:
    offered = {param.name for param in find(("select",)).params}
    taken = set(inspect.signature(renyi.select).parameters)
    assert taken - offered == {"y", "bandwidths", "progress", "cancel"}
    of_the_program = {
        "output",
        "report",
        "force",
        "format_",
        "json",
        "quiet",
        "verbose",
        "no_progress",
        "debug",
    }
    assert offered - taken == of_the_program


@pytest.mark.parametrize("name", ["describe", "measure"])
def test_other_commands_offer_every_choice_too(name: str) -> None:
    offered = {param.name.rstrip("_") for param in find((name,)).params}
    taken = set(inspect.signature(getattr(renyi, name)).parameters)
    assert taken - offered <= {"bandwidths"} | ({"y"} if name == "describe" else set())
    assert offered - taken == {"format", "json", "quiet", "debug"}


def test_values_are_completed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    option = next(param for param in find(("select",)).params if param.name == "criterion")
    found = option.shell_complete(typer.Context(find(("select",))), "cmi-")
    assert [item.value for item in found] == [
        "cmi-heuristic",
        "cmi-perm",
        "cmi-max",
        "cmi-local",
    ]


def test_what_columns_are_for_is_offered_and_completed(run: Run) -> None:
    page = " ".join(re.sub(r"[\u2502]", " ", run("select", "--help").stdout).split())
    assert "--for WHAT What the columns are for: model (default) or news." in page
    option = next(param for param in find(("select",)).params if "--for" in param.opts)
    found = option.shell_complete(typer.Context(find(("select",))), "")
    assert [item.value for item in found] == ["model", "news"]
