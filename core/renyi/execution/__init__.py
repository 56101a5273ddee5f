"""Running independent tasks."""

from renyi.execution._threads import default_jobs, lone, one_blas_thread, run

__all__ = ["default_jobs", "lone", "one_blas_thread", "run"]
