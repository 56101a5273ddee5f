"""Bandwidth rules as every call of the friendly layer has them."""

import math

import numpy as np
import pytest

import renyi
from renyi.errors import OptionError

N = 60


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(N, 3))
    y = np.where(x[:, 0] + 0.5 * x[:, 1] > 0, "p", "n")
    return {f"x{j}": x[:, j].tolist() for j in range(3)} | {"y": y.tolist()}


RULES = ["growing", "growing:0.7", "silverman:joint", "scott:joint", "nearest", "median"]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("alpha", [1.01, 2])
def test_a_selection_says_what_measure_says(table, rule, alpha):
    asked = {"alpha": alpha, "bandwidth": rule}
    path = renyi.select(table, target="y", criterion="none", rank="raw", **asked)
    for count, step in enumerate(path.steps, 1):
        names = path.selected[:count]
        found = renyi.measure(table, x=names, y="y", **asked)
        assert step.mi == pytest.approx(found["I(x;y)"], abs=3e-6)
        if count < len(path.selected):
            more = renyi.measure(table, x=path.selected[count], y="y", given=names, **asked)
            assert path.steps[count].gain == pytest.approx(more["I(x;y|given)"], abs=5e-6)


@pytest.mark.parametrize("rule", ["steady", "steady:0.3", "growing"])
def test_measure_says_what_a_selection_by_chance_says(table, rule):
    path = renyi.select(table, target="y", criterion="none", bandwidth=rule)
    assert path.options.rank == "chance"
    for count, step in enumerate(path.steps, 1):
        found = renyi.measure(table, x=path.selected[:count], y="y", bandwidth=rule)
        assert step.mi == pytest.approx(found["I(x;y)"], abs=3e-6)
        assert step.above_chance == step.gain - step.chance
        assert np.sign(step.z) == np.sign(step.above_chance)


@pytest.mark.parametrize("criterion", ["cmi-max", "cmi-local", "cmi-perm", "mi-perm"])
@pytest.mark.parametrize("alpha", [1.01, 2])
def test_decisions_are_those_of_dense(table, criterion, alpha):
    found, plain = (
        renyi.select(
            table,
            target="y",
            criterion=criterion,
            alpha=alpha,
            bandwidth="growing",
            permutations=19,
            solver=solver,
        )
        for solver in ("auto", "dense")
    )
    assert found.selected == plain.selected
    for step, other in zip(found.steps, plain.steps, strict=True):
        assert step.mi == pytest.approx(other.mi, abs=2e-6)
        report, truth = step.criteria[0], other.criteria[0]
        assert (report.drawn, report.exceedances) == (truth.drawn, truth.exceedances)
        assert report.p_value == truth.p_value


def test_a_pair_enters_at_the_width_of_both(table):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(120, 4))
    pairs = {f"x{j}": x[:, j] for j in range(4)}
    pairs["y"] = np.where(x[:, 0] * x[:, 1] > 0, "p", "n")
    asked = {"alpha": 2, "bandwidth": "growing"}
    path = renyi.select(
        pairs, target="y", criterion="cmi-max", lookahead=2, permutations=99, **asked
    )
    assert path.steps[0].features == ("x0", "x1")
    found = renyi.measure(pairs, x=["x0", "x1"], y="y", **asked)
    assert path.steps[0].mi == pytest.approx(found["I(x;y)"], abs=1e-6)


@pytest.mark.parametrize("rule", RULES)
def test_describe_says_what_the_first_step_says(table, rule):
    described = renyi.describe(table, target="y", alpha=2, bandwidth=rule)
    first = renyi.select(table, target="y", criterion="none", alpha=2, bandwidth=rule).steps[0]
    alone = {column.name: column.mi_with_target for column in described.columns}
    assert first.mi == pytest.approx(alone[first.features[0]], abs=3e-6)
    assert max(alone, key=alone.get) == first.features[0]


@pytest.mark.parametrize("rule", ["growing:0.7", "scott:joint"])
def test_values_say_what_measure_says(table, rule):
    columns = np.column_stack([table["x0"], table["x2"]])
    asked = {"alpha": 2, "bandwidth": rule}
    found = renyi.measure(table, x=["x0", "x2"], y="y", **asked)
    assert renyi.mutual_information(columns, table["y"], **asked) == pytest.approx(
        found["I(x;y)"], abs=1e-9
    )
    alike = renyi.measure(table, x=["x0", "x2"], y="y", class_weights="none", **asked)
    assert renyi.entropy(columns, **asked) == pytest.approx(alike["H(x)"], abs=1e-9)


def test_growing_by_hand(table):
    """Sigma sqrt(2) for two columns, 1 for one and for the target's side."""
    z = [np.array(table[name]) for name in ("x0", "x1", "x2")]
    z = [(v - v.mean()) / v.std() for v in z]

    def gram(v, sigma):
        return np.exp(-((v[:, None] - v[None]) ** 2) / (2 * sigma**2))

    def h2(g):
        return -math.log2(np.mean(g**2))

    both = gram(z[0], math.sqrt(2)) * gram(z[1], math.sqrt(2))
    label = gram(z[2], 1.0)
    numbers = {name: table[name] for name in ("x0", "x1", "x2")}
    found = renyi.measure(
        numbers, x=["x0", "x1"], y="x2", alpha=2, bandwidth="growing", class_weights="none"
    )
    assert found["H(x)"] == pytest.approx(h2(both), abs=1e-6)
    assert found["H(y)"] == pytest.approx(h2(label), abs=1e-6)
    assert found["H(x,y)"] == pytest.approx(h2(both * label), abs=1e-6)


def test_the_data_choose(table):
    path = renyi.select(table, target="y", bandwidth="auto", alpha=2, criterion="mi-perm")
    choice = path.bandwidth_choice
    assert path.options.bandwidth == "auto"
    assert choice.sigma in {trial.sigma for trial in choice.trials}
    widths = {c.name: c.bandwidth for c in path.data.columns}
    assert widths == {"x0": choice.sigma, "x1": choice.sigma, "x2": choice.sigma, "y": None}
    assert "bandwidth_chosen" in {note.code for note in path.warnings}
    given = renyi.select(table, target="y", bandwidth=choice.sigma, alpha=2, criterion="mi-perm")
    assert given.bandwidth_choice is None
    assert given.selected == path.selected
    assert renyi.SelectionPath.from_json(path.to_json()) == path


def test_a_choice_is_taken_again_from_a_checkpoint(table, tmp_path):
    asked = {"target": "y", "bandwidth": "auto", "alpha": 2, "criterion": "mi-perm"}
    place = tmp_path / "kept.json"
    first = renyi.select(table, checkpoint=place, **asked)
    assert renyi.select(table, checkpoint=place, **asked) == first


def test_describe_has_the_data_choose_too(table):
    described = renyi.describe(table, target="y", bandwidth="auto", alpha=2)
    path = renyi.select(table, target="y", bandwidth="auto", alpha=2, criterion="none")
    widths = {c.name: c.bandwidth for c in described.data.columns}
    assert widths["x0"] == path.bandwidth_choice.sigma


@pytest.mark.parametrize(("tables", "most"), [(8, 3), pytest.param(40, 6, marks=pytest.mark.study)])
def test_noise_is_not_selected_where_the_choice_says_so(tables, most):
    """The test at the chosen width alone would let more through than the choice's p-value does."""
    rng = np.random.default_rng(6)
    selected = 0
    for seed in range(tables):
        x, y = rng.normal(size=(30, 3)), rng.permutation(["n", "p"] * 15)
        path = renyi.select(
            x, y, bandwidth="auto", alpha=2, criterion="cmi-max", permutations=19, seed=seed
        )
        if path.bandwidth_choice.p_value > 0.05:
            assert path.selected == ()
        selected += bool(path.selected)
    assert selected <= most  # more has probability .01 at most where the chance is .05


def test_nominal_columns_leave_nothing_to_choose():
    table = {"a": ["u", "v"] * 20, "b": ["u", "u", "v", "w"] * 10, "y": ["n", "p"] * 20}
    asked = {"target": "y", "bandwidth": "auto", "criterion": "mi-perm"}
    path = renyi.select(table, nominal="delta", **asked)
    assert path.bandwidth_choice is None
    assert path.selected[0] == "a"
    soft = renyi.select(table, **asked)
    widths = {column.name: column.bandwidth for column in soft.data.columns}
    assert widths == {"a": soft.bandwidth_choice.sigma, "b": soft.bandwidth_choice.sigma, "y": None}


def test_nothing_is_chosen_where_all_are_kept(table):
    with pytest.raises(OptionError) as caught:
        renyi.select(table, target="y", keep=["x0", "x1", "x2"], bandwidth="auto", alpha=2)
    assert "all are kept" in caught.value.message


def test_where_nothing_is_selected_a_width_must_be_given(table):
    with pytest.raises(OptionError):
        renyi.measure(table, x="x0", y="y", bandwidth="auto")
    with pytest.raises(OptionError):
        renyi.entropy(table["x0"], bandwidth="auto")


def test_a_choice_is_for_all_columns(table):
    with pytest.raises(OptionError) as caught:
        renyi.select(table, target="y", bandwidths={"x0": "auto"})
    assert "`x0=auto`" in caught.value.message  # not `x0`: a program may have an option so called


def test_a_choice_does_not_go_with_pairs(table):
    with pytest.raises(OptionError) as caught:
        renyi.select(table, target="y", bandwidth="auto", lookahead=2, alpha=2, criterion="cmi-max")
    assert "lookahead" in caught.value.message


def test_where_numbers_are_levels_there_is_no_width_to_choose(table):
    path = renyi.select(table, target="y", score="jmi", bandwidth="auto")
    assert path.bandwidth_choice is None
    assert "bandwidth_chosen" not in {note.code for note in path.warnings}
    assert path.selected == renyi.select(table, target="y", score="jmi").selected
