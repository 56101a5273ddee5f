"""The terminal program `renyi`: options in, tables out. The work is done by the package `renyi`."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the program on the process's arguments and exit with its status."""
    try:
        import signal

        from renyi_cli._app import app
        from renyi_cli._interrupts import ending

        if callable(signal.getsignal(signal.SIGINT)):  # else whoever started it wants it ignored
            signal.signal(signal.SIGINT, ending)
    except KeyboardInterrupt:  # Ctrl-C while Python still loads
        raise SystemExit(130) from None
    try:
        app()
    finally:  # the status is settled; Python takes its handlers down before it ends
        signal.signal(signal.SIGINT, signal.SIG_IGN)
