"""The page docs/rivals.md."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rivals._figure import draw
from rivals._methods import AT, RENYI, RIVALS
from rivals._read import Difference, Results
from rivals._words import (
    EQUAL,
    INTRODUCTION,
    METHOD_WORDS,
    OVERALL,
    REASONS,
    RIVALS_TOLD,
    SHORTFALL,
)
from sections import prose
from sections._shape import table

__all__ = ["write_page"]

Facts = Mapping[str, Mapping[str, Any]]


def write_page(results: Results, facts: Facts, folder: Path, machine: str = "") -> Path:
    """Write the page and its figure from what is kept, and return where the page is.

    `machine` is a sentence on what the seconds were measured on.
    """
    common = results.common()
    lines = ["# Rivals", "", *prose(INTRODUCTION, sets=len(results.sets)), *_progress(results)]
    lines += ["## Methods", "", *_methods(results), *prose(RIVALS_TOLD)]
    if common:
        figure = folder / "figures" / "rivals.svg"
        draw(results, common, figure)
        lines += ["## Overall", "", *prose(OVERALL, sets=len(common))]
        made_with = " ".join([results.versions(), machine]).strip()
        lines += [*(prose(made_with) if made_with else []), *_overall(results), ""]
        lines += [
            "![Score against the number of columns](figures/rivals.svg)",
            "",
            "The figure is made by `python benchmarks/rivals.py page`.",
            "",
        ]
    lines += ["## By set", "", "Scores, and below them the columns that were kept.", ""]
    lines += [*_by_set(results, results.score), "", *_by_set(results, results.columns), ""]
    lines += _against_the_best(results)
    for name in RENYI:
        lines += _equal_size(results, name)
    lines += ["## The sets", "", *_sets(results, facts)]
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "rivals.md"
    page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    return page


def _progress(results: Results) -> list[str]:
    common = results.common()
    if results.sets and len(common) == len(results.sets) and results.splits() == 10:
        return []
    return prose(
        f"**Not everything is done: {len(common)} of {len(results.sets)} sets by all methods, "
        f"{results.splits()} of 10 splits.**"
    )


def _methods(results: Results) -> Iterator[str]:
    for name in results.methods:
        if name in RENYI:
            options = ", ".join(f"{key}={value!r}" for key, value in RENYI[name].items())
            told = f"`{options}`" if options else "no option set"
            yield from _item(f"`{name}`: `renyi.select` with {told}")
        elif name.startswith(AT):
            yield from _item(
                f"`{name}`: mRMR cut to as many columns as `{name.removeprefix(AT)}` chose"
            )
        else:
            yield from _item(f"`{name}`: {METHOD_WORDS[name]}")
    yield ""


def _item(text: str) -> list[str]:
    """Return an item of a list, wrapped."""
    return textwrap.wrap(
        f"- {text}",
        100,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _overall(results: Results) -> list[str]:
    rows = []
    for name in results.methods:
        whole = results.overall(name, results.common())
        rows.append(
            (
                f"`{name}`",
                f"{whole.score:.1f}",
                *(f"{score:.1f}" for score in whole.models.values()),
                f"{whole.mean_columns:.1f}",
                f"{whole.median_columns:.1f}",
                f"{whole.seconds:.2f}",
            )
        )
    head = ("", "score", "svm", "forest", "5-nn", "mean columns", "median columns", "seconds")
    return table(head, rows)


def _by_set(results: Results, number: Any) -> list[str]:
    rows = [
        (
            place,
            *(
                f"{number(name, place):.1f}" if results.has(name, place) else "-"
                for name in results.methods
            ),
        )
        for place in results.sets
    ]
    return table(("", *(f"`{name}`" for name in results.methods)), rows)


def _against_the_best(results: Results) -> Iterator[str]:
    """Say how far each way to call renyi is from the best rival of each set, and why."""
    ours = [name for name in results.methods if name in RENYI]
    if not ours or not any(name in RIVALS for name in results.methods):
        return
    yield from ["## Against the best rival of each set", ""]
    yield from prose(
        """
        The best rival is that with the highest mean score on these very test rows, which favours
        it: of five methods that are equally good, one looks better by luck. After ± stands the
        standard error, corrected for training rows that splits share (Nadeau and Bengio 2003).
        """
    )
    rows, far = [], {}
    for place in results.sets:
        best = results.best_rival(place)
        if best is None:
            continue
        gaps = {name: results.difference(name, best, place) for name in ours}
        told = (_told(gaps[name]) for name in ours)
        rows.append((place, f"`{best}`", f"{results.score(best, place):.1f}", *told))
        gap = gaps.get("default")
        if gap is not None and gap.mean < -SHORTFALL:
            far[place] = gap.mean
    yield from table(("", "best rival", "its score", *(f"`{n}`" for n in ours)), rows, left=2)
    yield ""
    if far:
        yield from prose(f"Where the default is more than {SHORTFALL:.0f} points below:")
        for place, gap in far.items():
            yield from _item(f"{place} ({gap:+.1f}): {REASONS.get(place, 'not explained yet.')}")
        yield ""


def _told(gap: Difference | None) -> str:
    return "-" if gap is None else f"{gap.mean:+.1f} ± {gap.error:.1f}"


def _equal_size(results: Results, name: str) -> Iterator[str]:
    """Say how mRMR does with as many columns."""
    other = AT + name
    gaps = {place: results.difference(name, other, place) for place in results.sets}
    known = {place: gap for place, gap in gaps.items() if gap is not None}
    if not known:
        return
    above = [place for place, gap in known.items() if gap.mean > 0]
    below = [place for place, gap in known.items() if gap.mean < 0]
    mean = sum(gap.mean for gap in known.values()) / len(known)
    yield from [f"## At equal size: `{name}` and mRMR", "", *prose(EQUAL, name=name)]
    yield from prose(
        f"`{name}` is above mRMR on {len(above)} of {len(known)} sets and below it on "
        f"{len(below)}; the mean difference is {mean:+.1f} points."
    )
    rows = [
        (
            place,
            f"{results.columns(name, place):.1f}",
            f"{results.score(name, place):.1f}",
            f"{results.score(other, place):.1f}",
            _told(gap),
        )
        for place, gap in known.items()
    ]
    yield from table(("", "columns", f"`{name}`", "mRMR", "difference"), rows)
    yield ""


def _sets(results: Results, facts: Facts) -> Iterator[str]:
    rows = []
    for place in results.sets:
        fact = facts[place]
        kind = f"{fact['classes']} classes" if fact["classes"] else "number"
        rows.append((place, kind, fact["rows"], fact["rows_of"], fact["columns"], fact["nominal"]))
    head = ("", "target", "rows used", "of", "columns", "of names")
    yield from table(head, rows, left=2)
    yield ""
    notes: list[str] = []
    for place in results.sets:
        fact = facts[place]
        told = []
        if fact["without"]:
            told.append(f"without {', '.join(f'`{n}`' for n in fact['without'])} ({fact['why']})")
        if fact["holes"]:
            told.append(
                f"without {', '.join(f'`{n}`' for n in fact['holes'])}, mostly or often holes"
            )
        if fact["complete"] < fact["rows_of"]:
            told.append(f"{fact['complete']:,} rows without holes")
        if told:
            notes += _item(f"{place}: {'; '.join(told)}")
    yield from [*notes, ""] if notes else []
    yield from prose(
        "Splits are by row. In parkinsons several rows are of one person, so that its scores are "
        "higher for all methods than they would be for new persons."
    )
