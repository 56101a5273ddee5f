"""What the outcomes say: means of splits, and differences between methods on the same splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, variance

from rivals._judges import MODELS
from rivals._methods import AT, METHODS, RENYI, RIVALS
from rivals._sets import SETS
from rivals._store import MethodStore, Outcome

__all__ = ["SELECTORS", "Difference", "Overall", "Results"]

SELECTORS = tuple(name for name in RIVALS if name != "all")
"""The rivals that select."""
TEST_TO_TRAINING = 0.3 / 0.7


@dataclass(frozen=True)
class Difference:
    """The mean of one score less another over the splits that both have, and its error."""

    mean: float
    error: float


@dataclass(frozen=True)
class Overall:
    """A method over several sets: means of the sets' means."""

    score: float
    models: Mapping[str, float]
    mean_columns: float
    median_columns: float
    seconds: float


class Results:
    """Outcomes by method, set and split.

    Parameters
    ----------
    stores
        By method.
    methods, sets
        Those that are looked at; all that there are if None.
    """

    def __init__(
        self,
        stores: Mapping[str, MethodStore],
        methods: Sequence[str] | None = None,
        sets: Sequence[str] | None = None,
    ) -> None:
        self._stores = stores
        known = (*METHODS, *(AT + name for name in RENYI))
        there = [name for name in known if name in stores and stores[name].outcomes]
        self.methods = [name for name in there if methods is None or name in methods]
        done = {place for name in self.methods for place, _ in stores[name].outcomes}
        self.sets = [
            source.name
            for source in SETS
            if source.name in done and (sets is None or source.name in sets)
        ]

    def common(self) -> list[str]:
        """Return the sets on which every method has as many splits as any other has."""
        return [
            place
            for place in self.sets
            if len({len(self._splits(method, place)) for method in self.methods}) == 1
        ]

    def has(self, method: str, place: str) -> bool:
        """Whether there is any outcome of a method on a set."""
        return bool(self._splits(method, place))

    def score(self, method: str, place: str) -> float:
        """Return the mean score of a method on a set, in points of a hundred."""
        return 100 * fmean(o.score for o in self._outcomes(method, place))

    def columns(self, method: str, place: str) -> float:
        """Return the mean number of columns."""
        return fmean(o.columns for o in self._outcomes(method, place))

    def seconds(self, method: str, place: str) -> float:
        """Return the mean seconds of a selection."""
        return fmean(o.seconds for o in self._outcomes(method, place))

    def splits(self) -> int:
        """Return the most splits that any method has of any set."""
        return max((len(self._splits(m, s)) for m in self.methods for s in self.sets), default=0)

    def codes(self, method: str) -> set[str]:
        """Return the digests of renyi's source behind the outcomes of a method."""
        return {o.code for o in self._stores[method].outcomes.values() if o.code}

    def versions(self) -> str:
        """Return in a sentence what the rivals and the models are made of."""
        found: dict[str, str] = {}
        for name in self.methods:
            found |= self._stores[name].settings.get("versions", {})
        told = ", ".join(f"{name} {version}" for name, version in sorted(found.items()))
        return f"Rivals and models are those of {told}." if told else ""

    def overall(self, method: str, sets: Sequence[str]) -> Overall:
        """Return the means over sets, each of which counts the same."""
        columns = [self.columns(method, place) for place in sets]
        by_model = {
            model: 100
            * fmean(fmean(o.scores[model] for o in self._outcomes(method, s)) for s in sets)
            for model in MODELS
        }
        return Overall(
            score=fmean(self.score(method, place) for place in sets),
            models=by_model,
            mean_columns=fmean(columns),
            median_columns=median(columns),
            seconds=fmean(self.seconds(method, place) for place in sets),
        )

    def best_rival(self, place: str) -> str | None:
        """Return the rival that selects and has the highest mean score on a set."""
        there = [name for name in SELECTORS if name in self.methods and self.has(name, place)]
        return max(there, key=lambda name: self.score(name, place), default=None)

    def difference(self, method: str, other: str, place: str) -> Difference | None:
        """Return by how many points a method is above another on a set.

        Training rows of different splits overlap, which the plain standard error ignores; this one
        is corrected for it (Nadeau and Bengio 2003).
        """
        ours, theirs = self._splits(method, place), self._splits(other, place)
        both = sorted(ours & theirs)
        if not both:
            return None
        mine, its = self._stores[method].outcomes, self._stores[other].outcomes
        gaps = [100 * (mine[place, k].score - its[place, k].score) for k in both]
        spread = variance(gaps) if len(gaps) > 1 else 0.0
        return Difference(fmean(gaps), (spread * (1 / len(gaps) + TEST_TO_TRAINING)) ** 0.5)

    def _splits(self, method: str, place: str) -> set[int]:
        if method not in self._stores:
            return set()
        return {split for name, split in self._stores[method].outcomes if name == place}

    def _outcomes(self, method: str, place: str) -> list[Outcome]:
        known = self._stores[method].outcomes
        return [known[place, split] for split in sorted(self._splits(method, place))]
