"""Slow, plain programs for low-order scores of features and for information by nearest neighbours.

Written from the published definitions alone and importing none of `renyi`. A score is said over
one function `entropy_of(columns)`, bits of a frozenset of column keys, so that the same lines run
on counts (`counted`) and on any other entropy (Gram matrices of `oracle`). Where a candidate, a
selected column or a target is meant, a tuple of keys stands for several columns taken together.

I(a; b) = H(a) + H(b) - H(ab); I(a; b | c) = H(ac) + H(bc) - H(abc) - H(c); nothing is clipped.
S are the selected columns. With none selected each score is I(x; y), as each of its papers begins,
except `fcbf`, which is a symmetric uncertainty throughout.
"""

import math
from collections import Counter
from functools import cache
from itertools import combinations, permutations

import numpy as np

TIE_BITS = 1e-9

LEAST_REDUNDANCY = 0.01  # bits: see `mrmr_quotient`


# Counts


def entropy(*columns):
    """Plug-in Shannon entropy, bits, of the rows that the columns of codes make together."""
    rows = list(zip(*columns, strict=True))
    return math.fsum(c / len(rows) * math.log2(len(rows) / c) for c in Counter(rows).values())


def information(x, y):
    """I(x; y) of two columns of codes."""
    return entropy(x) + entropy(y) - entropy(x, y)


def conditional_information(x, y, given):
    """I(x; y | given) of two columns of codes and a list of them."""
    if not given:
        return information(x, y)
    return entropy(x, *given) + entropy(y, *given) - entropy(x, y, *given) - entropy(*given)


def counted(table):
    """The function `entropy_of` of a table: columns of codes by key, or a list of them."""

    @cache
    def entropy_of(keys):
        return entropy(*(table[key] for key in keys))

    return entropy_of


# Information over any entropy


def joint(*parts):
    """The set of keys of columns and of tuples of columns."""
    keys = []
    for part in parts:
        keys.extend(part if isinstance(part, (tuple, list, frozenset)) else [part])
    return frozenset(keys)


def shared(entropy_of, a, b):
    """I(a; b)."""
    return entropy_of(joint(a)) + entropy_of(joint(b)) - entropy_of(joint(a, b))


def shared_given(entropy_of, a, b, c):
    """I(a; b | c); c may be empty."""
    if not joint(c):
        return shared(entropy_of, a, b)
    return (
        entropy_of(joint(a, c))
        + entropy_of(joint(b, c))
        - entropy_of(joint(a, b, c))
        - entropy_of(joint(c))
    )


def symmetric_uncertainty(entropy_of, a, b):
    """2 I(a; b) / (H(a) + H(b)), in 0..1; 0 when neither has any entropy."""
    return 2 * share(shared(entropy_of, a, b), entropy_of(joint(a)) + entropy_of(joint(b)))


def share(part, whole):
    """part / whole, and 0 where there is nothing to share: the part is then 0 too."""
    return part / whole if whole > TIE_BITS else 0.0


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def entropies_from(information_of, y):
    """An `entropy_of` with which scores run on an estimate of information alone.

    `information_of(a, b)` takes two frozensets of keys. Its function is 0 for one column and such
    that I(x; s), I(A; y), and by the chain rule I(x; y | s) = I(xs; y) - I(s; y), come out as
    estimated. Scores that divide by an entropy, and `relax`, mean nothing on it.
    """

    @cache
    def entropy_of(keys):
        features = keys - joint(y)
        total = 0.0
        if len(features) == 2:
            total -= information_of(*(frozenset([key]) for key in sorted(features, key=str)))
        if features and features != keys:
            total -= information_of(features, joint(y))
        return total

    return entropy_of


# Scores of one candidate


def linear(entropy_of, x, selected, y, beta, gamma):
    """I(x;y) - beta sum_s I(x;s) + gamma sum_s I(x;s|y): Brown et al. 2012, its general form."""
    return (
        shared(entropy_of, x, y)
        - beta * math.fsum(shared(entropy_of, x, s) for s in selected)
        + gamma * math.fsum(shared_given(entropy_of, x, s, y) for s in selected)
    )


def mim(entropy_of, x, selected, y, beta):
    """I(x;y): Lewis 1992."""
    return shared(entropy_of, x, y)


def mifs(entropy_of, x, selected, y, beta):
    """I(x;y) - beta sum_s I(x;s): Battiti 1994."""
    return linear(entropy_of, x, selected, y, beta, 0)


def mifs_u(entropy_of, x, selected, y, beta):
    """I(x;y) - beta sum_s I(x;s) I(s;y) / H(s): Kwak and Choi 2002."""
    return shared(entropy_of, x, y) - beta * math.fsum(
        shared(entropy_of, x, s) * share(shared(entropy_of, s, y), entropy_of(joint(s)))
        for s in selected
    )


def nmifs(entropy_of, x, selected, y, beta):
    """I(x;y) - mean_s I(x;s) / min(H(x), H(s)): Estevez et al. 2009."""
    return shared(entropy_of, x, y) - mean(
        share(shared(entropy_of, x, s), min(entropy_of(joint(x)), entropy_of(joint(s))))
        for s in selected
    )


def cife(entropy_of, x, selected, y, beta):
    """I(x;y) - sum_s (I(x;s) - I(x;s|y)): Lin and Tang 2006."""
    return linear(entropy_of, x, selected, y, 1, 1)


def condred(entropy_of, x, selected, y, beta):
    """I(x;y) + sum_s I(x;s|y): the corner beta 0, gamma 1 of Brown et al. 2012."""
    return linear(entropy_of, x, selected, y, 0, 1)


def mrmr(entropy_of, x, selected, y, beta):
    """I(x;y) - mean_s I(x;s): Peng, Long and Ding 2005."""
    return linear(entropy_of, x, selected, y, 1 / len(selected), 0)


def mrmr_quotient(entropy_of, x, selected, y, beta):
    """I(x;y) / mean_s I(x;s): Ding and Peng 2005.

    The papers do not say what a quotient by 0 is. A mean redundancy below 0.01 bit, a negative one
    too, counts as 0.01 bit: candidates that share nothing with S rank by relevance, rounding cannot
    reorder them, and all others have the published value.
    """
    redundancy = mean(shared(entropy_of, x, s) for s in selected)
    return shared(entropy_of, x, y) / max(redundancy, LEAST_REDUNDANCY)


def jmi(entropy_of, x, selected, y, beta):
    """I(x;y) - mean_s (I(x;s) - I(x;s|y)): Yang and Moody 1999 as Brown et al. 2012 write it."""
    return linear(entropy_of, x, selected, y, 1 / len(selected), 1 / len(selected))


def jmi_sum(entropy_of, x, selected, y, beta):
    """sum_s I(xs;y): Yang and Moody 1999; |S| `jmi` + sum_s I(s;y)."""
    return math.fsum(shared(entropy_of, joint(x, s), y) for s in selected)


def jmi3(entropy_of, x, selected, y, beta):
    """The mean of I(xst;y) over pairs s, t of S: Sechidis et al. 2019; `jmi` with one selected."""
    if len(selected) == 1:
        return jmi(entropy_of, x, selected, y, beta)
    return mean(shared(entropy_of, joint(x, s, t), y) for s, t in combinations(selected, 2))


def jmim(entropy_of, x, selected, y, beta):
    """min_s I(xs;y): Bennasar, Hicks and Setchi 2015."""
    return min(shared(entropy_of, joint(x, s), y) for s in selected)


def njmim(entropy_of, x, selected, y, beta):
    """min_s I(xs;y) / H(xsy): Bennasar, Hicks and Setchi 2015."""
    return min(symmetric_relevance(entropy_of, joint(x, s), y) for s in selected)


def disr(entropy_of, x, selected, y, beta):
    """sum_s I(xs;y) / H(xsy): Meyer and Bontempi 2006."""
    return math.fsum(symmetric_relevance(entropy_of, joint(x, s), y) for s in selected)


def symmetric_relevance(entropy_of, xs, y):
    """I(xs;y) / H(xsy)."""
    return share(shared(entropy_of, xs, y), entropy_of(joint(xs, y)))


def cmim(entropy_of, x, selected, y, beta):
    """min_s I(x;y|s): Fleuret 2004, its formula, and Brown et al. 2012."""
    return min(shared_given(entropy_of, x, y, s) for s in selected)


def cmim_capped(entropy_of, x, selected, y, beta):
    """min(I(x;y), min_s I(x;y|s)): what the listings of Fleuret 2004 compute."""
    return min(shared(entropy_of, x, y), cmim(entropy_of, x, selected, y, beta))


def icap(entropy_of, x, selected, y, beta):
    """I(x;y) - sum_s max(0, I(x;s) - I(x;s|y)): Jakulin 2005."""
    return shared(entropy_of, x, y) - math.fsum(
        max(0.0, shared(entropy_of, x, s) - shared_given(entropy_of, x, s, y)) for s in selected
    )


def cmi(entropy_of, x, selected, y, beta):
    """I(x;y|S), which the others approximate."""
    return shared_given(entropy_of, x, y, joint(*selected))


def relax(entropy_of, x, selected, y, beta):
    """`jmi` - the mean of I(x;s|t) over ordered pairs of S: Vinh et al. 2016, RelaxMRMR."""
    value = jmi(entropy_of, x, selected, y, beta)
    if len(selected) == 1:
        return value
    return value - mean(shared_given(entropy_of, x, s, t) for s, t in permutations(selected, 2))


def fcbf(entropy_of, x, selected, y, beta):
    """SU(x,y), or -inf when an s has SU(x,s) >= SU(x,y): Yu and Liu 2004 as a forward search."""
    relevance = symmetric_uncertainty(entropy_of, x, y)
    covered = any(symmetric_uncertainty(entropy_of, x, s) >= relevance - TIE_BITS for s in selected)
    return -math.inf if covered else relevance


SCORES = {
    "mim": mim,
    "mifs": mifs,
    "mifs-u": mifs_u,
    "nmifs": nmifs,
    "cife": cife,
    "condred": condred,
    "mrmr": mrmr,
    "mrmr-quotient": mrmr_quotient,
    "jmi": jmi,
    "jmi-sum": jmi_sum,
    "jmi3": jmi3,
    "jmim": jmim,
    "njmim": njmim,
    "disr": disr,
    "cmim": cmim,
    "cmim-capped": cmim_capped,
    "icap": icap,
    "cmi": cmi,
    "relax": relax,
    "fcbf": fcbf,
}


def score(name, entropy_of, x, selected, y, beta=1.0):
    """J(x) by its name; `beta` is for `mifs` and `mifs-u`."""
    if not selected and name != "fcbf":
        return shared(entropy_of, x, y)
    return SCORES[name](entropy_of, x, selected, y, beta)


def path(name, entropy_of, columns, y, steps, beta=1.0):
    """(column, score) of a greedy forward search, ties within 1e-9 to the first of `columns`.

    It ends before `steps` when no candidate is left, or each has the score -inf.
    """
    taken = []
    for _ in range(steps):
        selected = [column for column, _ in taken]
        values = {
            x: score(name, entropy_of, x, selected, y, beta) for x in columns if x not in selected
        }
        best = max(values.values(), default=-math.inf)
        if best == -math.inf:
            break
        newest = next(x for x, value in values.items() if value >= best - TIE_BITS)
        taken.append((newest, values[newest]))
    return taken


# Nearest neighbours


@cache
def digamma(m):
    """Of a whole number from 1: the harmonic sum of m - 1, less Euler's constant."""
    return math.fsum(1 / i for i in range(1, m)) - float(np.euler_gamma)


def far(values):
    """Largest difference over the columns of values (n,) or (n, d), for each two rows."""
    values = np.asarray(values, dtype=np.float64)
    values = values.reshape(len(values), -1)
    return np.abs(values[:, None, :] - values[None, :, :]).max(axis=2)


def ksg(x, y, k):
    """I(x; y), bits, of numbers: Kraskov, Stoegbauer and Grassberger 2004, the first estimate.

    psi(k) + psi(n) - mean(psi(n_x + 1) + psi(n_y + 1)), by the largest difference over all columns
    of both: n_x are the other rows strictly nearer in x than the k-th neighbour. Columns are not
    scaled, no noise is added and negative estimates stay. A row whose k-th neighbour is not alone
    at its distance, in x or in y, counts all up to there instead, in both and in each, and adds
    nothing (Mesner and Shalizi 2021, for values that repeat).
    """
    far_x, far_y = far(x), far(y)
    n = len(far_x)
    terms = []
    for i in range(n):
        others = [j for j in range(n) if j != i]
        apart = {j: max(far_x[i, j], far_y[i, j]) for j in others}
        radius = sorted(apart.values())[k - 1]
        upto = sum(distance <= radius for distance in apart.values())
        at_x = sum(far_x[i, j] == radius for j in others)
        at_y = sum(far_y[i, j] == radius for j in others)
        if at_x + at_y > 1:
            near_x = sum(far_x[i, j] <= radius for j in others)
            near_y = sum(far_y[i, j] <= radius for j in others)
        else:
            upto = k
            near_x = sum(far_x[i, j] < radius for j in others) + 1
            near_y = sum(far_y[i, j] < radius for j in others) + 1
        terms.append(digamma(int(upto)) - digamma(int(near_x)) - digamma(int(near_y)))
    return (digamma(n) + math.fsum(terms) / n) / math.log(2)


def ross(x, classes, k):
    """I(x; class), bits, of numbers x and a class: Ross 2014.

    psi(N) - mean psi(N_c) + psi(k) - mean psi(m), by the largest difference over the columns of x:
    m are the other rows of any class no farther than the k-th neighbour of the own class, that one
    included; the paper leaves the distance open. A class of at most k rows has as many
    neighbours as it has, and its psi(k) is of these; a class of one row has none and is left out
    with its row. Rows of the own class as far as the k-th count too, so that k is then larger, as
    m is (Mesner and Shalizi 2021, for values that repeat).
    """
    sizes = Counter(classes)
    kept = [i for i, label in enumerate(classes) if sizes[label] > 1]
    apart = far(x)
    terms = []
    for i in kept:
        others = [j for j in kept if j != i]
        own = sorted(apart[i, j] for j in others if classes[j] == classes[i])
        radius = own[min(k, len(own)) - 1]
        neighbours = int(sum(distance <= radius for distance in own))
        near = sum(apart[i, j] <= radius for j in others)
        terms.append(digamma(neighbours) - digamma(sizes[classes[i]]) - digamma(int(near)))
    return (digamma(len(kept)) + mean(terms)) / math.log(2) if kept else 0.0
