"""Running independent tasks."""

from renyi.execution._threads import blas_threads, default_jobs, lone, run

__all__ = ["blas_threads", "default_jobs", "lone", "run"]
