"""All candidates at once against pairs one by one, and against every value written out."""

from types import SimpleNamespace

import numpy as np
import pytest

import tables
from renyi.backend import get_backend
from renyi.information import (
    THRESHOLDS,
    CandidateSums,
    Computation,
    SetEntropies,
    Thresholds,
    chance_information,
)
from renyi.kernels import KernelModel, KernelProduct
from renyi.nulls import StandardisedGains
from renyi.options import method_options
from renyi.resampling import PlainPermutations
from renyi.selection import ForwardSearch

# the ranking without a search around it
from renyi.selection._ranking import rank_above_chance
from renyi.variables import Dataset

RECIPE = "CRBNOWC"
N = 70
CASES = [
    ("delta", {}),
    ("delta", {"nominal": "delta", "class_weights": "none", "bandwidth": 1.0}),
    ("onehot", {"label_kernel": "onehot"}),
    ("numeric", {"bandwidth": 1.0}),
]
GIVEN = [(), (0,), (2, 3), (1, 4, 6)]


WAYS = {
    "few columns": THRESHOLDS,
    "many columns": Thresholds(few_columns=0),
    "many rows": Thresholds(together_rows=0),
}
"""With many columns bounds tell candidates first, with many rows one pass tells everything."""


@pytest.fixture(params=WAYS)
def way(request):
    return request.param


@pytest.fixture
def entropies_of(way):
    def build(data, solver="auto", jobs=None, **options):
        model = KernelModel.build(data, method_options(**options))
        given = {"solver": solver, "jobs": jobs, "thresholds": WAYS[way]}
        return SetEntropies(Computation.of(model, 2.0, get_backend("numpy"), **given))

    return build


def data_of(label="delta", seed=1, n=N):
    return tables.random_table(RECIPE, label, n, seed).dataset


def rest_of(given, count=7):
    return [j for j in range(count) if j not in given]


def untold(done, total, ahead=0):
    pass


class Truth:
    """H(y | S', x) from whole matrices."""

    def __init__(self, entropies, given, candidates):
        model, size = entropies.computation.model, len(given) + 1
        self.own = model.product(given, size=size).dense() ** 2
        if model.weights is not None:
            self.own = self.own * model.weights[:, None] * model.weights[None, :]
        self.both = self.own * KernelProduct.of(model.n, [model.target]).dense() ** 2
        self.grams = [
            KernelProduct.of(model.n, [model.part(c, size)]).dense() ** 2 for c in candidates
        ]
        self.before = np.log2(self.own.sum() / self.both.sum())

    def conditional(self, order=None):
        found = []
        for gram in self.grams:
            moved = gram if order is None else gram[np.ix_(order, order)]
            found.append(np.log2((self.own * moved).sum() / (self.both * moved).sum()))
        return np.array(found)

    def z(self, chance, order=None):
        return (self.before - self.conditional(order) - chance.gain) / chance.deviation


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize(("label", "options"), CASES)
def test_it_agrees_with_pairs_and_copies(label, options, given, entropies_of):
    data = data_of(label)
    candidates = rest_of(given)
    order = np.random.default_rng(3).permutation(N)
    found = {}
    for solver in ("auto", "dense"):
        entropies = entropies_of(data, solver, **options)
        sums = CandidateSums(entropies, given, candidates)
        pairs = entropies.candidates(given, candidates, lambda _: None, entropies.computation.exact)
        exact = np.array([pair.conditional for pair in pairs])
        value, blur = sums.observed
        assert (np.abs(value - exact) <= blur + 1e-10).all()
        copies = [(c, order) for c in candidates]
        shuffled = entropies.copies(given, copies, lambda _: None, entropies.computation.exact)
        exact = np.array([pair.conditional for pair in shuffled])
        value, blur = sums.conditional([order, np.arange(N)])
        assert (np.abs(value[0] - exact) <= blur[0] + 1e-10).all()
        assert (np.abs(value[1] - sums.observed[0]) <= blur[1] + sums.observed[1]).all()
        copies = sums.copies([(2, order), (0, order)])
        assert copies == pytest.approx(exact[[2, 0]], abs=1e-12)
        for place in (1, 3):
            pair = sums.pair(place)
            exact = sums.exactly([place])[0]
            assert abs(pair.conditional - exact) <= pair.error + 1e-12
            assert pair.error <= (2e-6 if sums.together else 1e-9)
        found[solver] = sums
    auto, dense = found["auto"], found["dense"]
    for name in ("gain", "deviation"):
        one, other = getattr(auto.chance, name), getattr(dense.chance, name)
        assert one == pytest.approx(other, rel=1e-5, abs=1e-6)
    truth = Truth(auto.entropies, given, candidates)
    assert auto.before == pytest.approx(truth.before, abs=1e-6)
    assert dense.before == pytest.approx(truth.before, abs=1e-6)
    z = truth.z(auto.chance)
    for sums in (auto, dense):
        value = sums.standardised(sums.exactly(range(len(candidates))))
        assert value == pytest.approx(z, abs=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_ranking_is_brute_force(seed, entropies_of):
    label, options = CASES[seed % len(CASES)]
    data = data_of(label, seed=seed)
    for given in GIVEN:
        candidates = rest_of(given)
        entropies = entropies_of(data, **options)
        sums = CandidateSums(entropies, given, candidates)
        ranked = rank_above_chance(sums)
        z = Truth(entropies, given, candidates).z(sums.chance)
        first, second = np.argsort(-z, kind="stable")[:2]
        assert (ranked.best, ranked.second) == (first, second)
        assert ranked.z == pytest.approx(z[first], abs=1e-3)
        assert ranked.chance == sums.chance.gain[first]
        assert ranked.deviation == sums.chance.deviation[first]
        gap = (z[first] - z[second]) * ranked.deviation
        assert ranked.gap == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize("solver", ["auto", "dense"])
@pytest.mark.parametrize("given", [(), (1,)])
def test_equal_columns_go_to_the_lowest(solver, given, entropies_of):
    """Mirrored and renamed columns tie exactly; the order of columns decides among them."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=N)
    codes = rng.integers(0, 4, N)
    other = tables.continuous("other", rng.normal(size=N))
    y = tables.nominal("y", (x + 0.5 * rng.normal(size=N) > 0).astype(int))
    mirrored = [tables.continuous("minus", 3 - 2 * x), tables.continuous("plus", x)]
    named = [tables.nominal("a", codes), tables.nominal("b", 3 - codes)]
    for columns in (
        (named[0], other, *mirrored, named[1]),
        (mirrored[1], other, mirrored[0], *named),
        (*named, other, *mirrored),
    ):
        if columns[1] is not other and given:
            continue
        data = Dataset(tuple(c.variable for c in columns), (y.variable,))
        candidates = rest_of(given, len(columns))
        ranked = rank_above_chance(CandidateSums(entropies_of(data, solver), given, candidates))
        places = [k for k, c in enumerate(candidates) if columns[c] in mirrored]
        assert [ranked.best, ranked.second] == places
        assert ranked.gap == pytest.approx(0.0, abs=1e-9)


def test_the_next_step_is_begun_by_what_this_one_asks(way, entropies_of):
    """The pair of the best comes out of the pass of the step after it, which is then at hand."""
    entropies = entropies_of(data_of(), bandwidth=1.0)
    sums = CandidateSums(entropies, (0,), rest_of((0,)))
    sums.pair(1)
    rest = [3, 4, 5, 6, 1]
    given = (0, 2)
    following = sums.after(given, sorted(rest))
    assert following.given == given
    if way == "many rows":
        assert sums.after(given, sorted(rest)) is following
        assert following.own == sums.pair(1)
    assert sums.after(given, rest).candidates == tuple(rest)


def test_one_candidate_has_no_runner_up(entropies_of):
    ranked = rank_above_chance(CandidateSums(entropies_of(data_of()), (0, 1), [4]))
    assert (ranked.best, ranked.second, ranked.gap) == (0, None, 0.0)


def gains_of(sums, place, scheme=None, tick=untold, **given):
    scheme = scheme or PlainPermutations(sums.n, 3, 1)
    return StandardisedGains(sums, scheme, place, sums.chance, tick, **given)


@pytest.mark.parametrize("given", [(), (0, 3)])
@pytest.mark.parametrize(("label", "options"), CASES)
def test_largest_gains_are_brute_force(label, options, given, entropies_of):
    candidates = rest_of(given)
    entropies = entropies_of(data_of(label), **options)
    sums = CandidateSums(entropies, given, candidates)
    truth = Truth(entropies, given, candidates)
    scheme = PlainPermutations(N, 3, 1)
    largest = [truth.z(sums.chance, scheme.order(k)).max() for k in range(30)]
    assert max(truth.z(sums.chance)) == pytest.approx(rank_above_chance(sums).z, abs=1e-3)
    for place, observed in enumerate(truth.z(sums.chance)):
        gains = gains_of(sums, place)
        assert gains.observed == pytest.approx(observed, abs=1e-3)
        values = [*gains.values(0, 7, 30), *gains.values(7, 30, 30)]
        assert values == pytest.approx(largest, abs=gains.error + 1e-3)
        clear = np.abs(np.array(largest) - observed) > 1e-3
        counts = [np.array(v)[clear] >= observed - gains.tie for v in (values, largest)]
        assert np.array_equal(*counts)
        assert gains.values(0, 30, 30) == values


def test_a_replicate_that_is_the_observed_order_is_a_tie(way, entropies_of):
    sums = CandidateSums(entropies_of(data_of()), (0,), rest_of((0,)))
    ranked = rank_above_chance(sums)
    itself = SimpleNamespace(order=lambda _: np.arange(N))
    gains = gains_of(sums, ranked.best, itself)
    assert gains.observed == pytest.approx(ranked.z, abs=1e-9 if way != "many rows" else 1e-4)
    assert gains.values(0, 2, 2) == pytest.approx([ranked.z] * 2, abs=gains.error + 1e-4)
    assert min(gains.values(0, 2, 2)) >= ranked.z - gains.tie


def test_progress_is_told_and_replicates_are_noted(entropies_of):
    told, noted = [], []
    sums = CandidateSums(entropies_of(data_of()), (), rest_of(()))
    gains = gains_of(sums, 0, tick=lambda *count: told.append(count), note=noted.append)
    gains.values(0, 3, 9)
    gains.values(3, 4, 9)
    assert told == [(0, 9, 3), (3, 9), (3, 9, 1), (4, 9)]
    assert noted == [0, 1, 2, 3]
    assert gains.count == len(RECIPE)


@pytest.fixture
def path_of(entropies_of):
    def search(data, jobs=None, solver="auto", **options):
        chosen = method_options(**{"max_features": 4, **options})
        run = ForwardSearch(data, entropies_of(data, solver, jobs, **options), chosen)
        return list(run), run.verdict

    return search


def without_names(step):
    return (step.feature, step.selected, [(r.stop, r.drawn, r.exceedances) for r in step.criteria])


@pytest.mark.parametrize(("label", "options"), CASES)
def test_the_answer_is_the_same_for_any_number_of_workers(label, options, path_of):
    one, four = (path_of(data_of(label, seed=2), jobs, **options) for jobs in (1, 4))
    assert one[0] == four[0]
    assert one[1] == four[1]


@pytest.mark.parametrize(("label", "options"), CASES)
def test_the_answer_is_the_same_for_any_order_of_columns(label, options, path_of):
    data = data_of(label, seed=4)
    steps, verdict = path_of(data, **options)
    order = [5, 2, 6, 0, 4, 1, 3]
    turned = Dataset(tuple(data.features[j] for j in order), data.targets)
    others, same = path_of(turned, **options)
    assert list(map(without_names, steps)) == list(map(without_names, others))
    for step, other in zip(steps, others, strict=True):
        for name in ("mi", "gain", "chance", "z", "mi_chance"):
            assert getattr(step, name) == pytest.approx(getattr(other, name), abs=1e-6)
    assert verdict.stopped == same.stopped


@pytest.mark.parametrize(("label", "options"), CASES)
def test_steps_say_what_chance_gives(label, options, entropies_of, path_of):
    data = data_of(label, seed=3)
    steps, _ = path_of(data, criteria="none", **options)
    names = [variable.name for variable in data.features]
    entropies = entropies_of(data, **options)
    given = []
    for step in steps:
        newest = names.index(step.feature)
        sums = CandidateSums(entropies, given, [newest])
        truth = Truth(entropies, given, [newest])
        assert step.z == pytest.approx(truth.z(sums.chance)[0], abs=1e-3)
        above = step.z * sums.chance.deviation[0]
        assert step.above_chance == pytest.approx(above, abs=1e-9)
        assert step.gain - step.chance == pytest.approx(step.above_chance, abs=1e-12)
        given.append(newest)
        assert step.mi_chance == pytest.approx(
            chance_information(entropies, entropies.pair(given)), abs=1e-6
        )
