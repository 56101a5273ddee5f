"""How much of what a feature says of y is left given others, at order 2.

There it costs next to nothing, whatever the order of the search: see `docs/theory.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from renyi._random import stream
from renyi._typing import FloatArray
from renyi.information import CandidateSums, SetEntropies
from renyi.resampling import sampled_rows, scheme_of
from renyi.variables import RowStructure

__all__ = ["LEFT", "Small", "ahead", "kept_of", "small_of"]

LEFT: Final = 0.2
"""Where selected features explain one: 0 if it keeps of what it says alone the share that an exact
copy of one of them keeps of its own, 1 if it keeps all."""

TINY: Final = 1e-12
"""Bits that stand for none where they divide."""

MOST_VALUES: Final = 1_000_000
FEWEST_ROWS: Final = 400
"""Values of all features together in the rows that are looked at for the questions at order 2, and
rows of them that there are at least; at most, see `Thresholds.explained_rows`."""


@dataclass(frozen=True, slots=True)
class Small:
    """What is asked at order 2.

    Attributes
    ----------
    entropies
        Over the kernels, or a sample of their rows.
    structure
        Which of these rows belong together.
    seed
        The user's.
    """

    entropies: SetEntropies
    structure: RowStructure | None
    seed: int

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.entropies.computation.n

    def sums(self, given: Sequence[int], features: Sequence[int]) -> CandidateSums:
        """Return the sums of features, given others, and what chance gives them."""
        pilot = scheme_of(self.structure, self.n, self.seed, 0, "explained").pilot()
        return CandidateSums(self.entropies, given, features, pilot)


def small_of(entropies: SetEntropies, seed: int, structure: RowStructure | None) -> Small:
    """Return entropies of order 2 over the same kernels, or over a sample of their rows.

    Their widths are those of one feature alone, also where they grow: a kernel that is wider given
    others tells less for that alone, which says nothing of what the others have in common with it.
    """
    model = entropies.computation.model
    most = max(FEWEST_ROWS, MOST_VALUES // max(len(model.features), 1))
    most = min(entropies.computation.thresholds.explained_rows, most)
    if entropies.computation.plan.sums and not model.grows and entropies.computation.n <= most:
        return Small(entropies, structure, seed)  # with the factors that the search has found
    small = replace(model, features=tuple(replace(part, growth="") for part in model.features))
    if model.n > most:
        draw = stream(seed, "explained rows")
        if structure is None:
            rows = np.sort(draw.permutation(model.n)[:most]).astype(np.int64, copy=False)
        else:
            rows = sampled_rows(structure, model.n, most, draw)
            structure = structure.take(rows)
        small = small.take(rows)
    return Small(SetEntropies(entropies.computation.squared().over(small)), structure, seed)


def ahead(small: Small, given: Sequence[int], features: Sequence[int]) -> list[float]:
    """Return how many bits each feature gains above chance, given others that may hold it."""
    sums = small.sums(given, features)
    # as copies: one of the given is then added to itself
    itself = np.arange(small.n, dtype=np.int64)
    copies = [(place, itself) for place in range(len(features))]
    gains = sums.before - sums.copies(copies)
    return [float(above) for above in sums.chance.above(gains)]


def kept_of(
    small: Small, alone: Mapping[int, float], given: Sequence[int], features: Sequence[int]
) -> tuple[FloatArray, float]:
    """Return the share of what each says alone that is left given others, and of an exact copy.

    The product of two Gaussian kernels of one column is a narrower one: so much an exact copy of
    a given feature keeps, though it is nothing new.

    Parameters
    ----------
    small
        What is asked.
    alone
        Of these features, and of those given: by how much each is ahead by itself, bits.
    given, features
        Places of features.
    """
    asked = [*features, *given]
    leads = ahead(small, given, asked)
    kept = [lead / max(alone[one], TINY) for lead, one in zip(leads, asked, strict=True)]
    copy = min(max(min(kept[len(features) :]), 0.0), 1.0)
    return np.array(kept[: len(features)]), copy
