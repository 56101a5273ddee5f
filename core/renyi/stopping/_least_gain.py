"""A gain below which a feature is not worth having, however certain it is."""

from __future__ import annotations

from dataclasses import dataclass

from renyi.options import share_of
from renyi.stopping._criterion import StepView
from renyi.stopping._report import CriterionReport

__all__ = ["LEAST_GAIN", "LeastGain"]

LEAST_GAIN = "min-gain"


@dataclass(frozen=True, slots=True)
class LeastGain:
    """Stop when the gain I(x; y | S') is below a threshold; x is then not selected.

    It needs no draws and is judged before any other criterion: a feature that is too small a gain
    is left out whether or not the gain is significant.

    Attributes
    ----------
    least
        Bits, or a share of H(y) such as `1%`.
    """

    least: float | str
    name: str = LEAST_GAIN

    def judge(self, view: StepView) -> CriterionReport:
        """Compare the gain with the threshold."""
        share = share_of(self.least)
        threshold = float(self.least) if share is None else share * view.target
        words = f"{threshold:.3g} bits"
        if share is not None:
            words += f", {self.least} of H(y)"
        stop = view.gain < threshold
        return CriterionReport(
            criterion=self.name,
            stop=stop,
            keeps_feature=False,
            reason=f"its gain of {view.gain:.3g} bits is {'below' if stop else 'at least'} {words}",
            statistic_name="gain",
            statistic=view.gain,
            threshold=threshold,
        )
