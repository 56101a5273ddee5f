"""What must hold, and whether it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from validity._added import LEVELS, SETS
from validity._cases import BINARY, CASES
from validity._cells import ADDED_RUNS, PURPOSES, cell_of
from validity._claims import madelon_problem, relevant_columns
from validity._further import NULLS
from validity._peers import CHI_SQUARE
from validity._rates import Count
from validity._read import LEVEL, Kept, Truth
from validity._truth import JUDGED, Problem

__all__ = ["Promise", "of", "planned", "promises", "share"]

POOLED_AT_MOST = 0.065
FALSE_AT_MOST = 0.10
COMPLETE_AT_LEAST = 0.80
XOR_AT_LEAST = 0.95
CASE_AT_LEAST = 0.95
BINARY_AT_LEAST = 0.75
STABLE_AT_LEAST = 0.90
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
    for method in ("default", "cmi-max"):
        yield _level(kept, method)
        yield _pooled(kept, method)
    for method in PURPOSES:
        yield _complete(kept, method)
        yield _false(kept, method)
    yield _noisy_copies(kept)
    yield _xor(kept)
    yield _cases(kept)
    yield _binary(kept)
    yield _added(kept)
    yield _copies(kept)
    yield _madelon(kept)


def planned(cell: str, method: str) -> int:
    """Return how many runs a method is to have in a cell."""
    return cell_of(cell).runs.get(method, 0)


def share(count: Count | None) -> str:
    """Return a share of runs in per cent; a dash without runs."""
    return "-" if count is None else f"{100 * count.rate:.1f}%"


def of(count: Count | None, runs: int) -> str:
    """Return a share in per cent, with the number of runs where it is below the planned one."""
    if count is None:
        return "-"
    return share(count) if count.runs >= runs else f"{share(count)} ({count.runs} runs)"


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
    found = (
        f"{rejected}; most in {cell}: {share(count)} of {count.runs} runs, p {p_value:.2g} alone"
    )
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
    judged = [null for null in NULLS if null.judged]
    asked = [(null, planned(f"null/{null.name}", method)) for null in judged]
    counts = [(kept.null(null, method), runs) for null, runs in asked if runs]
    return all(count is not None and count.runs >= runs for count, runs in counts)


def _truths(kept: Kept, problems: Sequence[Problem], method: str) -> tuple[dict[str, Truth], bool]:
    """Return what a method did on some problems, and whether all runs are done."""
    found = {problem.name: kept.truth(problem, method) for problem in problems}
    known = {name: truth for name, truth in found.items() if truth is not None}
    whole = len(known) == len(found) and all(
        truth.complete.runs >= planned(f"truth/{name}", method) for name, truth in known.items()
    )
    return known, whole


def _complete(kept: Kept, method: str) -> Promise:
    words = (
        f"`{method}`, six problems of known truth: all true columns in at least "
        f"{COMPLETE_AT_LEAST:.0%} of runs"
    )
    found, whole = _truths(kept, JUDGED, method)
    counts = {name: truth.complete for name, truth in found.items()}
    return _each(words, counts, lambda count: count.rate >= COMPLETE_AT_LEAST, whole)


def _false(kept: Kept, method: str) -> Promise:
    words = (
        f"`{method}`, the same but *copies*: once the true columns are in, a false one enters in "
        f"at most {FALSE_AT_MOST:.0%} of runs"
    )
    others = [problem for problem in JUDGED if problem.name != "copies"]
    found, whole = _truths(kept, others, method)
    return _each(words, _after(found), lambda count: count.rate <= FALSE_AT_MOST, whole)


def _after(found: Mapping[str, Truth]) -> dict[str, Count]:
    after = {name: truth.false_after for name, truth in found.items()}
    return {name: count for name, count in after.items() if count is not None}


def _noisy_copies(kept: Kept) -> Promise:
    words = (
        "*copies*, once both true columns are in: `news` takes a noisy copy in at most "
        f"{FALSE_AT_MOST:.0%} of runs. Nothing is asked of `default`: a model gains by such copies"
    )
    copies = [problem for problem in JUDGED if problem.name == "copies"]
    after = {name: _after(_truths(kept, copies, name)[0]).get("copies") for name in PURPOSES}
    counts = {name: count for name, count in after.items() if count is not None}
    found = ", ".join(f"{name}: {share(count)}" for name, count in counts.items())
    news = counts.get("news")
    holds = None if news is None else news.rate <= FALSE_AT_MOST
    return Promise(words, found, holds, all(_truths(kept, copies, n)[1] for n in PURPOSES))


def _each(
    words: str, counts: Mapping[str, Count], good: Callable[[Count], bool], whole: bool
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
    xor = [problem for problem in JUDGED if problem.name == "xor"]
    found = {name: _truths(kept, xor, name) for name in (*PURPOSES, "cmi-max-pairs")}
    counts = {name: known["xor"].complete for name, (known, _) in found.items() if known}
    whole = all(done for _, done in found.values())
    return _each(words, counts, lambda count: count.rate >= XOR_AT_LEAST, whole)


def _cases(kept: Kept) -> Promise:
    words = (
        "`default`, one true column beside a random column of 40 or 15 categories, or in the "
        f"commoner class only: found in at least {CASE_AT_LEAST:.0%} of tables"
    )
    found, whole = _truths(kept, CASES, "default")
    counts = {name: truth.complete for name, truth in found.items()}
    return _each(words, counts, lambda count: count.rate >= CASE_AT_LEAST, whole)


def _binary(kept: Kept) -> Promise:
    words = (
        "`default`, 8 true columns of zeros and ones among 50, n = 400: all 8 found in at least "
        f"{BINARY_AT_LEAST:.0%} of tables"
    )
    truths = {name: kept.truth(BINARY, name) for name in (*PURPOSES, CHI_SQUARE.name)}
    counts = {name: truth.complete for name, truth in truths.items() if truth is not None}
    default = counts.get("default")
    if default is None:
        return Promise(words, "", None, whole=False)
    found = ", ".join(f"{name}: {share(count)}" for name, count in counts.items())
    whole = all(c.runs >= planned("truth/binary", name) for name, c in counts.items())
    return Promise(words, found, default.rate >= BINARY_AT_LEAST, whole)


def _added(kept: Kept) -> Promise:
    words = (
        "`default`, a random column of 5 to 50 categories added to a public set: at most one "
        f"column leaves and at most one comes in at least {STABLE_AT_LEAST:.0%} of runs, on each "
        "set with each number of categories"
    )
    whole, rows = True, {}
    for name in SETS:
        found = [kept.added(name, levels, "default") for levels in LEVELS]
        known = [one for one in found if one is not None]
        runs = min((one.stable.runs for one in known), default=0)
        whole = whole and len(known) == len(LEVELS) and runs >= ADDED_RUNS[name]
        if known:
            rows[name] = [one.stable for one in known]
    told = ", ".join(f"{name}: {' '.join(map(share, counts))}" for name, counts in rows.items())
    every = [count for counts in rows.values() for count in counts]
    if not every:
        return Promise(words, "", None, whole=False)
    return Promise(words, told, all(c.rate >= STABLE_AT_LEAST for c in every), whole)


def _copies(kept: Kept) -> Promise:
    words = "a column and its copy are never both selected: exact, scaled, turned or renamed"
    cell = cell_of("claims/copies")
    counts = {name: kept.copies(name) for name in cell.methods}
    known = {name: count for name, count in counts.items() if count is not None}
    if not known:
        return Promise(words, "", None, whole=False)
    found = ", ".join(f"{name}: {c.hits} of {c.runs} runs" for name, c in known.items())
    whole = len(known) == len(counts) and all(c.runs >= cell.runs[n] for n, c in known.items())
    return Promise(words, found, not any(count.hits for count in known.values()), whole)


def _madelon(kept: Kept) -> Promise:
    words = (
        f"madelon at alpha 2, bandwidth 2: of the first ten columns at least {MADELON_AT_LEAST} "
        "are among the 20 relevant ones"
    )
    runs = kept.outcomes("claims/madelon", "none")
    if not runs or madelon_problem():
        return Promise(words, madelon_problem(), None, whole=False)
    relevant = set(relevant_columns(cell_of("claims/madelon").table(0)))
    hits = sum(column in relevant for column in runs[0])
    return Promise(words, f"{hits} of {len(runs[0])}", hits >= MADELON_AT_LEAST, whole=True)
