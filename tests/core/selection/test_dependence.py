"""Warnings of rows that belong together: where they do, and hardly ever where they do not."""

import numpy as np
import pytest

import renyi
from renyi.io import load
from renyi.selection import dependence_notes

RUNS = 12


def codes(made, runs=RUNS, **options):
    """Return the codes of the notes about each of some tables."""
    found = []
    for seed in range(runs):
        table = made(np.random.default_rng([4, seed]))
        notes = dependence_notes(load(table).dataset)
        found.append(notes[0].code if notes else "")
    return found


def subjects(rng, *, named=True, numeric=False, mixed=False):
    rows = np.repeat(np.arange(30), 6)
    table = {f"x{j}": rng.normal(size=30)[rows] + 0.5 * rng.normal(size=180) for j in range(10)}
    table |= {"subject": rows} if named else {}
    y = rng.normal(size=30)[rows] if numeric else np.where((np.arange(30) % 2 == 0)[rows], "a", "b")
    order = rng.permutation(180) if mixed else np.arange(180)
    return {name: np.asarray(values)[order] for name, values in (table | {"y": y}).items()}


def series(rng, n=80, memory=0.95, columns=5):
    made = rng.normal(size=(columns + 1, n))
    for row in range(1, n):
        made[:, row] += memory * made[:, row - 1]
    return {f"x{j}": made[j] for j in range(columns)} | {"y": made[columns]}


def ordinary(rng, *, n=200, columns=12, numeric=False, nominal=0, by=None):
    values = rng.normal(size=(columns, n))
    table = {f"x{j}": values[j] for j in range(columns)}
    for j in range(nominal):
        table[f"n{j}"] = rng.integers(0, (2, 3, 10, 40)[j % 4], n).astype(str)
    y = values[0] + 0.7 * values[1] + rng.normal(size=n)
    table["y"] = y if numeric else np.where(y > 0, "a", "b")
    order = np.arange(n) if by is None else np.argsort(table[by], kind="stable")
    return {name: np.asarray(column)[order] for name, column in table.items()}


@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize("mixed", [False, True])
def test_a_column_that_looks_like_a_subject_is_named(numeric, mixed):
    made = lambda rng: subjects(rng, numeric=numeric, mixed=mixed)  # noqa: E731
    assert set(codes(made)) == {"repeated_subject"}
    (note,) = dependence_notes(load(subjects(np.random.default_rng(0))).dataset)
    assert note.columns == ("subject",)
    assert "groups" in note.message


def test_rows_of_a_subject_that_no_column_names_are_neighbours():
    assert set(codes(lambda rng: subjects(rng, named=False))) == {"alike_neighbours"}


@pytest.mark.parametrize("memory", [0.5, 0.8, 0.95])
def test_a_series_is_told_of(memory):
    n = 80 if memory == 0.95 else 200
    found = codes(lambda rng: series(rng, n, memory), 30)
    assert found.count("alike_neighbours") >= 29
    (note,) = dependence_notes(load(series(np.random.default_rng(0), 300)).dataset)
    assert "blocks" in note.message


ORDINARY = {
    "classes": {},
    "numbers": {"numeric": True},
    "names": {"columns": 3, "nominal": 8},
    "few rows": {"n": 40},
    "sorted by class": {"by": "y"},
    "sorted by number": {"by": "y", "numeric": True},
    "sorted by a true column": {"by": "x0"},
    "sorted by names": {"columns": 3, "nominal": 8, "by": "n2"},
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_tables_raise_no_alarm(name):
    """At most 2% may: of 96 tables none does."""
    assert set(codes(lambda rng: ordinary(rng, **ORDINARY[name]))) == {""}


def test_a_column_of_few_levels_that_tells_the_class_is_no_subject():
    """Nor is one of many levels, where nothing else is alike within them."""

    def made(rng):
        city = rng.integers(0, 25, 300)
        noise = {f"x{j}": rng.normal(size=300) for j in range(4)}
        return noise | {"city": city.astype(str), "y": np.where(city % 2, "north", "south")}

    assert set(codes(made)) == {""}


def test_a_target_alone_that_remembers_raises_no_alarm():
    def made(rng):
        return {f"x{j}": rng.normal(size=200) for j in range(5)} | {"y": series(rng, 200)["y"]}

    assert set(codes(made)) == {""}


def test_the_warning_is_part_of_the_answer_until_the_option_is_given():
    table = subjects(np.random.default_rng(1))
    found = renyi.select(table, max_features=1)
    assert "repeated_subject" in {note.code for note in found.warnings}
    said = renyi.select(table, max_features=1, groups="subject")
    assert not {"repeated_subject", "alike_neighbours"} & {note.code for note in said.warnings}
    assert "repeated_subject" in {note.code for note in renyi.describe(table).notes}
    turned = series(np.random.default_rng(1))
    assert "alike_neighbours" in {n.code for n in renyi.select(turned, max_features=1).warnings}
    known = renyi.select(turned, max_features=1, blocks="auto")
    assert "alike_neighbours" not in {note.code for note in known.warnings}
    measured = renyi.measure(turned, x="x0", y="y")
    assert "alike_neighbours" not in {note.code for note in measured.notes}


@pytest.mark.study
def test_how_often_tables_are_told_of():
    """Those of subjects and of series nearly always, ordinary ones in at most 2 of 100."""
    for made in (subjects, series):
        assert codes(made, 200).count("") <= 10
    silent = [codes(lambda rng, o=o: ordinary(rng, **o), 100).count("") for o in ORDINARY.values()]
    assert sum(silent) >= 0.98 * 100 * len(ORDINARY)
