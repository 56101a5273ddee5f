"""The terminal program `renyi`: options in, tables out. The work is done by the package `renyi`."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the program on the process's arguments and exit with its status."""
    try:
        from renyi_cli._app import app
    except KeyboardInterrupt:  # Ctrl-C while Python still loads
        raise SystemExit(130) from None
    app()
