"""The page that a figure stands on: its size, its colours, and the words around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from renyi.errors import MissingExtraError, OptionError
from renyi.options import option_of, size_in_mm
from renyi.plot._letters import drawable, inches, wrapped
from renyi.plot._looks import LOOKS, Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Page", "Words", "need_matplotlib", "settled"]

MM: Final = 25.4
POINTS: Final = 9.0
"""Size of letters where no size of the figure was asked for."""

SMALLEST, LARGEST = 7.0, 14.0
LETTERS_OF_WIDTH: Final = 25.0
"""Points of letters on a page of a given size: one for so many mm of its width, within bounds."""

LINE: Final = 1.35
"""Height of a line of text, in sizes of its letters."""

EDGE: Final = 0.08
"""Inches between words and the edge of the figure."""

HANDLE, HANDLE_GAP, COLUMN_GAP = 2.6, 0.6, 1.8
"""Of a legend, in sizes of its letters: what stands before a label, the room after it, and that
between columns."""

TITLE: Final = 1.3
"""Size of the title's letters, in sizes of the others."""

LEAST_PANEL: Final = 0.45
"""Height of a panel, in inches, below which it shows nothing."""

_NOT_OURS: Final = ("backend", "backend_fallback", "interactive", "toolbar", "timezone", "webagg.")
"""Settings that are no matter of a figure's look."""


def need_matplotlib() -> None:
    """Raise `MissingExtraError` unless figures can be drawn."""
    try:
        import matplotlib.figure  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError.for_extra("plot", "Drawing a figure") from error


@contextmanager
def settled(more: dict[str, Any] | None = None) -> Iterator[None]:
    """Draw with matplotlib's own settings, whatever those of this machine: for equal files."""
    from matplotlib import rc_context, rcParamsDefault

    own: dict[str, Any] = {n: v for n, v in rcParamsDefault.items() if not n.startswith(_NOT_OURS)}
    settings: Any = own | (more or {})
    with rc_context(settings):
        yield


@dataclass(frozen=True, slots=True)
class Words:
    """What is written around the panels of a figure.

    Attributes
    ----------
    title, caption
        Above and below; left out on a page of a given size, which has words of its own.
    choices
        A line under the title, left out likewise.
    """

    title: str
    caption: str
    choices: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Size and look of one figure, or axes of the caller's that it is drawn into.

    Attributes
    ----------
    look
        Its colours.
    size
        Width and height in inches where they were asked for; the height may be free.
    axes
        Axes of the caller's; None for a figure of our own.
    """

    look: Look
    size: tuple[float, float | None] | None = None
    axes: Axes | None = None

    @classmethod
    def of(cls, size: str | None, style: str, axes: Axes | None = None) -> Page:
        """Return the page that was asked for.

        Raises
        ------
        OptionError
            If size or style are unknown, `axes` are none, or there is a size beside them.
        MissingExtraError
            If matplotlib is not installed.
        """
        asked = option_of("size", "plot").checked(size)
        look = LOOKS[option_of("style", "plot").checked(style)]
        need_matplotlib()
        if axes is not None:
            from matplotlib.axes import Axes

            if not isinstance(axes, Axes):
                raise OptionError(
                    f"`axes` must be one of matplotlib's Axes, got {type(axes).__name__}.",
                    "Give one of them where there are several.",
                )
            if asked is not None:
                raise OptionError(
                    "`size` must be left out with `axes`: their figure has its own.",
                    "Make that figure as large as it is to be.",
                )
        if asked is None:
            return cls(look, None, axes)
        width, height = size_in_mm(asked)
        return cls(look, (width / MM, None if height is None else height / MM))

    @property
    def told(self) -> bool:
        """Whether title and caption are part of the figure."""
        return self.size is None and self.axes is None

    @property
    def points(self) -> float:
        """Size of letters."""
        if self.axes is not None:
            return self._points_of_caller()
        if self.size is None:
            return POINTS
        return min(max(self.size[0] * MM / LETTERS_OF_WIDTH, SMALLEST), LARGEST)

    @staticmethod
    def _points_of_caller() -> float:
        from matplotlib import rcParams
        from matplotlib.font_manager import FontProperties

        return float(FontProperties(size=rcParams["legend.fontsize"]).get_size_in_points())

    @property
    def line(self) -> float:
        """Height of a line of text, inches."""
        return self.points * LINE / 72

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Draw in our own look; in axes of the caller's in theirs."""
        if self.axes is not None:
            yield
            return
        with settled(self.look.settings(self.points)):
            yield

    @property
    def stroke(self) -> float:
        """Width of lines, in units of those of a figure of no given size."""
        return self.points / POINTS if self.axes is None else 1.0

    def mark(self, gap: float, most: float = 5.5) -> float:
        """Return the size of marks `gap` inches apart, in points."""
        return max(1.2, min(most * self.stroke, 0.42 * 72 * gap))

    def width(self, natural: float) -> float:
        """Return the figure's width in inches, of which `natural` is what it would take."""
        return natural if self.size is None else self.size[0]

    def begin(self, panels: Sequence[float]) -> tuple[Figure, list[Axes]]:
        """Return a figure with panels one above the other, or the caller's axes as the only one.

        Parameters
        ----------
        panels
            Their heights, inches.
        """
        if self.axes is not None:
            return _figure_of(self.axes), [self.axes]
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained")
        grid = figure.subplots(
            len(panels), 1, sharex=len(panels) > 1, height_ratios=list(panels), squeeze=False
        )
        return figure, list(grid[:, 0])

    def end(
        self,
        figure: Figure,
        handles: Sequence[Artist],
        words: Words,
        width: float,
        panels: Sequence[float],
        beside: float,
        *,
        head: int = 0,
    ) -> None:
        """Put the words around the panels, and give the figure its size.

        Parameters
        ----------
        figure
            As `begin` returned it.
        handles
            What the legend names.
        words
            Title, choices and caption.
        width, panels
            Of the figure and of the panels, inches; of a height that was asked for the panels
            share what the words leave.
        beside
            Inches that names and labels take below and above the panels.
        head
            Lines of text right above the panel.

        Raises
        ------
        OptionError
            If that leaves no room for the panels.
        """
        if self.axes is not None:
            if handles:  # above, where nothing is covered
                self.axes.legend(
                    handles=list(handles),
                    loc="lower left",
                    bbox_to_anchor=(0, 1),
                    borderaxespad=0.4 + LINE * head,
                )
            return
        most = width - 2 * EDGE
        labels, columns = self._labels(handles, most)
        title = wrapped(words.title, most, TITLE * self.points, bold=True) if self.told else ""
        choices = wrapped(words.choices, most, self.points) if self.told else ""
        caption = wrapped(words.caption, most, self.points) if self.told else ""
        rows = 1.1 * max(sum(map(_lines, part)) for part in _in_columns(labels, columns))
        above = (TITLE * _lines(title) + _lines(choices) + rows) * self.line + EDGE
        below = _lines(caption) * self.line + EDGE
        around = above + below + beside + 0.1 * len(panels)
        height = self.size[1] if self.size is not None else None
        if height is not None and height - around < LEAST_PANEL * len(panels):
            least = (around + LEAST_PANEL * len(panels)) * MM
            raise OptionError(
                f"`size` must have a height of at least {least:.0f} mm for this figure at "
                f"{width * MM:.0f} mm of width, got {height * MM:.0f} mm.",
                "With one or two the height follows.",
            )
        height = around + sum(panels) if height is None else height
        figure.set_size_inches(width, height)
        engine: Any = figure.get_layout_engine()
        if engine is not None:
            engine.set(rect=(0, below / height, 1, 1 - (above + below) / height))
        top = height - EDGE
        for text, size in ((title, TITLE), (choices, 1.0)):
            if text:
                self._say(figure, text, top, bold=size > 1)
                top -= size * _lines(text) * self.line
        if labels:
            self._put_legend(figure, handles, labels, columns, top)
        if caption:
            self._say(figure, caption, _lines(caption) * self.line + EDGE)

    def _say(self, figure: Figure, text: str, top: float, *, bold: bool = False) -> None:
        """Write from so many inches above the lower edge on."""
        width, height = figure.get_size_inches()
        figure.text(
            EDGE / width,
            top / height,
            text,
            verticalalignment="top",
            fontsize=(TITLE if bold else 1.0) * self.points,
            fontweight="bold" if bold else "normal",
            linespacing=1.15,
        )

    def _labels(self, handles: Sequence[Artist], most: float) -> tuple[list[str], int]:
        """Return the labels of a legend, and in how many columns they fit side by side."""
        unit = self.points / 72
        handle, gap = (HANDLE + HANDLE_GAP) * unit, COLUMN_GAP * unit
        labels = [wrapped(str(one.get_label()), most - handle, self.points) for one in handles]
        if not labels:
            return [], 1
        for columns in range(min(4, len(labels)), 1, -1):
            parts = _in_columns(labels, columns)  # each is as wide as its longest label
            total = sum(max(inches(label, self.points) for label in part) for part in parts)
            if total + columns * handle + (columns - 1) * gap <= most:
                return labels, columns
        return labels, 1

    def _put_legend(
        self,
        figure: Figure,
        handles: Sequence[Artist],
        labels: Sequence[str],
        columns: int,
        top: float,
    ) -> None:
        width, height = figure.get_size_inches()
        figure.legend(
            list(handles),
            list(labels),
            alignment="left",
            loc="upper left",
            bbox_to_anchor=(EDGE / width, top / height),
            ncols=columns,
            borderpad=0,
            borderaxespad=0.2,
            labelspacing=0.35,
            columnspacing=COLUMN_GAP,
            handlelength=HANDLE,
            handletextpad=HANDLE_GAP,
        )

    def finish(self, figure: Figure, again: Callable[[], None] | None = None) -> Figure:
        """Write names as they are, and let `again` place them once the panels have their room."""
        self._write_plainly(figure)
        if again is not None:
            if self.axes is None:
                figure.draw_without_rendering()
            again()
            self._write_plainly(figure)
        return figure

    def _write_plainly(self, figure: Figure) -> None:
        from matplotlib.text import Text

        found: list[Artist] = list(figure.findobj(Text)) if self.axes is None else []
        if self.axes is not None:  # what else is there is the caller's
            legend = self.axes.get_legend()
            found += [*self.axes.get_xticklabels(), *self.axes.get_yticklabels()]
            found += [] if legend is None else legend.get_texts()
        for artist in found:
            if isinstance(artist, Text):
                artist.set_parse_math(False)  # a column may be called "$x_1$"
                artist.set_text(drawable(artist.get_text()))


def _figure_of(axes: Axes) -> Figure:
    from matplotlib.figure import Figure

    found: Any = axes.figure
    while not isinstance(found, Figure):  # a part of a figure
        found = found.figure
    return found


def _lines(text: str) -> int:
    return text.count("\n") + 1 if text else 0


def _in_columns(labels: Sequence[str], columns: int) -> list[Sequence[str]]:
    """Return labels as a legend sets them: the first columns have one more where they must."""
    least, more = divmod(len(labels), columns)
    parts, first = [], 0
    for column in range(columns):
        last = first + least + (column < more)
        parts.append(labels[first:last])
        first = last
    return parts
