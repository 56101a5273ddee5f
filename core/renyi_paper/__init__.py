"""The tables of Yu and Principe (2019): what they printed, and what comes out here."""

from renyi_paper._page import write_page
from renyi_paper._printed import (
    ALPHAS,
    PRINTED_CRITERIA,
    PrintedCell,
    PrintedTables,
    printed_tables,
)
from renyi_paper._ranks import average_ranks, competition_ranks, rank_sum_p_value
from renyi_paper._records import Judged, OwnUnit, TableUnit, read_unit
from renyi_paper._reproduce import Reproduction, UnitReport, reproduce
from renyi_paper._scope import Scope, scope_of, sizes_looked_at

__all__ = [
    "ALPHAS",
    "PRINTED_CRITERIA",
    "Judged",
    "OwnUnit",
    "PrintedCell",
    "PrintedTables",
    "Reproduction",
    "Scope",
    "TableUnit",
    "UnitReport",
    "average_ranks",
    "competition_ranks",
    "printed_tables",
    "rank_sum_p_value",
    "read_unit",
    "reproduce",
    "scope_of",
    "sizes_looked_at",
    "write_page",
]
