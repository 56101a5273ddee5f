"""Public sets by name: which there are, which are at hand, and how to get them."""

from renyi.datasets._fetch import fetch
from renyi.datasets._generate import GENERATED, generate, write_generated
from renyi.datasets._local import find_status, list_sets, locate
from renyi.datasets._places import cache_folder
from renyi.datasets._records import PaperSettings, Place, SetRecord, SetStatus
from renyi.datasets._registry import find_record

__all__ = [
    "GENERATED",
    "PaperSettings",
    "Place",
    "SetRecord",
    "SetStatus",
    "cache_folder",
    "fetch",
    "find_record",
    "find_status",
    "generate",
    "list_sets",
    "locate",
    "write_generated",
]
