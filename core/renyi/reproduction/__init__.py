"""The tables of Yu and Principe (2019): what they printed, and what comes out here."""

from renyi.reproduction._page import write_page
from renyi.reproduction._printed import (
    ALPHAS,
    PRINTED_CRITERIA,
    PrintedCell,
    PrintedTables,
    printed_tables,
)
from renyi.reproduction._ranks import average_ranks, competition_ranks, rank_sum_p_value
from renyi.reproduction._records import Judged, OwnUnit, TableUnit, read_unit
from renyi.reproduction._scope import Scope, scope_of, sizes_looked_at

__all__ = [
    "ALPHAS",
    "PRINTED_CRITERIA",
    "Judged",
    "OwnUnit",
    "PrintedCell",
    "PrintedTables",
    "Scope",
    "TableUnit",
    "average_ranks",
    "competition_ranks",
    "printed_tables",
    "rank_sum_p_value",
    "read_unit",
    "scope_of",
    "sizes_looked_at",
    "write_page",
]
