"""Pairs at alpha 2 without eigenvalues, all from one pass over the Gram of what they share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.bounds import EXACT_BITS, Pair, Question
from renyi.entropies import Solution, entropy_from_trace
from renyi.factors import RESIDUAL, Factor, squared_factor
from renyi.kernels import KernelModel, KernelPart, KernelProduct
from renyi.order2._moments import GivenSums
from renyi.order2._quadratic import SquaredSums
from renyi.order2._sizes import PASS, PassSizes
from renyi.order2._strips import SINGLE_RESIDUAL
from renyi.order2.columns._stack import Extension, Stack

__all__ = ["FactorStore", "Passes", "product_pairs"]

KEPT_BYTES: Final = 2**29
"""Bytes of factors kept from one step to the next; half of what a factor may take, where less."""

BATCH_BYTES: Final = 2**28
"""Bytes of factors in use at once, and of their rows in the order of a pass; a quarter of what a
factor may take, where less."""

LOOSE_RESIDUAL: Final = 1e-5
"""Mean residual of a factor that mostly suffices at alpha 2 to compare a shuffled copy with the
real feature: it halves the rank, and moves an entropy by some 5e-5 bits."""

LOOSE_BITS: Final = 1e-3
"""Tolerance from which such a factor mostly gives values."""

KNOWN_ROWS: Final = 50_000
"""Rows from which factors at alpha 2 are found to `KNOWN_RESIDUAL` where no tie is open."""

KNOWN_RESIDUAL: Final = 1e-8
"""Mean residual that moves an entropy by some 5e-8 bits."""


class FactorStore:
    """Squared factors of features, kept within a budget of bytes.

    Parameters
    ----------
    model
        The kernels.
    most_bytes
        Bytes that one factor of a pass may take, see `renyi.entropies.factor_bytes`.
    kept_bytes
        Bytes of all that are kept.
    """

    def __init__(self, model: KernelModel, most_bytes: int, kept_bytes: int = KEPT_BYTES) -> None:
        self._model = model
        self._room = min(kept_bytes, most_bytes // 2)
        self.batch_bytes = min(BATCH_BYTES, most_bytes // 4)
        self._kept: dict[tuple[int, float], Factor | None] = {}
        self._bytes = 0

    def get(self, feature: int, size: int) -> Factor | None:
        """Return the factor of a feature's squared kernel, None where it is not worth one.

        It is that of a product of `size` features.
        """
        # where widths do not depend on it, one factor serves every size
        key = (feature, self._model.scale(feature, size))
        if key in self._kept:
            return self._kept[key]
        factor = squared_factor(self._model.part(feature, size))
        weight = _bytes(factor)
        if self._bytes + weight > self._room:
            self._forget(key[1])
        if self._bytes + weight <= self._room:
            self._kept[key] = factor
            self._bytes += weight
        return factor

    @property
    def held_bytes(self) -> int:
        """Bytes of the factors that are kept."""
        return self._bytes

    def _forget(self, scale: float) -> None:
        """Let go of the factors of narrower kernels: the search does not come back to them."""
        self._kept = {key: factor for key, factor in self._kept.items() if key[1] >= scale}
        self._bytes = sum(map(_bytes, self._kept.values()))


def _bytes(factor: Factor | None) -> int:
    return 0 if factor is None else factor.values.nbytes


def product_pairs(
    passes: Callable[[float | None], Passes],
    parts: Sequence[KernelPart],
    features: Sequence[tuple[int, int]],
    store: FactorStore,
    question: Question,
    loose_residual: float = LOOSE_RESIDUAL,
) -> dict[int, Pair]:
    """Return the pairs of a base with each part, by number, where the part has a factor.

    Parameters
    ----------
    passes
        Gives the sums over what all share, of factors with some mean residual, None for the least;
        asked only where there is a factor.
    parts
        What is added, shuffled or not.
    features
        Whose kernels they are, and the number of features in the product.
    store
        Of the features' factors.
    question
        What must be known of each.
    loose_residual
        Mean residual of the factors that are tried first.
    """
    found: dict[int, Pair] = {}
    residuals = _residuals(question, len(parts[0].rows), loose_residual) if parts else []
    for loose in residuals:
        rest = [number for number in range(len(parts)) if number not in found]
        for batch in _batches(rest, parts, features, store, loose):
            pairs = passes(loose).pairs([extension for _, extension in batch])
            found.update(
                (number, pair)
                for (number, _), pair in zip(batch, pairs, strict=True)
                if loose == residuals[-1] or question.answered(pair)
            )
    return found


def _residuals(question: Question, rows: int, loose: float) -> list[float | None]:
    """Return the mean residuals that factors may have, one try after the other; None is the least.

    The last one is what there is, whether it answers or not.
    """
    if question.tolerance <= EXACT_BITS:
        return [None]
    if question.open:
        return [loose]
    known = KNOWN_RESIDUAL if rows >= KNOWN_ROWS else None
    return [loose, known] if question.tolerance >= LOOSE_BITS else [known]


def _batches(
    numbers: Sequence[int],
    parts: Sequence[KernelPart],
    features: Sequence[tuple[int, int]],
    store: FactorStore,
    loose: float | None,
) -> Iterator[list[tuple[int, Extension]]]:
    """Yield (number, extension) of some parts, in lists of factors of limited size together."""
    batch: list[tuple[int, Extension]] = []
    held, last, factor = 0, (-1, 0), None
    for number in numbers:
        feature = features[number]
        if feature != last:
            last, factor = feature, store.get(*feature)
            if factor is not None and loose is not None:
                factor = factor.loosened(loose)
            held += _bytes(factor)
        if factor is None:
            continue
        if batch and held > store.batch_bytes:
            yield batch
            batch, held = [], factor.values.nbytes
        batch.append((number, Extension(factor, parts[number].rows)))
    if batch:
        yield batch


class Passes:
    """The sums over one base, with the target and without; kept while they are asked for.

    Parameters
    ----------
    base
        What all share.
    target
        The target's part.
    backend
        Where the products run.
    loose
        Mean residual that the factors may have, None for the least.
    most_bytes
        Bytes that a factor of the base may take.
    sizes
        How much is done at once.
    """

    def __init__(
        self,
        base: KernelProduct,
        target: KernelPart,
        backend: Backend,
        loose: float | None,
        most_bytes: int,
        sizes: PassSizes = PASS,
    ) -> None:
        self._n = float(len(base))
        self._base, self._target, self._backend = base, target, backend
        self._loose = loose is not None
        residual = loose or RESIDUAL
        classes = target.classes
        levels = target.distinct if classes is not None else 1
        most = most_bytes if classes is not None else most_bytes // 2
        self._sums = SquaredSums(
            base, classes, levels, backend, residual=residual, most_bytes=most, sizes=sizes
        )
        self._rounding = 4 * base.entry_error
        self._with_target: SquaredSums | None = None
        if classes is None:  # a Gaussian label is one more coordinate of W
            both = base.times(target)
            self._rounding = max(self._rounding, 4 * both.entry_error)
            self._with_target = SquaredSums(
                both, None, 1, backend, residual=residual, most_bytes=most, sizes=sizes
            )

    def pairs(self, extensions: Sequence[Extension]) -> list[Pair]:
        """Return one pair an extension."""
        everything, joint = self._sums.sums(extensions)
        errors = with_target = self._sums.errors(extensions)
        if self._with_target is not None:
            joint = self._with_target.sums(extensions)[0]
            with_target = self._with_target.errors(extensions)
        elif self._target.is_onehot:  # off^2 across classes: a mixture of both sums
            across = self._across
            joint = across * everything + (1 - across) * joint
        return [
            Pair(
                self._entropy(float(everything[k]), float(errors[k])),
                self._entropy(float(joint[k]), float(with_target[k])),
                None,
                extension.factor.values.shape[1] if self._loose else 0,
                exact=not self._loose,
            )
            for k, extension in enumerate(extensions)
        ]

    def stacked(
        self, stack: Stack, orders: Sequence[IntArray | None] = (None,)
    ) -> tuple[FloatArray, FloatArray]:
        """Return H(y | Z, x) of each variable x of a stack, bits, and how far off each may be.

        Parameters
        ----------
        stack
            Their factors; in single precision on a CPU only.
        orders
            Orders (n,) in which the rows of all variables are taken; None as they are.

        Returns
        -------
        conditional, blur : (orders, variables)
        """
        everything, joint, (errors, with_target) = self._sums.stacked(stack, orders)
        if self._with_target is not None:
            joint, _, (with_target, _) = self._with_target.stacked(stack, orders)
        return self._conditional((everything, joint), (errors, with_target))

    def picked(
        self, stack: Stack, orders: Sequence[IntArray], places: Sequence[IntArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the same of a few variables of a stack in each order, (orders, k).

        Parameters
        ----------
        stack, orders
            As in `stacked`.
        places
            (k,) which variables, for each order.
        """
        everything, joint, (errors, with_target) = self._sums.picked(stack, orders, places)
        if self._with_target is not None:
            joint, _, (with_target, _) = self._with_target.picked(stack, orders, places)
        return self._conditional((everything, joint), (errors, with_target))

    def roughly(
        self, stack: Stack, orders: Sequence[IntArray], rest: tuple[FloatArray, FloatArray]
    ) -> FloatArray:
        """Return about H(y | Z, x) of each variable x of a stack, bits, (orders, variables).

        Parameters
        ----------
        stack, orders
            As in `stacked`.
        rest
            (count,) what is to be added to both sums for all that the factors leave out.
        """
        everything, joint, _ = self._sums.stacked(stack, orders)
        if self._with_target is not None:
            joint = self._with_target.stacked(stack, orders)[0]
        elif self._target.is_onehot:
            joint = self._across * everything + (1 - self._across) * joint
        return np.asarray(np.log2((everything + rest[0]) / (joint + rest[1])))

    def _conditional(
        self, sums: tuple[FloatArray, FloatArray], errors: tuple[FloatArray, FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Return H(y | Z, x), bits, and how far off it may be, from both sums and their errors."""
        everything, joint = sums
        own, with_target = errors
        if self._target.is_onehot and self._with_target is None:
            across = self._across
            joint = across * everything + (1 - across) * joint
            with_target = across * own + (1 - across) * with_target
        relative = own / everything + with_target / joint + 2 * self._rounding
        # -log2(1 - e) where that is a bound, all there is where it is not
        blur = -np.log2(1 - np.minimum(relative, 0.5))
        blur[relative > 0.5] = np.log2(self._n)
        return np.log2(everything / joint), blur

    def given(self) -> GivenSums:
        """Return the sums that tell what chance gives, out of the pass that was made last."""
        found, off = self._sums.given(), self._across
        weights = np.ones(len(self._base)) if self._base.weights is None else self._base.weights
        diagonal = float((weights**2).sum())
        total, within = (one - diagonal for one in found.totals)
        if self._with_target is not None:
            joint = self._with_target.given()
            return GivenSums(
                found.rows,
                joint.rows,
                total,
                joint.totals[0] - diagonal,
                found.squares,
                self._cross(weights),
                joint.squares,
                diagonal,
            )
        inside = found.target_squares
        return GivenSums(
            found.rows,
            off * found.rows + (1 - off) * found.target_rows,
            total,
            off * total + (1 - off) * within,
            found.squares,
            off * found.squares + (1 - off) * inside,
            off**2 * found.squares + (1 - off**2) * inside,
            diagonal,
        )

    def own(self) -> Pair:
        """Return H(Z) and H(Z, y) of the base itself, out of the pass that was made last."""
        found, off = self._sums.given(), self._across
        everything, within = found.totals
        joint = off * everything + (1 - off) * within
        error, joint_error = (found.share * one + found.missing for one in (everything, joint))
        # what is off within a class and across may differ by twice its share
        spread = 2 * found.share * (1 - joint / everything)
        if self._with_target is not None:
            other = self._with_target.given()
            joint = other.totals[0]
            joint_error = other.share * joint + other.missing
            spread = error / everything + joint_error / joint
        else:
            spread += found.missing / everything + found.missing / joint
        spread += 2 * self._rounding
        pair = Pair(self._entropy(everything, error), self._entropy(joint, joint_error))
        blur = -math.log2(1 - min(spread, 0.5))
        value = pair.conditional
        difference = Solution(value, value - blur, value + blur, "products")
        return replace(pair, difference=difference if blur < pair.error else None)

    @property
    def _across(self) -> float:
        """Squared value of the label's kernel between classes."""
        return self._target.across**2

    def _cross(self, weights: FloatArray) -> float:
        """Return the sum of W times W Y for a label that is a coordinate, diagonal left out."""
        product = self._base.squared().times(self._target)
        found = SquaredSums(product, None, 1, self._backend, residual=SINGLE_RESIDUAL).given()
        return found.totals[0] - float((weights**4).sum())

    def _entropy(self, squared_sum: float, error: float) -> Solution:
        relative = error / squared_sum + self._rounding
        return entropy_from_trace(squared_sum / self._n**2, self._n, 2.0, "products", relative)
