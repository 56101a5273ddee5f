"""What a caller may watch and stop the work with."""

from __future__ import annotations

from renyi._progress import CancelToken
from renyi.errors import OptionError

__all__ = ["check_hooks"]


def check_hooks(progress: object, cancel: object) -> None:
    """Refuse what cannot be told of progress or asked for interruption.

    Raises
    ------
    OptionError
        If `progress` cannot be called, or `cancel` is no token.
    """
    if progress is not None and not callable(progress):
        raise OptionError(
            f"`progress` must be called with reports, got {progress!r}.",
            "Give a function of one argument.",
        )
    if cancel is not None and not isinstance(cancel, CancelToken):
        raise OptionError(
            f"`cancel` must be a CancelToken, got {cancel!r}.", "Make one: renyi.CancelToken()"
        )
