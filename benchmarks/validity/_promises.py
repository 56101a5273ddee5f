"""What must hold, and whether it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from validity._cells import cell_of
from validity._claims import madelon_problem, relevant_columns
from validity._further import NULLS
from validity._rates import Count
from validity._read import LEVEL, Kept
from validity._truth import JUDGED

__all__ = ["Promise", "of", "promises", "share"]

POOLED_AT_MOST = 0.065
FALSE_AT_MOST = 0.10
COMPLETE_AT_LEAST = 0.80
XOR_AT_LEAST = 0.95
MADELON_AT_LEAST = 9


@dataclass(frozen=True)
class Promise:
    """One thing that must hold.

    Attributes
    ----------
    words
        What.
    found
        What was found.
    holds
        Whether it does so far; None where nothing is known.
    whole
        Whether all its runs are done.
    """

    words: str
    found: str
    holds: bool | None
    whole: bool

    @property
    def verdict(self) -> str:
        """In a word."""
        if self.holds is None:
            return "not run"
        return f"{'holds' if self.holds else '**does not hold**'}{'' if self.whole else ' so far'}"


def promises(kept: Kept) -> Iterator[Promise]:
    """Yield everything that must hold."""
    for method in ("cmi-max", "default"):
        yield _level(kept, method)
        yield _pooled(kept, method)
    yield _false(kept)
    yield _complete(kept)
    yield _xor(kept)
    yield _copies(kept)
    yield _madelon(kept)


def share(count: Count | None) -> str:
    """Return a share of runs in per cent; a dash without runs."""
    return "-" if count is None else f"{100 * count.rate:.1f}%"


def of(count: Count | None, runs: int) -> str:
    """Return a share in per cent, with the number of runs where it is not the planned one."""
    if count is None:
        return "-"
    return share(count) if count.runs == runs else f"{share(count)} ({count.runs} runs)"


def _level(kept: Kept, method: str) -> Promise:
    words = (
        f"`{method}`: no cell under the global null speaks against a level of .05 (one-sided "
        "exact binomial test, Holm over all cells at .05)"
    )
    verdict = kept.null_verdict(method)
    if verdict is None:
        return Promise(words, "", None, whole=False)
    cell, count = verdict.largest
    rejected = f"{len(verdict.rejected)} of {verdict.cells} cells"
    p_value = count.above(LEVEL)
    found = f"{rejected}; most in {cell}: {of(count, 400)}, p {p_value:.2g} for this cell alone"
    return Promise(words, found, not verdict.rejected, _null_whole(kept, method))


def _pooled(kept: Kept, method: str) -> Promise:
    most = f"{100 * POOLED_AT_MOST:.1f}%"
    words = f"`{method}`: pooled over the cells of each number of candidates at most {most}"
    verdict = kept.null_verdict(method)
    if verdict is None:
        return Promise(words, "", None, whole=False)
    found = ", ".join(f"{F}: {share(count)}" for F, count in sorted(verdict.pooled.items()))
    holds = all(count.rate <= POOLED_AT_MOST for count in verdict.pooled.values())
    return Promise(words, found, holds, _null_whole(kept, method))


def _null_whole(kept: Kept, method: str) -> bool:
    counts = [kept.null(null, method) for null in NULLS if null.judged]
    runs = cell_of(f"null/{NULLS[0].name}").runs
    return all(count is not None and count.runs >= runs for count in counts)


def _truth_runs() -> int:
    return cell_of(f"truth/{JUDGED[0].name}").runs


def _false(kept: Kept) -> Promise:
    words = (
        "default, six problems of known truth: once the true columns are in, a false one enters in "
        f"at most {FALSE_AT_MOST:.0%} of runs"
    )
    found = {p.name: kept.truth(p, "default") for p in JUDGED}
    after = {name: truth.false_after for name, truth in found.items() if truth is not None}
    counts = {name: count for name, count in after.items() if count is not None}
    return _each(words, counts, lambda count: count.rate <= FALSE_AT_MOST, _all_runs(kept))


def _complete(kept: Kept) -> Promise:
    words = f"default, the same six: all true columns in at least {COMPLETE_AT_LEAST:.0%} of runs"
    found = {p.name: kept.truth(p, "default") for p in JUDGED}
    counts = {name: truth.complete for name, truth in found.items() if truth is not None}
    return _each(words, counts, lambda count: count.rate >= COMPLETE_AT_LEAST, _all_runs(kept))


def _all_runs(kept: Kept) -> bool:
    found = [kept.truth(problem, "default") for problem in JUDGED]
    return all(truth is not None and truth.complete.runs >= _truth_runs() for truth in found)


def _each(
    words: str, counts: dict[str, Count], good: Callable[[Count], bool], whole: bool
) -> Promise:
    if not counts:
        return Promise(words, "", None, whole=False)
    found = ", ".join(f"{name}: {share(count)}" for name, count in counts.items())
    return Promise(words, found, all(map(good, counts.values())), whole)


def _xor(kept: Kept) -> Promise:
    words = (
        "XOR of two coins with 10% wrong labels among 20 standard normal columns, n = 400, "
        f"look-ahead of two: both found in at least {XOR_AT_LEAST:.0%} of runs"
    )
    problem = next(problem for problem in JUDGED if problem.name == "xor")
    found = {name: kept.truth(problem, name) for name in ("default", "cmi-max-pairs")}
    counts = {name: truth.complete for name, truth in found.items() if truth is not None}
    whole = all(count.runs >= _truth_runs() for count in counts.values())
    return _each(words, counts, lambda count: count.rate >= XOR_AT_LEAST, whole)


def _copies(kept: Kept) -> Promise:
    words = "a column and its copy are never both selected: exact, scaled, turned or renamed"
    cell = cell_of("claims/copies")
    counts = {name: kept.copies(name) for name in cell.methods}
    known = {name: count for name, count in counts.items() if count is not None}
    if not known:
        return Promise(words, "", None, whole=False)
    found = ", ".join(f"{name}: {c.hits} of {c.runs} runs" for name, c in known.items())
    whole = len(known) == len(counts) and all(c.runs >= cell.runs for c in known.values())
    return Promise(words, found, not any(count.hits for count in known.values()), whole)


def _madelon(kept: Kept) -> Promise:
    words = (
        f"madelon at alpha 2, sigma 2: of the first ten columns at least {MADELON_AT_LEAST} are "
        "among the 20 relevant ones"
    )
    runs = kept.outcomes("claims/madelon", "none")
    if not runs or madelon_problem():
        return Promise(words, madelon_problem(), None, whole=False)
    relevant = set(relevant_columns(cell_of("claims/madelon").table(0)))
    hits = sum(column in relevant for column in runs[0])
    return Promise(words, f"{hits} of {len(runs[0])}", hits >= MADELON_AT_LEAST, whole=True)
