"""The terminal program `renyi`: options in, tables out. The work is done by the package `renyi`."""

from __future__ import annotations

from contextlib import suppress

__all__ = ["main"]


def main() -> None:
    """Run the program on the process's arguments and exit with its status."""
    try:
        import signal

        from renyi_cli._app import app
        from renyi_cli._interrupts import INTERRUPTED, ending

        if callable(signal.getsignal(signal.SIGINT)):  # else whoever started it wants it ignored
            signal.signal(signal.SIGINT, ending)
    except KeyboardInterrupt:  # Ctrl-C while Python still loads
        raise SystemExit(130) from None
    try:
        app()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _leave(INTERRUPTED)
        raise
    finally:  # the status is settled; Python takes its handlers down before it ends
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(status: int) -> None:
    """End an interrupted process: Python would wait for a worker's call of a library."""
    import os
    import sys

    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # closed: nobody reads it
            stream.flush()
    os._exit(status)
