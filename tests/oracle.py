"""An independent, slow, dense program for everything that `renyi` computes.

Written from the definitions alone and importing none of `renyi`: every Gram matrix is stored,
every entropy is a whole eigenproblem (sums in extended precision), every replicate is computed from
scratch. What it says is the truth that the fast code is held to.

A *feature* here is its Gram matrix, shape (n, n); a set of features is a list of them.
"""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
from threadpoolctl import ThreadpoolController

ONE_THREAD = ThreadpoolController()  # small problems: more threads only wait for each other

TIE_BITS = 1e-9


# Columns


def zscore(column):
    column = np.asarray(column, dtype=np.float64)
    spread = column.std()
    return (column - column.mean()) / spread if spread > 0 else column * 0.0


def minmax(column):
    column = np.asarray(column, dtype=np.float64)
    return (column - column.min()) / (column.max() - column.min())


def rank_uniform(column):
    """(r - 1/2) / n of the average rank r, shifted and scaled like a uniform z-score."""
    column = list(column)
    n = len(column)
    shares = [
        (sum(other < value for other in column) + sum(other <= value for other in column)) / (2 * n)
        for value in column
    ]
    return (np.array(shares) - 0.5) * math.sqrt(12)


def equal_width(column, bins):
    """Bin numbers of the closed-below intervals between the extremes, the last closed above."""
    column = np.asarray(column, dtype=np.float64)
    edges = [column.min() + k * (column.max() - column.min()) / bins for k in range(1, bins)]
    return np.array([sum(value >= edge for edge in edges) for value in column])


def equal_frequency(column, bins):
    """floor(bins * (r - 1/2) / n) with r the average rank."""
    column = list(column)
    out = []
    for value in column:
        below = sum(other < value for other in column)
        upto = below + column.count(value)
        out.append(bins * (below + upto) // (2 * len(column)))  # r - 1/2 = (below + upto) / 2
    return np.array(out)


def bins_as_numbers(column, bins):
    column = np.asarray(column, dtype=np.float64)
    return equal_width(column, bins).astype(float) if len(set(column)) > bins else column


def levels_of(values):
    """Level numbers of anything hashable, by order of first appearance."""
    seen = {}
    return np.array([seen.setdefault(value, len(seen)) for value in values])


# Gram matrices


def gaussian(values, sigma):
    """exp(-|u - v|^2 / (2 sigma^2)) for values of shape (n,) or (n, d)."""
    values = np.asarray(values, dtype=np.float64)
    values = values.reshape(len(values), -1)
    apart = values[:, None, :] - values[None, :, :]
    return np.exp(-(apart**2).sum(axis=2) / (2 * sigma**2))


def laplacian(values, sigma):
    """exp(-|u - v|_1 / sigma) for values of shape (n,) or (n, d)."""
    values = np.asarray(values, dtype=np.float64)
    values = values.reshape(len(values), -1)
    return np.exp(-np.abs(values[:, None, :] - values[None, :, :]).sum(axis=2) / sigma)


def delta(codes):
    codes = np.asarray(codes)
    return (codes[:, None] == codes[None, :]).astype(np.float64)


def onehot(codes, sigma=1.0):
    """A Gaussian on one-hot rows: two levels are at squared distance 2."""
    codes = np.asarray(codes)
    return gaussian(codes[:, None] == np.unique(codes)[None, :], sigma)


def hadamard(grams, n):
    out = np.ones((n, n))
    for gram in grams:
        out = out * gram
    return out


def shuffled(gram, order):
    """The Gram of the same variable after its rows were put in another order."""
    return gram[np.ix_(order, order)]


# Entropies, bits


def entropy(gram, alpha):
    """S_alpha of gram / trace: log2(sum lambda^alpha) / (1 - alpha), or its limit at 1."""
    with ONE_THREAD.limit(limits=1, user_api="blas"):
        values = np.linalg.eigvalsh(gram).astype(np.longdouble)
    values = values[values > 0]
    values /= values.sum()
    if alpha == 1:
        return float(-(values * np.log2(values)).sum())
    alpha = np.longdouble(alpha)
    return float(np.log2((values**alpha).sum()) / (1 - alpha))


def joint_entropy(grams, alpha):
    return entropy(hadamard(grams, len(grams[0])), alpha)


def counts_entropy(counts, alpha):
    """Renyi entropy of a distribution: what delta kernels alone amount to."""
    total = sum(counts)
    shares = [count / total for count in counts if count]
    if alpha == 1:
        return -math.fsum(p * math.log2(p) for p in shares)
    return math.log2(math.fsum(p**alpha for p in shares)) / (1 - alpha)


def mutual_information(xs, ys, alpha):
    if not xs:
        return 0.0
    return joint_entropy(xs, alpha) + joint_entropy(ys, alpha) - joint_entropy(xs + ys, alpha)


def conditional_mutual_information(xs, ys, zs, alpha):
    """I(X; Y | Z) = H(X, Z) + H(Y, Z) - H(X, Y, Z) - H(Z)."""
    if not zs:
        return mutual_information(xs, ys, alpha)
    if not xs:
        return 0.0
    return (
        joint_entropy(xs + zs, alpha)
        + joint_entropy(ys + zs, alpha)
        - joint_entropy(xs + ys + zs, alpha)
        - joint_entropy(zs, alpha)
    )


# Search


@dataclass
class OracleStep:
    index: int
    mi: float
    cmi: float
    runner_up: int | None
    gap: float | None
    saturation: float


def rest_of(features, chosen):
    return [gram for index, gram in enumerate(features) if index not in chosen]


def greedy(features, label, alpha, steps, keep=()):
    """Take the candidate of largest joint MI, ties within 1e-9 bits to the lowest column."""
    n = len(label)
    chosen, path = [], []
    for number in range(steps):
        taken = [features[index] for index in chosen]
        left = [index for index in range(len(features)) if index not in chosen]
        if number < len(keep):
            values = {
                keep[number]: mutual_information([*taken, features[keep[number]]], [label], alpha)
            }
        else:
            values = {
                index: mutual_information([*taken, features[index]], [label], alpha)
                for index in left
            }
        best = max(values.values())
        newest = min(index for index, value in values.items() if value >= best - TIE_BITS)
        others = {index: value for index, value in values.items() if index != newest}
        second = max(others.values(), default=None)
        runner_up = None
        if others:
            runner_up = min(i for i, value in others.items() if value >= second - TIE_BITS)
        chosen.append(newest)
        taken = [features[index] for index in chosen]
        path.append(
            OracleStep(
                index=newest,
                mi=values[newest],
                cmi=conditional_mutual_information(
                    rest_of(features, chosen), [label], taken, alpha
                ),
                runner_up=runner_up,
                gap=None if runner_up is None else values[newest] - others[runner_up],
                saturation=math.log2(n) - joint_entropy(taken, alpha),
            )
        )
    return path


# Criteria


@dataclass
class OracleTest:
    observed: float
    replicates: list
    exceedances: int


def cmi_permutation(features, label, alpha, chosen, orders):
    """Shuffle the newest of `chosen` wherever it occurs; count the draws that leave no more.

    With no feature left CMI is 0 in every draw and the test is void: it then uses MI.
    """
    newest = chosen[-1]
    before = [features[index] for index in chosen[:-1]]
    rest = rest_of(features, chosen)
    if not rest:
        return mi_permutation(features, label, alpha, chosen, orders)
    observed = conditional_mutual_information(rest, [label], [*before, features[newest]], alpha)
    replicates = [
        conditional_mutual_information(
            rest, [label], [*before, shuffled(features[newest], order)], alpha
        )
        for order in orders
    ]
    as_good = sum(value <= observed + TIE_BITS for value in replicates)
    return OracleTest(observed, replicates, as_good)


def largest_gain(features, label, alpha, chosen, order):
    """The largest gain of one replicate that shuffles all but `chosen[:-1]` by one order."""
    before = [features[index] for index in chosen[:-1]]
    given = mutual_information(before, [label], alpha)
    return max(
        mutual_information([*before, shuffled(features[c], order)], [label], alpha) - given
        for c in range(len(features))
        if c not in chosen[:-1]
    )


def mi_permutation(features, label, alpha, chosen, orders):
    """Shuffle the newest of `chosen`; count the draws whose joint MI is as large."""
    newest = chosen[-1]
    before = [features[index] for index in chosen[:-1]]
    observed = mutual_information([*before, features[newest]], [label], alpha)
    replicates = [
        mutual_information([*before, shuffled(features[newest], order)], [label], alpha)
        for order in orders
    ]
    as_good = sum(value >= observed - TIE_BITS for value in replicates)
    return OracleTest(observed, replicates, as_good)


def plugin_cmi(x, y, z):
    """Plug-in Shannon I(x; y | z), bits, as the sum over cells; z is a list of columns."""
    n = len(x)
    given = list(zip(*z, strict=True)) if z else [()] * n
    rows = list(zip(list(x), list(y), given, strict=True))
    xyz = Counter(rows)
    xz = Counter((a, c) for a, _, c in rows)
    yz = Counter((b, c) for _, b, c in rows)
    z_only = Counter(given)
    return math.fsum(
        count / n * math.log2(z_only[c] * count / (xz[a, c] * yz[b, c]))
        for (a, b, c), count in xyz.items()
    )


def chi2_test(codes, label_codes, chosen, level):
    """The statistic 2 N ln2 I(x; y | S') and its chi-square quantile.

    `codes` are the discretised features; the newest of `chosen` is tested given the others.
    """
    from scipy.stats import chi2

    *before, newest = chosen
    given = [codes[index] for index in before]
    degrees = (len(set(label_codes)) - 1) * (len(set(codes[newest])) - 1)
    for column in given:
        degrees *= len(set(column))
    n = len(label_codes)
    statistic = 2 * n * math.log(2) * plugin_cmi(codes[newest], label_codes, given)
    return statistic, float(chi2.ppf(level, degrees)) if degrees else 0.0, degrees
