"""What the columns are for: a word for the criterion that answers it, and nothing else."""

import json

import numpy as np
import pytest

import renyi
from renyi.errors import OptionError


@pytest.fixture(scope="module")
def table():
    """Two columns, a noisy copy of the first, which is no news, and noise."""
    rng = np.random.default_rng(0)
    x, other, noise, blur = rng.normal(size=(4, 100))
    y = np.where(x + other + 0.6 * rng.normal(size=100) > 0, "p", "n")
    columns = {"x": x, "copy": x + 0.7 * blur, "other": other, "noise": noise, "y": y}
    return {name: column.tolist() for name, column in columns.items()}


def answer(path):
    return json.dumps({name: part for name, part in path.to_dict().items() if name != "run"})


@pytest.mark.parametrize(
    ("purpose", "criterion"), [("model", "cmi-max"), ("news", "cmi-local"), (None, "cmi-max")]
)
def test_the_answer_is_that_of_the_criterion(table, purpose, criterion):
    named = renyi.select(table, purpose=purpose)
    spelled = renyi.select(table, criterion=criterion)
    both = renyi.select(table, purpose=purpose, criterion=criterion)
    assert answer(named) == answer(spelled) == answer(both)
    assert named.options.criteria == (criterion,)
    assert named.purpose == (purpose or "model")
    assert f"purpose={purpose or 'model'!r}" in repr(named)


def test_so_are_its_repeats(table):
    quick = {"rows": 40, "max_features": 1, "permutations": 19, "sensitivity": True, "stability": 2}
    named = renyi.select(table, purpose="news", **quick)
    spelled = renyi.select(table, criterion="cmi-local", **quick)
    assert answer(named) == answer(spelled)
    assert named.stability.halves


def test_the_two_questions_have_two_answers(table):
    model, news = (renyi.select(table, purpose=purpose) for purpose in ("model", "news"))
    assert model.selected == ("x", "other", "copy")
    assert news.selected == ("x", "other")


@pytest.mark.parametrize("criterion", ["cmi-max", "mi-perm", ("cmi-local", "mi-perm"), "none"])
def test_another_criterion_beside_it_is_refused(table, criterion):
    with pytest.raises(OptionError, match=r"^`purpose` must agree with `criterion`: news means "):
        renyi.select(table, purpose="news", criterion=criterion)


def test_a_wrong_word_is_refused(table):
    with pytest.raises(OptionError, match=r"^`purpose` must be one of model, news; got 'new'"):
        renyi.select(table, purpose="new")
    with pytest.raises(OptionError, match=r"`criterion` must name at least one"):
        renyi.select(table, purpose="news", criterion=())


@pytest.mark.parametrize("preset", ["paper", "lrmi"])
def test_it_goes_before_the_criterion_of_a_preset(table, preset):
    plain = renyi.select(table, preset=preset, max_features=1)
    assert plain.purpose is None
    assert "purpose" not in repr(plain)
    named = renyi.select(table, preset=preset, purpose="news", max_features=1)
    spelled = renyi.select(table, preset=preset, criterion="cmi-local", max_features=1)
    assert answer(named) == answer(spelled)
    assert (named.options.preset, named.purpose) == (preset, "news")


def test_a_checkpoint_goes_on_whichever_word_was_used(table, tmp_path):
    file = tmp_path / "part.json"

    def stop(progress):
        if progress.phase == "step" and progress.step == 1:
            raise KeyboardInterrupt

    with pytest.raises(renyi.Interrupted):
        renyi.select(table, purpose="news", checkpoint=file, progress=stop)
    with pytest.raises(OptionError, match="`criterion` was cmi-local there and is cmi-max now"):
        renyi.select(table, purpose="model", checkpoint=file)
    path = renyi.select(table, criterion="cmi-local", checkpoint=file)
    assert path.run["resumed_steps"] == 1
    assert answer(path) == answer(renyi.select(table, purpose="news"))
    assert renyi.read_result(file).purpose == "news"
