"""A mapping that nobody can change, for records that are frozen through and through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

__all__ = ["FrozenMapping", "thawed"]


class FrozenMapping(Mapping[str, Any]):
    """A read-only mapping, equal to any mapping of the same items; it pickles and hashes.

    Mappings and lists within are frozen too, the lists as tuples.

    Parameters
    ----------
    items
        A mapping, or (key, value) pairs.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()) -> None:
        self._items = {key: _frozen(value) for key, value in dict(items).items()}

    def __getitem__(self, key: str) -> Any:
        """Return a key's value."""
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        """Go through the keys, in their order."""
        return iter(self._items)

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._items)

    def __hash__(self) -> int:
        """Hash the items, whatever their order."""
        return hash(frozenset(self._items.items()))

    def __reduce__(self) -> tuple[type[Self], tuple[dict[str, Any]]]:
        """Pickle as the items."""
        return type(self), (self._items,)

    def __repr__(self) -> str:
        """Write it as the dictionary it stands for."""
        return repr(self._items)


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return FrozenMapping(value)
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def thawed(value: Any) -> Any:
    """Return JSON values, dictionaries and lists, of what was frozen."""
    if isinstance(value, Mapping):
        return {key: thawed(inner) for key, inner in value.items()}
    return [thawed(inner) for inner in value] if isinstance(value, list | tuple) else value
