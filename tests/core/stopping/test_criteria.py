"""Every criterion against the oracle, on paths that the oracle knows."""

import functools

import numpy as np
import pytest

import oracle
import tables
from lanes import every_other
from renyi._random import permutation
from tables import raw_options

RECIPE = "CRBNOWC"
PERMUTATIONS = 39
SEED = 3


def table_of(label, seed, n=40, recipe=RECIPE):
    return tables.random_table(recipe, label, n, seed)


def kernel(label):
    return "onehot" if label == "onehot" else "delta"


def orders(n, step):
    return [permutation(n, SEED, "permutation", step, r) for r in range(PERMUTATIONS)]


def decided(exceeds, allowed):
    """Return (drawn, exceedances) at the first draw after which no other could change it."""
    count = 0
    for drawn, exceeded in enumerate(exceeds, start=1):
        count += bool(exceeded)
        if count > allowed or count + len(exceeds) - drawn <= allowed:
            return drawn, count
    raise AssertionError


@pytest.mark.parametrize(
    ("label", "seed", "alpha", "criterion", "p_rule"),
    every_other(
        [("delta", 1), ("onehot", 2), ("numeric", 3)],
        [1.01, 2.0],
        ["cmi-perm", "mi-perm"],
        ["valid", "paper"],
    ),
)
def test_permutation_criteria(label, seed, alpha, criterion, p_rule):
    """All draws of the oracle give the decision; the curtailed ones the numbers reported."""
    table = table_of(label, seed)
    steps, verdict = tables.search(
        table,
        alpha=alpha,
        label_kernel=kernel(label),
        criteria=criterion,
        permutations=PERMUTATIONS,
        significance=0.1,
        p_rule=p_rule,
        seed=SEED,
    )
    test = oracle.cmi_permutation if criterion == "cmi-perm" else oracle.mi_permutation
    chosen = []
    for step in steps:
        chosen.append(int(step.feature.removeprefix("f")))
        truth = test(table.grams, table.label, alpha, chosen, orders(table.n, step.index))
        count = truth.exceedances
        whole = count / PERMUTATIONS if p_rule == "paper" else (count + 1) / (PERMUTATIONS + 1)
        (report,) = step.criteria
        void = criterion == "cmi-perm" and len(chosen) == len(RECIPE)
        assert report.criterion == criterion
        assert report.stop == (whole > 0.1)
        assert step.selected == (not report.stop)
        assert report.statistic == pytest.approx(truth.observed, abs=1e-9)
        assert report.statistic_name == ("mi" if void or criterion == "mi-perm" else "cmi")

        mi = report.statistic_name == "mi"
        exceeds = [
            value >= truth.observed - 1e-9 if mi else value <= truth.observed + 1e-9
            for value in truth.replicates
        ]
        allowed = 3  # 0.1 of 39 is 3.9; (c + 1) / 40 <= 0.1 up to c = 3
        assert (report.drawn, report.exceedances) == decided(exceeds, allowed)
        drawn = truth.replicates[: report.drawn]
        quantiles = np.quantile(drawn, [0.05, 0.5, 0.95])
        # A replicate that bounds decide is given to within their half width.
        assert report.null_quantiles == pytest.approx(quantiles, abs=1e-9 + report.null_error)
        # One bound on the last term of all copies decides most of them.
        assert report.null_error < 1.0
        if report.stop:
            assert report.p_value == pytest.approx(
                report.exceedances / report.drawn if report.drawn < PERMUTATIONS else whole
            )
        else:
            assert report.p_upper <= 0.1 + 1e-12
            assert report.p_upper >= whole - 1e-12
        assert f"{report.exceedances} of {report.drawn}" in report.reason
    last = steps[-1]
    if last.selected:
        assert verdict.stopped == "exhausted"
    else:
        assert (verdict.stopped, verdict.step) == ("criterion", last.index)
        assert verdict.criteria == (criterion,)
        assert verdict.reason.startswith(f"stopped before `{last.feature}`")


@pytest.mark.parametrize("sigma", [0.2, 0.4])
@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.6])
def test_bounds_decide_as_values_do(alpha, sigma):
    """Where the rest saturates, H(y | S) is settled by a bound; the counts are those of `dense`."""
    errors = []
    for seed in range(4):
        table = table_of("delta", 40 + seed, n=36, recipe="CRBCCCO")
        found = []
        for solver in ("auto", "dense"):
            steps, verdict = tables.search(
                table,
                solver=solver,
                alpha=alpha,
                bandwidth=sigma,
                criteria="cmi-perm",
                permutations=PERMUTATIONS,
                significance=0.1,
                seed=SEED,
            )
            reports = [step.criteria[0] for step in steps]
            found.append([(r.stop, r.drawn, r.exceedances, r.p_value) for r in reports])
            errors += [r.null_error for r in reports]
            assert solver == "auto" or all(r.null_error == 0 for r in reports)
            assert verdict.step == len(steps)
        assert found[0] == found[1]
    assert max(errors) > 0


def test_permutation_paths_stop_at_different_places():
    """The tests above see both outcomes: a criterion that never stopped would show here."""
    sizes = {
        len(
            tables.search(
                table_of("delta", seed),
                alpha=2.0,
                criteria="mi-perm",
                permutations=PERMUTATIONS,
                significance=0.1,
                seed=SEED,
            )[0]
        )
        for seed in range(6)
    }
    assert len(sizes) > 1


def test_exact_ties_count_against_a_binary_feature():
    """Shuffling a feature with one 1 among few rows gives few tables: most draws tie."""
    column = tables.nominal("f0", np.array([1] + [0] * 11))
    other = tables.continuous("f1", np.random.default_rng(0).normal(size=12))
    table = tables.Table((column, other), tables.nominal("y", np.array([1, 1, 1, 1] + [0] * 8)))
    for alpha in (1.01, 2.0):
        steps, _ = tables.search(
            table, keep=(1,), alpha=alpha, criteria="mi-perm", permutations=PERMUTATIONS, seed=SEED
        )
        step = steps[1]
        truth = oracle.mi_permutation(
            table.grams, table.label, alpha, [1, 0], orders(table.n, step.index)
        )
        same = sum(abs(value - truth.observed) < 1e-9 for value in truth.replicates)
        assert same >= 2
        exceeds = [value >= truth.observed - 1e-9 for value in truth.replicates]
        (report,) = step.criteria
        assert (report.drawn, report.exceedances) == decided(exceeds, 1)


def test_all_nominal_ties_are_decided_alike_by_counts_and_by_eigenvalues():
    for seed in range(4):
        table = table_of("delta", seed, n=24, recipe="BBB")
        for alpha in (1.01, 2.0):
            found = [
                tables.search(
                    table,
                    alpha=alpha,
                    solver=solver,
                    criteria=("cmi-perm", "mi-perm"),
                    stop_when="all",
                    permutations=PERMUTATIONS,
                    seed=SEED,
                )[0]
                for solver in ("auto", "dense")
            ]
            counts = [
                [(r.drawn, r.exceedances) for step in steps for r in step.criteria]
                for steps in found
            ]
            assert counts[0] == counts[1]


@pytest.mark.parametrize("epsilon", [0.0, 1e-4, 0.02, 0.3])
@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_cmi_heuristic(alpha, epsilon):
    table = table_of("delta", 5)
    steps, verdict = tables.search(table, alpha=alpha, criteria="cmi-heuristic", epsilon=epsilon)
    path = oracle.greedy(table.grams, table.label, alpha, len(RECIPE))
    expected = next(number for number, t in enumerate(path, start=1) if t.cmi <= epsilon)
    assert len(steps) == expected
    assert all(step.selected for step in steps)
    for step, truth in zip(steps, path, strict=False):
        (report,) = step.criteria
        assert report.statistic == pytest.approx(truth.cmi, abs=1e-9)
        assert report.threshold == epsilon
        assert report.stop == (truth.cmi <= epsilon)
    assert verdict.stopped == "criterion"
    assert verdict.reason.startswith(f"stopped after `{steps[-1].feature}`")


@pytest.mark.parametrize("binning", ["width", "frequency"])
@pytest.mark.parametrize("bins", [2, 5])
@pytest.mark.parametrize("label", ["delta", "numeric"])
def test_chi_square(label, bins, binning):
    """The statistic and its quantile at every step of a path that is not stopped."""
    table = table_of(label, 6, n=60)
    steps, _ = tables.search(
        table,
        alpha=2.0,
        criteria=("mi-chi2", "cmi-heuristic"),
        stop_when="all",
        epsilon=0.0,
        bins=bins,
        binning=binning,
    )

    def levels(column):
        if column.kind != "continuous" or len(set(column.values)) <= bins:
            return column.values
        if binning == "width":
            return oracle.equal_width(column.values, bins)
        return oracle.equal_frequency(column.values, bins)

    codes = [levels(column) for column in table.features]
    target = levels(table.target)
    chosen = []
    for step in steps:
        chosen.append(int(step.feature.removeprefix("f")))
        statistic, quantile, _ = oracle.chi2_test(codes, target, chosen, 0.95)
        report = step.criteria[0]
        assert report.statistic == pytest.approx(statistic, abs=1e-9)
        assert report.threshold == pytest.approx(quantile, rel=1e-9)
        assert report.stop == (statistic <= quantile)
        assert step.would_stop["mi-chi2"] == report.stop
    assert len(steps) > 2


def test_chi_square_stops_before_the_feature_that_fails():
    table = table_of("delta", 6, n=60)
    whole, _ = tables.search(table, alpha=2.0)
    steps, verdict = tables.search(table, alpha=2.0, criteria="mi-chi2")
    first = next(s.index for s in whole if s.would_stop["mi-chi2"])
    assert len(steps) == first
    assert [step.selected for step in steps] == [True] * (first - 1) + [False]
    assert verdict.criteria == ("mi-chi2",)


def test_every_step_says_what_the_cheap_criteria_would_do():
    table = table_of("delta", 7)
    steps, _ = tables.search(table, alpha=2.0, epsilon=0.05)
    assert [s.would_stop["cmi-heuristic"] for s in steps] == [s.cmi <= 0.05 for s in steps]
    assert {True, False} == {s.would_stop["cmi-heuristic"] for s in steps}


CRITERIA = ("cmi-heuristic", "cmi-perm", "mi-perm", "mi-chi2")
JUDGED = {"alpha": 2.0, "epsilon": 0.05, "permutations": 19, "seed": SEED}


@functools.cache
def stops_alone(seed, criterion):
    """Return whether a criterion, judged alone, says stop at each step of the whole path."""
    table = table_of("delta", 20 + seed)
    path, _ = tables.search(table, **JUDGED)
    chosen = [int(step.feature.removeprefix("f")) for step in path]
    stops = []
    for number in range(1, len(path) + 1):
        forced = tuple(chosen[: number - 1])
        steps, _ = tables.search(
            table, keep=forced, criteria=criterion, max_features=number, **JUDGED
        )
        stops.append(steps[-1].criteria[0].stop)
    return stops


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pair", [("cmi-heuristic", "mi-perm"), ("mi-chi2", "cmi-perm"), CRITERIA])
def test_any_and_all(pair, seed):
    """Judged alone, each criterion says stop or not at every step; any and all follow."""
    table = table_of("delta", 20 + seed)
    alone = [stops_alone(seed, criterion) for criterion in pair]
    stops = [dict(zip(pair, said, strict=True)) for said in zip(*alone, strict=True)]
    for when, decide in (("any", any), ("all", all)):
        steps, verdict = tables.search(table, criteria=pair, stop_when=when, **JUDGED)
        ends = [number for number, said in enumerate(stops, 1) if decide(said.values())]
        expected = min(ends, default=len(stops))
        assert len(steps) == expected
        for step, said in zip(steps, stops, strict=False):
            assert {r.criterion: r.stop for r in step.criteria} == said
        if ends:
            said = stops[expected - 1]
            assert set(verdict.criteria) == {name for name in pair if said[name]}
            rejecting = [name for name in pair if said[name] and name != "cmi-heuristic"]
            keeping = said.get("cmi-heuristic", False)
            rejected = bool(rejecting) if when == "any" else bool(rejecting) and not keeping
            assert steps[-1].selected == (not rejected)
        else:
            assert verdict.stopped == "exhausted"


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_criteria_share_their_draws(alpha):
    """Asked together they report what each reports alone."""
    table = table_of("delta", 30)
    options = {"alpha": alpha, "permutations": 19, "seed": SEED, "max_features": 1}
    both, _ = tables.search(table, criteria=("mi-perm", "cmi-perm"), **options)
    alone = [tables.search(table, criteria=name, **options)[0] for name in ("mi-perm", "cmi-perm")]
    assert list(both[0].criteria) == [steps[0].criteria[0] for steps in alone]


def test_another_seed_draws_other_replicates():
    table = table_of("numeric", 31)
    reports = [
        tables.search(table, criteria="mi-perm", permutations=39, seed=seed, max_features=1)[0][0]
        .criteria[0]
        .null_quantiles
        for seed in (0, 1)
    ]
    assert reports[0] != reports[1]


def test_the_published_default_level_lets_five_of_a_hundred_pass():
    """Algorithm 1: continue when count / P <= level; our default allows two."""
    from renyi.racing import allowed_exceedances

    paper, ours = raw_options("paper"), raw_options()
    found = [allowed_exceedances(o.permutations, o.significance, o.p_rule) for o in (paper, ours)]
    assert found == [5, 2]
