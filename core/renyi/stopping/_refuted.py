"""Rules for when to stop that Yu and Principe (Entropy 21, 2019) argue against.

They are here to be compared with: each says why it stops, or does not, where it does.
"""

from __future__ import annotations

from dataclasses import dataclass

from renyi.options import MethodOptions
from renyi.racing import TIE_BITS
from renyi.stopping._criterion import Criterion, StepView
from renyi.stopping._report import CriterionReport
from renyi.stopping._words import computed

__all__ = ["MarkovBlanket", "MiPeak", "blanket", "peak"]


@dataclass(frozen=True, slots=True)
class MiPeak:
    """Stop where I({S', x}; y) is no larger than I(S'; y); x is then not selected.

    Both at the width of kernels of {S', x}: where kernels widen, MI that is shown may fall before.
    Information of more features is never less in theory, whatever they are, so that its largest
    value is mostly that of all of them.
    """

    name: str = "mi-peak"

    def judge(self, view: StepView) -> CriterionReport:
        """Compare MI with that of the step before."""
        gain = view.gain
        stop = gain <= TIE_BITS
        reason = (
            f"MI at one width of kernels does not rise (gain {gain:.3g} bits): no more of y is "
            "left to tell, or the estimate falls, which says nothing of the columns that are left"
            if stop
            else f"MI at one width of kernels still rises by {gain:.3g} bits, as it does with "
            "columns of noise too until every row is alone"
        )
        return CriterionReport(
            criterion=self.name,
            stop=stop,
            keeps_feature=False,
            reason=reason,
            statistic_name="gain",
            statistic=gain,
            threshold=0.0,
        )


@dataclass(frozen=True, slots=True)
class MarkovBlanket:
    """Stop once I({S', x}; y) is that of all features, so that CMI is 0; x stays selected.

    {S', x} is then a Markov blanket of y within S (Koller, Sahami, ICML 1996). Of an estimate from
    finite rows it is 0 only once every row is alone in the selected features.
    """

    name: str = "markov-blanket"

    def judge(self, view: StepView) -> CriterionReport:
        """Compare CMI with 0."""
        cmi = computed(view.cmi)
        stop = cmi <= TIE_BITS
        reason = (
            "the rest adds nothing (CMI 0): the rows are as far apart in these columns as in all"
            if stop and cmi >= -TIE_BITS
            else f"CMI is negative, {cmi:.3g} bits, which occurs for alpha other than 1 and is not "
            "evidence that the rest adds nothing"
            if stop
            else f"the rest still adds {cmi:.3g} bits (CMI), as noise does too: among finitely "
            "many rows it is 0 only once each is alone"
        )
        return CriterionReport(
            criterion=self.name,
            stop=stop,
            keeps_feature=True,
            reason=reason,
            statistic_name="cmi",
            statistic=cmi,
            threshold=0.0,
        )


def peak(name: str, options: MethodOptions) -> Criterion:  # noqa: ARG001 - as the others
    """Make `mi-peak`."""
    return MiPeak(name)


def blanket(name: str, options: MethodOptions) -> Criterion:  # noqa: ARG001
    """Make `markov-blanket`."""
    return MarkovBlanket(name)
