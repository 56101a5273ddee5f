"""The naive loop: what a careful reader of the paper writes, and how long it takes.

    python benchmarks/naive.py TASK.json

Greedy forward selection by joint mutual information with the CMI-permutation test (Yu and
Principe, Entropy 2019), from the definitions: one dense Gram a feature, `numpy.linalg.eigvalsh` for
every entropy, every entropy of every MI and CMI computed anew, all P permutations drawn. Products
of Grams are kept within a step (those of the selected and of the remaining features), as anyone
would. NumPy as it is installed, with its own choice of threads.

It shares no code with `renyi` but the orders of rows, so that p-values can be compared. Features
are continuous, z-scored, with a Gaussian kernel; the target is nominal with a delta kernel;
constant columns are left out.

A task is a JSON object, see `Task`. With `sample` the loop is not run: some of its MI and CMI are
timed at one step and scaled by how many of them the loop computes, see `scaled_seconds`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

TIE_BITS = 1e-9
"""Values this close are tied: the lowest column wins, and a tied replicate counts against it."""


@dataclass(frozen=True)
class Sample:
    """What of a loop is timed.

    Attributes
    ----------
    path
        Features in the order in which they were found, the last one tested included.
    step
        The step, from 1, at which MI and CMI are timed.
    candidates, replicates
        How many MI and how many CMI of it, the first ones being those of the chosen feature.
    """

    path: tuple[str, ...]
    step: int
    candidates: int
    replicates: int


@dataclass(frozen=True)
class Task:
    """One run of the loop.

    Attributes
    ----------
    file, target
        A Parquet file and the column to predict.
    features
        The columns to choose from; None for all others.
    alpha, sigma
        Order of the entropy, width of the kernel on z-scores.
    criterion
        `cmi-perm` or `none`.
    permutations, significance, seed
        Of the test.
    max_features
        Where it ends at the latest.
    sample
        None to run the loop.
    """

    file: str
    target: str
    alpha: float
    sigma: float
    features: tuple[str, ...] | None = None
    criterion: str = "cmi-perm"
    permutations: int = 100
    significance: float = 0.05
    seed: int = 0
    max_features: int | None = None
    sample: Sample | None = None

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Task:
        given = dict(record)
        if given.get("sample") is not None:
            sample = dict(given["sample"])
            given["sample"] = Sample(**{**sample, "path": tuple(sample["path"])})
        if given.get("features") is not None:
            given["features"] = tuple(given["features"])
        return cls(**given)


@dataclass(frozen=True)
class Data:
    """Columns by name, each (n,), and the class of every row."""

    columns: dict[str, Array]
    classes: npt.NDArray[np.int64]

    @property
    def n(self) -> int:
        return len(self.classes)


def read(task: Task) -> Data:
    """Read the task's columns; constant ones are left out."""
    import polars as pl

    frame = pl.read_parquet(task.file)
    names = task.features or tuple(name for name in frame.columns if name != task.target)
    columns = {name: frame[name].cast(pl.Float64).to_numpy() for name in names}
    columns = {name: values for name, values in columns.items() if values.min() < values.max()}
    classes = np.unique(frame[task.target].cast(pl.String).to_numpy(), return_inverse=True)[1]
    return Data(columns, classes.reshape(-1))


def gaussian_gram(values: Array, sigma: float) -> Array:
    """exp(-(u - v)^2 / (2 sigma^2)) of z-scored values, (n, n)."""
    z = (values - values.mean()) / values.std()
    apart = z[:, None] - z[None, :]
    gram: Array = np.exp(-(apart**2) / (2 * sigma**2))
    return gram


def delta_gram(classes: npt.NDArray[np.int64]) -> Array:
    """1 within a class, 0 across classes, (n, n)."""
    gram: Array = (classes[:, None] == classes[None, :]).astype(np.float64)
    return gram


class Measures:
    """H, I and CMI over Gram matrices, bits; counts the eigenproblems."""

    def __init__(self, alpha: float) -> None:
        self.alpha = alpha
        self.entropies = 0

    def entropy(self, gram: Array) -> float:
        """S_alpha of the Gram over its trace."""
        self.entropies += 1
        values = np.linalg.eigvalsh(gram / len(gram))
        values = values[values > 0]
        if self.alpha == 1:
            return float(-np.sum(values * np.log2(values)))
        return float(np.log2(np.sum(values**self.alpha)) / (1 - self.alpha))

    def information(self, x: Array, y: Array) -> float:
        """I(x; y) = H(x) + H(y) - H(x, y)."""
        return self.entropy(x) + self.entropy(y) - self.entropy(x * y)

    def conditional(self, x: Array, y: Array, z: Array) -> float:
        """I(x; y | z) = H(x, z) + H(y, z) - H(x, y, z) - H(z)."""
        xz = x * z
        return self.entropy(xz) + self.entropy(y * z) - self.entropy(xz * y) - self.entropy(z)


def orders_of(n: int, seed: int, step: int) -> Callable[[int], npt.NDArray[np.int64]]:
    """Return the order of rows of a replicate, the same that `renyi` draws."""
    from renyi.resampling import PlainPermutations

    return PlainPermutations(n, seed, step).order


@dataclass(frozen=True)
class NaiveStep:
    """One step: the feature, its MI and CMI, and which replicates did at least as well."""

    feature: str
    mi: float
    cmi: float
    exceeded: tuple[bool, ...]
    selected: bool


class NaiveLoop:
    """The loop over Grams that are all kept."""

    def __init__(self, data: Data, task: Task) -> None:
        self.task = task
        self.n = data.n
        self.measures = Measures(task.alpha)
        self.grams = {
            name: gaussian_gram(values, task.sigma) for name, values in data.columns.items()
        }
        self.label = delta_gram(data.classes)

    def run(self) -> list[NaiveStep]:
        """Add features until the test fails, the limit is reached or none is left."""
        steps: list[NaiveStep] = []
        left = list(self.grams)
        chosen = np.ones((self.n, self.n))
        most = min(self.task.max_features or len(left), len(left))
        while len(steps) < most:
            newest, mi = self._best(chosen, left)
            left.remove(newest)
            step = self._judged(len(steps) + 1, chosen, newest, left, mi)
            steps.append(step)
            if not step.selected:
                break
            chosen = chosen * self.grams[newest]
        return steps

    def _best(self, chosen: Array, left: Sequence[str]) -> tuple[str, float]:
        """Return the candidate of the largest MI, ties to the lowest column."""
        values = [self.measures.information(chosen * self.grams[name], self.label) for name in left]
        best = max(values)
        place = next(k for k, value in enumerate(values) if value >= best - TIE_BITS)
        return left[place], values[place]

    def _judged(
        self, number: int, chosen: Array, newest: str, left: Sequence[str], mi: float
    ) -> NaiveStep:
        """Compare the newest feature with its shuffled copies.

        With no feature left CMI is 0 in every replicate; the test then takes MI.
        """
        measures, gram, label = self.measures, self.grams[newest], self.label
        rest = np.ones((self.n, self.n))
        for name in left:
            rest = rest * self.grams[name]
        cmi = measures.conditional(rest, label, chosen * gram)
        exceeded: list[bool] = []
        if self.task.criterion == "cmi-perm":
            order_of = orders_of(self.n, self.task.seed, number)
            for replicate in range(self.task.permutations):
                order = order_of(replicate)
                shuffled = chosen * gram[np.ix_(order, order)]
                if left:
                    value = measures.conditional(rest, label, shuffled)
                    exceeded.append(value <= cmi + TIE_BITS)
                else:
                    exceeded.append(measures.information(shuffled, label) >= mi - TIE_BITS)
        return NaiveStep(newest, mi, cmi, tuple(exceeded), self._passes(sum(exceeded)))

    def _passes(self, count: int) -> bool:
        if self.task.criterion == "none":
            return True
        return (count + 1) / (self.task.permutations + 1) <= self.task.significance + 1e-12


def run_whole(data: Data, task: Task) -> dict[str, Any]:
    """Run the loop; seconds are the work without reading."""
    start = perf_counter()
    loop = NaiveLoop(data, task)
    steps = loop.run()
    return {
        "seconds": perf_counter() - start,
        "entropies": loop.measures.entropies,
        "path": [step.feature for step in steps],
        "mi": [step.mi for step in steps],
        "cmi": [step.cmi for step in steps],
        "exceeded": [list(step.exceeded) for step in steps],
        "selected": [step.selected for step in steps],
    }


@dataclass(frozen=True)
class Timings:
    """Mean seconds of one MI, one CMI (with its shuffled Gram), one Gram, one product of two."""

    information: float
    conditional: float
    gram: float
    product: float


@dataclass(frozen=True)
class Counts:
    """How many of each the loop computes.

    Attributes
    ----------
    features
        F, a Gram each.
    steps
        K, the last one tested included.
    replicates
        P of every step, 0 without a test.
    """

    features: int
    steps: int
    replicates: int

    @property
    def information(self) -> int:
        """One MI a candidate: F - k + 1 at step k."""
        return sum(self.features - k + 1 for k in range(1, self.steps + 1))

    @property
    def conditional(self) -> int:
        """One CMI a step, and P more for its test; MI where no feature is left."""
        return self.steps * (1 + self.replicates)

    @property
    def products(self) -> int:
        """Those of the remaining features, F - k at step k."""
        return sum(self.features - k for k in range(1, self.steps + 1))

    @property
    def entropies(self) -> int:
        """Three a MI, four a CMI."""
        return 3 * self.information + 4 * self.conditional


def scaled_seconds(timings: Timings, counts: Counts) -> float:
    """Return what the loop takes by the timings of its parts."""
    return (
        counts.information * timings.information
        + counts.conditional * timings.conditional
        + counts.features * timings.gram
        + counts.products * timings.product
    )


def run_sample(data: Data, task: Task, sample: Sample) -> dict[str, Any]:
    """Time a sample of the loop at one step, and scale it."""
    before, newest = sample.path[: sample.step - 1], sample.path[sample.step - 1]
    left = [name for name in data.columns if name not in before and name != newest]
    label = delta_gram(data.classes)
    start = perf_counter()
    gram = gaussian_gram(data.columns[newest], task.sigma)
    gram_seconds = perf_counter() - start
    start = perf_counter()
    _ = gram * label
    product_seconds = perf_counter() - start

    def product_of(names: Sequence[str]) -> Array:
        product = np.ones_like(gram)
        for name in names:
            product *= gaussian_gram(data.columns[name], task.sigma)
        return product

    measures, chosen = Measures(task.alpha), product_of(before)
    spent, values = 0.0, []
    candidates = [newest, *left][: sample.candidates]
    for name in candidates:
        one = product_of([name])
        start = perf_counter()
        values.append(measures.information(chosen * one, label))
        spent += perf_counter() - start
    rest, order_of = product_of(left), orders_of(data.n, task.seed, sample.step)
    start = perf_counter()
    cmi = measures.conditional(rest, label, chosen * gram)
    for replicate in range(sample.replicates - 1):
        order = order_of(replicate)
        measures.conditional(rest, label, chosen * gram[np.ix_(order, order)])
    conditional = (perf_counter() - start) / sample.replicates
    timings = Timings(spent / len(candidates), conditional, gram_seconds, product_seconds)
    replicates = task.permutations if task.criterion == "cmi-perm" else 0
    counts = Counts(len(data.columns), len(sample.path), replicates)
    return {
        "seconds": scaled_seconds(timings, counts),
        "seconds_of_step": _seconds_of_step(timings, counts, sample.step),
        "entropies": counts.entropies,
        "entropies_timed": measures.entropies,
        "seconds_an_entropy": (timings.information + timings.conditional) / 7,
        "step": sample.step,
        "mi": values[0],
        "cmi": cmi,
    }


def _seconds_of_step(timings: Timings, counts: Counts, step: int) -> float:
    """Return the share of one step, its Grams being there."""
    return (
        (counts.features - step + 1) * timings.information
        + (1 + counts.replicates) * timings.conditional
        + (counts.features - step) * timings.product
    )


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    task = Task.from_dict(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    data = read(task)
    np.linalg.eigvalsh(np.eye(200))  # the library starts its threads at the first call
    found = run_whole(data, task) if task.sample is None else run_sample(data, task, task.sample)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
