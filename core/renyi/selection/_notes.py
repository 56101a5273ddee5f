"""What the reader of a path should know, found in its steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from renyi.kernels import KernelModel
from renyi.options import criterion_traits
from renyi.racing import TIE_BITS
from renyi.selection.records._step import Step, selected_after
from renyi.variables import Note

__all__ = ["SATURATED_BITS", "notes_of"]

NEAR_TIE_BITS: Final = 1e-4
"""A gap below the paper's epsilon is a choice that a few other rows could turn round."""

SATURATED_BITS: Final = 0.1
"""log2 n - H(S') below which nearly every row is alone in kernel space."""

MANY: Final = 20
MANY_SHARE: Final = 0.5
"""Columns, and columns for each row, above which a model may be hardly better for all of them."""

LOOSE_BITS: Final = 1e-4
"""An error bound above it may decide a comparison with the paper's epsilon."""


def notes_of(
    steps: Sequence[Step], cmi_problem: str = "", model: KernelModel | None = None
) -> tuple[Note, ...]:
    """Return the notes of a path, one per kind of finding.

    Parameters
    ----------
    steps
        The path.
    cmi_problem
        Why CMI was not computed, in one sentence; empty where it was.
    model
        The kernels. Where they grow a negative CMI is what is to be expected; where all tell equal
        from different only there is no bandwidth.
    """
    one_width = model is None or not model.grows
    levels = model is not None and all(part.is_hard for part in model.features)
    grows = all(step.action != "remove" for step in steps)
    where = "from {first} on" if grows else "at {steps}"
    found = (
        _about_cmi(cmi_problem),
        _about_many(steps, model),
        _about(
            steps,
            "open_choice",
            lambda s: s.errors is not None and s.errors.choice_open,
            "At {steps} another candidate is within the error of the pairs that were drawn: all "
            "pairs, or a larger share of them, might rank it first.",
        ),
        _about(
            steps,
            "open_stop",
            lambda s: s.errors is not None and s.errors.stop_open,
            "At {steps} the decision whether to stop is within the error of the pairs that were "
            "drawn: all pairs, or a larger share of them, might turn it.",
        ),
        _about(
            steps,
            "negative_mi",
            lambda s: s.mi < -TIE_BITS,
            "MI is negative at {steps}: the matrix-based functional allows it for alpha other "
            "than 1; read it as no sign of dependence.",
        ),
        _about(
            steps,
            "negative_cmi",
            lambda s: one_width and s.cmi is not None and s.cmi < -TIE_BITS,
            "CMI is negative at {steps}: the matrix-based functional allows it for alpha other "
            "than 1, and so do bandwidths that grow; a stop that hangs on it is not evidence that "
            "the rest is useless.",
        ),
        _about(
            steps,
            "saturated",
            lambda s: s.saturation < SATURATED_BITS,
            f"H(S') is within 0.1 bits of log2 n {where}: "
            + (
                "hardly any row shares all of its levels with another, so that MI rises for any "
                "feature. Fewer features, levels or bins help."
                if levels
                else "nearly every row is alone in kernel space, where MI rises for any feature. "
                "Fewer levels or bins, or a larger bandwidth, delay it."
            ),
        ),
        _about(
            steps,
            "tied_choice",
            lambda s: s.runner_up is not None and s.runner_up.gap <= TIE_BITS,
            "At {steps} two candidates tie exactly; the lower column was taken.",
        ),
        _about(
            steps,
            "near_tie",
            lambda s: s.runner_up is not None and TIE_BITS < s.runner_up.gap <= NEAR_TIE_BITS,
            "At {steps} the runner-up is within 1e-4 bits: the choice between the two is as good "
            "as arbitrary.",
        ),
        _about(
            steps,
            "void_test",
            lambda s: any(
                r.statistic_name == "mi" and criterion_traits(r.criterion).needs_cmi
                for r in s.criteria
            ),
            "At {steps} no other feature remains and CMI is 0 in every draw; cmi-perm compared "
            "MI instead.",
        ),
        _about(
            steps,
            "loose_error_bound",
            lambda s: s.error_bound > LOOSE_BITS,
            "At {steps} rounding may move MI and CMI by more than 1e-4 bits; alpha below 1 "
            "magnifies it.",
        ),
    )
    return tuple(note for note in found if note is not None)


def _about_cmi(problem: str) -> Note | None:
    if not problem:
        return None
    return Note("cmi_not_computed", f"CMI was not computed: {problem.rstrip('.')}.")


def _about_many(steps: Sequence[Step], model: KernelModel | None) -> Note | None:
    columns = selected_after(steps)
    if model is None or len(columns) <= max(MANY, MANY_SHARE * model.n):
        return None
    return Note(
        "many_selected",
        f"{len(columns)} columns are selected with {model.n} rows: a model may do as well with the "
        "first of them. `renyi compare` shows how well each number of them predicts.",
        columns,
    )


def _about(
    steps: Sequence[Step], code: str, holds: Callable[[Step], bool], message: str
) -> Note | None:
    where = [step for step in steps if holds(step)]
    if not where:
        return None
    numbers = [str(step.index) for step in where]
    shown = ", ".join(numbers[:10]) + (" and more" if len(numbers) > 10 else "")
    words = f"step{'s' if len(numbers) > 1 else ''} {shown}"
    columns = tuple(name for step in where for name in step.features)
    return Note(code, message.format(steps=words, first=f"step {numbers[0]}"), columns)
