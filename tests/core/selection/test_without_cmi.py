"""Where H(y | S) of all features cannot be had, a path goes on without CMI and says so."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest

import renyi
import tables
from renyi.errors import MemoryBudgetError
from renyi.information import SetEntropies, Thresholds
from renyi.selection import ForwardSearch, SelectionPath
from tables import raw_options

PROBLEM = "H(y | S) of all 4 features needs matrices of 30 x 30, more than 1 KiB"


@pytest.fixture
def frame(monkeypatch):
    """A table whose features do not fit together."""
    monkeypatch.setattr(SetEntropies, "everything_problem", PROBLEM, raising=False)
    return tables.random_table("CRBN", "delta", 30, seed=5).frame


def never_everything(monkeypatch):
    """Fail where the pair of all features is asked for before the last step."""
    asked = SetEntropies.pair

    def pair(entropies, features, question=None):
        assert frozenset(features) != entropies.computation.everything
        return asked(entropies, features, question)

    monkeypatch.setattr(SetEntropies, "pair", pair)


def test_mi_and_gain_are_those_of_a_path_with_cmi(frame, monkeypatch):
    without = renyi.select(frame, criterion="mi-perm", stop_when="all", significance=0.9)
    monkeypatch.setattr(SetEntropies, "everything_problem", "", raising=False)
    whole = renyi.select(frame, criterion="mi-perm", stop_when="all", significance=0.9)
    assert without.selected == whole.selected
    assert without.verdict == whole.verdict
    for step, other in zip(without.steps, whole.steps, strict=True):
        assert (step.mi, step.gain, step.criteria) == (other.mi, other.gain, other.criteria)
        assert (step.cmi, step.cmi_code) == (None, "cmi_not_computed")
        assert step.entropies.conditional_all is None
        assert step.entropies.joint == other.entropies.joint
        assert step.would_stop["cmi-heuristic"] is None
        assert step.would_stop["mi-chi2"] == other.would_stop["mi-chi2"]
        assert 0 < step.error_bound <= other.error_bound
        assert other.cmi is not None
        assert other.cmi_code is None
    assert not [note for note in whole.warnings if note.code == "cmi_not_computed"]


def test_all_features_together_are_never_asked_for(frame, monkeypatch):
    never_everything(monkeypatch)
    path = renyi.select(frame, criterion="none", max_features=3)
    assert len(path.steps) == 3


def test_one_note_says_why(frame):
    path = renyi.select(frame, criterion="none", keep=["f2"])
    (note,) = [note for note in path.warnings if note.code == "cmi_not_computed"]
    assert note.message == f"CMI was not computed: {PROBLEM}."


def test_the_record_is_valid_and_comes_back(frame):
    path = renyi.select(frame, criterion="none")
    record = json.loads(path.to_json())
    schema = files("renyi") / "schemas" / "selection-path.schema.json"
    jsonschema.validate(record, json.loads(schema.read_text(encoding="utf-8")))
    assert SelectionPath.from_dict(record).steps == path.steps
    table = path.to_polars()
    assert table["cmi"].null_count() == len(path.steps)
    assert set(table["cmi_code"]) == {"cmi_not_computed"}
    assert table["would_stop_cmi_heuristic"].null_count() == len(path.steps)


@pytest.mark.parametrize("criterion", ["cmi-perm", "cmi-heuristic", ("mi-perm", "cmi-perm")])
def test_a_criterion_that_needs_cmi_is_refused_before_any_work(frame, criterion, monkeypatch):
    monkeypatch.setattr(SetEntropies, "candidates", None)
    seen = []
    with pytest.raises(MemoryBudgetError) as refusal:
        renyi.select(frame, criterion=criterion, progress=seen.append)
    assert not seen
    assert "cmi-" in refusal.value.message
    assert refusal.value.message.endswith(f"cannot be computed: {PROBLEM}.")
    assert "`criterion='mi-perm'`" in refusal.value.hint
    assert "`rows=N`" in refusal.value.hint


@pytest.mark.parametrize("criteria", ["mi-perm", "mi-chi2", "none"])
def test_other_criteria_are_not(frame, criteria):
    table = tables.random_table("CRBN", "delta", 30, seed=5)
    options = raw_options(criteria=criteria)
    search = ForwardSearch(table.dataset, tables.entropies(table, options), options)
    assert search.cmi_problem == PROBLEM
    assert all(step.cmi is None for step in search)


def test_mi_perm_goes_on_where_all_pairs_of_rows_are_too_many(with_thresholds):
    """At alpha 2 the limit is time; the search itself is as before."""
    table = tables.random_table("CRBN", "delta", 60, seed=5).frame
    given = {"alpha": 2, "criterion": "mi-perm", "permutations": 19, "seed": 3}
    whole = renyi.select(table, **given)
    assert all(step.cmi is not None for step in whole.steps)
    with_thresholds(Thresholds(row_pairs=1.0))
    without = renyi.select(table, **given)
    assert without.selected == whole.selected
    assert without.verdict == whole.verdict
    assert [step.mi for step in without.steps] == [step.mi for step in whole.steps]
    assert [step.criteria for step in without.steps] == [step.criteria for step in whole.steps]
    assert {step.cmi_code for step in without.steps} == {"cmi_not_computed"}
    (note,) = [note for note in without.warnings if note.code == "cmi_not_computed"]
    assert "pairs of rows" in note.message
    with pytest.raises(MemoryBudgetError, match="pairs of rows"):
        renyi.select(table, **{**given, "criterion": "cmi-perm"})
