"""Callbacks of scikit-learn, where the installed version has them (from 1.9 on, experimental)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from renyi import Progress

__all__ = ["CallbackPart", "told", "with_callbacks"]

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks

    class CallbackPart(CallbackSupportMixin):  # type: ignore[misc]
        """An estimator that takes callbacks: its tasks are the steps of the search."""

except ImportError:  # an earlier scikit-learn

    class CallbackPart:  # type: ignore[no-redef]
        """An estimator without callbacks, of which this scikit-learn knows nothing."""

    def with_callbacks(method: Any) -> Any:
        """Leave a method as it is."""
        return method


@contextmanager
def told(estimator: Any) -> Iterator[Callable[[Progress], None] | None]:
    """Tell the callbacks of an estimator, if it has any, of each step of the search inside.

    Yields
    ------
    callable
        What `renyi.select` is to report to; None where nobody listens.
    """
    begin = getattr(estimator, "_init_callback_context", None)
    if begin is None:
        yield None
        return
    root = begin(max_subtasks=None)
    root.call_on_fit_task_begin(estimator=estimator)

    def observe(progress: Progress) -> None:
        if progress.phase == "step":
            task = root.subcontext(task_name="step")
            task.call_on_fit_task_begin(estimator=estimator)
            task.call_on_fit_task_end(estimator=estimator)

    yield observe
    root.call_on_fit_task_end(estimator=estimator)
