"""The forward search against the oracle's, step by step."""

import math

import numpy as np
import pytest

import oracle
import renyi
import tables
from renyi._progress import CancelToken
from renyi.information import Thresholds
from renyi.selection import ForwardSearch, notes_of
from tables import raw_options

RECIPE = "CRBNOWC"


def indices(steps):
    return [int(step.feature.removeprefix("f")) for step in steps]


def label_kernel(label):
    return "onehot" if label == "onehot" else "delta"


@pytest.mark.parametrize("solver", ["auto", "dense"])
@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.01, 2.0, 3.0])
@pytest.mark.parametrize("label", ["delta", "onehot", "numeric"])
def test_every_number_of_every_step(label, alpha, solver):
    table = tables.random_table(RECIPE, label, 45, seed=2)
    steps, verdict = tables.search(
        table, alpha=alpha, label_kernel=label_kernel(label), solver=solver
    )
    path = oracle.greedy(table.grams, table.label, alpha, len(RECIPE))
    close = 1e-9 if alpha >= 1 else 2e-7
    assert indices(steps) == [truth.index for truth in path]
    before = 0.0
    for number, (step, truth) in enumerate(zip(steps, path, strict=True), start=1):
        assert step.index == number
        assert step.action == "add"
        assert step.selected
        assert step.mi == pytest.approx(truth.mi, abs=close)
        assert step.cmi == pytest.approx(truth.cmi, abs=close)
        assert step.gain == pytest.approx(truth.mi - before, abs=2 * close)
        assert step.saturation == pytest.approx(truth.saturation, abs=close)
        h = step.entropies
        assert step.mi == pytest.approx(h.selected + h.target - h.joint, abs=1e-12)
        assert step.cmi == pytest.approx(h.joint - h.selected - h.conditional_all, abs=1e-12)
        if truth.runner_up is None:
            assert step.runner_up is None
        else:
            assert step.runner_up.features == (f"f{truth.runner_up}",)
            assert step.runner_up.gap == pytest.approx(truth.gap, abs=2 * close)
            assert step.runner_up.mi == pytest.approx(truth.mi - truth.gap, abs=2 * close)
        if alpha >= 1:
            assert 0 < step.error_bound < 1e-9
        before = truth.mi
    assert steps[-1].cmi == 0.0
    assert verdict.stopped == "exhausted"
    assert verdict.step == len(RECIPE)


@pytest.mark.parametrize("n", [9, 30, 90])
@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_more_tables(n, alpha):
    for seed in range(3):
        table = tables.random_table("RCBBCN", "delta", n, seed=10 * n + seed)
        steps, _ = tables.search(table, alpha=alpha)
        path = oracle.greedy(table.grams, table.label, alpha, 6)
        assert indices(steps) == [truth.index for truth in path]
        assert [s.mi for s in steps] == pytest.approx([t.mi for t in path], abs=1e-9)
        assert [s.cmi for s in steps] == pytest.approx([t.cmi for t in path], abs=1e-9)


@pytest.mark.parametrize("alpha", [1.01, 2.0, 3.0])
@pytest.mark.parametrize("letter", ["C", "N"])
def test_a_copy_ties_and_the_lowest_column_wins(letter, alpha):
    rng = np.random.default_rng(3)
    n = 60
    noise = tables.feature("C", "f0", rng, n)
    signal = tables.feature(letter, "f1", rng, n)
    copy = tables.Column("f2", signal.kind, signal.values, signal.gram)
    classes = (signal.values > np.median(signal.values)).astype(int)
    table = tables.Table((noise, signal, copy), tables.nominal("y", classes))
    steps, _ = tables.search(table, alpha=alpha)
    assert steps[0].feature == "f1"
    assert steps[0].runner_up.features == ("f2",)
    assert abs(steps[0].runner_up.gap) <= 1e-9
    assert {note.code for note in notes_of(steps)} >= {"tied_choice"}


@pytest.mark.parametrize(("rows", "told"), [(40, True), (60, False)])
def test_more_columns_than_half_the_rows_are_told(rows, told):
    draw = np.random.default_rng(2)
    table = {f"x{k}": draw.standard_normal(rows) for k in range(24)}
    table["y"] = np.where(sum(table.values()) > 0, "b", "a")
    path = renyi.select(table, target="y", criterion="none", progress=None)
    notes = [note for note in path.warnings if note.code == "many_selected"]
    assert bool(notes) == told
    for note in notes:
        assert note.message.startswith("24 columns are selected with 40 rows")
        assert note.columns == path.selected


def test_kept_features_enter_first_in_order_and_are_never_tested():
    table = tables.random_table(RECIPE, "delta", 40, seed=4)
    steps, verdict = tables.search(
        table, keep=(5, 3), criteria="mi-perm", permutations=19, max_features=7, alpha=2.0
    )
    path = oracle.greedy(table.grams, table.label, 2.0, len(steps), keep=(5, 3))
    assert indices(steps) == [truth.index for truth in path]
    assert [step.mi for step in steps] == pytest.approx([t.mi for t in path], abs=1e-9)
    assert [step.action for step in steps] == ["keep", "keep"] + ["add"] * (len(steps) - 2)
    assert all(step.selected and not step.criteria for step in steps[:2])
    assert all(step.runner_up is None for step in steps[:2])
    assert all(step.criteria for step in steps[2:])
    assert verdict.stopped in {"criterion", "exhausted"}


def test_kept_features_count_towards_the_limit():
    table = tables.random_table(RECIPE, "delta", 40, seed=4)
    steps, verdict = tables.search(table, keep=(5, 3), max_features=3)
    assert indices(steps)[:2] == [5, 3]
    assert len(steps) == 3
    assert verdict.stopped == "max_features"


@pytest.mark.parametrize("limit", [1, 3])
def test_max_features(limit):
    table = tables.random_table("CRBN", "delta", 30, seed=5)
    whole, _ = tables.search(table)
    steps, verdict = tables.search(table, max_features=limit)
    assert steps == whole[:limit]
    assert (verdict.stopped, verdict.step) == ("max_features", limit)
    assert str(limit) in verdict.reason


@pytest.mark.parametrize("count", [1, 3])
def test_a_search_without_a_criterion_takes_everything(count):
    table = tables.random_table("CRB", "numeric", 20, seed=6)
    table = tables.Table(table.features[:count], table.target)
    steps, verdict = tables.search(table, max_features=99)
    assert len(steps) == count
    assert (verdict.stopped, verdict.step) == ("exhausted", count)
    assert "none is left" in verdict.reason


@pytest.mark.parametrize(
    ("phase", "done", "finished"), [("prepare", 1, 0), ("candidates", 1, 1), ("step", 2, 2)]
)
@pytest.mark.parametrize("keep", [(), (2,)])
def test_a_cancelled_search_keeps_its_finished_steps(phase, done, finished, keep):
    table = tables.random_table("CRBN", "delta", 30, seed=7)
    whole, _ = tables.search(table, keep=keep, alpha=1.01)
    token, kept = CancelToken(), []

    def observe(progress):
        if progress.phase == phase and progress.done == done and progress.step > bool(finished):
            token.cancel()

    options = raw_options(bandwidth=1.0, criteria="none", alpha=1.01)
    entropies = tables.entropies(table, options, 1, Thresholds(task_rows=1))
    search = ForwardSearch(
        table.dataset, entropies, options, keep=keep, observer=observe, cancel=token
    )

    def run():
        for step in search:
            kept.append(step)  # noqa: PERF402 - what came before the interruption is kept

    with pytest.raises(KeyboardInterrupt):
        run()
    assert kept == whole[:finished]
    assert search.verdict is None
    assert search.interrupted.stopped == "interrupted"
    assert search.interrupted.step == finished
    assert f"after {finished} finished step" in search.interrupted.reason


def test_an_observer_that_raises_loses_no_finished_step():
    """Ctrl-C may strike while progress is shown."""
    table = tables.random_table("CRBN", "delta", 30, seed=7)

    def observe(progress):
        if progress.phase == "step" and progress.step == 2:
            raise KeyboardInterrupt

    options = raw_options(bandwidth=1.0, criteria="none")
    search = ForwardSearch(
        table.dataset, tables.entropies(table, options), options, observer=observe
    )
    kept = []
    with pytest.raises(KeyboardInterrupt):
        kept.extend(search)
    assert [step.index for step in kept] == [1, 2]
    assert search.interrupted.step == 2


@pytest.mark.parametrize("criteria", ["none", "cmi-perm", "mi-chi2"])
@pytest.mark.parametrize("keep", [(), (2, 0)])
def test_a_search_goes_on_from_finished_steps(keep, criteria):
    table = tables.random_table("CRBN", "delta", 40, seed=7)
    options = raw_options(bandwidth=1.0, criteria=criteria, permutations=19, alpha=2.0)
    whole = ForwardSearch(table.dataset, tables.entropies(table, options), options, keep=keep)
    steps = list(whole)
    for count in range(len(steps) + 1):
        search = ForwardSearch(
            table.dataset,
            tables.entropies(table, options),
            options,
            keep=keep,
            finished=steps[:count],
        )
        assert list(search) == steps
        assert search.verdict == whole.verdict
        assert len(search.work) == len(steps) - count


def test_progress_is_told_on_the_calling_thread_and_adds_up():
    import threading

    table = tables.random_table(RECIPE, "delta", 40, seed=8)
    seen, threads = [], set()

    def observe(progress):
        seen.append(progress)
        threads.add(threading.current_thread())

    options = raw_options(bandwidth=1.0, criteria="cmi-perm", permutations=19)
    search = ForwardSearch(
        table.dataset, tables.entropies(table, options, jobs=2), options, observer=observe
    )
    steps = list(search)
    assert threads == {threading.current_thread()}
    assert all(0 <= report.done <= report.total for report in seen)
    finished = [report for report in seen if report.phase == "step"]
    assert [report.step for report in finished] == [step.index for step in steps]
    assert [report.feature for report in finished] == [step.feature for step in steps]
    for number in range(1, len(steps) + 1):
        candidates = [r.done for r in seen if (r.phase, r.step) == ("candidates", number)]
        assert candidates == sorted(candidates)
        assert candidates[-1] == len(RECIPE) - number + 1


@pytest.mark.parametrize(("alpha", "label"), [(1.01, "delta"), (2.0, "onehot"), (3.0, "numeric")])
def test_the_number_of_jobs_changes_nothing(alpha, label):
    table = tables.random_table(RECIPE, label, 60, seed=9)
    results = [
        tables.search(
            table,
            jobs=jobs,
            thresholds=Thresholds(task_rows=120),
            alpha=alpha,
            label_kernel=label_kernel(label),
            criteria=("cmi-perm", "mi-perm"),
            permutations=39,
            stop_when="all",
        )
        for jobs in (1, 2, 4)
    ]
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("alpha", [0.6, 1.01, 2.0, 3.0])
def test_the_order_of_rows_changes_neither_path_nor_values(alpha):
    table = tables.random_table(RECIPE, "delta", 60, seed=11)
    other = table.at(np.random.default_rng(0).permutation(60))
    first, _ = tables.search(table, alpha=alpha)
    second, _ = tables.search(other, alpha=alpha)
    close = 1e-10 if alpha >= 1 else 1e-7
    assert indices(first) == indices(second)
    assert [s.mi for s in first] == pytest.approx([s.mi for s in second], abs=close)
    assert [s.cmi for s in first] == pytest.approx([s.cmi for s in second], abs=close)


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_the_order_of_columns_changes_nothing_but_exact_ties(alpha):
    table = tables.random_table(RECIPE, "delta", 60, seed=12)
    other = tables.Table(tuple(reversed(table.features)), table.target)
    first, _ = tables.search(table, alpha=alpha)
    second, _ = tables.search(other, alpha=alpha)
    assert indices(first) == indices(second)
    assert [s.mi for s in first] == pytest.approx([s.mi for s in second], abs=1e-10)


@pytest.mark.parametrize("label", ["delta", "onehot"])
def test_the_names_of_levels_change_nothing(label):
    table = tables.random_table("NCBN", label, 60, seed=13)
    rng = np.random.default_rng(1)

    def renamed(column):
        if column.kind != "nominal":
            return column
        names = rng.permutation(8)
        return tables.Column(column.name, "nominal", names[column.values], column.gram)

    other = tables.Table(tuple(map(renamed, table.features)), renamed(table.target))
    for alpha in (1.01, 2.0):
        first, _ = tables.search(table, alpha=alpha, label_kernel=label)
        second, _ = tables.search(other, alpha=alpha, label_kernel=label)
        assert indices(first) == indices(second)
        assert [s.mi for s in first] == pytest.approx([s.mi for s in second], abs=1e-12)


def test_seconds_are_kept_for_every_step():
    table = tables.random_table("CRB", "delta", 20, seed=14)
    options = raw_options(bandwidth=1.0, criteria="none")
    search = ForwardSearch(table.dataset, tables.entropies(table, options), options)
    steps = list(search)
    assert len(search.work) == len(steps)
    assert all(math.isfinite(work.seconds) and work.seconds >= 0 for work in search.work)


def test_an_interruption_leaves_no_worker_and_no_thread_limit_behind():
    import threading

    from threadpoolctl import threadpool_info

    table = tables.random_table("CCCC", "delta", 300, seed=9)

    def limits():
        return {library["filepath"]: library["num_threads"] for library in threadpool_info()}

    before = limits()

    def observe(progress):
        if progress.phase == "permutations":
            raise KeyboardInterrupt

    options = raw_options(bandwidth=0.5, criteria="mi-perm", permutations=39)
    entropies = tables.entropies(table, options, jobs=2)
    with pytest.raises(KeyboardInterrupt) as caught:
        list(ForwardSearch(table.dataset, entropies, options, observer=observe))
    # while the exception, and with it every frame, is still alive
    assert caught.value is not None
    assert limits().items() >= before.items()
    assert not [t.name for t in threading.enumerate() if t.name.startswith("renyi")]
