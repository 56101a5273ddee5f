"""A page to look at: one HTML file that holds all it shows, made of a result and summaries."""

from renyi.report._fates import fate_order
from renyi.report._how import Drawn
from renyi.report._page import page
from renyi.report._part import Answer
from renyi.report.drawing._pictures import Pictures, pictures

__all__ = ["Answer", "Drawn", "Pictures", "fate_order", "page", "pictures"]
