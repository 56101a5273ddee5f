"""What is said of options beside their table agrees with it to the letter."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import typer
from typer.main import get_command

import renyi
from renyi import _typing
from renyi._typing import FloatArray
from renyi.errors import OptionError
from renyi.evaluation import MODELS
from renyi.options import (
    CRITERIA,
    FIELDS,
    OPTIONS,
    PRESETS,
    SCORES,
    CriterionTraits,
    DataOptions,
    MethodOptions,
    Option,
    RunOptions,
    ScoreTraits,
    method_options,
    option_of,
    options_of,
    purposes,
)

# what checkers see of keywords, beside what options are
from renyi.options._given import MethodGiven

# the fields of a record that is read back
from renyi.selection.records._checks import check_fields
from renyi.stopping import CmiHeuristic, Criterion, build_criteria
from renyi_cli import commands
from renyi_cli._declare import takes

ROOT = Path(__file__).resolve().parents[2]
TABLE_VERBS = ("select", "compare", "describe", "measure")
VALUE_VERBS = ("entropy", "mutual_information", "conditional_mutual_information")
HOOKS = {"progress", "cancel"}
METHOD_FIELDS = {field.name for field in fields(MethodOptions)} - {"preset", "seed"}
BY_RULE = {"class_weights", "preset"}
R_PAGES = {"compare": "renyi_compare", "measure": "renyi_measure"}


def words(option: Option) -> tuple[str, ...]:
    """The choices of an option that takes nothing else."""
    free = option.rule is not None and option.name not in {"criterion", "kind", "score"}
    return () if free else tuple(option.choices)


# the schema


def schema_demands() -> dict[tuple[str, str], tuple[str | None, ...]]:
    """(record, field) -> the words that the schema must list."""
    found: dict[tuple[str, str], tuple[str | None, ...]] = {}
    for record, place in ((MethodOptions, "options"), (DataOptions, "data_options")):
        for field in fields(record):
            option = FIELDS[field.name]
            if words(option):
                unsaid = () if option.default is not None else (None,)
                found[place, field.name] = (*words(option), *unsaid)
    found["column", "kind"] = (*found["data_options", "kinds"], None)
    judging = [name for name, traits in CRITERIA.items() if traits.made_by]
    found["criterion_report", "criterion"] = (*judging, "min-gain")
    return found


def schema_lists(part: Any) -> list[tuple[str | None, ...]]:
    """Every list of words within a part of a schema."""
    if not isinstance(part, dict):
        return []
    own = [tuple(part["enum"])] if "enum" in part else []
    inner = [*part.values(), *part.get("prefixItems", ()), *part.get("anyOf", ())]
    return own + [found for value in inner for found in schema_lists(value)]


def test_the_schema_lists_the_choices() -> None:
    text = (files("renyi") / "schemas" / "selection-path.schema.json").read_text(encoding="utf-8")
    parts = json.loads(text)["$defs"]
    demands = schema_demands()
    assert len(demands) > 12
    for (record, field), wanted in demands.items():
        assert schema_lists(parts[record]["properties"][field]) == [wanted], (record, field)


# the records


def test_every_field_has_an_option_and_a_default_of_its_type() -> None:
    for record in (MethodOptions(), DataOptions(), RunOptions()):
        check_fields(record)
    assert set(MethodGiven.__annotations__) == METHOD_FIELDS | {"seed"}
    for record in PRESETS.values():
        check_fields(record)
    assert tuple(PRESETS) == option_of("preset").choices


def test_types_name_the_choices() -> None:
    hints = {"error_rate": "ErrorRate", "label_kernel": "LabelKernel", "nominal": "NominalKernel"}
    hints |= {"class_weights": "ClassWeights", "rank": "Rank", "p_rule": "PRule"}
    hints |= {"stop_when": "StopWhen", "purpose": "Purpose"}
    for name, hint in hints.items():
        assert get_args(getattr(_typing, hint)) == tuple(option_of(name).choices), name
    assert set(option_of("model", "compare").choices) == set(MODELS)


# the api


@pytest.mark.parametrize("verb", [*TABLE_VERBS, *VALUE_VERBS])
def test_a_verb_takes_what_the_table_says(verb: str) -> None:
    keywords = {
        name: parameter.default
        for name, parameter in inspect.signature(getattr(renyi, verb)).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and name not in HOOKS
    }
    known = {option.name: option for option in options_of(verb)}
    own = {"kind", "y_kind", "given_kind"} if verb in VALUE_VERBS else set()
    assert set(keywords) - own == set(known)
    for name, option in known.items():
        default: Any = option.own.get(verb, option.default)
        if option.required:
            default = inspect.Parameter.empty
        elif (option.field in METHOD_FIELDS and verb in TABLE_VERBS) or name in BY_RULE:
            default = None  # as the preset says
        assert keywords[name] == default or (keywords[name], default) == (None, ()), name


def paragraphs(verb: str) -> dict[str, str]:
    """Parameter -> what the docstring of a verb says of it."""
    text = inspect.getdoc(getattr(renyi, verb)) or ""
    section = text.split("Parameters\n----------\n")[1].split("\n\n")[0]
    found = {}
    for heads, body in re.findall(r"^(\S.*)\n((?:    .*\n?)+)", section, re.MULTILINE):
        found |= dict.fromkeys(heads.split(", "), body)
    return found


def test_the_docstring_of_select_names_every_option_and_choice() -> None:
    told = paragraphs("select")
    for option in options_of("select"):
        missing = [word for word in option.choices if f"`{word}`" not in told[option.name]]
        assert not missing, (option.name, missing)


@pytest.mark.parametrize("verb", ["compare", "measure", *VALUE_VERBS])
def test_other_docstrings_name_every_option(verb: str) -> None:
    assert {option.name for option in options_of(verb)} <= set(paragraphs(verb))


# the reference


def reference_demands() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(first cell, default, words) of every row that the reference must have."""
    seen = set()
    for option in OPTIONS:
        if not option.text or option.group == "Columns" or option.name in seen:
            continue
        seen.add(option.name)
        first, *others = option.typed.split()
        metavar = option.metavar.replace("|", r"\|")
        cell = ", ".join([f"`{first} {metavar}`" if metavar else f"`{first}`", *quoted(*others)])
        default = option.default_text
        number = isinstance(option.default, int | float)
        said = [default if number else f"`{default}`"] if default else []
        said += [] if option.unsaid in {"", default} else [option.unsaid]
        said += [f"`{verb}`: `{value}`" for verb, value in option.own.items() if verb == "describe"]
        yield cell, "; ".join(said), tuple(option.choices)


def quoted(*texts: str) -> list[str]:
    return [f"`{text}`" for text in texts]


def reference_rows() -> list[list[str]]:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_the_reference_says_defaults_and_choices() -> None:
    rows = {row[0]: row for row in reference_rows()}
    for cell, default, choices in reference_demands():
        assert cell in rows, f"no row {cell}"
        assert rows[cell][1] == default, cell
        told = [word for word in choices if f"`{word}`" in rows[cell][2] or f"`{word}`" in rows]
        assert told == list(choices), cell


# R


def r_items(page: str) -> dict[str, str]:
    """Option -> what the help page of R says of it."""
    text = (ROOT / "bindings_r" / "man" / f"{page}.Rd").read_text(encoding="utf-8")
    text = re.sub(r"\\(?:code|verb)\{([^{}]*)\}", r"`\1`", text).replace(r"\%", "%")
    found = {}
    for heads, body in re.findall(r"\\item\{([^{}]*)\}\{((?:[^{}]|\{[^{}]*\})*)\}", text):
        names = heads.replace("`", "").split(", ")
        found = dict.fromkeys(names, " ".join(body.split())) | found  # arguments, then values
    return found


@pytest.mark.parametrize("verb", TABLE_VERBS)
def test_r_names_every_option_its_choices_and_its_default(verb: str) -> None:
    told = r_items(R_PAGES.get(verb, "renyi_options")) | r_items("renyi_options")
    for option in options_of(verb):
        if verb == "compare" and option.name == "criterion":
            continue  # as in a selection, but all by default
        text = told[option.name]
        assert not [word for word in option.choices if f'`"{word}"`' not in text], option.name
        default = option.default_text
        if option.choices and default:
            assert re.search(rf'`"{re.escape(default)}"`[^;.]*\(?the default', text), option.name
        elif isinstance(option.default, int | float) and not isinstance(option.default, bool):
            numbers = [float(n) for n in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", text)]
            assert float(option.default) in numbers, option.name


@pytest.mark.parametrize("verb", TABLE_VERBS)
def test_the_functions_of_r_have_every_option_as_an_argument(verb: str) -> None:
    text = (ROOT / "bindings_r" / "man" / f"renyi_{verb}.Rd").read_text(encoding="utf-8")
    usage = re.search(r"\\usage\{\n(.*?)\n\}\n", text, re.DOTALL)
    assert usage is not None
    arguments = set(re.findall(r"^  (\w+)", usage[1], re.MULTILINE))
    own = {"select": {"x"}, "compare": {"x", "data", "y"}}.get(verb, {"data"})
    hooks = {"progress"} if verb in {"select", "compare"} else set()
    assert arguments - own == {option.name for option in options_of(verb)} | hooks


def test_the_page_of_r_is_made_of_its_source() -> None:
    source = (ROOT / "bindings_r" / "R" / "options.R").read_text(encoding="utf-8")
    items = re.findall(r"\\item\{(.*?)\}\{(.*)\}$", re.sub(r"\n#'     ", " ", source), re.MULTILINE)
    written = {}
    for heads, body in items:
        written |= dict.fromkeys(heads.replace("`", "").split(", "), body.replace("[", "\\link{"))
    page = r_items("renyi_options")
    assert set(written) == set(page)
    linked = {name for name, body in written.items() if "link" in body}
    assert {n: b for n, b in written.items() if n not in linked} == {
        n: b for n, b in page.items() if n not in linked
    }


# a criterion and a score that are added at run time


def made_up(name: str, options: MethodOptions) -> Criterion:
    """Make the made-up criterion."""
    return CmiHeuristic(options.epsilon, name)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> CriterionTraits:
    traits = CriterionTraits(
        name="made-up", help="stops when the test says so", made_by=f"{__name__}:made_up"
    )
    monkeypatch.setitem(CRITERIA, traits.name, traits)
    return traits


def page(verb: str, flag: str = "--criterion") -> tuple[str, Any]:
    """The help of an option of a command as it would be declared now, and that option."""
    app = typer.Typer()
    app.command()(takes(verb)(inspect.unwrap(getattr(commands, verb))))
    command: Any = get_command(app)
    option = next(param for param in command.params if flag in param.opts)
    return " ".join(option.help.split()), option


def test_a_criterion_is_added_by_its_record_alone(added: CriterionTraits) -> None:
    options = method_options(criteria="made-up", epsilon=0.5)
    (criterion,) = build_criteria(options)
    assert (criterion.name, options.criteria) == ("made-up", ("made-up",))
    for verb in ("select", "compare"):
        text, option = page(verb)
        assert "made-up" in text
        assert completed(option) == [("made-up", added.help)]
    demands: Mapping[Any, Any] = schema_demands()
    assert "made-up" in demands["options", "criteria"]
    assert "made-up" in demands["criterion_report", "criterion"]
    rows = {cell: choices for cell, _, choices in reference_demands()}
    assert "made-up" in rows["`--criterion NAME`"]
    with pytest.raises(OptionError, match=r"must be one of .*made-up"):
        method_options(criteria="unknown")
    assert set(purposes()) == {"model", "news"}


def completed(option: Any) -> list[tuple[str, str]]:
    """What a shell offers after `made`."""
    items = option.shell_complete(typer.Context(get_command(typer_app())), "made")
    return [(item.value, item.help) for item in items]


def last_first(_: Any, __: Any, candidates: Sequence[int]) -> FloatArray:
    """Rank candidates by their place: the last one is the best."""
    return np.array([float(number) for number in candidates])


def test_a_score_is_added_by_its_record_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    traits = ScoreTraits("made-up", "the last column first", made_by=f"{__name__}:last_first")
    monkeypatch.setitem(SCORES, traits.name, traits)
    asked = {"score": "made-up", "rank": "raw", "criterion": "none", "target": "y"}
    table = {"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 3.0], "y": ["p", "p", "q", "q"]}
    assert renyi.select(table, **asked).selected == ("b", "a")
    for verb in ("select", "compare"):
        text, option = page(verb, "--score")
        assert "made-up" in text
        assert completed(option) == [("made-up", traits.help)]
    demands: Mapping[Any, Any] = schema_demands()
    assert "made-up" in demands["options", "score"]
    rows = {cell: choices for cell, _, choices in reference_demands()}
    assert "made-up" in rows["`--score NAME`"]
    with pytest.raises(OptionError, match=r"must be one of .*made-up"):
        method_options(score="unknown")
    with pytest.raises(OptionError, match="rank"):  # its record says that chance is not taken out
        method_options(score="made-up", rank="chance")


def typer_app() -> typer.Typer:
    app = typer.Typer()
    app.command()(lambda: None)
    return app


def test_it_is_gone_afterwards() -> None:
    with pytest.raises(OptionError):
        method_options(criteria="made-up")
    assert "made-up" not in page("select")[0]
