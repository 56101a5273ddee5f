"""From how much work on a computation goes another way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from renyi.bounds import STACKS, StackSizes
from renyi.entropies import LEAST_FACTOR_BYTES
from renyi.order2 import SINGLY, SingleSizes

__all__ = ["THRESHOLDS", "Thresholds"]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From how much work on a computation goes another way.

    They decide how long it takes and, but for what is refused, no result beyond rounding and the
    tolerance. A test hands in others to see that this is so.

    Attributes
    ----------
    task_rows
        Rows, over all products of a task, that make it worth a thread: NumPy lets other threads
        work only during calls for more than 500 rows in all, and a class may hold a third of them.
    loose_values
        Rows times extensions of one product from which bounds on all, and values of few, save time.
    together_rows
        Beyond which exponentials in double precision take most of the time of a pass.
    few_columns
        Of all factors, up to which one pass in double precision is less work than one in single
        precision and a second one for the best.
    proxy_values
        Rows times candidates from which one pass over the Gram is less than a rough factor for
        each.
    proxy_rows
        Rows of the largest block up to which eigenvalues themselves are cheap.
    proxy_products
        Pairs of rows times candidates beyond which that pass would be long.
    row_pairs
        Pairs of rows of one pass over a Gram at alpha 2, at most: about three minutes on two cores.
    shortlisted_products
        Of a replicate of all candidates, rows times rows times columns of their factors, from which
        a few columns of each tell which candidates are to be looked at.
    class_rows
        Rows of a block of drawn pairs, per class, from which pairs of one class are multiplied
        class by class: of fewer rows a product is all overhead, and W Y is written out.
    explained_rows
        Looked at for why features are not selected, a sample where there are more.
    gain_operations
        Of eigenvalues for gains that nobody asked for, those of one more step, n^3 each: a few
        seconds on two cores. Where it takes more they are left out.
    gain_rows
        Up to which they are found without eigenvalues: beyond, that takes long, too.
    told_seconds
        From which a run says before it begins how long it will take.
    looked_at_seconds
        That a run may take, by a count of operations, from which it is looked at more closely: that
        takes some tenths of a second.
    factor_bytes
        Bytes that a factor may always take: less than the process itself does.
    stacks, singly
        Of small matrices, and of sums of single variables.
    """

    task_rows: int = 1600
    loose_values: int = 200_000
    together_rows: int = 4096
    few_columns: int = 512
    proxy_values: int = 200_000
    proxy_rows: int = 256
    proxy_products: float = 5e10
    row_pairs: float = 4e10
    shortlisted_products: float = 2e9
    class_rows: int = 8
    explained_rows: int = 2000
    gain_operations: float = 1e11
    gain_rows: int = 50_000
    told_seconds: float = 60.0
    looked_at_seconds: float = 20.0
    factor_bytes: int = LEAST_FACTOR_BYTES
    stacks: StackSizes = STACKS
    singly: SingleSizes = SINGLY


THRESHOLDS: Final = Thresholds()
