"""`renyi.select` and what becomes of its result."""

from renyi.api.selecting._path import SelectionPath, read_result
from renyi.api.selecting._select import apply, select

__all__ = ["SelectionPath", "apply", "read_result", "select"]
