"""Several columns taken or left together, under a name of their own."""

import json
from importlib.resources import files

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import oracle
import renyi
from lanes import every_other
from renyi.backend import get_backend
from renyi.errors import ColumnError, MissingValuesError, OptionError
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.options import method_options
from renyi_cli._app import app

BANDS = ("b1", "b2", "b3")
GROUPS = {"band": "b?", "mixed": ["m1", "m2"]}


def table(n=120, seed=1):
    """A band and a mixed group that tell of the target, one that does not, and single columns."""
    rng = np.random.default_rng(seed)
    b, m = rng.normal(size=(3, n)), rng.normal(size=n)
    codes = rng.integers(0, 3, n)
    score = b.sum(axis=0) + 1.5 * m + (codes == 1) + 0.4 * rng.normal(size=n)
    return pl.DataFrame(
        {
            "x": rng.normal(size=n),
            "b1": b[0],
            "b2": b[1],
            "m1": m,
            "b3": b[2],
            "m2": [("red", "green", "blue")[code] for code in codes],
            "near": m + 3 * rng.normal(size=n),
            "y": np.where(score > 0.3, "yes", "no"),
        }
    )


def soft(codes, sigma):
    shares = np.bincount(codes) / len(codes)
    return oracle.onehot(codes, sigma * np.sqrt(1 - (shares**2).sum()))


def grams(frame, sigma):
    """The Gram of x, band, mixed and near by the independent program, and that of the target."""
    one = {name: oracle.gaussian(oracle.zscore(frame[name]), sigma) for name in frame.columns[:5]}
    one["near"] = oracle.gaussian(oracle.zscore(frame["near"]), sigma)
    n = len(frame)
    band = oracle.hadamard([one[name] for name in BANDS], n) ** (1 / 3)
    mixed = (one["m1"] * soft(oracle.levels_of(frame["m2"]), sigma)) ** (1 / 2)
    return [one["x"], band, mixed, one["near"]], oracle.delta(oracle.levels_of(frame["y"]))


@pytest.mark.parametrize("alpha", [0.6, 1.01, 2.0])
def test_the_path_is_that_of_the_independent_program(alpha):
    frame = table(60)
    features, label = grams(frame, 1.5)
    path = renyi.select(
        frame,
        group_columns=GROUPS,
        alpha=alpha,
        bandwidth=1.5,
        rank="raw",
        class_weights="none",
        criterion="none",
    )
    truth = oracle.greedy(features, label, alpha, 4)
    known = ["x", "band", "mixed", "near"]
    assert list(path.selected) == [known[step.index] for step in truth]
    for step, true in zip(path.steps, truth, strict=True):
        assert step.mi == pytest.approx(true.mi, abs=2e-6)
        assert step.cmi == pytest.approx(true.cmi, abs=4e-6)
        assert step.saturation == pytest.approx(true.saturation, abs=2e-6)


@pytest.mark.parametrize(
    ("alpha", "nominal", "kernel"),
    every_other([0.6, 1.01, 2.0, 3.0], ["soft", "delta"], ["gaussian", "laplacian"]),
)
def test_shortcuts_select_what_dense_does(alpha, nominal, kernel):
    given = {"alpha": alpha, "nominal": nominal, "kernel": kernel, "group_columns": GROUPS}
    auto, dense = (
        renyi.select(table(50), criterion="cmi-max", solver=solver, permutations=19, **given)
        for solver in ("auto", "dense")
    )
    assert auto.selected == dense.selected
    assert auto.verdict.reason == dense.verdict.reason
    for one, other in zip(auto.steps, dense.steps, strict=True):
        assert one.mi == pytest.approx(other.mi, abs=2e-6)


@pytest.mark.parametrize("criterion", ["cmi-max", "cmi-local", "cmi-perm", "mi-perm", "mi-chi2"])
def test_every_criterion_judges_groups(criterion):
    path = renyi.select(table(), group_columns=GROUPS, criterion=criterion)
    assert set(path.selected) <= {"x", "band", "mixed", "near"}
    assert path.steps[0].features == ("mixed",)


def test_a_permutation_shuffles_the_rows_of_all_its_columns():
    frame = table(60)
    dataset = renyi.io.load(
        frame, options=renyi.options.DataOptions(group_columns=(("band", "b?"),))
    ).dataset
    model = KernelModel.build(dataset, method_options(bandwidth=1.5, class_weights="none"))
    entropies = SetEntropies(Computation.of(model, 2.0, get_backend("numpy")))
    order = np.random.default_rng(3).permutation(60)
    at = dataset.names.index("band")
    (pair,) = entropies.replicates((), at, [order], lambda _: None)
    features, label = grams(frame, 1.5)
    truth = oracle.mutual_information([oracle.shuffled(features[1], order)], [label], 2.0)
    assert entropies.mutual_information(pair) == pytest.approx(truth, abs=1e-9)


def test_the_answer_names_groups_and_says_their_columns(tmp_path):
    frame = table()
    path = renyi.select(frame, group_columns=GROUPS)
    assert path.selected == ("mixed", "band")
    assert path.columns == ("m1", "m2", *BANDS)
    assert path.data.features == 4
    record = path.to_dict()
    assert record["data"]["group_columns"] == [
        {"name": "band", "columns": [*BANDS]},
        {"name": "mixed", "columns": ["m1", "m2"]},
    ]
    assert record["data_options"]["group_columns"] == [
        ["band", "b?"],
        ["mixed", "m1"],
        ["mixed", "m2"],
    ]
    again = renyi.SelectionPath.from_json(path.to_json())
    assert again == path
    assert {why.feature: why.given for why in path.unselected}["near"] in {(), ("mixed",)}
    frame.write_parquet(tmp_path / "in.parquet")
    out = renyi.apply(path, tmp_path / "in.parquet", tmp_path / "out.csv")
    assert pl.read_csv(out).columns == ["m1", "m2", *BANDS, "y"]


def test_results_without_groups_are_read():
    record = renyi.select(table(60), max_features=1).to_dict()
    del record["data"]["group_columns"], record["data_options"]["group_columns"]
    record["schema_version"] = "1.3"
    path = renyi.SelectionPath.from_dict(record)
    assert (path.data.group_columns, path.columns) == ((), path.selected)


def test_the_data_are_the_same_with_groups_and_without():
    frame = table()
    alone = renyi.select(frame, max_features=1)
    one_each = renyi.select(frame, max_features=1, group_columns={"g": "near"})
    assert one_each.data.fingerprint == alone.data.fingerprint
    assert one_each.steps[0].mi == alone.steps[0].mi


def test_names_of_groups_serve_as_names_of_columns():
    frame = table()
    kept = renyi.select(frame, group_columns=GROUPS, keep="band")
    assert kept.steps[0].features == ("band",)
    assert kept.steps[0].action == "keep"
    only = renyi.select(frame, group_columns=GROUPS, features=["mixed", "x"], exclude="m2")
    assert only.data.group_columns[0].columns == ("m1",)
    assert "band" not in {why.feature for why in only.unselected}
    given = renyi.select(frame, group_columns={"band": "b?"}, exclude="band")
    assert given.data.group_columns == ()


def test_a_group_has_a_kind_and_a_bandwidth_as_a_whole():
    frame = table().with_columns(c1=pl.int_range(120) % 4, c2=pl.int_range(120) // 3 % 4)
    path = renyi.select(
        frame,
        target="y",
        group_columns={"codes": "c?", **GROUPS},
        kind={"codes": "nominal"},
        bandwidths={"band": 0.7},
        max_features=1,
    )
    found = {column.name: column for column in path.data.columns}
    assert {found[name].kind for name in ("c1", "c2")} == {"nominal"}
    assert {found[name].bandwidth for name in BANDS} == {0.7}
    assert {found[name].bandwidth for name in ("m1", "m2", "x")} == {2.0}


def test_groups_that_are_the_same_stand_for_each_other():
    frame = table().with_columns(n1=-2 * pl.col("b1"), n2=pl.col("b3") + 1, n3=3 * pl.col("b2"))
    path = renyi.select(frame, target="y", group_columns={**GROUPS, "copy": "n?"})
    assert path.aliases == {"band": ("copy",)}


def test_missing_values_are_those_of_the_columns():
    frame = table().with_columns(
        b2=pl.when(pl.int_range(120) % 5 > 0).then("b2"),
        m1=pl.when(pl.col("y") == "no").then("m1"),
    )
    with pytest.raises(MissingValuesError, match="`b2`"):
        renyi.select(frame, group_columns=GROUPS)
    assert renyi.select(frame, group_columns={"band": "b?"}, exclude="m1", missing="drop")
    path = renyi.select(frame, group_columns=GROUPS, missing="level")
    notes = {note.code: note for note in path.warnings}
    assert path.steps[0].features == ("mixed",)
    assert notes["missing_tells"].columns == ("m1",)


def test_constant_columns_leave_their_group():
    frame = table().with_columns(b3=pl.lit(1.0))
    path = renyi.select(frame, group_columns=GROUPS)
    assert path.data.group_columns[0].columns == ("b1", "b2")
    constant = frame.with_columns(m1=pl.lit(1), m2=pl.lit("a"))
    assert len(renyi.select(constant, group_columns=GROUPS).data.group_columns) == 1
    with pytest.raises(ColumnError, match="`mixed` has no column that can be used"):
        renyi.select(constant, group_columns=GROUPS, keep="mixed")


def test_copies_of_the_target_within_a_group_are_said():
    frame = table().with_columns(b2=pl.when(pl.col("y") == "yes").then(1.0).otherwise(0.0))
    path = renyi.select(frame, group_columns=GROUPS)
    assert {note.code: note.columns for note in path.warnings}["target_copy"] == ("b2",)


def test_models_see_all_columns():
    frame = table()
    found = renyi.compare(
        frame, group_columns={"all": ["b?", "m?"]}, features="all", runs=20, criterion="cmi-max"
    )
    apart = renyi.compare(frame, features=["b?", "m?"], runs=20, criterion="cmi-max")
    assert found.path == ("all",)
    assert found.score(1).mean == pytest.approx(apart.score(5).mean, abs=1e-12)
    assert found.to_dict()["data"]["group_columns"][0]["name"] == "all"


def test_describe_has_a_row_for_a_group():
    found = renyi.describe(table(), group_columns=GROUPS)
    frame = found.to_polars()
    row = frame.row(by_predicate=pl.col("name") == "band", named=True)
    assert row["kind"] == "group"
    assert row["mi_with_target"] > 0
    alone = renyi.describe(table(), features=BANDS[:1], group_columns={"g": BANDS[:1]})
    single = renyi.describe(table(), features=BANDS[:1])
    assert alone.columns[0].entropy == single.columns[0].entropy
    assert frame.filter(pl.col("name") == "b1")["entropy"].item() is None


def test_repeats_and_a_chosen_bandwidth_know_groups(tmp_path):
    file = tmp_path / "state.json"
    given = {"group_columns": GROUPS, "stability": 2, "sensitivity": True, "checkpoint": file}
    path = renyi.select(table(60), bandwidth="auto", **given)
    assert path.bandwidth_choice.trials[0].feature in {"band", "mixed", "near", "x"}
    assert {share.feature for share in path.stability.features} <= {"x", "band", "mixed", "near"}
    assert renyi.select(table(60), bandwidth="auto", **given) == path
    with pytest.raises(OptionError, match="`group_columns` was"):
        renyi.select(table(60), bandwidth="auto", **{**given, "group_columns": {"band": "b?"}})


@pytest.mark.parametrize(
    ("groups", "more", "says"),
    [
        ({"g": "q*"}, {}, "`group_columns` must name columns of the data, got `q*`."),
        ({"g": ["b1", "b2"], "h": "b*"}, {}, "into one group, got `b1` in `g` and `h`."),
        ({"x": "b*"}, {}, "what no column is called, got `x`."),
        ({"g": "*"}, {}, "must not hold the target, got `y` in `g`."),
        ({"g": []}, {}, "must give each group a name and a column, got {'g': []}."),
        ({"": "b*"}, {}, "must give each group a name and a column, got {'': 'b*'}."),
        ({"g": "b*"}, {"exclude": "g", "keep": "g"}, "a column that is excluded, got `g`."),
        ({"g": "b*"}, {"keep": "b1"}, "`keep` must name a group as a whole, got `b1` of `g`."),
        ({"g": "b*"}, {"bandwidths": {"b1": 1.0}}, "a group as a whole, got `b1` of `g`."),
        ("b*", {}, "`group_columns` must map columns to values"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(groups, more, says):
    with pytest.raises((ColumnError, OptionError)) as caught:
        renyi.select(table(), group_columns=groups, **more)
    assert says in caught.value.message
    assert caught.value.message.count(". ") == 0


def shown(*arguments):
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_terminal_takes_and_shows_groups(tmp_path):
    place = str(tmp_path / "t.csv")
    table().write_csv(place)
    asked = ["--group-columns", "band=b?", "--group-columns", "mixed=m1,m2"]
    names = shown("select", place, *asked, "--format", "names", "-q")
    assert names.split() == ["mixed", "band"]
    page = shown("select", place, *asked, "-q")
    assert "Selected 2 of 4 features: mixed, band" in page
    assert "band is 3 columns: b1, b2, b3." in page
    record = json.loads(shown("describe", place, *asked, "--json", "-q"))
    assert [column["name"] for column in record["columns"]] == ["x", "band", "mixed", "near"]


def test_the_result_is_as_the_schema_says():
    jsonschema = pytest.importorskip("jsonschema")
    text = (files("renyi") / "schemas" / "selection-path.schema.json").read_text(encoding="utf-8")
    record = json.loads(renyi.select(table(60), group_columns=GROUPS, max_features=1).to_json())
    jsonschema.Draft202012Validator(json.loads(text)).validate(record)
    broken = {**record, "data": {**record["data"], "group_columns": [{"name": "g"}]}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(json.loads(text)).validate(broken)


def test_a_row_of_frequency_two_is_two_rows():
    frame = table(60).with_columns(w=1 + pl.int_range(60) % 2)
    twice = pl.concat([frame, frame.filter(pl.col("w") == 2)]).drop("w")
    given = {"group_columns": GROUPS, "target": ["y", "near"], "max_features": 2}
    weighed = renyi.select(frame, weights="w", weight_kind="frequency", **given)
    whole = renyi.select(twice, **given)
    assert weighed.selected == whole.selected
    assert [s.mi for s in weighed.steps] == pytest.approx([s.mi for s in whole.steps], abs=1e-6)
    assert [s.z for s in weighed.steps] == pytest.approx([s.z for s in whole.steps], rel=1e-6)


def test_rows_that_belong_together_move_with_all_columns_of_a_group():
    frame = table(120).with_columns(who=pl.int_range(120) // 4)
    path = renyi.select(frame, target="y", groups="who", group_columns=GROUPS)
    assert path.selected[0] in {"mixed", "band"}
    assert path.data.together.groups == "who"
    series = renyi.select(frame.drop("who"), target=["y", "near"], blocks="auto", rows=100)
    assert series.data.rows_used <= 100


def test_measure_tells_of_a_group_what_a_selection_does():
    frame = table()
    path = renyi.select(frame, group_columns=GROUPS, max_features=2)
    first, second = path.selected
    alone = renyi.measure(frame, x=first, y="y", group_columns=GROUPS)
    assert alone.mi == pytest.approx(path.steps[0].mi, abs=1e-9)
    both = renyi.measure(frame, x=second, y="y", given=first, group_columns=GROUPS)
    assert both.cmi == pytest.approx(path.steps[1].gain, abs=1e-9)
    assert both.quantities[-1].text == f"I({second}; y | {first})"
    apart = renyi.measure(frame, x=["m1", "m2"], y="y")
    assert abs(apart.mi - alone.mi) > 1e-3


def test_measure_refuses_parts_of_groups_and_groups_as_targets():
    frame = table(60)
    with pytest.raises(ColumnError, match="`y` must name columns, got the group `band`"):
        renyi.measure(frame, x="m1", y="band", group_columns=GROUPS)
    with pytest.raises(
        ColumnError, match="`given` must name a group as a whole, got `b2` of `band`"
    ):
        renyi.measure(frame, x="m1", y="y", given="b2", group_columns={"band": "b?"})
    with pytest.raises(ColumnError, match="`x` must name columns of the data, got `bnd`") as caught:
        renyi.measure(frame, x="bnd", y="y", group_columns=GROUPS)
    assert "Did you mean `band`" in str(caught.value)
    with pytest.raises(ColumnError, match="must not hold the target, got `y` in `band`"):
        renyi.measure(frame, x="band", y="y", group_columns={"band": ["b1", "y"]})


def test_measure_takes_groups_in_the_terminal(tmp_path):
    table().write_parquet(tmp_path / "t.parquet")
    asked = ["measure", str(tmp_path / "t.parquet"), "--x", "band", "--y", "y"]
    done = CliRunner().invoke(app, [*asked, "--group-columns", "band=b?", "--json"])
    assert done.exit_code == 0
    value = {q["name"]: q["value"] for q in json.loads(done.stdout)["quantities"]}["I(x;y)"]
    assert value == renyi.measure(table(), x="band", y="y", group_columns={"band": "b?"}).mi


def test_a_group_said_again_gets_more_columns(tmp_path):
    table(60).write_parquet(tmp_path / "t.parquet")
    asked = ["select", str(tmp_path / "t.parquet"), "--criterion", "none", "--json"]
    twice = ["--group-columns", "band=b1", "--group-columns", "band=b3,b2"]
    record = json.loads(CliRunner().invoke(app, [*asked, *twice]).stdout)
    assert record["data"]["group_columns"] == [{"name": "band", "columns": ["b1", "b2", "b3"]}]
    once = CliRunner().invoke(app, [*asked, "--group-columns", "band=b?"])
    assert json.loads(once.stdout)["selected"] == record["selected"]
