r"""The first step of the tests of the best at alpha 2, all replicates by matrix products.

Nothing is selected before a first step, so that `cmi-max` and `cmi-local` are one
test. With F_c the squared Gram of candidate c and W that of y,

    H(y | c) = log2 sum_ij F_c,ij - log2 sum_ij F_c,ij W_ij,

and where an order of rows shuffles all candidates, W is read in the inverse order: the F_c stay. A
candidate's sums in all replicates are one matrix product. Orders, kernels and the test are the
program's own; the sums alone are done in another way, and the tests hold it to `renyi.select`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renyi.backend import get_backend
from renyi.kernels import KernelModel, KernelProduct
from renyi.options import MethodOptions, draw_rule
from renyi.racing import TIE_BITS, permutation_test
from renyi.resampling import PlainPermutations
from validity._methods import KERNEL, Method
from validity._tables import Made

__all__ = ["FirstStep", "does"]

Floats = NDArray[np.float64]


def does(method: Method, options: Mapping[str, Any], keep: Sequence[str]) -> bool:
    """Return whether a run is a first step that these sums can judge, and nothing else."""
    if keep or options.get("max_features") != 1 or not method.shares:
        return False
    asked = method.resolved(**options)
    plain = asked.score == "mi" and asked.lookahead == 1 and not asked.min_gain
    return (
        plain
        and asked.alpha == 2
        and asked.rank == "raw"
        and asked.criteria in {("cmi-max",), ("cmi-local",)}
    )


class FirstStep:
    """One table, on which methods with equal kernels share their replicates.

    Parameters
    ----------
    made
        The table.
    run
        Its number, which is the seed.
    methods
        Those that `does` allows.
    """

    def __init__(self, made: Made, run: int, methods: Iterable[Method]) -> None:
        self._dataset, self._run = made.dataset(), run
        self._most: dict[tuple[Any, ...], int] = {}
        for method in methods:
            key, options = self._asked(method)
            draws = draw_rule(options.permutations).most
            self._most[key] = max(draws, self._most.get(key, 0))
        self._found: dict[tuple[Any, ...], Floats] = {}

    def run(self, method: Method) -> list[int]:
        """Return what `method` selects: one column number or none."""
        key, options = self._asked(method)
        if key not in self._found:
            n = self._dataset.n
            scheme = PlainPermutations(n, self._run, 1)
            orders = [np.arange(n), *(scheme.order(k) for k in range(self._most[key]))]
            self._found[key] = gains(KernelModel.build(self._dataset, options), orders)
        observed, *replicates = self._found[key]
        largest = [float(values.max()) for values in replicates]
        gain = float(observed.max())
        best = int(np.flatnonzero(observed >= gain - TIE_BITS)[0])
        test = permutation_test(
            lambda start, stop: largest[start:stop],
            lambda value: value >= observed[best] - TIE_BITS,
            draw_rule(options.permutations),
            options.significance,
            options.p_rule,
        )
        worth = options.min_gain is None or observed[best] >= 0  # a least gain of 0 bits
        return [best] if test.passed and worth else []

    def _asked(self, method: Method) -> tuple[tuple[Any, ...], MethodOptions]:
        options = method.resolved(seed=self._run)
        return tuple(getattr(options, name) for name in KERNEL), options


def gains(model: KernelModel, orders: Sequence[NDArray[np.int64]]) -> Floats:
    """Return I(c; y) at alpha 2 of all candidates shuffled by each order, (orders, F), bits."""
    n = model.n
    target = model.product((), target=True)
    weigh = _by_classes(target, orders) if target.is_counts else _by_pairs(target, orders)
    found = np.empty((len(orders), len(model.features)))
    for candidate in range(len(model.features)):
        squared = _squared(KernelProduct.of(n, [model.part(candidate, 1)]))
        found[:, candidate] = np.log2(weigh(squared) / squared.sum())
    return np.asarray(found + 2 * np.log2(n) - np.log2(_squared(target).sum()))


def _squared(product: KernelProduct) -> Floats:
    everything = slice(None)
    tile = product.tile(get_backend("numpy"), everything, everything, exponent=2.0)
    return np.asarray(tile)


def _by_classes(
    target: KernelProduct, orders: Sequence[NDArray[np.int64]]
) -> Callable[[Floats], Floats]:
    """Return what gives sum F_ij W_ij of each order, where W_ij says that two classes are equal.

    With s = -1 and 1 for two classes that is half of sum F + s'Fs; for more, the sum of e'Fe over
    the indicators e of the classes.
    """
    assert target.codes is not None
    codes = np.array([target.codes[np.argsort(order)] for order in orders])
    if target.n_codes == 2:
        signs = 2.0 * codes - 1
        return lambda squared: (squared.sum() + ((signs @ squared) * signs).sum(axis=1)) / 2
    indicators = [(codes == code).astype(float) for code in range(target.n_codes)]
    return lambda squared: sum(
        (((one @ squared) * one).sum(axis=1) for one in indicators), np.zeros(len(orders))
    )


def _by_pairs(
    target: KernelProduct, orders: Sequence[NDArray[np.int64]]
) -> Callable[[Floats], Floats]:
    """Return what gives sum F_ij W_ij of each order for any W."""
    weights = _squared(target)
    inverses = [np.argsort(order) for order in orders]
    read = np.array([weights[inverse][:, inverse].ravel() for inverse in inverses])
    return lambda squared: np.asarray(read @ squared.ravel())
