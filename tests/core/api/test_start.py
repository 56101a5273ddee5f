"""Going on from a result, and which searches go with which options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import renyi
import tables
from renyi.errors import ColumnError, IntegrityError, OptionError, ReadError, UsageError
from renyi.options import method_options

RECIPE = "CRBNWC"


@pytest.fixture(scope="module")
def frame() -> Any:
    return tables.random_table(RECIPE, "delta", 60, seed=7).frame


@pytest.fixture(scope="module")
def whole(frame: Any) -> renyi.SelectionPath:
    return renyi.select(frame, criterion="cmi-max", significance=0.7)


@pytest.fixture(scope="module")
def part(frame: Any) -> renyi.SelectionPath:
    return renyi.select(frame, criterion="cmi-max", significance=0.7, max_features=2)


@pytest.mark.parametrize("as_file", [False, True])
def test_a_selection_goes_on_beyond_its_limit(
    as_file: bool, frame: Any, whole: renyi.SelectionPath, part: renyi.SelectionPath, tmp_path: Path
) -> None:
    start: Any = part.save(tmp_path / "part.json") if as_file else part
    found = renyi.select(frame, criterion="cmi-max", significance=0.7, start=start)
    first, *rest = found.steps
    assert (first.action, first.features) == ("start", part.selected)
    assert found.data_options.start == part.selected
    assert len(rest) == len(whole.steps) - 2 > 0
    for step, truth in zip(rest, whole.steps[2:], strict=True):
        assert (step.features, step.criteria) == (truth.features, truth.criteria)
        assert (step.mi, step.gain, step.z) == (truth.mi, truth.gain, truth.z)
    assert found.selected == whole.selected
    assert {why.feature for why in found.unselected} == {why.feature for why in whole.unselected}
    assert type(found).from_json(found.to_json()) == found


def test_it_goes_on_with_another_criterion_order_and_rows(
    frame: Any, part: renyi.SelectionPath
) -> None:
    for options in ({"criterion": "mi-perm", "permutations": 19}, {"alpha": 1.01}, {"rows": 40}):
        found = renyi.select(frame, start=part, **options)
        assert found.selected[:2] == part.selected
    both = renyi.select(frame, start=part, keep=[part.selected[1], "f5"], criterion="none")
    assert [step.action for step in both.steps[:3]] == ["keep", "keep", "start"]
    assert both.selected[:3] == (part.selected[1], "f5", part.selected[0])


def test_what_was_found_stands_for_columns_that_are_the_same(part: renyi.SelectionPath) -> None:
    table = tables.random_table(RECIPE, "delta", 60, seed=7)
    frame = tables.with_copy(table, int(part.selected[0][1:])).frame
    renamed = frame.rename({part.selected[0]: "f6", "f6": part.selected[0]})
    found = renyi.select(renamed, start=part)
    assert found.selected[:2] == part.selected
    assert found.aliases[part.selected[0]] == ("f6",)


def test_features_of_a_start_may_be_taken_away_but_not_kept_ones(
    frame: Any, whole: renyi.SelectionPath
) -> None:
    noise = whole.selected[-1]
    options: dict[str, Any] = {"search": "backward", "criterion": "none", "max_features": 1}
    found = renyi.select(frame, start=whole, **options)
    assert len(found.selected) == 1
    kept = renyi.select(frame, start=whole, keep=noise, **options)
    assert kept.selected == (noise,)


def test_repeats_begin_with_it_too(frame: Any, part: renyi.SelectionPath) -> None:
    found = renyi.select(frame, start=part, search="floating", stability=2)
    assert found.stability is not None
    assert found.stability.kept == part.selected
    for half in found.stability.halves:
        assert half.selected[:2] == part.selected


@pytest.mark.parametrize("search", ["forward", "backward", "floating", "beam:2"])
def test_excluded_columns_are_never_looked_at(search: str, frame: Any) -> None:
    found = renyi.select(frame, exclude="f0", search=search)
    names = {name for step in found.steps for name in step.features}
    rivals = {name for s in found.steps if s.runner_up for name in s.runner_up.features}
    assert "f0" not in names | rivals | {why.feature for why in found.unselected}


def test_a_start_that_cannot_be_is_refused(
    frame: Any, part: renyi.SelectionPath, tmp_path: Path
) -> None:
    first = part.selected[0]
    with pytest.raises(ColumnError, match=f"`start` must name columns of the data, got `{first}`"):
        renyi.select(frame.drop(first), start=part)
    with pytest.raises(ColumnError, match="`start` must not hold a column that is excluded"):
        renyi.select(frame, start=part, exclude=first)
    with pytest.raises(ColumnError, match="same target: it is for `y`, and the target is `f5`"):
        renyi.select(frame, start=part, target="f5")
    with pytest.raises(ColumnError, match="`start` must not hold the target"):
        renyi.select(frame, start=part, target=first)
    with pytest.raises(OptionError, match="at least the number of features that the search begins"):
        renyi.select(frame, start=part, max_features=1)
    for wrong in (3, ["f0"], {"selected": ["f0"]}, part.to_json().encode()):
        with pytest.raises(OptionError, match="`start` must be a result of `select`"):
            renyi.select(frame, start=wrong)  # type: ignore[arg-type]
    nothing = renyi.select(frame, criterion="none", min_gain=9)
    with pytest.raises(OptionError, match="a result with a selected column"):
        renyi.select(frame, start=nothing)
    place = part.save(tmp_path / "part.json")
    place.write_text(place.read_text().replace(first, "f5"))
    with pytest.raises(IntegrityError, match="was changed"):
        renyi.select(frame, start=place)
    for content, error in (("{}", ReadError), ("[1", ReadError)):
        place.write_text(content)
        with pytest.raises(error):
            renyi.select(frame, start=place)
    with pytest.raises(ReadError, match="cannot be read"):
        renyi.select(frame, start=tmp_path / "none.json")


def test_a_checkpoint_of_another_start_is_refused(
    frame: Any, part: renyi.SelectionPath, tmp_path: Path
) -> None:
    file = tmp_path / "c.json"
    renyi.select(frame, start=part, checkpoint=file)
    assert renyi.select(frame, start=part, checkpoint=file).run["resumed_steps"]
    with pytest.raises(OptionError, match=r"`start` was .* there and is empty now"):
        renyi.select(frame, checkpoint=file)
    with pytest.raises(OptionError, match="`search` was forward there and is floating now"):
        renyi.select(frame, start=part, checkpoint=file, search="floating")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "sideways"}, "forward, backward, floating or beam:K"),
        ({"search": "beam"}, "with K from 2 to 100"),
        ({"search": "beam:1"}, "one of 1 is `forward`"),
        ({"search": "beam:101"}, "with K from 2 to 100"),
        ({"search": "beam:-2"}, "with K from 2 to 100"),
        ({"search": "beam:9999999999999999999999"}, "with K from 2 to 100"),
        ({"search": "forward:2"}, "with K from 2 to 100"),
        ({"search": 3}, "with K from 2 to 100"),
        ({"search": "backward", "criteria": "cmi-heuristic"}, "for search backward, got cmi-heur"),
        ({"search": "backward", "criteria": "cmi-perm"}, "for search backward, got cmi-perm"),
        ({"search": "backward", "criteria": "none"}, "none needs `max_features`"),
        ({"search": "backward", "bandwidth": "auto"}, "does not suit search backward"),
        ({"search": "floating", "error_rate": "fdr"}, "fdr needs search forward, got floating"),
        ({"search": "beam:2", "score": "chi2-gain"}, "must be mi for search beam:2"),
        ({"search": "beam:2", "lookahead": 2}, "needs search forward or floating"),
        ({"search": "beam:2", "permutations": 19}, "must be at least 39"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        method_options(**options)
    assert message in str(caught.value)
