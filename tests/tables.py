"""Random tables of every kind of column, with the oracle's Gram of each beside it."""

from dataclasses import dataclass, replace

import numpy as np

import oracle
from renyi.backend import get_backend
from renyi.information import THRESHOLDS, Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.options import method_options
from renyi.selection import ForwardSearch
from renyi.variables import Dataset, Variable

LETTERS = tuple("abcdefgh")

PLAIN = {"rank": "raw", "nominal": "delta", "class_weights": "none"}
"""Raw gains of hard levels and rows that count alike: what the oracle computes."""

RAW = {**PLAIN, "bandwidth": 2.0, "permutations": 59}
"""The same, with one width and a number of draws."""


def raw_options(preset="default", **given):
    """Return options under which `renyi` computes what the oracle does, unless others are asked."""
    usual = RAW if preset == "default" else {}
    return method_options(preset, **{**usual, **given})


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its raw values, `renyi`'s variable, and the oracle's Gram."""

    name: str
    kind: str
    values: np.ndarray
    gram: np.ndarray

    @property
    def variable(self):
        if self.kind == "continuous":
            return Variable.continuous(self.name, self.values)
        build = Variable.nominal if self.kind == "nominal" else Variable.ordinal
        return build(self.name, self.values, LETTERS)

    @property
    def cells(self):
        """The values as a table holds them: letters where they are levels."""
        if self.kind == "continuous":
            return self.values.tolist()
        return [LETTERS[code] for code in self.values]


@dataclass(frozen=True, eq=False)
class Table:
    """Features and a target over the same rows."""

    features: tuple
    target: Column

    @property
    def n(self):
        return len(self.target.values)

    @property
    def grams(self):
        return [column.gram for column in self.features]

    @property
    def label(self):
        return self.target.gram

    @property
    def names(self):
        return [column.name for column in self.features]

    @property
    def dataset(self):
        return Dataset(tuple(c.variable for c in self.features), (self.target.variable,))

    @property
    def kinds(self):
        return {column.name: column.kind for column in (*self.features, self.target)}

    @property
    def frame(self):
        import polars as pl

        return pl.DataFrame({column.name: column.cells for column in (*self.features, self.target)})

    def at(self, order):
        """Return the same table with its rows in another order."""
        return Table(tuple(take(c, order) for c in self.features), take(self.target, order))


def take(column, order):
    values = column.values[order]
    return Column(column.name, column.kind, values, oracle.shuffled(column.gram, order))


def continuous(name, values, sigma=1.0, scale=oracle.zscore):
    return Column(name, "continuous", np.asarray(values), oracle.gaussian(scale(values), sigma))


def ordinal(name, codes, sigma=1.0, scale=oracle.zscore):
    return Column(name, "ordinal", np.asarray(codes), oracle.gaussian(scale(codes), sigma))


def nominal(name, codes, gram=oracle.delta):
    return Column(name, "nominal", np.asarray(codes), gram(codes))


def feature(letter, name, rng, n, sigma=1.0):
    """Return a random column: Continuous, Wide tails, Rounded, Ordinal, Binary, Nominal."""
    if letter == "C":
        return continuous(name, rng.normal(size=n), sigma)
    if letter == "W":
        return continuous(name, rng.standard_cauchy(size=n), sigma)
    if letter == "R":
        return continuous(name, rng.integers(0, 5, size=n) / 4.0, sigma)
    if letter == "O":
        return ordinal(name, rng.integers(0, 4, size=n), sigma)
    if letter == "B":
        return nominal(name, (rng.random(n) < 0.3).astype(int))
    if letter == "N":
        return nominal(name, rng.integers(0, 4, size=n))
    raise ValueError(letter)


def random_table(recipe, label, n, seed, sigma=1.0):
    """Return a table with one feature per letter of `recipe`.

    `label` is `delta` or `onehot` (three classes) or `numeric`; it depends on the first two
    features and on noise.
    """
    rng = np.random.default_rng(seed)
    features = tuple(
        feature(letter, f"f{number}", rng, n, sigma) for number, letter in enumerate(recipe)
    )
    signal = sum(oracle.zscore(column.values) for column in features[:2])
    signal = signal + rng.normal(scale=0.7, size=n)
    if label == "numeric":
        return Table(features, continuous("y", signal, sigma))
    classes = np.digitize(signal, [-0.6, 0.9])
    gram = {"delta": oracle.delta, "onehot": oracle.onehot}[label]
    return Table(features, nominal("y", classes, gram))


def with_copy(table, number):
    """Return the table with a copy of one of its features behind all others."""
    copy = replace(table.features[number], name=f"f{len(table.features)}")
    return Table((*table.features, copy), table.target)


def alike(columns, n):
    """Return coordinates and strata of rows from raw columns, None for no strata."""
    numbers = [oracle.zscore(column.values) for column in columns if column.kind != "nominal"]
    hard = [column.values for column in columns if column.kind == "nominal"]
    points = np.column_stack(numbers) if numbers else np.empty((n, 0))
    if not hard:
        return points, None
    return points, np.unique(np.column_stack(hard), axis=0, return_inverse=True)[1].reshape(-1)


def entropies(table, options, jobs=None, thresholds=THRESHOLDS):
    model = KernelModel.build(table.dataset, options)
    backend = get_backend("numpy")
    return SetEntropies(
        Computation.of(
            model,
            options.alpha,
            backend,
            solver=options.solver,
            jobs=jobs,
            thresholds=thresholds,
        )
    )


def search(table, *, jobs=None, keep=(), thresholds=THRESHOLDS, **options):
    """Run the forward search over a table with sigma 1; return its steps and verdict."""
    chosen = raw_options(**{"bandwidth": 1.0, "criteria": "none", **options})
    known = entropies(table, chosen, jobs, thresholds)
    run = ForwardSearch(table.dataset, known, chosen, keep=keep)
    steps = list(run)
    return steps, run.verdict
