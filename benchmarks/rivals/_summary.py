"""The outcomes as two short tables of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from rivals._judges import MODELS
from rivals._methods import RENYI, code_of_renyi
from rivals._read import Results

__all__ = ["summary"]


def summary(results: Results) -> str:
    """Return means per method over the sets that all have, and every set."""
    if not results.methods:
        return "Nothing is done yet."
    return "\n".join([*_methods(results), "", *_sets(results), *_notes(results)])


def _methods(results: Results) -> Iterator[str]:
    common = results.common()
    yield f"Means over {len(common)} of {len(results.sets)} sets, up to {results.splits()} splits"
    best = {place: results.best_rival(place) for place in common}
    head = ("method", "score %", *MODELS, "columns", "median", "seconds", "to best rival")
    rows = []
    for name in results.methods if common else ():
        whole = results.overall(name, common)
        told = [f"{whole.score:.2f}", *(f"{whole.models[model]:.1f}" for model in MODELS)]
        told += [f"{whole.mean_columns:.1f}", f"{whole.median_columns:.1f}"]
        told.append(f"{whole.seconds:.2f}")
        gaps = [
            results.score(name, s) - results.score(other, s) for s, other in best.items() if other
        ]
        rows.append([name, *told, f"{fmean(gaps):+.2f}" if gaps else "-"])
    yield from _aligned(head, rows)


def _sets(results: Results) -> Iterator[str]:
    yield "Score % (columns) by set; after it, how far from the best rival"
    ours = [name for name in results.methods if name in RENYI]
    rows = []
    for place in results.sets:
        cells = [
            f"{results.score(name, place):.1f} ({results.columns(name, place):.0f})"
            if results.has(name, place)
            else "-"
            for name in results.methods
        ]
        best = results.best_rival(place)
        gaps = [results.difference(name, best, place) if best else None for name in ours]
        told = [f"{gap.mean:+.1f}" if gap else "-" for gap in gaps]
        rows.append([place, *cells, best or "-", *told])
    head = ("set", *results.methods, "best", *(f"to {name}" for name in ours))
    yield from _aligned(head, rows)


def _notes(results: Results) -> Iterator[str]:
    for name in results.methods:
        others = results.codes(name) - {code_of_renyi()} if name in RENYI else set()
        if others:
            yield f"{name}: outcomes of other source of renyi too ({', '.join(sorted(others))})"


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        first, *others = (
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join([first, *others]).rstrip()
