"""Scores that look at a candidate x with one or two selected features at a time.

Most are I(x; y) - beta sum_s I(x; s) + gamma sum_s I(x; s | y) over the selected features s, for
some beta and gamma (Brown, Pocock, Zhao, Lujan, JMLR 13, 2012). With nothing selected each is
I(x; y). Of levels, in bits; and of matrix-based entropies by the same lines. Nothing is clipped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.racing import TIE_BITS
from renyi.scores._terms import Terms

__all__ = [
    "cife",
    "cmi",
    "cmim",
    "condred",
    "disr",
    "icap",
    "jmi",
    "jmi3",
    "jmim",
    "mifs",
    "mifs_u",
    "mim",
    "mrmr",
    "mrmr_quotient",
    "njmim",
    "nmifs",
    "relax",
]

Selected = Sequence[int]

LEAST_REDUNDANCY: Final = 0.01
"""Bits below which a mean redundancy counts as so much where it divides: the papers do not say what
a quotient by 0 is. Candidates that share nothing then rank by relevance, and rounding tells none
from another."""


def _linear(
    terms: Terms, selected: Selected, candidates: Sequence[int], beta: float, gamma: float
) -> FloatArray:
    """Return the general form."""
    value = terms.relevance(candidates)
    for s in selected:
        if beta:
            value = value - beta * terms.redundancy(s, candidates)
        if gamma:
            value = value + gamma * terms.redundancy_within(s, candidates)
    return value


def _mean(values: Sequence[FloatArray]) -> FloatArray:
    return np.asarray(sum(values[1:], values[0]) / len(values))


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return part / whole, 0 where there is nothing to share."""
    return np.asarray(np.where(whole > TIE_BITS, part / np.where(whole > TIE_BITS, whole, 1), 0.0))


def mim(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:  # noqa: ARG001
    """I(x; y) (Lewis, Speech and Natural Language 1992)."""
    return terms.relevance(candidates)


def mifs(
    terms: Terms, selected: Selected, candidates: Sequence[int], beta: float = 1.0
) -> FloatArray:
    """I(x; y) - beta sum_s I(x; s) (Battiti, IEEE Trans. Neural Networks 5, 1994)."""
    return _linear(terms, selected, candidates, beta, 0.0)


def mifs_u(
    terms: Terms, selected: Selected, candidates: Sequence[int], beta: float = 1.0
) -> FloatArray:
    """I(x; y) - beta sum_s I(x; s) I(s; y) / H(s) (Kwak, Choi, IEEE Trans. Neural Networks 13)."""
    value = terms.relevance(candidates)
    for s in selected:
        alone, both = terms.own((s,))
        part = alone + terms.target - both
        value = value - beta * terms.redundancy(s, candidates) * _share(
            np.array(part), np.array(alone)
        )
    return value


def nmifs(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """I(x; y) - mean_s I(x; s) / min(H(x), H(s)) (Estevez et al., same Trans. 20, 2009)."""
    value = terms.relevance(candidates)
    if not selected:
        return value
    alone = terms.beside((), candidates)[0]
    shares = [
        _share(terms.redundancy(s, candidates), np.minimum(alone, terms.own((s,))[0]))
        for s in selected
    ]
    return np.asarray(value - _mean(shares))


def cife(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """I(x; y) - sum_s (I(x; s) - I(x; s | y)) (Lin, Tang, ECCV 2006).

    It is the first-order utility, FOU, of Brown (AISTATS 2009).
    """
    return _linear(terms, selected, candidates, 1.0, 1.0)


def condred(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """I(x; y) + sum_s I(x; s | y): beta 0 and gamma 1 (Brown et al. 2012)."""
    return _linear(terms, selected, candidates, 0.0, 1.0)


def mrmr(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """I(x; y) - mean_s I(x; s) (Peng, Long, Ding, IEEE T-PAMI 27, 2005)."""
    return _linear(terms, selected, candidates, 1.0 / max(len(selected), 1), 0.0)


def mrmr_quotient(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """I(x; y) / mean_s I(x; s) (Ding, Peng, J. Bioinformatics Comp. Biol. 3, 2005)."""
    value = terms.relevance(candidates)
    if not selected:
        return value
    redundancy = _mean([terms.redundancy(s, candidates) for s in selected])
    return np.asarray(value / np.maximum(redundancy, LEAST_REDUNDANCY))


def jmi(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """I(x; y) - mean_s (I(x; s) - I(x; s | y)).

    It ranks as sum_s I({x, s}; y) does (Yang, Moody, NIPS 12, 1999), as Brown et al. 2012 write it.
    """
    each = 1.0 / max(len(selected), 1)
    return _linear(terms, selected, candidates, each, each)


def jmi3(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """Mean of I({x, s, t}; y) over pairs of S (Sechidis et al., Machine Learning 108, 2019).

    With one selected feature it is `jmi`.
    """
    if len(selected) < 2:
        return jmi(terms, selected, candidates)
    return _mean([terms.joint(pair, candidates) for pair in combinations(selected, 2)])


def _least(
    of: Callable[[int], FloatArray], terms: Terms, selected: Selected, candidates: Sequence[int]
) -> FloatArray:
    if not selected:
        return terms.relevance(candidates)
    return np.asarray(np.min([of(s) for s in selected], axis=0))


def cmim(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """min_s I(x; y | s) (Fleuret, JMLR 5, 2004).

    It is the rule of informative fragments of Vidal-Naquet, Ullman (ICCV 2003) too.
    """
    return _least(lambda s: terms.gain((s,), candidates), terms, selected, candidates)


def jmim(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """min_s I({x, s}; y) (Bennasar, Hicks, Setchi, Expert Systems with Applications 42, 2015)."""
    return _least(lambda s: terms.joint((s,), candidates), terms, selected, candidates)


def _symmetric(terms: Terms, s: int, candidates: Sequence[int]) -> FloatArray:
    """Return I({x, s}; y) / H(x, s, y)."""
    return _share(terms.joint((s,), candidates), terms.beside((s,), candidates)[1])


def njmim(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """min_s I({x, s}; y) / H(x, s, y) (Bennasar, Hicks, Setchi, as above)."""
    return _least(lambda s: _symmetric(terms, s, candidates), terms, selected, candidates)


def disr(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """Sum of I({x, s}; y) / H(x, s, y) (Meyer, Bontempi, EvoWorkshops 2006)."""
    if not selected:
        return terms.relevance(candidates)
    return np.asarray(sum(_symmetric(terms, s, candidates) for s in selected))


def icap(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """I(x; y) - sum_s max(0, I(x; s) - I(x; s | y)) (Jakulin, thesis, Ljubljana 2005)."""
    value = terms.relevance(candidates)
    for s in selected:
        more = terms.redundancy(s, candidates) - terms.redundancy_within(s, candidates)
        value = value - np.maximum(more, 0.0)
    return value


def relax(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """`jmi` less the mean of I(x; s | t) over ordered pairs of S.

    RelaxMRMR of Vinh, Zhou, Chan, Bailey (Pattern Recognition 53, 2016).
    """
    value = jmi(terms, selected, candidates)
    if len(selected) < 2:
        return value
    pairs = permutations(selected, 2)
    return value - _mean([terms.redundancy_given(s, t, candidates) for s, t in pairs])


def cmi(terms: Terms, selected: Selected, candidates: Sequence[int]) -> FloatArray:
    """I(x; y | S) given all selected features, which the others approximate."""
    return terms.gain(tuple(selected), candidates)
