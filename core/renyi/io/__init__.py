"""Tables into typed variables, results into files."""

from renyi.io._apply import APPLY_SUFFIXES, apply_selection
from renyi.io._content import content_hash
from renyi.io._load import Loaded, load
from renyi.io._output import check_output, written_whole
from renyi.io._results import RESULT_SUFFIXES, read_result, steps_frame, write_result

__all__ = [
    "APPLY_SUFFIXES",
    "RESULT_SUFFIXES",
    "Loaded",
    "apply_selection",
    "check_output",
    "content_hash",
    "load",
    "read_result",
    "steps_frame",
    "write_result",
    "written_whole",
]
