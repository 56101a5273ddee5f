"""Tables with one true column among 20, and effects from none to strong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from validity._tables import Column, Made

__all__ = ["EFFECTS", "FORMS", "POWERS", "Power"]

EFFECTS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
FORMS = {
    "linear": "logit P(y = 1) = b x1",
    "quadratic": "logit P(y = 1) = b (x1^2 - 1) / sqrt 2",
}
"""Both terms have mean 0 and standard deviation b."""
ROWS, COUNT = 100, 20


@dataclass(frozen=True)
class Power:
    """One effect of one form.

    Attributes
    ----------
    name, words
        In the store, and on the page.
    form
        `linear` or `quadratic`; `none` where the effect is 0.
    effect
        b, the standard deviation of the logit.
    """

    name: str
    words: str
    form: str
    effect: float

    def draw(self, rng: np.random.Generator) -> Made:
        """Return one table of 100 rows and 20 standard normal columns."""
        values = rng.standard_normal((COUNT, ROWS))
        term = values[0] if self.form == "linear" else (values[0] ** 2 - 1) / np.sqrt(2)
        y = rng.random(ROWS) < 1 / (1 + np.exp(-self.effect * term))
        columns = {f"x{j + 1}": Column(row) for j, row in enumerate(values)}
        return Made(columns, Column(y.astype(np.int64), nominal=True))


POWERS = (
    Power("none", "no effect", "none", 0.0),
    *(
        Power(f"{form}-{effect:g}", f"{words}, b = {effect:g}", form, effect)
        for form, words in FORMS.items()
        for effect in EFFECTS
    ),
)
