"""A page to look at: one HTML file that holds all it shows, made of a result and summaries."""

from renyi.webpage._fates import fate_order
from renyi.webpage._how import Drawn
from renyi.webpage._page import page
from renyi.webpage._part import Answer
from renyi.webpage.drawing._pictures import Pictures, pictures

__all__ = ["Answer", "Drawn", "Pictures", "fate_order", "page", "pictures"]
