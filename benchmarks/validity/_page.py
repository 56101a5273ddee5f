"""The page docs/validity.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from measuring import sentence_of
from sections import prose
from validity._added import LEVELS as ADDED_LEVELS
from validity._added import SETS
from validity._cases import BINARY, CASES
from validity._cells import DETAILED, EVERYWHERE, PARTS, Cell, worker_of
from validity._figures import draw_null, draw_power
from validity._further import DEPENDENT, KINDS, NULLS
from validity._methods import METHODS
from validity._null import COUNTS, GENERATORS, ROWS, Null
from validity._peers import CHI_SQUARE, PEERS
from validity._power import EFFECTS, FORMS
from validity._promises import of, planned, promises, share
from validity._rates import Count
from validity._read import Kept, Truth
from validity._store import CellStore
from validity._truth import JUDGED, PROBLEMS, Problem, smallest_effect
from validity._words import (
    ADDED,
    BINARIES,
    CASE_TABLES,
    CLAIMS,
    DEPENDENT_ROWS,
    DETAIL_TABLES,
    FURTHER_TABLES,
    INTRODUCTION,
    LEVELS,
    NULL_TABLES,
    OTHER_NULLS,
    POWER,
    SETTINGS,
    TOGETHER_ROWS,
    TRUTH,
    TRUTH_OVERVIEW,
    WAVEFORM,
)

__all__ = ["write_page"]


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
        *_further(kept),
        *_other_nulls(kept),
        *_truth(kept),
        *_cases(kept),
        *_added(kept),
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
    return [worker.name for worker in (*METHODS, *PEERS, CHI_SQUARE) if worker.name in there]


def _null(kept: Kept) -> Iterator[str]:
    yield from ["## Nothing to be found", "", *prose(NULL_TABLES)]
    yield from [
        "![Chance of selecting anything](figures/validity-null.svg)",
        "",
        "The figure is made by `python benchmarks/validity.py --page`.",
        "",
    ]
    verdicts = {name: kept.null_verdict(name) for name in EVERYWHERE}
    rows = [
        (
            f"`{name}`",
            *(of(verdict.pooled.get(count), _pooled_runs(count, name)) for count in COUNTS),
            f"{len(verdict.rejected)} of {verdict.cells}",
        )
        for name, verdict in verdicts.items()
        if verdict is not None
    ]
    yield from _table(("", *(f"F = {count}" for count in COUNTS), "cells rejected"), rows)
    for name in ("default", "cmi-max", "cmi-perm"):
        yield from _null_cells(kept, name)
    detailed = [null for null in NULLS if null.name in DETAILED]
    table = _null_rows(kept, detailed, ("default", "news", "cmi-max", "cmi-local"))
    if table:
        yield from prose(DETAIL_TABLES)
        yield from table


def _pooled_runs(count: int, method: str) -> int:
    """Return how many runs are planned in the judged cells of so many candidates."""
    cells = [f"null/{null.name}" for null in NULLS if null.judged and null.count == count]
    return sum(planned(cell, method) for cell in cells)


def _null_cells(kept: Kept, method: str) -> list[str]:
    """Return a table of every judged cell of a method."""
    by_place = {(null.kind, null.rows, null.count): null for null in NULLS if null.judged}
    rows = []
    for kind in GENERATORS:
        for n in ROWS:
            nulls = [by_place[kind, n, F] for F in COUNTS]
            if any(kept.null(null, method) for null in nulls):
                rows.append((kind, str(n), *(_rate(kept, null, method) for null in nulls)))
    if not rows:
        return []
    head = ("columns", "rows", *(f"F = {count}" for count in COUNTS))
    return [f"Every cell of `{method}`:", "", *_table(head, rows)]


def _rate(kept: Kept, null: Null, method: str) -> str:
    return of(kept.null(null, method), planned(f"null/{null.name}", method))


def _further(kept: Kept) -> list[str]:
    """Return a table of the further judged cells, sizes side by side."""
    by_place = {(null.kind, null.rows, null.count): null for null in NULLS if null.judged}
    sizes = sorted({size for *_, own in KINDS.values() for size in own})
    rows = []
    for kind, (words, _, _, own) in KINDS.items():
        told = [
            _rate(kept, by_place[kind, *size], "default") if size in own else "" for size in sizes
        ]
        rows.append((words, *told))
    head = ("", *(f"{n} rows, F = {count}" for n, count in sizes))
    title = "### Categories, classes, tails, copies, few rows"
    return [title, "", *prose(FURTHER_TABLES), *_table(head, rows)]


def _other_nulls(kept: Kept) -> list[str]:
    targets = [null for null in NULLS if null.name.startswith("target-")]
    later = [null for null in NULLS if null.keep]
    names = _in_order(kept, "null")
    return [
        *("### Other targets and later steps", "", *prose(OTHER_NULLS)),
        *_null_rows(kept, targets, names),
        *_null_rows(kept, later, names),
        *("### Rows that hang together", "", *prose(DEPENDENT_ROWS)),
        *_null_rows(kept, DEPENDENT, names),
        *prose(TOGETHER_ROWS),
    ]


def _null_rows(kept: Kept, group: Sequence[Null], names: Sequence[str]) -> list[str]:
    """Return a table of some cells, of those methods that ran on any of them."""
    methods = [name for name in names if any(kept.null(null, name) is not None for null in group)]
    rows = [(null.words, *(_rate(kept, null, name) for name in methods)) for null in group]
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
    yield from _seldom_seen(kept)


def _overview(kept: Kept) -> list[str]:
    """Return one table of all problems: all true found, false after them."""
    rows = []
    for name in _in_order(kept, "truth"):
        found = [(problem, kept.truth(problem, name)) for problem in JUDGED]
        if any(truth is not None for _, truth in found):
            told = ["-" if t is None else _after(t, p, name) for p, t in found]
            rows.append((f"`{name}`", *told))
    return _table(("", *(problem.name for problem in JUDGED)), rows)


def _after(truth: Truth, problem: Problem, method: str) -> str:
    after = truth.false_after
    told = "-" if after is None else f"{100 * after.rate:.0f}"
    runs = truth.complete.runs
    few = runs < planned(f"truth/{problem.name}", method)
    return f"{100 * truth.complete.rate:.0f} / {told}{f' ({runs} runs)' if few else ''}"


def _problem(kept: Kept, problem: Problem) -> list[str]:
    rows = _truth_rows(kept, problem)
    return [f"### {problem.name}", "", *_table(("", *TRUTH_HEAD), rows)] if rows else []


TRUTH_HEAD = (
    *("runs", "all true found", "false after them", "any false", "true ones found", "size"),
)


def _truth_rows(kept: Kept, problem: Problem) -> list[tuple[str, ...]]:
    rows = []
    for name in _in_order(kept, "truth"):
        truth = kept.truth(problem, name)
        if truth is not None:
            told = (truth.complete, truth.false_after, truth.false_ever, truth.found)
            runs = str(truth.complete.runs)
            rows.append((f"`{name}`", runs, *map(share, told), f"{truth.size:g}"))
    return rows


def _seldom_seen(kept: Kept) -> list[str]:
    """Name the columns of the waveforms that the default finds in fewer than half of the runs."""
    waveform = next(problem for problem in PROBLEMS if not problem.all_true)
    found = kept.each_found(waveform, "default")
    seldom = [f"{name} in {share(count)}" for name, count in found.items() if count.rate < 0.5]
    told = f" Found by `default` in fewer than half of the runs: {', '.join(seldom)}."
    return prose(WAVEFORM.rstrip() + told) if seldom else []


def _cases(kept: Kept) -> Iterator[str]:
    yield from ["### One true column that could be hidden", "", *prose(CASE_TABLES)]
    yield from _table(("", "tables", "rows"), [(c.name, c.words, str(c.rows)) for c in CASES])
    rows = [(case.name, *row) for case in CASES for row in _truth_rows(kept, case)]
    yield from _table(("", "", *TRUTH_HEAD), rows)
    yield from [
        "### Eight of fifty",
        "",
        *prose(BINARIES, words=BINARY.words[0].upper() + BINARY.words[1:]),
    ]
    yield from _table(("", *TRUTH_HEAD), _truth_rows(kept, BINARY))


def _added(kept: Kept) -> list[str]:
    rows = []
    for name in SETS:
        found = [kept.added(name, levels, "default") for levels in ADDED_LEVELS]
        told = [
            "-" if one is None else f"{100 * one.stable.rate:.0f} / {100 * one.entered.rate:.0f}"
            for one in found
        ]
        runs = min((one.stable.runs for one in found if one is not None), default=0)
        sizes = sorted(map(len, kept.outcomes(f"added/{name}-alone", "default")))
        if sizes and runs:
            seeds = kept.reseeded(name, "default")
            other = "-" if seeds is None else f"{100 * seeds.rate:.0f}"
            rows.append((name, str(runs), f"{sizes[0]} to {sizes[-1]}", other, *told))
    if not rows:
        return []
    head = (
        "",
        "runs",
        "selected without it",
        "another seed",
        *(f"{levels} categories" for levels in ADDED_LEVELS),
    )
    return ["### A random column more", "", *prose(ADDED), *_table(head, rows)]


def _power(kept: Kept) -> Iterator[str]:
    yield from ["## Power", "", *prose(POWER)]
    yield from [
        "![Chance of selecting the true column](figures/validity-power.svg)",
        "",
        "The figure is made by `python benchmarks/validity.py --page`.",
        "",
    ]
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
    few = right.runs < planned("power/none", "default")
    return f"{told} ({right.runs} runs)" if few else told


def _settings(kept: Kept) -> Iterator[str]:
    yield from ["## Settings", "", *prose(SETTINGS)]
    yield from [f"- `{name}`: {worker_of(name).words}." for name in _in_order(kept, *PARTS)]
    yield ""
    default = kept.settings("default")
    if default is not None:
        keys = (
            "rank",
            "alpha",
            "bandwidth",
            "nominal",
            "class_weights",
            "permutations",
            "min_gain",
        )
        criteria = default["criteria"]
        assert isinstance(criteria, list)
        told = ", ".join(f"{key} {default[key]}" for key in keys if key in default)
        yield from prose(f"The defaults that ran as `default`: {', '.join(criteria)}, {told}.")
    pairs = kept.settings("default", "truth/xor")
    if pairs is not None:
        yield from prose(
            f"In *xor* with lookahead {pairs['lookahead']} and permutations {pairs['permutations']}"
            ", each of the two looks of a step at half the level."
        )
