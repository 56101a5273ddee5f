"""A page to look at: one HTML file that holds all it shows, made of a result and summaries."""

from renyi.pages._fates import fate_order
from renyi.pages._how import Drawn
from renyi.pages._page import page
from renyi.pages._part import Answer
from renyi.pages.drawing._pictures import Pictures, pictures

__all__ = ["Answer", "Drawn", "Pictures", "fate_order", "page", "pictures"]
