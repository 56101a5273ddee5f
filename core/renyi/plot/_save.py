"""A figure as a file."""

from __future__ import annotations

import io
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from renyi.io import check_output, written_whole
from renyi.plot._page import need_matplotlib, settled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURE_SUFFIXES", "save_figure"]

FIGURE_SUFFIXES: Final = (".png", ".svg", ".pdf")

FONTS: Final[dict[str, Any]] = {"svg.hashsalt": "renyi", "svg.fonttype": "path", "pdf.fonttype": 42}
"""SVG has outlines, which look alike where the font is not; PDF has the font, and text as text."""

METADATA: Final[dict[str, dict[str, Any]]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
"""What a file says of itself: no time, so that equal figures are equal files."""

DOTS_PER_INCH: Final = 200
"""Enough for print at the figure's own size; only PNG has dots."""


def save_figure(figure: Figure, file: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write a figure as PNG, SVG or PDF; equal figures become equal files.

    Parameters
    ----------
    figure
        What to write.
    file
        Where to; its suffix says the format.
    force
        Whether a file that is there may be replaced.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    OptionError
        If its suffix is unknown.
    OutputError
        If it cannot be written there; nothing is left half-written.
    MissingExtraError
        If matplotlib is not installed.
    """
    place = check_output(file, force=force, suffixes=FIGURE_SUFFIXES)
    need_matplotlib()
    suffix = place.suffix.lower()
    with settled(FONTS), warnings.catch_warnings():
        # The bold font of the title lacks a few letters of the plain one: boxes will do there.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        drawn = io.BytesIO()  # matplotlib fails otherwise than by an OSError on a full disk
        figure.savefig(drawn, format=suffix[1:], dpi=DOTS_PER_INCH, metadata=METADATA[suffix])
        with written_whole(place) as part:
            part.write_bytes(drawn.getvalue())
    return place
