"""Run the program on inputs from seeds: `python -m fuzz` in the folder `tests`.

It prints how many inputs of each kind ended in which way, each fault with its seed, and exits with
1 if there is any. `--seed N --count 1 --keep FOLDER` runs one again and leaves its files.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from fuzz import children, inputs
from fuzz.judging import ENDS, FAULTS, judge
from fuzz.kills import killed

COUNT = 1000


def main() -> None:
    """Run the inputs asked for and print the counts."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seed", type=int, default=0, help="the first")
    asked.add_argument("--count", type=int, default=COUNT, help="how many")
    asked.add_argument("--jobs", type=int, default=1, help="processes")
    asked.add_argument("--keep", type=Path, help="a folder in which the files of faults stay")
    asked.add_argument("--tell", action="store_true", help="what the program said to each")
    asked.add_argument("--kills", type=int, default=0, help="kill so many searches instead")
    given = asked.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    children.load_everything()
    if given.kills:
        sys.exit(_kill(given.kills))
    started = time.monotonic()
    seeds = range(given.seed, given.seed + given.count)
    found = [one for part in _parts(seeds, given.jobs, given.keep) for one in part]
    found.sort(key=lambda one: one["seed"])
    if given.tell:
        for one in found:
            said = next((line for line in one["err"].splitlines() if "Error" in line), "")
            print(
                f"{one['seed']} {one['end']} {one['seconds']:.1f} s; {one['about']}: {said[:150]}"
            )
    _print(found, time.monotonic() - started)
    sys.exit(any(one["end"] in FAULTS for one in found))


def _kill(count: int) -> bool:
    """Kill searches and print what came of them; return whether any ended otherwise than alone."""
    with tempfile.TemporaryDirectory(prefix="fuzz") as name:
        found = Counter(killed(count, Path(name)))
    for what, times in found.items():
        print(f"{times} of {count} killed searches: {what}")
    return found["identical"] != count


def _parts(seeds: range, jobs: int, keep: Path | None) -> list[list[dict[str, Any]]]:
    """Run each of `jobs` parts of the seeds in a process of its own; return what they found."""
    with tempfile.TemporaryDirectory(prefix="fuzz") as name:
        workers = []
        for number in range(jobs):
            place = Path(name) / f"{number}.json"
            worker = os.fork()
            if worker == 0:
                code = 1
                try:
                    own = Path(name) / str(number)
                    found = [_one(seed, own, keep) for seed in seeds[number::jobs]]
                    place.write_text(json.dumps(found))
                    code = 0
                finally:
                    os._exit(code)
            workers.append((worker, place))
        for worker, _ in workers:
            if os.waitpid(worker, 0)[1]:
                sys.exit("A part of the harness failed.")
        return [json.loads(place.read_text()) for _, place in workers]


def _one(seed: int, own: Path, keep: Path | None) -> dict[str, Any]:
    """Run the input of a seed."""
    folder = own / str(seed)
    folder.mkdir(parents=True)
    os.environ.update(HOME=str(folder), RENYI_DATA_HOME=str(folder), COLUMNS="100")
    given = inputs.build(seed, folder)
    judged, ended = judge(given, folder)
    found = {
        "seed": seed,
        "kind": given.kind,
        "about": given.about,
        "words": given.words,
        "code": ended.code,
        "end": judged.end,
        "why": judged.why,
        "compared": judged.compared,
        "seconds": ended.seconds,
        "err": ended.err[:600],
    }
    if keep is not None and judged.end in FAULTS:
        shutil.copytree(folder, keep / str(seed), dirs_exist_ok=True)
        (keep / str(seed) / "found.json").write_text(json.dumps(found, indent=1))
    shutil.rmtree(folder)
    return found


def _print(found: list[dict[str, Any]], seconds: float) -> None:
    for one in found:
        if one["end"] in FAULTS:
            print(f"seed {one['seed']}: {one['end']}: {one['why']}; {one['kind']}: {one['about']}")
            print(f"    renyi {' '.join(map(repr, one['words']))}"[:300])
            print("".join(f"    {line}\n" for line in one["err"].splitlines()[-3:]), end="")
    width = max(len(end) for end in ENDS)
    print("kind    ", *(end.rjust(width) for end in ENDS))
    for kind in dict.fromkeys(one["kind"] for one in found):
        counts = Counter(one["end"] for one in found if one["kind"] == kind)
        print(kind.ljust(8), *(str(counts[end]).rjust(width) for end in ENDS))
    codes = Counter(str(one["code"]) for one in found)
    compared = Counter(one["compared"] for one in found if one["compared"])
    longest = max(one["seconds"] for one in found)
    print(f"{len(found)} inputs in {seconds:.0f} s, the longest {longest:.1f} s")
    print("exit codes:", ", ".join(f"{code}: {count}" for code, count in sorted(codes.items())))
    print("answers compared with:", ", ".join(f"{n}: {c}" for n, c in compared.items()) or "none")
    print(f"faults: {sum(one['end'] in FAULTS for one in found)}")


if __name__ == "__main__":
    main()
