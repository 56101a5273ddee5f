"""Check the GPU backend against the CPU, and time both.

    python benchmarks/gpu_check.py

Needs Python 3.11 or newer, NumPy, SciPy, CuPy and this checkout, nothing installed from it. Whole
selections on six made data sets, at the defaults and by the tests of the paper, must take the same
steps with the same numbers on both; then eigenvalues, a pass at alpha 2 and a step are timed for
n = 500 to 10,000. It takes at most five minutes on one GPU and 16 cores: what would take longer is
left out and listed. Prints tables and writes gpu_check.json. The exit status is 1 if a number or a
decision differs, or if there is no GPU to check. `--backend numpy` checks the CPU against itself,
`--quick` takes small sizes.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT_SECONDS = 240.0  # the last figure may take longer than its growth lets expect


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--backend", choices=("cupy", "numpy"), default="cupy")
    parser.add_argument("--quick", action="store_true", help="small sizes: some seconds")
    parser.add_argument("--output", type=Path, default=HERE / "figures", help="folder of the JSON")
    given = parser.parse_args()
    for folder in (HERE, HERE.parent / "core"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))

    from gpu_check.agreement import compare_all
    from gpu_check.report import as_tables, machine
    from gpu_check.timing import Budget, time_all
    from renyi.backend import get_backend
    from renyi.errors import RenyiError
    from renyi.execution import leave_blas_threads

    if importlib.util.find_spec("threadpoolctl") is None:
        leave_blas_threads()
    budget = Budget(LIMIT_SECONDS)
    try:
        backend = get_backend(given.backend)
        comparisons = compare_all(backend, quick=given.quick)
        timings = time_all(backend, budget, quick=given.quick)
    except RenyiError as error:
        print(error, file=sys.stderr)
        return 1
    record = {
        "agrees": all(comparison.agrees for comparison in comparisons),
        "seconds": round(budget.spent, 1),
        "machine": machine(backend),
        "agreement": [comparison.to_dict() for comparison in comparisons],
        "timings": [timing.to_dict() for timing in timings],
    }
    print(as_tables(record))
    given.output.mkdir(parents=True, exist_ok=True)
    target = given.output / "gpu_check.json"
    target.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"\nWritten to {target}")
    return 0 if record["agrees"] else 1


if __name__ == "__main__":
    sys.exit(main())
