"""What a model is taught and asked in one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from renyi._typing import FloatArray
from renyi.evaluation._draws import Draw

__all__ = ["Fold"]


@dataclass(frozen=True, eq=False)
class Fold:
    """One run's rows, with the columns of one number of features.

    Attributes
    ----------
    matrix
        (n, k) all rows, scaled as the run's training rows say.
    y
        (n,) class numbers (int64), or numbers (float64).
    draw
        Which rows train and which test.
    seed
        For models that draw.
    """

    matrix: FloatArray
    y: Any
    draw: Draw
    seed: int

    @property
    def train(self) -> FloatArray:
        """The rows drawn, as often as drawn."""
        return self.matrix[self.draw.train]

    @property
    def taught(self) -> Any:
        """Their target."""
        return self.y[self.draw.train]

    @property
    def test(self) -> FloatArray:
        """The rows never drawn."""
        return self.matrix[self.draw.test]
