"""Pages of results, to look at."""

from renyi.api.reporting._made import REPORT_SUFFIXES, Report, made_report
from renyi.api.reporting._read import answer_of, read_answer
from renyi.api.reporting._report import report

__all__ = ["REPORT_SUFFIXES", "Report", "answer_of", "made_report", "read_answer", "report"]
