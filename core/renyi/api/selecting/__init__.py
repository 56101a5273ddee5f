"""`renyi.select` and what becomes of its result."""

from renyi.api.selecting._apply import apply
from renyi.api.selecting._path import SelectionPath, read_result
from renyi.api.selecting._redundancy import redundancy_of
from renyi.api.selecting._select import select

__all__ = ["SelectionPath", "apply", "read_result", "redundancy_of", "select"]
