"""How often a test is decided without draws, and how often draws would have said otherwise.

    python benchmarks/spared.py [--tables N] [--jobs N]

Tables of noise and tables with something in them, of 30 to 400 rows, are searched with the default
options. At each step the rule of `renyi.nulls` is asked first; what it says is held against draws
of its own, 199 a decision and 9,999 where these leave it open, that the rule does not see. A
decision counts as contradicted where the draws' p-value lies on the other side of the level and
outside .03 to .08. Counts go to benchmarks/figures/spared.json as they come; docs/theory.md
quotes them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from renyi.backend import get_backend
from renyi.information import CandidateSums, Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.nulls import far_above, out_of_reach
from renyi.options import method_options
from renyi.selection._ranking import rank_above_chance
from renyi.variables import Dataset, Variable

LEVEL = 0.05
FEW, MANY = 199, 9999
CLEAR_PASS, CLEAR_FAIL = 3, 20
"""Copies of 199 that did as well: a p-value above .08 gives so few once in 16,000 times, one of
.03 so many once in 300,000. Between them all 9,999 are drawn."""
PILOT, FIXED, AT_ONCE = 4, 59, 64
FIGURES = Path(__file__).parent / "figures" / "spared.json"
ROWS = (30, 60, 120, 250, 400)
COLUMNS = (1, 3, 10, 30)
KINDS = ("normal", "heavy", "counts", "names", "rare", "mixed")
TARGETS = ("two", "unequal", "four", "number")
MOST_STEPS = 4


def table(seed: int) -> tuple[Dataset, str]:
    """Make one table, and say of which design it is."""
    rng = np.random.default_rng([seed, 27])
    n, count = (int(rng.choice(sizes)) for sizes in (ROWS, COLUMNS))
    kind, target, strength = (
        str(rng.choice(KINDS)),
        str(rng.choice(TARGETS)),
        float(rng.choice([0.0, 0.0, 0.5, 1.0, 2.0])),
    )
    columns = [
        _column(rng, n, kind if kind != "mixed" else str(rng.choice(KINDS[:-1])))
        for _ in range(count)
    ]
    signal = strength * sum(_numbers(column) for column in columns[:3]) / np.sqrt(min(count, 3))
    noisy = signal + rng.standard_normal(n)
    if target == "number":
        y = Variable.continuous("y", noisy)
    else:
        cuts = {"two": [0.5], "unequal": [0.9], "four": [0.25, 0.5, 0.75]}[target]
        codes = np.searchsorted(np.quantile(noisy, cuts), noisy)
        y = Variable.nominal("y", codes, tuple(f"c{k}" for k in range(int(codes.max()) + 1)))
    features = tuple(
        column if isinstance(column, Variable) else Variable.continuous(f"x{j}", column)
        for j, column in enumerate(columns)
    )
    return Dataset(features, (y,)), f"{kind}, {target}, {'noise' if strength == 0 else 'signal'}"


def _column(rng: np.random.Generator, n: int, kind: str) -> Any:
    if kind == "names":
        levels = int(rng.choice([2, 5, 15]))
        codes = np.unique(rng.integers(0, levels, n), return_inverse=True)[1]
        return Variable.nominal("x", codes, tuple(map(str, range(int(codes.max()) + 1))))
    if kind == "heavy":
        return rng.standard_t(2, n)
    if kind == "counts":
        return rng.poisson(0.3, n) + rng.random(n) * 1e-9 * (np.arange(n) == 0)
    if kind == "rare":
        values = (rng.random(n) < 3 / n) * 1.0
        values[0] = 1.0
        return values
    return rng.standard_normal(n)


def _numbers(column: Any) -> Any:
    values = column.codes if isinstance(column, Variable) else column
    centred = np.asarray(values, dtype=float) - np.mean(values)
    return centred / (centred.std() or 1.0)


def _largest(sums: CandidateSums, rng: np.random.Generator, count: int) -> list[float]:
    """Return the largest z of each of so many orders."""
    found: list[float] = []
    while len(found) < count:
        orders = [rng.permutation(sums.n) for _ in range(min(AT_ONCE, count - len(found)))]
        found += sums.standardised(sums.conditional(orders)[0]).max(axis=1).tolist()
    return found


def _contradicted(largest: Any, least: float, said: bool) -> bool:
    """Return whether draws say otherwise than the rule did."""
    reached = sum(value >= least for value in largest(FEW))
    if reached <= CLEAR_PASS if said else reached >= CLEAR_FAIL:
        return False
    reached = sum(value >= least for value in largest(MANY))
    p_value = (reached + 1) / (MANY + 1)
    return bool(p_value > 0.08 if said else p_value < 0.03)


def decisions(seed: int) -> Counter[str]:
    """Return what came of each decision of one table's search."""
    dataset, _ = table(seed)
    found: Counter[str] = Counter()
    options = method_options()
    entropies = SetEntropies(
        Computation.of(KernelModel.build(dataset, options), 2.0, get_backend("numpy"), jobs=1)
    )
    selected: list[int] = []
    rng = np.random.default_rng([seed, 1])
    while len(selected) < min(MOST_STEPS, len(dataset.features)):
        rest = [j for j in range(len(dataset.features)) if j not in selected]
        sums = CandidateSums(entropies, selected, rest)
        ranked = rank_above_chance(sums)
        plain = far_above(ranked.z, len(rest), sums.chance, entropies.computation.n, LEVEL)
        largest = partial(_largest, sums, rng)
        if plain is None:
            first = largest(FIXED)
            clear = any(
                max(first[:count]) < ranked.z and out_of_reach(ranked.z, first[:count])
                for count in range(PILOT, FIXED)
            )
            said, way = (True, "few draws") if clear else (None, "drawn")
        else:
            said, way = plain, "no draws"
        found[way] += 1
        if said is None:
            reached = sum(value >= ranked.z - sums.tie for value in first)
            passes = (reached + 1) / (FIXED + 1) <= LEVEL
        else:
            wrong = _contradicted(largest, ranked.z - sums.tie, said)
            found[f"{way}, {'pass' if said else 'fail'}"] += 1
            found[f"{way}, contradicted"] += wrong
            passes = said
        if not passes:
            break
        selected.append(rest[ranked.best])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--from", type=int, default=0, dest="first", help="number of the first")
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(asked.jobs, mp_context=context) as pool:
        for number, found in enumerate(
            pool.map(decisions, range(asked.first, asked.first + asked.tables), chunksize=8), 1
        ):
            total += found
            if number % 100 == 0 or number == asked.tables:
                record = {"tables": number, "draws": [FEW, MANY], **dict(sorted(total.items()))}
                FIGURES.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
                print(json.dumps(record), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
