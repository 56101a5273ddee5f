"""What a page is of: the table, its target, the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renyi.options import record_of
from renyi_cli.pages._table import print_prose

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import DataReport
    from renyi.options import MethodOptions

__all__ = ["counted", "draw_heading", "kernel_words"]


def draw_heading(console: Console, data: DataReport, choices: str, of_target: str = "") -> None:
    """Write the source with its size, the target with the reason for it, and the choices made."""
    rows = f"{data.rows_used:,} rows"
    if data.rows_used != data.rows:
        rows += f" of {data.rows:,}"
    print_prose(console, (data.source, "heading"), f": {rows}, {counted(data.features, 'feature')}")
    print_prose(console, "Target ", (data.target, "name"), f" ({data.target_reason}){of_target}")
    if data.together is not None:
        print_prose(console, f"Rows belong together: {data.together.reason}")
    print_prose(console, (choices, "quiet"))


def counted(number: int, word: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> counted(1, "feature"), counted(1200, "feature")
    ('1 feature', '1,200 features')
    """
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def kernel_words(options: MethodOptions, chosen: float | None = None) -> str:
    """Write the order of the entropy and the choices of kernels in a few words.

    `chosen` is the sigma that the data chose.
    """
    sigma = options.bandwidth
    width = sigma if isinstance(sigma, str) else f"sigma {sigma:g}"
    words = [f"alpha {options.alpha:g}"]
    if record_of(options.kernel).bandwidth or record_of(options.nominal).bandwidth:
        words.append(width if chosen is None else f"sigma {chosen:g} ({width})")
    words.append(options.standardise)
    if options.kernel != "gaussian":
        words.append(options.kernel)
    if options.nominal != "soft":
        words.append(f"nominal {options.nominal}")
    if options.alpha == 2 and options.class_weights != "balanced":  # else there is no choice
        words.append(f"class weights {options.class_weights}")
    if options.label_kernel != "delta":
        words.append(f"label kernel {options.label_kernel}")
    return ", ".join(words)
