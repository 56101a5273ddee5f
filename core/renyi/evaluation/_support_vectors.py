"""The linear support vector machine of the paper's protocol, for stacks of runs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.evaluation._folds import Fold
from renyi.evaluation._hinge import hinge_weights

__all__ = ["predict_by_support_vectors"]


class _Problem(NamedTuple):
    """Two classes of one fold."""

    fold: int
    first: int
    second: int
    rows: IntArray  # distinct ones
    counts: IntArray  # how often each was drawn


def predict_by_support_vectors(folds: Sequence[Fold]) -> list[Any]:
    """Return what a linear support vector machine predicts for the test rows of each fold.

    Hinge loss, C = 1, an intercept without penalty; several classes by one machine a pair and a
    vote, ties of votes to the class that comes first, as in LIBSVM. A row drawn k times is one row
    of k-fold cost. Problems of equal size are solved as stacks.
    """
    classes = int(max(fold.y.max() for fold in folds)) + 1
    votes = [np.zeros((len(fold.draw.test), classes), dtype=np.int64) for fold in folds]
    tests = [_with_intercept(fold.test) for fold in folds]
    for length, problems in _by_length(folds).items():
        for problem, weights in zip(problems, _solved(folds, problems, length), strict=True):
            chosen = tests[problem.fold] @ weights > 0
            votes[problem.fold][:, problem.first] += chosen
            votes[problem.fold][:, problem.second] += ~chosen
    return [vote.argmax(axis=1) for vote in votes]


def _by_length(folds: Sequence[Fold]) -> dict[int, list[_Problem]]:
    """Return the problems by the number of rows that they are filled up to.

    It depends on the table and not on which problems there are: a stack's composition changes no
    bit of an answer.
    """
    found: defaultdict[int, list[_Problem]] = defaultdict(list)
    for number, fold in enumerate(folds):
        rows, counts = np.unique(fold.draw.train, return_counts=True)
        codes = fold.y[rows]
        sizes = np.bincount(fold.y)
        for first, second in combinations(np.unique(codes).tolist(), 2):
            here = (codes == first) | (codes == second)
            of_all = int(sizes[first] + sizes[second])
            length = _usual_length(of_all)
            if here.sum() > length:
                length = of_all
            problem = _Problem(number, first, second, rows[here], counts[here])
            found[length].append(problem)
    return found


def _usual_length(rows: int) -> int:
    """Return how many distinct ones of some rows a draw has at most, but once in a thousand."""
    return min(rows, math.ceil((1 - math.exp(-1)) * rows + 3 * math.sqrt(0.24 * rows)))


def _solved(folds: Sequence[Fold], problems: Sequence[_Problem], length: int) -> FloatArray:
    """Return the weights of problems of one length, (B, k + 1)."""
    width = folds[0].matrix.shape[1]
    signed = np.zeros((len(problems), length, width + 1))
    cost = np.zeros((len(problems), length))
    for place, problem in enumerate(problems):
        fold, count = folds[problem.fold], len(problem.rows)
        sign = np.where(fold.y[problem.rows] == problem.first, 1.0, -1.0)
        signed[place, :count, :-1] = fold.matrix[problem.rows] * sign[:, None]
        signed[place, :count, -1] = sign
        cost[place, :count] = problem.counts
    if width <= length:
        return hinge_weights(signed, cost)
    # rows span no more dimensions than there are: turn them into as many coordinates
    turn, short = np.linalg.qr(signed[:, :, :-1].transpose(0, 2, 1))
    turned = np.concatenate([short.transpose(0, 2, 1), signed[:, :, -1:]], axis=2)
    weights = hinge_weights(turned, cost)
    back = np.matmul(turn, weights[:, :-1, None])[:, :, 0]
    return np.concatenate([back, weights[:, -1:]], axis=1)


def _with_intercept(matrix: FloatArray) -> FloatArray:
    return np.hstack([matrix, np.ones((len(matrix), 1))])
