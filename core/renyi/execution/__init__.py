"""Running independent tasks."""

from renyi.execution._threads import (
    default_jobs,
    in_turn,
    leave_blas_threads,
    lone,
    one_blas_thread,
    run,
)

__all__ = ["default_jobs", "in_turn", "leave_blas_threads", "lone", "one_blas_thread", "run"]
