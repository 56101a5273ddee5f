"""The experiment on levels and power: tables are as said, runs are those of the program."""

from __future__ import annotations

import json
import subprocess
import sys
from math import comb
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def outcome_file(folder: Path, cell: str) -> Any:
    return json.loads((folder / f"{cell}.json").read_text())


class StoppedError(Exception):
    """The command was ended from outside."""


@pytest.fixture
def runs_stop_after(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the work be interrupted after so many pieces."""
    import validity._work as work

    whole = work.work_out

    def stop_after(pieces: int) -> None:
        done = iter(range(pieces))

        def limited(piece: Any) -> Any:
            if next(done, None) is None:
                raise StoppedError
            return whole(piece)

        monkeypatch.setattr(work, "work_out", limited)

    return stop_after


def test_every_cell_has_a_name_of_its_own() -> None:
    from validity import all_cells, worker_of

    cells = list(all_cells())
    assert len({cell.key for cell in cells}) == len(cells) > 80
    for cell in cells:
        assert [worker_of(name).name for name in cell.methods] == list(cell.methods)


def test_a_changed_selection_is_counted_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import validity._read as read
    from validity._store import CellStore

    monkeypatch.setattr(read, "_column", lambda *_: 9)
    alone, more = CellStore(tmp_path / "a.json", {}), CellStore(tmp_path / "b.json", {})
    alone.add("m", {}, [[0, 1], [0, 1], [0, 1], [0, 1], [0]])
    more.add("m", {}, [[1, 0], [0, 2], [9, 2, 0], [3], [0, 9]])  # same, 1/1, 1/2, 2/1, 0/1
    kept = read.Kept({"added/heart-alone": alone, "added/heart-20": more})
    found = kept.added("heart", 20, "m")
    assert found is not None
    assert (found.stable.hits, found.stable.runs) == (3, 5)
    assert (found.entered.hits, found.entered.runs) == (2, 5)
    assert kept.added("heart", 5, "m") is None
    seeds = kept.reseeded("heart", "m")
    assert seeds is not None
    assert (seeds.hits, seeds.runs) == (4, 4)


@pytest.mark.parametrize(
    "key",
    [
        "null/mixed-50-5",
        "null/discrete-50-20",
        "null/target-normal",
        "null/later-correlated-100",
        pytest.param("power/none", marks=pytest.mark.study),
    ],
)
@pytest.mark.slow
def test_shared_entropies_change_no_answer(key: str) -> None:
    """What saves time must select what `renyi.select` selects."""
    from validity import cell_of, worker_of
    from validity._methods import Method, SharedEntropies, run_whole

    cell = cell_of(key)
    names = dict.fromkeys((*cell.methods, "mi-perm"))  # which selects where there is nothing
    workers = [worker_of(name) for name in names if not worker_of(name).problem]
    methods = [worker for worker in workers if isinstance(worker, Method)]
    selected = []
    for run in range(4):
        made = cell.table(run)
        shared = SharedEntropies(made)
        for method in methods:
            if not method.shares:
                continue
            found = shared.run(method, run, keep=cell.keep, **cell.options)
            whole = run_whole(made, method, run, keep=cell.keep, **cell.options)
            assert found == whole, (method.name, run)
            selected += found[len(cell.keep) :]
    assert selected, "some run selects something, so that there is something to agree on"


@pytest.mark.parametrize(
    "key",
    [
        "null/mixed-50-5",
        "null/discrete-50-5",
        "null/correlated-50-20",
        "null/continuous-400-5",
        "null/target-three",
        "null/target-normal",
        "power/linear-1",
    ],
)
@pytest.mark.slow
def test_products_change_no_answer_of_a_first_step(key: str) -> None:
    """Sums by matrix products must select what `renyi.select` selects."""
    from validity import cell_of, worker_of
    from validity._first_step import FirstStep, does
    from validity._methods import Method, run_whole

    cell = cell_of(key)
    named = [worker_of(name) for name in ("cmi-max", "cmi-max-sigma1")]
    methods = [method for method in named if isinstance(method, Method)]
    loose = {"criterion": "cmi-local", "significance": 0.5, "permutations": 1}
    methods.append(Method("loose", "half of all pass", loose))
    passed = []
    for run in range(5):
        made = cell.table(run)
        first = FirstStep(made, run, methods)
        for method in methods:
            assert does(method, cell.options, cell.keep)
            whole = run_whole(made, method, run, **cell.options)
            assert first.run(method) == whole, (method.name, run)
            passed.append(bool(whole))
    assert {*passed} == {True, False}, "both answers occur, so that there is something to agree on"


def test_products_leave_other_runs_alone() -> None:
    from validity import cell_of, worker_of
    from validity._first_step import does
    from validity._methods import Method

    first, later = cell_of("null/mixed-50-5"), cell_of("null/later-correlated-100")
    largest = worker_of("cmi-max")
    assert isinstance(largest, Method)
    assert does(largest, first.options, first.keep)
    assert not does(largest, later.options, later.keep), "a step that is not the first"
    assert not does(largest, {}, ()), "more than one step"
    for name in (
        "default",
        "cmi-max-1.01",
        "cmi-max-pairs",
        "cmi-perm",
        "mi-chi2",
    ):
        method = worker_of(name)
        assert isinstance(method, Method)
        assert not does(method, first.options, first.keep), name


@pytest.mark.slow
def test_what_is_kept_is_not_done_again(tmp_path: Path, runs_stop_after: Any) -> None:
    """Interrupted in the middle and continued: the outcomes of one go."""
    from validity import Asked, cell_of, do

    cell = cell_of("null/mixed-50-5")
    methods = frozenset({"mi-perm", "mi-chi2"})
    said: list[str] = []
    do([cell], Asked(tmp_path / "whole", runs=45, methods=methods), said.append)
    whole = outcome_file(tmp_path / "whole", cell.key)
    assert len(whole["methods"]["mi-perm"]["outcomes"]) == 45
    runs_stop_after(1)
    parts = Asked(tmp_path / "parts", runs=45, methods=methods)
    with pytest.raises(StoppedError):
        do([cell], parts, said.append)
    assert len(outcome_file(tmp_path / "parts", cell.key)["methods"]["mi-perm"]["outcomes"]) == 20
    runs_stop_after(2)
    do([cell], parts, said.append)
    parted = outcome_file(tmp_path / "parts", cell.key)
    for name in methods:
        assert parted["methods"][name]["outcomes"] == whole["methods"][name]["outcomes"]
    runs_stop_after(0)
    do([cell], parts, said.append)


def test_a_method_that_came_later_catches_up(tmp_path: Path) -> None:
    from validity import Asked, cell_of
    from validity._work import next_piece, settings_of

    cell = cell_of("null/mixed-50-5")
    asked = Asked(tmp_path, runs=50, methods=frozenset({"mi-perm", "mi-chi2"}))
    store = asked.store_of(cell)
    store.add("mi-perm", settings_of(cell, "mi-perm"), [[]] * 30)
    steps = []
    while (piece := next_piece(cell, store, asked, set())) is not None:
        steps.append((piece.methods, piece.start, piece.stop))
        for name in piece.methods:
            store.add(name, settings_of(cell, name), [[]] * (piece.stop - piece.start))
    assert steps == [
        (("mi-chi2",), 0, 20),
        (("mi-chi2",), 20, 30),
        (("mi-perm", "mi-chi2"), 30, 50),
    ]


def test_other_settings_and_other_tables_begin_anew(tmp_path: Path) -> None:
    from validity._store import CellStore

    path = tmp_path / "cell.json"
    store = CellStore(path, {"first_table": "a"})
    store.add("m", {"alpha": 2}, [[1], []])
    store.write()
    again = CellStore(path, {"first_table": "a"})
    assert again.outcomes("m") == again.outcomes("m", {"alpha": 2}) == [[1], []]
    assert again.outcomes("m", {"alpha": 1}) == []
    again.add("m", {"alpha": 1}, [[2]])
    assert again.outcomes("m") == [[2]]
    assert CellStore(path, {"first_table": "b"}).methods == {}


def test_a_named_method_does_not_follow_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    from renyi import options
    from validity import worker_of

    named, default = worker_of("mi-perm"), worker_of("default")
    before = named.resolved(), named.settings(), default.settings()
    changed = options.method_options(alpha=1.5, significance=0.2, bins=9, epsilon=0.5)
    monkeypatch.setitem(options.PRESETS, "default", changed)
    assert (named.resolved(), named.settings()) == before[:2]
    assert default.settings() != before[2]


def test_exact_rates() -> None:
    from validity._rates import Count, holm

    # by its sum
    tail = sum(comb(40, k) * 0.05**k * 0.95 ** (40 - k) for k in range(6, 41))
    assert Count(6, 40).above(0.05) == pytest.approx(tail)
    low, high = Count(0, 20).interval()
    assert low == 0
    assert high == pytest.approx(1 - 0.025 ** (1 / 20))
    # Holm: .01 <= .05/4, .014 <= .05/3, .03 > .05/2 ends it
    assert holm([0.04, 0.01, 0.03, 0.014]) == [False, True, False, True]


def test_truth_is_counted_as_the_page_says(tmp_path: Path) -> None:
    from validity._read import Kept
    from validity._store import CellStore
    from validity._truth import JUDGED

    linear = JUDGED[0]  # true columns 0, 1, 2
    store = CellStore(tmp_path / "x.json", {})
    store.add("m", {}, [[0, 1, 2], [2, 1, 0, 9], [0, 5, 1, 2], [0, 1], [], [7]])
    truth = Kept({"truth/linear": store}).truth(linear, "m")
    assert truth is not None
    assert (truth.complete.hits, truth.complete.runs) == (3, 6)
    assert truth.false_after is not None
    assert (truth.false_after.hits, truth.false_after.runs) == (1, 3)
    assert truth.false_ever.hits == 3
    assert (truth.found.hits, truth.found.runs) == (11, 18)
    assert truth.size == 2.5


def test_a_level_that_is_broken_is_seen(tmp_path: Path) -> None:
    from validity._further import NULLS
    from validity._promises import promises
    from validity._read import Kept
    from validity._store import CellStore

    def promised(hits: int) -> list[bool | None]:
        stores = {}
        for null in NULLS:
            if null.judged:
                store = CellStore(tmp_path / "x.json", {})
                bad = hits if null.name == "mixed-100-20" else 20
                store.add("cmi-max", {}, [[0]] * bad + [[]] * (400 - bad))
                stores[f"null/{null.name}"] = store
        return [promise.holds for promise in promises(Kept(stores))][:4]

    assert promised(30) == [None, None, True, True]
    assert promised(46) == [None, None, False, True], "the limit for one of 90 cells is 37 of 400"


@pytest.mark.slow
def test_peers_see_an_effect_and_not_its_absence() -> None:
    pytest.importorskip("sklearn")
    from validity import cell_of
    from validity._peers import PEERS

    strong, nothing = cell_of("power/linear-2").table(0), cell_of("power/none")
    for peer in PEERS:
        assert peer.run(strong, 0) == [0], peer.name
    false = [bool(PEERS[0].run(nothing.table(run), run)) for run in range(100)]
    assert sum(false) <= 12, "the chance of more at .05 is 2e-3"


def test_chi_square_names_all_columns_that_pass_alone() -> None:
    pytest.importorskip("sklearn")
    from validity import cell_of
    from validity._peers import CHI_SQUARE

    found = [CHI_SQUARE.run(cell_of("truth/binary").table(run), run) for run in range(5)]
    assert all(len({*range(8)} & {*selected}) >= 6 for selected in found)
    assert sum(len(selected) for selected in found) <= 42, "40 of them true"
    assert CHI_SQUARE.run(cell_of("null/binary-100-20").table(0), 0) == []


def command(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, str(BENCHMARKS / "validity.py"), *words]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_command_runs_goes_on_and_writes_the_page(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ["--quick", "--store", str(tmp_path / "s"), "--output", str(tmp_path), "--jobs", "2"]
    only = ["--only", "null/continuous-50-1", "null/mixed-50-5", ":mi-perm", ":mi-chi2"]
    first = command(*words, *only)
    assert first.returncode == 0, first.stderr
    assert first.stdout.count(" done") == 2
    page = (tmp_path / "validity.md").read_text()
    assert "Not all runs are done" in page
    assert "| `mi-perm` |" in page
    assert all(len(line) <= 100 for line in page.splitlines() if line and line[0] not in "|>-!")
    plots = sorted((tmp_path / "figures").glob("validity-*.svg"))
    assert [plot.name for plot in plots] == ["validity-null.svg", "validity-power.svg"]
    again = command(*words, *only)
    assert " from run" not in again.stdout
    assert (tmp_path / "validity.md").read_text() == page
    wrong = command("--only", "null/nothing", ":no-such-method")
    assert wrong.returncode == 1
    assert "null/nothing" in wrong.stderr
    assert ":no-such-method" in wrong.stderr
