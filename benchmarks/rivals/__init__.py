"""Out-of-sample quality of what `renyi.select` keeps, beside that of well-known selectors."""

from rivals._methods import AT, METHODS, RENYI, RIVALS
from rivals._page import write_page
from rivals._read import Results
from rivals._sets import SETS
from rivals._store import read_facts, read_machine, read_stores, write_machine
from rivals._summary import summary
from rivals._work import Asked, do

__all__ = [
    "AT",
    "METHODS",
    "RENYI",
    "RIVALS",
    "SETS",
    "Asked",
    "Results",
    "do",
    "read_facts",
    "read_machine",
    "read_stores",
    "summary",
    "write_machine",
    "write_page",
]
