"""Callbacks of scikit-learn, where the installed version has them (from 1.9 on, experimental)."""

from __future__ import annotations

from typing import Any

from renyi import CancelToken, Progress

__all__ = ["CallbackPart", "Listening", "with_callbacks"]

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


class Listening:
    """How the callbacks of an estimator hear of the search, and end it.

    Parameters
    ----------
    estimator
        Where there is no callback, or no scikit-learn that has them, nothing is told.
    """

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._root: Any = None
        begin = getattr(estimator, "_init_callback_context", None)
        self.token = CancelToken()
        if begin is not None:
            self._root = begin(max_subtasks=None)
            self._root.call_on_fit_task_begin(estimator=estimator)

    def step(self, progress: Progress, /) -> None:
        """Tell of each step that is finished; a callback may say that it is the last."""
        if self._root is None or progress.phase != "step":
            return
        task = self._root.subcontext(task_name="step")
        task.call_on_fit_task_begin(estimator=self._estimator)
        if task.call_on_fit_task_end(estimator=self._estimator):
            self.token.cancel()

    def end(self) -> None:
        """Tell that the search is over."""
        if self._root is not None:
            self._root.call_on_fit_task_end(estimator=self._estimator)
