"""Running independent tasks, telling how far they are, and ending them when nobody waits."""

from renyi.execution._threads import (
    default_jobs,
    in_turn,
    leave_blas_threads,
    lone,
    one_blas_thread,
    run,
)
from renyi.execution._work import expect, followed, pause

__all__ = [
    "default_jobs",
    "expect",
    "followed",
    "in_turn",
    "leave_blas_threads",
    "lone",
    "one_blas_thread",
    "pause",
    "run",
]
