"""Running independent tasks, here or elsewhere, telling how far they are, and ending them."""

from renyi.execution._crew import Crew
from renyi.execution._open import crew_for, crew_of, crew_record
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
    "Crew",
    "crew_for",
    "crew_of",
    "crew_record",
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
