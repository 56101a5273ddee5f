"""Let one published program name columns, in its own environment; needs NumPy and that program.

python run_peer.py PROGRAM ARRAYS.npz COUNT
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata
from time import perf_counter
from typing import Any

import numpy as np

BINS = 5


def mrmr_selection(x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    import pandas as pd
    from mrmr import mrmr_classif

    frame = pd.DataFrame(x, columns=list(names))
    return list(mrmr_classif(X=frame, y=pd.Series(y), K=count, show_progress=False))


def mrmrs(x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    import mrmrs
    import polars as pl

    frame = pl.DataFrame(x, schema=list(names))
    found = mrmrs.mrmr(frame, pl.Series("y", y), count, "classification")
    return [feature.name for feature in found]


def itmo_fs(x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    from ITMO_FS.filters.multivariate import MultivariateFilter

    low, high = x.min(axis=0), x.max(axis=0)
    codes = np.minimum(
        (BINS * (x - low) / np.where(high > low, high - low, 1)).astype(int), BINS - 1
    )
    chosen = MultivariateFilter("JMI", count)
    chosen.fit(codes, y)
    return [names[int(k)] for k in chosen.selected_features]


def scikit_learn(x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    from sklearn.feature_selection import mutual_info_classif

    return _largest(mutual_info_classif(x, y, random_state=0, n_jobs=-1), names, count)


def ennemi(x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    from ennemi import estimate_mi

    return _largest(estimate_mi(y, x, discrete_y=True)[0], names, count)


def py_hsic_lasso(x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    from pyHSICLasso import HSICLasso

    lasso = HSICLasso()
    lasso.input(x, y, featname=list(names))
    lasso.classification(count, B=20, n_jobs=-1)
    return list(lasso.get_features())


def mifspy(x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    import mifs

    chosen = mifs.MutualInformationFeatureSelector(method="JMI", n_features=count, n_jobs=-1)
    chosen.fit(x.astype(float), y)
    return [names[int(k)] for k in chosen.ranking_]


def feature_engine(x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    import pandas as pd
    from feature_engine.selection import MRMR

    frame = pd.DataFrame(x, columns=list(names))
    chosen = MRMR(
        method="MID", max_features=count, discrete_features=True, random_state=0, n_jobs=-1
    )
    chosen.fit(frame, pd.Series(y))
    return [name for name in names if name not in set(chosen.features_to_drop_)]


def renyi(score: str, x: Any, y: Any, names: Sequence[str], count: int) -> Sequence[str]:
    import polars as pl

    import renyi

    frame = pl.DataFrame(x, schema=list(names)).with_columns(y_=pl.Series(y.astype(str)))
    asked = {"score": score, "criterion": "none", "max_features": count}
    return renyi.select(frame, target="y_", **asked).selected


def _largest(values: Any, names: Sequence[str], count: int) -> list[str]:
    return [names[int(k)] for k in np.argsort(-np.asarray(values), kind="stable")[:count]]


PROGRAMS: dict[str, Callable[[Any, Any, Sequence[str], int], Sequence[str]]] = {
    "mrmr-selection": mrmr_selection,
    "mrmrs": mrmrs,
    "ITMO-FS": itmo_fs,
    "scikit-learn": scikit_learn,
    "ennemi": ennemi,
    "pyHSICLasso": py_hsic_lasso,
    "mifspy": mifspy,
    "feature-engine": feature_engine,
    "renyi-jmi": partial(renyi, "jmi"),
    "renyi-mrmr": partial(renyi, "mrmr"),
}


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[1] not in PROGRAMS:
        sys.exit(__doc__)
    program, file, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    given = np.load(file)
    x, y, names = given["X"], given["y"], [str(name) for name in given["names"]]
    start = perf_counter()
    selected = PROGRAMS[program](x, y, names, count)
    seconds = perf_counter() - start
    version = metadata.version(program.partition("-")[0] if "renyi" in program else program)
    told = {"seconds": seconds, "selected": [str(s) for s in selected], "version": version}
    print(f"\n{json.dumps(told)}")  # after whatever the program has said


if __name__ == "__main__":
    main()
