"""The colours of figures, by style."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["DASHES", "LOOKS", "MARKS", "PLAIN", "Look"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One style: what is dark, what is pale, and colours that are told apart by all eyes.

    Attributes
    ----------
    paper, ink, quiet
        The ground, words and lines on it, and those that matter less.
    series
        Colours of curves, the first for MI, the second for CMI. No two of one figure are alike
        to those who lack a kind of cone; marks and dashes say the same without colour.
    nothing, all
        The ends of a scale of shades.
    """

    paper: str
    ink: str
    quiet: str
    series: tuple[str, ...]
    nothing: str
    all: str

    @property
    def mi(self) -> str:
        """Colour of MI, and of the only curve."""
        return self.series[0]

    @property
    def cmi(self) -> str:
        """Colour of CMI."""
        return self.series[1]

    @property
    def good(self) -> str:
        """Colour of what is best."""
        return self.series[2]

    def settings(self, points: float) -> dict[str, object]:
        """Return matplotlib's settings for letters of so many points."""
        grounds = ("figure.facecolor", "axes.facecolor", "savefig.facecolor")
        inks = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
        sizes = ("font.size", "axes.labelsize", "xtick.labelsize", "ytick.labelsize")
        more = ("legend.fontsize", "axes.titlesize", "legend.title_fontsize")
        return {
            **dict.fromkeys(grounds, self.paper),
            **dict.fromkeys(inks, self.ink),
            **dict.fromkeys((*sizes, *more), points),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.linewidth": 0.8 * points / 9,
            "legend.frameon": False,
        }


PLAIN: Final = Look(
    paper="#ffffff",
    ink="#000000",
    quiet="#595959",
    # Okabe and Ito's palette but for its yellow, which is pale on white
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"),
    nothing="#08406f",
    all="#dde8f2",
)

LOOKS: Final = {
    "plain": PLAIN,
    "dark": Look(
        paper="#16181d",
        ink="#f2f2f2",
        quiet="#a8adb5",
        series=("#56b4e9", "#e69f00", "#00b384", "#f0a8cf", "#f0e442", "#ff7f3f", "#ffffff"),
        nothing="#8fd0ff",
        all="#2a323d",
    ),
    "grey": Look(
        paper="#ffffff",
        ink="#000000",
        quiet="#595959",
        series=("#000000", "#707070", "#3c3c3c", "#959595"),
        nothing="#262626",
        all="#e2e2e2",
    ),
}

DASHES: Final = ("-", (0, (5, 1.6)), (0, (1, 1.2)), (0, (6, 1.6, 1, 1.6)), (0, (3, 1, 1, 1, 1, 1)))
"""How lines are broken: with five of them and seven colours, or four greys, curves make at least
20 pairs, and tell the same without colour."""

MARKS: Final = ("o", "s", "^", "D", "v", "P", "X", "h")
"""Shapes of marks."""
