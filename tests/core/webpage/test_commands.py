"""The command that a page gives makes the same result again, whatever names are in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import renyi
from renyi.options import DataOptions, MethodOptions, method_options, options_of

# what a page writes of options, which is no more than text there
from renyi.webpage._commands import chosen, python_call, said, terminal_call

# how the terminal reads what is typed
from renyi_cli._values import values

METHODS: tuple[dict[str, Any], ...] = (
    {},
    {"criteria": "cmi-perm", "alpha": 1.01, "bandwidth": 2.0, "permutations": 100},
    {"preset": "paper"},
    {"preset": "paper", "alpha": 2.0, "max_features": 7},
    {"preset": "lrmi"},
    {"score": "jmi"},
    {"score": "mifs:0.5", "criteria": ("score-perm", "cmi-max"), "stop_when": "all"},
    {"preset": "default", "score": "jmi"},
    {"significance": 0.01},
    {"alpha": 1.5, "rank": "chance", "class_weights": "none"},
    {"criteria": "cmi-heuristic", "epsilon": 1e-3},
    {"criteria": "cmi-heuristic", "bandwidth": "steady"},
    {"search": "beam:3", "lookahead": 1, "min_gain": "1%", "seed": 7},
    {"bandwidths": {"a b": 0.5, "x=y": "scott"}, "bandwidth": 1.5},
)


@pytest.mark.parametrize("given", METHODS, ids=str)
def test_what_is_said_of_a_method_makes_it_again(given: dict[str, Any]) -> None:
    method = method_options(
        given.get("preset"), **{k: v for k, v in given.items() if k != "preset"}
    )
    told = said(DataOptions(), method)
    told["criteria"] = told.pop("criterion", None)
    told["bandwidths"] = dict(told.pop("bandwidths", ())) or None
    again = method_options(told.pop("preset", None), **told)
    # a preset named by a score is the same as one that is named
    assert replace(again, preset=method.preset) == method


def test_a_default_result_needs_no_option() -> None:
    assert said(DataOptions(), MethodOptions()) == {}
    assert terminal_call("data.parquet", {}) == "renyi select data.parquet"
    assert python_call("data.parquet", {}) == "renyi.select('data.parquet')"
    assert not [one for one in chosen(DataOptions(), MethodOptions()) if one.changed]


NAMES = (
    *("plain", "two words", "a,b", '"quoted"', "it's", "-dash", "a=b", "$(touch x)", "`id`"),
    *("tab\there", "line\nend", "caf\u00e9", "\u202eright", "\\back\\", "*", " blank ", "\x1b[31m"),
)


def typed(command: str) -> list[str]:
    """The words that bash makes of a command."""
    import subprocess

    script = command.replace("renyi select", "printf '%s\\0'", 1)
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1]


@pytest.mark.skipif(not __import__("shutil").which("bash"), reason="no bash is there")
@pytest.mark.parametrize("name", NAMES)
def test_the_command_of_the_terminal_is_read_as_it_was_meant(name: str) -> None:
    options = DataOptions(
        target=(name, "other"),
        features=(name, "b"),
        exclude=("c",),
        kinds=((name, "nominal"),),
        group_columns=(("all of it", name), ("all of it", "d")),
        groups=name,
        missing="drop",
        rows=100,
    )
    told = said(options, method_options(seed=3, alpha=1.5))
    words = typed(terminal_call("a file.csv", told))
    assert words[0] == "a file.csv"
    flags = {one.typed.split()[0]: one for one in options_of("select")}
    got: dict[str, Any] = {one.name: None for one in flags.values()}
    rest = words[1:]
    while rest:
        flag, has, text = rest.pop(0).partition("=")
        one = flags[flag]
        value = text if has else rest.pop(0)
        if one.reads in {"many", "names", "pairs", "groups", "bandwidths"}:
            got[one.name] = [*(got[one.name] or []), value]
        else:
            got[one.name] = value
    found = values(flags.values(), got)
    assert found["target"] == options.target
    assert found["features"] == options.features
    assert found["kind"] == options.kinds
    assert found["group_columns"] == options.group_columns
    assert (found["groups"], found["rows"], found["seed"], found["alpha"]) == (name, 100, 3, 1.5)


@pytest.mark.parametrize("name", NAMES)
def test_the_call_in_python_is_read_as_it_was_meant(name: str) -> None:
    import ast

    options = DataOptions(target=name, keep=(name,), kinds=((name, "ordinal"),))
    call = ast.parse(python_call("a'b.csv", said(options, MethodOptions())), mode="eval").body
    assert isinstance(call, ast.Call)
    assert [ast.literal_eval(one) for one in call.args] == ["a'b.csv"]
    given = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
    assert given == {"target": name, "keep": [name], "kind": {name: "ordinal"}}


def test_the_call_gives_the_result_again() -> None:
    table = {"a": [0.0, 0.1, 1.0, 1.1] * 10, "b": [float(k % 7) for k in range(40)]}
    table["y"] = ["n", "n", "p", "p"] * 10  # type: ignore[assignment]
    path = renyi.select(table, target="y", criterion="mi-perm", alpha=1.5, seed=4, exclude="b")
    call = python_call(None, said(path.data_options, path.options))
    assert eval(call, {"renyi": renyi, "table": table}) == path
