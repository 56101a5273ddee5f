"""Several targets, which are one joint target."""

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import oracle
import renyi
from renyi.backend import get_backend
from renyi.errors import ColumnError, OptionError, UsageError
from renyi.information import CandidateSums, Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.options import DataOptions, method_options
from renyi.variables import Kind
from renyi_cli._app import app

PAIRS = {"classes": ["u", "v"], "numbers": ["s", "t"], "mixed": ["u", "t"]}
NUMPY = get_backend("numpy")


def table(n=120, seed=2):
    """Two targets of each sort: a tells of the first of both, b of the second, c of none."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=(3, n))
    s, t = a + 0.5 * rng.normal(size=n), b + 0.5 * rng.normal(size=n)
    return pl.DataFrame(
        {
            "a": a,
            "b": b,
            "c": c,
            "s": s,
            "t": t,
            "u": np.where(s + 0.3 * rng.normal(size=n) > 0, "yes", "no"),
            "v": np.array(["low", "mid", "high"])[np.digitize(t, [-0.5, 0.5])],
        }
    )


def of(pair, n=120):
    return table(n).select("a", "b", "c", *PAIRS[pair])


def target_gram(frame, pair, sigma):
    """The joint kernel of the targets: the product of one each."""
    grams = [
        oracle.delta(oracle.levels_of(frame[name]))
        if name in "uv"
        else oracle.gaussian(oracle.zscore(frame[name]), sigma)
        for name in PAIRS[pair]
    ]
    return oracle.hadamard(grams, len(frame))


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("alpha", [0.6, 1.01, 2.0])
def test_the_path_is_that_of_the_independent_program(pair, alpha):
    frame = of(pair, 60)
    features = [oracle.gaussian(oracle.zscore(frame[name]), 1.5) for name in "abc"]
    path = renyi.select(
        frame,
        target=PAIRS[pair],
        alpha=alpha,
        bandwidth=1.5,
        rank="raw",
        class_weights="none",
        criterion="none",
    )
    truth = oracle.greedy(features, target_gram(frame, pair, 1.5), alpha, 3)
    assert list(path.selected) == ["abc"[step.index] for step in truth]
    for step, true in zip(path.steps, truth, strict=True):
        assert step.mi == pytest.approx(true.mi, abs=2e-6)
        assert step.cmi == pytest.approx(true.cmi, abs=4e-6)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("alpha", [0.6, 1.01, 2.0, 3.0])
@pytest.mark.parametrize("label_kernel", ["delta", "onehot"])
def test_shortcuts_select_what_dense_does(pair, alpha, label_kernel):
    given = {"target": PAIRS[pair], "alpha": alpha, "label_kernel": label_kernel}
    auto, dense = (
        renyi.select(of(pair, 50), criterion="cmi-max", solver=solver, permutations=19, **given)
        for solver in ("auto", "dense")
    )
    assert auto.selected == dense.selected
    assert auto.verdict.reason == dense.verdict.reason
    for one, other in zip(auto.steps, dense.steps, strict=True):
        assert one.mi == pytest.approx(other.mi, abs=2e-6)


@pytest.mark.parametrize("criterion", ["cmi-max", "cmi-local", "cmi-perm", "mi-perm", "mi-chi2"])
@pytest.mark.parametrize("pair", PAIRS)
def test_every_criterion_finds_what_tells_of_either(pair, criterion):
    path = renyi.select(of(pair, 200), target=PAIRS[pair], criterion=criterion)
    asked = {name for step in path.steps[:2] for name in step.features}
    assert asked <= {"a", "b"}
    if criterion != "cmi-perm":  # it is known to stop early
        assert asked == {"a", "b"}
    if criterion in {"cmi-max", "cmi-local", "mi-perm"}:
        assert set(path.selected[:2]) == {"a", "b"}


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("label_kernel", ["delta", "onehot"])
def test_chance_in_closed_form_is_the_mean_over_orders(pair, label_kernel):
    n = 60
    options = DataOptions(target=tuple(PAIRS[pair]))
    dataset = renyi.io.load(of(pair, n), options=options).dataset
    model = KernelModel.build(dataset, method_options(label_kernel=label_kernel))
    sums = CandidateSums(SetEntropies(Computation.of(model, 2.0, NUMPY)), (), range(3))
    rng = np.random.default_rng(0)
    orders = [rng.permutation(n) for _ in range(400)]
    drawn = sums.before - np.concatenate([sums.conditional([order])[0] for order in orders])
    drawn = drawn.reshape(len(orders), -1)
    chance = -sums.chance.above(np.zeros(3))
    error = drawn.std(axis=0) / np.sqrt(len(orders))
    assert (np.abs(drawn.mean(axis=0) - chance) < 4.5 * error + 1e-12).all()
    z = sums.standardised(sums.before - drawn[0])
    assert z == pytest.approx((drawn[0] - chance) / drawn.std(axis=0), rel=0.25, abs=0.25)


def test_classes_weigh_by_joint_class():
    frame = of("classes")
    dataset = renyi.io.load(frame, options=DataOptions(target=("u", "v"))).dataset
    for label_kernel in ("delta", "onehot"):
        options = method_options(label_kernel=label_kernel)
        weights = KernelModel.build(dataset, options).weights
        joint = oracle.levels_of([*zip(frame["u"], frame["v"], strict=True)])
        each = 1 / (np.bincount(joint)[joint] + 10)
        assert weights == pytest.approx(each * len(joint) / each.sum())
    assert (
        KernelModel.build(
            renyi.io.load(of("mixed"), options=DataOptions(target=("u", "t"))).dataset,
            method_options(),
        ).weights
        is None
    )


def test_two_targets_of_names_are_one_of_their_combinations():
    frame = of("classes")
    both = frame.with_columns(y=pl.concat_str("u", "v")).drop("u", "v")
    path, alone = renyi.select(frame, target=["u", "v"]), renyi.select(both, target="y")
    assert path.selected == alone.selected
    assert [s.mi for s in path.steps] == pytest.approx([s.mi for s in alone.steps], abs=1e-12)
    assert path.verdict.reason == alone.verdict.reason


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("bandwidth", ["steady", "growing"])
def test_measure_says_what_select_says(pair, bandwidth):
    frame = of(pair)
    path = renyi.select(frame, target=PAIRS[pair], max_features=1, bandwidth=bandwidth)
    found = renyi.measure(frame, x=path.selected[0], y=PAIRS[pair], bandwidth=bandwidth)
    assert found["I(x;y)"] == pytest.approx(path.steps[0].mi, abs=1e-6)
    assert found["H(y)"] == pytest.approx(path.steps[0].entropies.target, abs=1e-6)
    values = renyi.mutual_information(
        frame[path.selected[0]], frame.select(PAIRS[pair]), bandwidth=bandwidth
    )
    assert values == pytest.approx(path.steps[0].mi, abs=1e-6)


def test_the_answer_names_all_targets(tmp_path):
    frame = of("mixed")
    path = renyi.select(frame, target=["u", "t"], stability=2)
    assert (path.data.target, path.data.targets) == ("u, t", ("u", "t"))
    record = path.to_dict()
    assert record["data"]["targets"] == ["u", "t"]
    assert (record["data_options"]["target"], record["data_options"]["targets"]) == (
        "u, t",
        ["u", "t"],
    )
    roles = {column["name"]: column["role"] for column in record["data"]["columns"]}
    assert (roles["u"], roles["t"], roles["a"]) == ("target", "target", "feature")
    assert renyi.SelectionPath.from_json(path.to_json()) == path
    frame.write_parquet(tmp_path / "in.parquet")
    out = renyi.apply(path, tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert pl.read_parquet(out).columns == [*path.selected, "u", "t"]
    bare = renyi.apply(path, tmp_path / "in.parquet", tmp_path / "b.parquet", target=False)
    assert pl.read_parquet(bare).columns == [*path.selected]
    frame.drop("t").write_parquet(tmp_path / "less.parquet")
    with pytest.raises(ColumnError, match="must have the target `t`"):
        renyi.apply(path, tmp_path / "less.parquet", tmp_path / "c.parquet")


def test_results_of_one_target_are_read_as_before():
    record = renyi.select(of("classes"), target="u", max_features=1).to_dict()
    del record["data"]["targets"], record["data_options"]["targets"]
    path = renyi.SelectionPath.from_dict(record)
    assert (path.data.targets, path.data_options.target) == (("u",), "u")


def test_a_sample_is_spread_over_joint_classes():
    frame = of("classes", 600)
    path = renyi.select(frame, target=["u", "v"], rows=100, max_features=1)
    dataset = renyi.io.load(frame, options=DataOptions(target=("u", "v"), rows=100)).dataset
    assert dataset.target.kind is Kind.NOMINAL
    shares = frame.group_by("u", "v").len()["len"].sort() / 6
    drawn = np.sort(np.bincount(dataset.target.codes))
    assert np.abs(drawn - shares.to_numpy()).max() < 1
    note = next(note for note in path.warnings if note.code == "rows_sampled")
    assert "classes of `u`, `v`" in note.message
    ranked = frame.drop("v").with_columns(t=pl.int_range(600) * 1.0)
    given = DataOptions(target=("u", "t"), rows=100)
    mixed = renyi.io.load(ranked, options=given).dataset
    yes = (frame["u"] == "yes").sum() / 6
    counts = np.bincount(mixed.targets[0].codes)
    assert abs(counts[list(mixed.targets[0].levels).index("yes")] - yes) <= 1


def test_rows_without_a_target_are_left_out():
    frame = of("classes").with_columns(
        u=pl.when(pl.int_range(120) > 4).then("u"), v=pl.when(pl.int_range(120) < 117).then("v")
    )
    path = renyi.select(frame, target=["u", "v"], missing="level", max_features=1)
    assert path.data.rows_used == 112
    said = [note.message for note in path.warnings if note.code == "rows_dropped"]
    assert said == ["8 of 120 rows left out for having no value of the targets `u`, `v`."]


def test_copies_of_each_target_are_said():
    frame = of("mixed").with_columns(d=-pl.col("t"), e=pl.col("u") + "!")
    frame = frame.select("a", "d", "e", "u", "t")
    path = renyi.select(frame, target=["u", "t"], max_features=1)
    found = {
        note.message[:25]: note.columns for note in path.warnings if note.code == "target_copy"
    }
    assert found == {"Equal to the target `u`, ": ("e",), "Equal to the target `t`, ": ("d",)}


@pytest.mark.parametrize("pair", ["classes", "numbers"])
def test_compare_takes_the_mean_over_models_of_each(pair):
    frame = of(pair)
    given = {"criterion": "cmi-max", "runs": 20}
    both = renyi.compare(frame, target=PAIRS[pair], **given)
    order = list(both.path)
    apart = []
    for name in PAIRS[pair]:
        one = frame.select(*order, name)
        keep = {"keep": order, "target": name}
        apart.append(renyi.compare(one, **keep, **given).score(3).mean)
    assert both.score(3).mean == pytest.approx(np.mean(apart), abs=1e-12)


def test_compare_refuses_classes_and_numbers_together():
    with pytest.raises(UsageError, match="got targets of both") as caught:
        renyi.compare(of("mixed"), target=["u", "t"], runs=5)
    assert "Compare for each target by itself" in caught.value.hint


def test_describe_takes_targets_together():
    found = renyi.describe(of("mixed"), target=["u", "t"])
    measured = renyi.measure(of("mixed"), x="a", y=["u", "t"])
    assert found.target_entropy == pytest.approx(measured["H(y)"], abs=1e-6)
    assert found.columns[0].mi_with_target == pytest.approx(measured["I(x;y)"], abs=1e-6)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"target": ["u", "u"]}, "`target` must name each column once, got `u` twice."),
        ({"target": []}, "`target` must name at least one column, got an empty list."),
        ({"target": ["u", "w"]}, "`target` must name columns of the data, got `w`."),
        ({"target": ["u", "t"], "exclude": "t"}, "`exclude` must not hold the target `t`."),
        ({"target": ["u", "t"], "keep": "t"}, "`keep` must not hold the target `t`."),
        ({"target": ["u", "t"], "group_columns": {"g": "t"}}, "the target, got `t` in `g`."),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(given, says):
    with pytest.raises((ColumnError, OptionError)) as caught:
        renyi.select(of("mixed"), **given)
    assert says in caught.value.message


def test_the_terminal_takes_the_option_again_and_again(tmp_path):
    place = str(tmp_path / "t.csv")
    of("mixed").write_csv(place)
    result = CliRunner().invoke(app, ["select", place, "-t", "u", "--target", "t", "-q"])
    assert result.exit_code == 0, result.output
    assert "Target u, t (asked for)" in result.stdout
