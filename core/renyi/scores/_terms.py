"""What scores are made of: entropies of a candidate with the target and with selected features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.information import SetEntropies
from renyi.shannon import ChiSquareModel

__all__ = ["Terms"]


@dataclass(frozen=True, eq=False)
class Terms:
    """Entropies of each candidate x beside a few selected features and the target y, bits.

    A low-order score looks at x with one or two selected features at a time, so that a step adds
    one pass over all candidates to what earlier steps have found: nothing is worked out twice.

    Attributes
    ----------
    entropies
        Of any set.
    chi_square
        The discretised data.
    order
        (n,) in which the rows of all candidates are taken; None for as they are.
    tick
        Called with how many candidates of a pass are done.
    """

    entropies: SetEntropies
    chi_square: ChiSquareModel
    order: IntArray | None = None
    tick: Callable[[int], None] = lambda _: None
    _known: dict[tuple[int, ...], FloatArray] = field(default_factory=dict)

    @cached_property
    def target(self) -> float:
        """H(y)."""
        return self.entropies.target.value

    @property
    def held_bytes(self) -> int:
        """Bytes of what is kept."""
        return sum(values.nbytes for values in self._known.values())

    def beside(
        self, given: Sequence[int], candidates: Sequence[int]
    ) -> tuple[FloatArray, FloatArray]:
        """Return H(x, G) and H(x, G, y) of each candidate x with selected features G, (c,) each."""
        key = tuple(sorted(given))
        if key not in self._known:
            features = len(self.entropies.computation.model.features)
            self._known[key] = np.full((2, features), np.nan)
        known, asked = self._known[key], np.asarray(candidates, dtype=np.int64)
        missing = asked[np.isnan(known[0, asked])].tolist()
        if missing:
            known[:, missing] = self.entropies.values(key, missing, self.tick, self.order)
        return known[0, asked], known[1, asked]

    def own(self, given: Sequence[int]) -> tuple[float, float]:
        """Return H(G) and H(G, y) of selected features G."""
        if not given:
            return 0.0, self.target
        pair = self.entropies.pair(given)
        return pair.features.value, pair.joint.value

    def relevance(self, candidates: Sequence[int]) -> FloatArray:
        """Return I(x; y)."""
        return self.joint((), candidates)

    def joint(self, given: Sequence[int], candidates: Sequence[int]) -> FloatArray:
        """Return I({x, G}; y)."""
        alone, both = self.beside(given, candidates)
        return alone + self.target - both

    def gain(self, given: Sequence[int], candidates: Sequence[int]) -> FloatArray:
        """Return I(x; y | G) = I({x, G}; y) - I(G; y)."""
        before, before_joint = self.own(given)
        alone, both = self.beside(given, candidates)
        return (alone - before) - (both - before_joint)

    def redundancy(self, selected: int, candidates: Sequence[int]) -> FloatArray:
        """Return I(x; s)."""
        both = self.beside((selected,), candidates)[0]
        return self.beside((), candidates)[0] + self.own((selected,))[0] - both

    def redundancy_within(self, selected: int, candidates: Sequence[int]) -> FloatArray:
        """Return I(x; s | y), what they share within the classes of y."""
        both = self.beside((selected,), candidates)[1]
        return self.beside((), candidates)[1] + self.own((selected,))[1] - both - self.target

    def redundancy_given(self, selected: int, other: int, candidates: Sequence[int]) -> FloatArray:
        """Return I(x; s | t) of two selected features s and t."""
        with_other = self.beside((other,), candidates)[0]
        with_both = self.beside((selected, other), candidates)[0]
        pair, alone = self.own((selected, other))[0], self.own((other,))[0]
        return with_other + pair - with_both - alone
