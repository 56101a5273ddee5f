"""How long a selection will take, told before it begins where that is more than a minute.

What a table does to the cost, and how many steps it takes, no formula tells. So where a formula
says that the work is long, the same search is done on few rows first, for a twentieth of the time
at most; what it took, times what the formula says of all rows as against few, is the estimate. It
never enters a result, for seconds are of a machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

import numpy as np

from renyi._draws import draw_rule, least_draws
from renyi._progress import CancelToken
from renyi._random import permutation
from renyi._typing import IntArray
from renyi.api._engines import engine_for
from renyi.api._reruns import Repeats, settings_of
from renyi.api._session import Session
from renyi.errors import RenyiError
from renyi.information import InformationEngine, Plan, seconds_of
from renyi.kernels import KernelModel
from renyi.options import PERMUTING, MethodOptions
from renyi.selection import ForwardSearch, Step
from renyi.variables import Dataset

__all__ = ["long_note"]

TOLD: Final = 60.0
"""Seconds from which it is told how long the work takes."""

TRIED: Final = 20.0
"""Seconds by the formula from which it is tried on few rows."""

TRIAL_SHARE: Final = 0.05
TRIAL_SECONDS: Final = 3.0
"""What a trial takes of the whole by the formula, and at the most."""

TRIAL_MOST: Final = 6.0
"""Seconds by the clock after which no further step of a trial begins."""

TRIAL_ROWS: Final = 200
TRIAL_COLUMNS: Final = 20
"""Rows and columns below which a trial tells nothing."""

PACES: Final = (0.4, 3.0)
"""Times the pace of the machine that a trial may tell: its short calls wait on a busy machine."""

USUAL_STEPS: Final = 10
MOST_STEPS: Final = 30
"""Steps that a search is taken to have where nothing tells: public tables take 3 to 30."""

MORE_STEPS: Final = 0.2
"""Power of the rows with which steps grow: more rows tell more features from chance."""

PLAIN_DRAWS: Final = 8.0
PLAIN_ROWS: Final = 2000
PLAIN_POWER: Final = 0.4
"""Draws a step, of so many rows, where most answers are plain without them: of fewer rows more, by
this power."""

CLOSE: Final = 0.5
"""Share of searches that meet a close answer, which takes all draws."""

PILOT_DRAWS: Final = 20
"""Draws a step that tell what chance gives among rows that are alike."""

COPYING: Final = frozenset({"cmi-perm", "mi-perm"})
"""Criteria whose draws shuffle one feature, and are made however plain the answer is."""

FASTER: Final = 0.6
"""Share of the time that a faster way takes at most to be named."""


@dataclass(frozen=True)
class Work:
    """All that is to be done, for `seconds`.

    Attributes
    ----------
    search
        The selection itself.
    repeats
        How often what is repeated.
    """

    search: Plan
    repeats: tuple[tuple[int, Plan], ...] = ()

    @property
    def seconds(self) -> float:
        """By the formula."""
        return seconds_of(self.search) + sum(n * seconds_of(plan) for n, plan in self.repeats)


def long_note(
    session: Session,
    method: MethodOptions,
    repeats: Repeats,
    keep: Sequence[int],
    finished: int,
    cancel: CancelToken | None,
) -> str:
    """Return how long the work will take and the faster way, empty where it is not long.

    Parameters
    ----------
    session, method, repeats
        What is to be done.
    keep
        Column numbers forced in.
    finished
        Steps that a checkpoint holds.
    cancel
        Asked for interruption.
    """
    found = estimated(session, method, repeats, keep, finished, cancel)
    if found is None or found.seconds < TOLD:
        return ""
    told = f"This takes {in_words(found.seconds)}"
    ways = [
        f"{words} ({in_words(seconds)})"
        for words, seconds in found.ways
        if seconds < FASTER * found.seconds
    ]
    return f"{told}. Faster: {' or '.join(ways[:2])}." if ways else f"{told}."


@dataclass(frozen=True)
class Estimate:
    """What work takes on this machine, seconds, and what faster ways do, fastest first."""

    seconds: float
    ways: list[tuple[str, float]]


def estimated(
    session: Session,
    method: MethodOptions,
    repeats: Repeats,
    keep: Sequence[int],
    finished: int = 0,
    cancel: CancelToken | None = None,
) -> Estimate | None:
    """Return how long work takes, None where it is short or on another kind of machine."""
    if session.backend.device != "cpu":
        return None
    method = method if session.choice is None else replace(method, bandwidth=session.choice.sigma)
    dataset, engine = session.loaded.dataset, session.engine
    plan = plan_of(engine, method)
    if work_of(plan, method, repeats).seconds < TRIED:
        return None
    pace, plan = _tried(session, dataset, method, plan, keep, cancel)
    work = work_of(plan, method, repeats)
    done = min(finished / plan.steps, 1 - 1 / plan.steps) if finished else 0.0
    ways = faster_ways(work, method, repeats, engine.n)
    seconds = work.seconds - done * seconds_of(plan)
    return Estimate(pace * seconds, [(words, pace * each) for words, each in ways])


def plan_of(engine: InformationEngine, method: MethodOptions) -> Plan:
    """Return a search in numbers, by what is known before it."""
    features = engine.model.features
    most = min(method.max_features or len(features), len(features))
    everything = engine.model.product(engine.everything)
    known = 7.0 if engine.n > 4096 else 1.5 * float(np.log10(max(engine.n, 10)))
    widths = [min(float(part.distinct), known) for part in features]
    testing = [name for name in method.criteria if name in PERMUTING]
    usual = USUAL_STEPS if method.max_features is None else MOST_STEPS  # a limit is mostly reached
    plan = Plan(
        rows=everything.distinct,
        columns=len(features),
        steps=float(min(most, usual) if testing or method.min_gain is not None else most),
        width=sum(widths) / max(len(widths), 1),
        alpha=method.alpha,
        numeric=engine.model.target.codes is None and engine.model.target.soft is None,
        shortcuts=method.solver not in {"dense", "eigen"},
        threads=engine.jobs,
    )
    if not testing:
        return plan
    rule = draw_rule(method.permutations)
    draws = float(rule.most)
    return _drawing(plan, method, min(draws, plain_draws(engine.n)) if _spares(method) else draws)


def plain_draws(rows: int) -> float:
    """Return the draws a step where most answers are plain without draws."""
    return float(PLAIN_DRAWS * max(1.0, (PLAIN_ROWS / rows) ** PLAIN_POWER))


def _drawing(plan: Plan, method: MethodOptions, draws: float) -> Plan:
    """Return the plan with so many draws a step, those of local orders beside."""
    together = {"cmi-max", "cmi-local"} & {*method.criteria}
    local = PILOT_DRAWS if "cmi-local" in method.criteria and method.rank == "chance" else 0
    return replace(
        plan,
        drawn="all" if together else "copies",
        draws=draws + local,
        whole="cmi-perm" in method.criteria,
    )


def work_of(plan: Plan, method: MethodOptions, repeats: Repeats) -> Work:
    """Return a search with what is to be repeated."""
    again: list[tuple[int, Plan]] = []
    if repeats.sensitivity:
        again += [(1, replace(plan, alpha=alpha)) for alpha, _ in settings_of(method)]
    if repeats.stability is not None:
        again.append((repeats.stability, replace(plan, rows=max(plan.rows // 2, 1))))
    return Work(plan, tuple(again))


def _tried(
    session: Session,
    dataset: Dataset,
    method: MethodOptions,
    plan: Plan,
    keep: Sequence[int],
    cancel: CancelToken | None,
) -> tuple[float, Plan]:
    """Return how much longer work takes than by the formula, and the plan as it turned out."""
    cheap, times = _few_draws(method)
    size = _trial_size(replace(plan, draws=plan.draws / times), dataset.n, seconds_of(plan))
    if size is None:
        return machine_pace(), plan
    rows, columns = size
    resources = (session.backend, session.asked.jobs, session.max_memory)
    some = _spread_columns(plan.columns, columns, keep)
    table = Dataset(tuple(dataset.features[k] for k in some), dataset.targets)

    def search(count: int, most: int | None) -> list[Step]:
        part = table.take(_spread(dataset, count, method.seed))
        options = replace(cheap, max_features=most)
        model = KernelModel.build(part, options)
        engine = engine_for(model, options, *resources)
        kept = [some.index(k) for k in keep]
        steps, started = [], perf_counter()
        for step in ForwardSearch(part, engine, options, keep=kept, cancel=cancel):
            steps.append(step)
            if perf_counter() - started > TRIAL_MOST:
                break
        return steps

    try:
        search(TRIAL_ROWS // 2, len(keep) + 1)  # the first of a process loads libraries
        started = perf_counter()
        steps = search(rows, method.max_features)
    except RenyiError:  # what few rows cannot do; all rows may, or it is told of there
        return machine_pace(), plan
    seconds = perf_counter() - started
    share = rows / dataset.n
    count = float(max(len(steps), 1))
    small = replace(plan, rows=max(round(share * plan.rows), 1), columns=len(some), steps=count)
    found = plan
    if plan.drawn != "none" and steps:
        draws = [max((one.drawn or 0 for one in step.criteria), default=0) for step in steps]
        # a draw of all candidates takes the longer, the more are left
        left = [len(some) - k if plan.drawn == "all" else 1 for k in range(len(steps))]
        mean = float(np.average(draws, weights=left))
        small = _drawing(small, method, mean)
        likely = times * mean
        if _spares(method):  # more rows leave fewer answers open; one close one there may be
            likely = max(
                likely * share**PLAIN_POWER, CLOSE * draw_rule(cheap.permutations).most / count
            )
        found = _drawing(plan, method, likely)
    own = machine_pace()
    pace = min(max(seconds / seconds_of(small), PACES[0] * own), PACES[1] * own)
    if columns < plan.columns or seconds > TRIAL_MOST:  # what was left out may be what counts
        return pace, found
    limit = float(min(method.max_features or plan.columns, plan.columns))
    return pace, replace(found, steps=max(min(count / share**MORE_STEPS, limit), count))


def _spares(method: MethodOptions) -> bool:
    """Return whether draws are made only where the answer is not plain."""
    testing = PERMUTING & {*method.criteria}
    auto = draw_rule(method.permutations).name == "auto"
    return auto and method.rank == "chance" and bool(testing) and not testing & COPYING


def _few_draws(method: MethodOptions) -> tuple[MethodOptions, float]:
    """Return the method with as few draws as its level takes, and how many times more it has."""
    rule = draw_rule(method.permutations)
    least = least_draws(method.significance / method.lookahead)
    if _spares(method) or rule.most <= least or not PERMUTING & {*method.criteria}:
        return method, 1.0
    return replace(method, permutations=least), rule.most / least


def _trial_size(plan: Plan, rows: int, seconds: float) -> tuple[int, int] | None:
    """Return the most rows and columns that a trial of so long a search may have, None for few.

    Columns are left out only where so few rows as still tell something take too long with all.
    """
    allowed = min(TRIAL_SHARE * seconds, TRIAL_SECONDS)

    def fits(count: int, columns: int) -> bool:
        part = max(plan.rows * count // rows, 1)
        steps = min(plan.steps, float(columns))
        return seconds_of(replace(plan, rows=part, columns=columns, steps=steps)) <= allowed

    for columns in _falling(plan.columns, min(plan.columns, TRIAL_COLUMNS)):
        for count in _falling(rows, min(rows, TRIAL_ROWS)):
            if count * columns < rows * plan.columns and fits(count, columns):
                return count, columns
    return None


def _falling(most: int, least: int) -> Iterator[int]:
    """Yield numbers from `most` on down to `least`, each four fifths of the one before."""
    count = most
    while count >= max(least, 1):
        yield count
        count = count * 4 // 5


def _spread_columns(columns: int, count: int, keep: Sequence[int]) -> list[int]:
    """Return numbers of columns spread evenly over all, those of `keep` among them."""
    places = np.linspace(0, columns - 1, count).round().astype(int).tolist()
    return sorted({*places, *keep})


def _spread(dataset: Dataset, count: int, seed: int) -> IntArray:
    """Return rows that are spread evenly over the values of the target."""
    order = permutation(dataset.n, seed, "estimate")
    order = order[np.argsort(dataset.target.codes[order], kind="stable")]
    places = np.linspace(0, dataset.n - 1, count).round().astype(np.int64)
    return np.sort(order[places])


PROBE_ROWS: Final = 256
PROBE_SECONDS: Final = 1.9e-3
"""Rows of a matrix that is multiplied and taken exponentials of, and what that took."""


def machine_pace() -> float:
    """Return how much longer this machine takes than the one that the formula was measured on."""
    matrix = np.linspace(0.0, 1.0, PROBE_ROWS**2).reshape(PROBE_ROWS, -1)
    best = float("inf")
    for _ in range(5):
        started = perf_counter()
        np.exp(-(matrix @ matrix) / PROBE_ROWS)
        best = min(best, perf_counter() - started)
    return best / PROBE_SECONDS


def faster_ways(
    work: Work, method: MethodOptions, repeats: Repeats, rows: int
) -> list[tuple[str, float]]:
    """Return what could be asked for instead, and its seconds by the formula, fastest first."""
    plan = work.search
    ways: list[tuple[str, float]] = []

    def way(words: str, other: Plan) -> None:
        ways.append((words, work_of(other, method, repeats).seconds))

    if plan.alpha != 2 and method.solver == "auto":
        way("--alpha 2", replace(plan, alpha=2.0))
    fewer = 5000 if rows >= 10_000 else rows // 2 // 100 * 100
    if fewer >= 1000:
        way(f"--rows {fewer}", replace(plan, rows=max(plan.rows * fewer // rows, 1)))
    for most in (10, 5):
        if plan.steps >= 1.5 * most:
            way(f"--max-features {most}", replace(plan, steps=float(most)))
            break
    if plan.drawn == "all" and plan.draws > 2 * plain_draws(rows) and plan.alpha == 2:
        way("--permutations auto", replace(plan, draws=plain_draws(rows)))
    if repeats.sensitivity:
        without = work_of(plan, method, Repeats(False, repeats.stability))
        ways.append(("no --sensitivity", without.seconds))
    if repeats.stability is not None and repeats.stability > 20:
        ways.append(
            ("--stability 20", work_of(plan, method, replace(repeats, stability=20)).seconds)
        )
    return sorted(ways, key=lambda way: way[1])


def in_words(seconds: float) -> str:
    """Write about how long something takes.

    Examples
    --------
    >>> in_words(8), in_words(74), in_words(250), in_words(8000)
    ('some 10 seconds', 'about a minute', 'about 4 minutes', 'about 2 hours')
    """
    if seconds < 55:
        return f"some {max(10, round(seconds / 10) * 10)} seconds"
    if seconds < 90:
        return "about a minute"
    if seconds < 5400:
        return f"about {round(seconds / 60)} minutes"
    hours = round(seconds / 3600)
    return f"about {hours} hours" if hours < 48 else f"about {round(hours / 24)} days"
