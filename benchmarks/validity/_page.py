"""The page docs/validity.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from measuring import sentence_of
from sections import prose
from validity._cells import DETAILED, EVERYWHERE, PARTS, Cell, worker_of
from validity._figures import draw_null, draw_power
from validity._further import NULLS
from validity._methods import METHODS
from validity._null import COUNTS, GENERATORS, ROWS, Null
from validity._peers import PEERS
from validity._power import EFFECTS, FORMS
from validity._promises import of, promises, share
from validity._rates import Count
from validity._read import Kept, Truth
from validity._store import CellStore
from validity._truth import JUDGED, PROBLEMS, Problem, smallest_effect
from validity._words import (
    CLAIMS,
    DETAIL_TABLES,
    INTRODUCTION,
    LEVELS,
    NULL_TABLES,
    OTHER_NULLS,
    POWER,
    SETTINGS,
    TRUTH,
    TRUTH_OVERVIEW,
)

__all__ = ["write_page"]

RUNS = {"null": 400, "power": 200, "truth": 200}


def write_page(
    cells: Sequence[Cell],
    stores: Mapping[str, CellStore],
    machine: Mapping[str, Any],
    folder: Path,
) -> Path:
    """Write the page and its figures from what is kept.

    Returns
    -------
    Path
        Where the page is.
    """
    kept = Kept(stores)
    folder.mkdir(parents=True, exist_ok=True)
    figures = folder / "figures"
    draw_null(kept, figures / "validity-null.svg")
    draw_power(kept, figures / "validity-power.svg")
    lines = [
        "# Validity",
        "",
        *prose(INTRODUCTION, machine=sentence_of(dict(machine)), hours=f"{kept.hours():.1f}"),
        *_progress(cells, kept),
        *_promised(kept),
        *prose(LEVELS),
        *_null(kept),
        *_other_nulls(kept),
        *_truth(kept),
        *_power(kept),
        *_settings(kept),
    ]
    page = folder / "validity.md"
    page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    return page


def _progress(cells: Sequence[Cell], kept: Kept) -> list[str]:
    """Say how much is done, where it is not everything."""
    told = []
    for part in PARTS:
        there = [(cell, name) for cell in cells if cell.part == part for name in cell.methods]
        done = sum(min(len(kept.outcomes(cell.key, name)), cell.runs[name]) for cell, name in there)
        planned = sum(cell.runs[name] for cell, name in there)
        if done < planned:
            told.append(f"{part} {100 * done / planned:.0f}%")
    if not told:
        return []
    return prose(
        f"**Not all runs are done: {', '.join(told)} of those planned. Shares of fewer runs than "
        "planned say so; what is missing shows as a dash.**"
    )


def _promised(kept: Kept) -> list[str]:
    lines = ["## What must hold", "", *prose(CLAIMS)]
    rows = [(p.words, p.found, p.verdict) for p in promises(kept)]
    return [*lines, *_table(("", "found", ""), rows)]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---"] * len(head)
    return [*("| " + " | ".join(row) + " |" for row in (head, rule, *rows)), ""]


def _in_order(kept: Kept, *parts: str) -> list[str]:
    """Return the methods with runs in some parts, in the order of the plan."""
    there = set().union(*map(kept.methods, parts))
    return [worker.name for worker in (*METHODS, *PEERS) if worker.name in there]


def _null(kept: Kept) -> Iterator[str]:
    yield from ["## Nothing to be found", "", *prose(NULL_TABLES)]
    yield from ["![Chance of selecting anything](figures/validity-null.svg)", ""]
    pooled = RUNS["null"] * len(ROWS) * len(GENERATORS)
    verdicts = {name: kept.null_verdict(name) for name in EVERYWHERE}
    rows = [
        (
            f"`{name}`",
            *(of(verdict.pooled.get(count), pooled) for count in COUNTS),
            f"{len(verdict.rejected)} of {verdict.cells}",
        )
        for name, verdict in verdicts.items()
        if verdict is not None
    ]
    yield from _table(("", *(f"F = {count}" for count in COUNTS), "cells rejected"), rows)
    for name in ("cmi-max", "default", "cmi-perm"):
        yield from _null_cells(kept, name)
    detailed = [null for null in NULLS if null.name in DETAILED]
    table = _null_rows(kept, detailed, ("cmi-max", "cmi-local", "default", "news"))
    if table:
        yield from prose(DETAIL_TABLES)
        yield from table


def _null_cells(kept: Kept, method: str) -> list[str]:
    """Return a table of every judged cell of a method."""
    by_place = {(null.kind, null.rows, null.count): null for null in NULLS if null.judged}
    rows = []
    for kind in GENERATORS:
        for n in ROWS:
            counts = [kept.null(by_place[kind, n, F], method) for F in COUNTS]
            if any(counts):
                rows.append((kind, str(n), *(of(count, RUNS["null"]) for count in counts)))
    if not rows:
        return []
    head = ("columns", "rows", *(f"F = {count}" for count in COUNTS))
    return [f"Every cell of `{method}`:", "", *_table(head, rows)]


def _other_nulls(kept: Kept) -> list[str]:
    targets = [null for null in NULLS if null.name.startswith("target-")]
    later = [null for null in NULLS if null.keep]
    lines = ["### Other targets and later steps", "", *prose(OTHER_NULLS)]
    for group in (targets, later):
        lines += _null_rows(kept, group, _in_order(kept, "null"))
    pairs = kept.count("null/pairs-100-20", "cmi-max-pairs", bool)
    if pairs is not None:
        lines += prose(
            "With a look-ahead of two, 20 continuous columns and 100 rows, `cmi-max` at P = 39 "
            f"selected something in {of(pairs, RUNS['null'])} of runs: a single column or a pair."
        )
    return lines


def _null_rows(kept: Kept, group: Sequence[Null], names: Sequence[str]) -> list[str]:
    """Return a table of some cells, of those methods that ran on any of them."""
    methods = [name for name in names if any(kept.null(null, name) is not None for null in group)]
    rows = [
        (null.words, *(of(kept.null(null, name), RUNS["null"]) for name in methods))
        for null in group
    ]
    return _table(("", *(f"`{name}`" for name in methods)), rows) if methods else []


def _truth(kept: Kept) -> Iterator[str]:
    yield from ["## Known truth", "", *prose(TRUTH)]
    rows = [
        (
            problem.name,
            problem.words,
            str(problem.rows),
            f"{smallest_effect(problem):.1f}" if problem.all_true else "",
        )
        for problem in PROBLEMS
    ]
    yield from _table(("", "tables", "rows", "least effect, standard errors"), rows)
    yield from prose(TRUTH_OVERVIEW)
    yield from _overview(kept)
    for problem in PROBLEMS:
        yield from _problem(kept, problem)


def _overview(kept: Kept) -> list[str]:
    """Return one table of all problems: all true found, false after them."""
    rows = []
    for name in _in_order(kept, "truth"):
        found = [kept.truth(problem, name) for problem in JUDGED]
        told = ["-" if truth is None else _after(truth) for truth in found]
        rows.append((f"`{name}`", *told))
    return _table(("", *(problem.name for problem in JUDGED)), rows)


def _after(truth: Truth) -> str:
    after = truth.false_after
    told = "-" if after is None else f"{100 * after.rate:.0f}"
    runs = truth.complete.runs
    marked = "" if runs == RUNS["truth"] else f" ({runs} runs)"
    return f"{100 * truth.complete.rate:.0f} / {told}{marked}"


def _problem(kept: Kept, problem: Problem) -> list[str]:
    rows = []
    for name in _in_order(kept, "truth"):
        truth = kept.truth(problem, name)
        if truth is None:
            continue
        rows.append(
            (
                f"`{name}`",
                of(truth.complete, RUNS["truth"]),
                share(truth.false_after),
                share(truth.false_ever),
                share(truth.found),
                f"{truth.size:g}",
            )
        )
    if not rows:
        return []
    head = ("", "all true found", "false after them", "any false", "true ones found", "size")
    return [f"### {problem.name}", "", *_table(head, rows)]


def _power(kept: Kept) -> Iterator[str]:
    yield from ["## Power", "", *prose(POWER)]
    yield from ["![Chance of selecting the true column](figures/validity-power.svg)", ""]
    for form, words in FORMS.items():
        cells = ("none", *(f"{form}-{effect:g}" for effect in EFFECTS))
        rows = []
        for name in _in_order(kept, "power"):
            found = [kept.power(cell, name) for cell in cells]
            if not any(found):
                continue
            told = ["-" if pair is None else _both(*pair) for pair in found]
            rows.append((f"`{name}`", *told))
        if rows:
            yield from prose(f"{form.capitalize()}: {words}.")
            yield from _table(("", *(f"b = {effect:g}" for effect in (0, *EFFECTS))), rows)


def _both(right: Count, wrong: Count) -> str:
    told = f"{100 * right.rate:.0f} / {100 * wrong.rate:.0f}"
    return told if right.runs == RUNS["power"] else f"{told} ({right.runs} runs)"


def _settings(kept: Kept) -> Iterator[str]:
    yield from ["## Settings", "", *prose(SETTINGS)]
    yield from [f"- `{name}`: {worker_of(name).words}." for name in _in_order(kept, *PARTS)]
    yield ""
    default = kept.settings("default")
    if default is not None:
        keys = ("criteria", "alpha", "bandwidth", "permutations", "p_rule", "min_gain", "lookahead")
        told = ", ".join(f"{key} {default[key]}" for key in keys if key in default)
        yield from prose(f"The defaults that ran as `default`: {told}.".replace("{", "{{"))
    pairs = kept.settings("default", "truth/xor")
    if pairs is not None:
        yield from prose(
            f"In *xor* with lookahead {pairs['lookahead']} and permutations {pairs['permutations']}"
            ", each of the two looks of a step at half the level."
        )
