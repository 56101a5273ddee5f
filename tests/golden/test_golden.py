"""Paths and values of an independent dense program on eight public data sets."""

import pytest

import renyi
import tables
from reference import entry_name, golden, golden_table, needs_reference

ENTRIES = [
    pytest.param(
        entry, id=entry_name(entry), marks=[pytest.mark.slow] if entry["dataset"] != "heart" else []
    )
    for entry in golden()
]

HALF = [
    pytest.param(*entry.values, id=entry.id, marks=[*entry.marks, pytest.mark.study])
    if place % 2
    else entry
    for place, entry in enumerate(ENTRIES)
]
"""Every other entry is for the studies: orders change from set to set, as each has seven."""

TOLERANCE = 1e-6
"""Bits; what `auto` promises by default."""

FIRST_STEPS = 2
"""Steps that the dense solver is held to: it differs in the solver alone, and takes its time."""


def select(entry, **options):
    kinds = {"*": "continuous", **dict.fromkeys(entry["nominal"], "nominal")}
    if entry["label_kernel"] != "gaussian":
        kinds[entry["target"]] = "nominal"
    return renyi.select(
        golden_table(entry),
        target=entry["target"],
        kind=kinds,
        criterion="none",
        alpha=entry["alpha"],
        bandwidth=entry["sigma"],
        standardise="zscore",
        label_kernel="onehot" if entry["label_kernel"] == "onehot" else "delta",
        **{**tables.PLAIN, **options},
    )


def check(entry, path, close):
    golden_path = entry["path"][: len(path.steps)]
    assert [step.feature for step in path.steps] == [step["column"] for step in golden_path]
    assert [s.mi for s in path.steps] == pytest.approx([g["mi"] for g in golden_path], abs=close)
    assert [s.cmi for s in path.steps] == pytest.approx([g["cmi"] for g in golden_path], abs=close)
    target = path.steps[0].entropies.target
    assert target == pytest.approx(entry["entropy_target"], abs=close)
    everything = entry["entropy_target"] - entry["mi_all"]  # H(y | S)
    found = path.steps[0].entropies.conditional_all
    assert found == pytest.approx(everything, abs=2 * close)


@needs_reference
@pytest.mark.parametrize("entry", ENTRIES)
def test_every_step(entry):
    path = select(entry, max_features=len(entry["path"]))
    assert len(path.steps) == len(entry["path"])
    check(entry, path, TOLERANCE)


@needs_reference
@pytest.mark.parametrize("entry", HALF)
def test_the_first_steps_without_any_shortcut(entry):
    path = select(entry, max_features=FIRST_STEPS, solver="dense")
    assert len(path.steps) == FIRST_STEPS
    check(entry, path, 1e-9 if entry["alpha"] >= 1 else 2e-7)
