"""A search by the name that an option gives it."""

from __future__ import annotations

from typing import Any, Final

from renyi.information import SetEntropies
from renyi.options import MethodOptions
from renyi.selection._base import Search
from renyi.selection._search import ForwardSearch
from renyi.selection.searches._backward import BackwardSearch
from renyi.selection.searches._beam import BeamSearch
from renyi.selection.searches._floating import FloatingSearch
from renyi.variables import Dataset

__all__ = ["search_of"]

BY_NAME: Final[dict[str, type[Search]]] = {
    "forward": ForwardSearch,
    "backward": BackwardSearch,
    "floating": FloatingSearch,
    "beam": BeamSearch,
}


def search_of(
    dataset: Dataset, entropies: SetEntropies, options: MethodOptions, **given: Any
) -> Search:
    """Return the search that the options ask for.

    Parameters
    ----------
    dataset, entropies, options
        As in `Search`.
    **given
        Its other parameters.
    """
    name = options.search.partition(":")[0]
    return BY_NAME[name](dataset, entropies, options, **given)
