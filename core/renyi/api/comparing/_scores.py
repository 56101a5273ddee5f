"""Paths of several scores at work: each as alone, judged on the same draws."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from renyi._progress import CancelToken, Observer
from renyi._typing import FloatArray
from renyi.api._foreseen import Work, foreseen_together
from renyi.api._session import Session
from renyi.api.comparing._comparison import Comparison
from renyi.api.comparing._score_comparison import ScoreComparison
from renyi.api.comparing._seconds import seconds_by
from renyi.api.comparing._side_by_side import Judging, most_steps, side_by_side
from renyi.errors import Interrupted
from renyi.evaluation import paired_stops

__all__ = ["scores_side_by_side"]


def scores_side_by_side(
    sessions: list[Session],
    judging: Judging,
    *,
    asked: bool,
    observer: Observer,
    cancel: CancelToken | None,
    started: float,
) -> Comparison | ScoreComparison:
    """Run the path of each score, ask its criteria, judge all by the same draws.

    A draw depends on the seed, the run and the target with what is known of its rows; so paths of
    one table are judged on the same rows, and may be compared run by run.

    Parameters
    ----------
    sessions
        One a score, of the same table; emptied on the way, so that what is done takes no memory.
    judging
        How features are judged.
    asked, observer, cancel, started
        As in `side_by_side`.

    Returns
    -------
    Comparison or ScoreComparison
        The former of one score.

    Raises
    ------
    Interrupted
        On Ctrl-C; its `.path` is the `ScoreComparison` of the scores that were finished, or while
        the first is at work what `side_by_side` says.
    """
    alone = len(sessions) == 1
    if not alone:
        works = [_work(session, judging) for session in sessions]
        sessions[:] = foreseen_together(sessions, works, observer)
    found: list[Comparison] = []
    judged: list[dict[int, FloatArray]] = []

    def keep(sizes: Sequence[int], scores: FloatArray) -> None:
        judged.append({size: scores[:, place] for place, size in enumerate(sizes)})

    names = [session.method.score for session in sessions]

    def answer() -> ScoreComparison:
        return ScoreComparison(
            comparisons=tuple(found),
            stops=paired_stops(found, judged, judging.test),
            unfinished=tuple(names[len(found) :]),
            run={"seconds": round(perf_counter() - started, 3)},
        )

    while sessions:
        session = sessions.pop(0)
        try:
            one = side_by_side(
                session,
                judging,
                asked=asked,
                observer=observer,
                cancel=cancel,
                started=started if alone else perf_counter(),
                judged=keep,
            )
        except KeyboardInterrupt:
            if not found:
                raise
            raise Interrupted(answer()) from None
        found.append(one)
    return found[0] if alone else answer()


def _work(session: Session, judging: Judging) -> Work:
    method = session.method
    limit = most_steps(session, method)
    return seconds_by(session, method.criteria, judging.model.name, judging.runs, limit)
