"""Whether the criteria keep what their levels promise, and what they find."""

from validity._cells import PARTS, Cell, all_cells, cell_of, worker_of
from validity._page import write_page
from validity._work import Asked, Piece, do, kept, work_out

__all__ = [
    "PARTS",
    "Asked",
    "Cell",
    "Piece",
    "all_cells",
    "cell_of",
    "do",
    "kept",
    "work_out",
    "worker_of",
    "write_page",
]
