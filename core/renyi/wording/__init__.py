"""Numbers and sentences of the pages that readers see, in the terminal and in a report."""

from renyi.wording._comparisons import (
    comparison_sentence,
    comparison_words,
    scores_sentence,
    stop_words,
)
from renyi.wording._numbers import (
    at_most,
    below,
    bits,
    deviations,
    duration,
    ends,
    measured,
    predicted,
    probability,
    with_error,
)
from renyi.wording._paths import (
    UNSELECTED,
    amount_words,
    counted,
    draws_words,
    gap_words,
    kernel_words,
    method_words,
    p_words,
    widens,
    z_words,
)

__all__ = [
    "UNSELECTED",
    "amount_words",
    "at_most",
    "below",
    "bits",
    "comparison_sentence",
    "comparison_words",
    "counted",
    "deviations",
    "draws_words",
    "duration",
    "ends",
    "gap_words",
    "kernel_words",
    "measured",
    "method_words",
    "p_words",
    "predicted",
    "probability",
    "scores_sentence",
    "stop_words",
    "widens",
    "with_error",
    "z_words",
]
