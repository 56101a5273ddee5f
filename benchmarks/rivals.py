"""Compare what `renyi.select` keeps with what well-known selectors keep; write docs/rivals.md.

    RENYI_DATA_HOME=FOLDER python benchmarks/rivals.py run [--sets A,B] [--methods X,Y] [--jobs N]
    python benchmarks/rivals.py summary
    python benchmarks/rivals.py page

`run` does what is not yet known and keeps each outcome as it comes in benchmarks/figures/rivals/,
a file a method: started again, it goes on where it stopped. A method whose options or settings have
changed is begun anew, and with `--again X,Y` those that are named. Outcomes of other source of
renyi stay until then; `summary` says where there are any. Methods are those of rivals/_methods.py,
or `renyi`, `rivals` and `at-size` for all of a kind; by default all. At size means mRMR cut to as
many columns as each way to call renyi chose, which must have been run before or in the same
command.

The rival `boruta` needs `pip install boruta`, all others only scikit-learn.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # processes share the cores, before NumPy is loaded
for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(name, None)  # everyone's selections are timed with the library as it comes

from measuring import describe_machine, sentence_of  # noqa: E402
from rivals import (  # noqa: E402
    AT,
    RENYI,
    RIVALS,
    SETS,
    Asked,
    Results,
    do,
    read_facts,
    read_machine,
    read_stores,
    summary,
    write_machine,
    write_page,
)

ROOT = Path(__file__).resolve().parents[1]
KINDS = {
    "renyi": tuple(RENYI),
    "rivals": tuple(RIVALS),
    "at-size": tuple(AT + name for name in RENYI),
}


def names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def chosen(asked: list[str], known: tuple[str, ...], what: str) -> list[str]:
    """Return what was asked for in the known order, or leave naming what there is not."""
    spelt = {name for word in asked for name in KINDS.get(word, (word,))}
    wrong = sorted(spelt - {*known})
    if wrong:
        sys.exit(f"There is no {what} named {', '.join(wrong)}; known are {', '.join(known)}.")
    return [name for name in known if not asked or name in spelt]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("run", "summary", "page"))
    parser.add_argument("--sets", type=names, default=[], metavar="A,B")
    parser.add_argument("--methods", type=names, default=[], metavar="X,Y")
    parser.add_argument("--again", type=names, default=[], metavar="X,Y", help="begin these anew")
    parser.add_argument("--splits", type=int, default=10, help="of each set, the first so many")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--store", type=Path, default=ROOT / "benchmarks" / "figures" / "rivals")
    parser.add_argument("--output", type=Path, default=ROOT / "docs", help="folder of the page")
    given = parser.parse_args()
    every = tuple(name for kind in KINDS.values() for name in kind)
    again = chosen(given.again, every, "method") if given.again else []
    methods = chosen(given.methods or given.again, every, "method")
    sets = chosen(given.sets, tuple(source.name for source in SETS), "set")
    if given.command == "run":
        asked = Asked(given.store, sets, methods, given.splits, given.jobs, frozenset(again))
        try:
            write_machine(given.store, sentence_of(describe_machine()))
            failed = do(asked, lambda words: print(words, flush=True))
        except FileNotFoundError as error:
            sys.exit(str(error))
        if failed:
            sys.exit(f"{len(failed)} selections failed, as said above.")
        return
    results = Results(read_stores(given.store), methods, sets)
    if given.command == "summary":
        print(summary(results))
        return
    machine, facts = read_machine(given.store), read_facts(given.store)
    print(f"Written: {write_page(results, facts, given.output, machine)}")


if __name__ == "__main__":
    main()
