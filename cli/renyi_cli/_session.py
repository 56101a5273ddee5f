"""What one run of the program was told about how to talk."""

from __future__ import annotations

from dataclasses import dataclass, field

from renyi_cli._interrupts import Interrupts

__all__ = ["Session"]


@dataclass(slots=True)
class Session:
    """How one run of the program talks; it hangs on the context as ``ctx.obj``.

    Attributes
    ----------
    quiet
        Nothing on stderr but errors.
    verbose
        More on stderr: how the work was done.
    progress
        Whether live progress may be shown.
    debug
        Whether an unexpected error shows its traceback.
    interrupts
        What Ctrl-C does.
    """

    quiet: bool = False
    verbose: bool = False
    progress: bool = True
    debug: bool = False
    interrupts: Interrupts = field(default_factory=Interrupts)
