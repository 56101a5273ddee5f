"""Chance taken out of gains at other orders than 2, where draws tell what it gives."""

import numpy as np
import pytest

import tables
from renyi.errors import OptionError
from renyi.information import CandidateSums, Computation, DrawnSums, SetEntropies, sums_of

# the number of draws to repeat them by
from renyi.information._drawn_sums import PILOT_ORDERS
from renyi.kernels import KernelModel
from renyi.options import method_options
from renyi.resampling import PlainPermutations
from renyi.selection import ForwardSearch

# the ranking without a search around it
from renyi.selection._ranking import rank_above_chance
from renyi.variables import Dataset, Variable


def named(name, codes):
    levels = int(np.max(codes)) + 1
    return Variable.nominal(name, np.asarray(codes), tuple(f"v{k}" for k in range(levels)))


def site_and_signal(seed, n=120, levels=15, signal=1.0):
    """A random column of many levels, one that the target depends on, and one of noise."""
    rng = np.random.default_rng(seed)
    t, noise = rng.normal(size=(2, n))
    y = (rng.random(n) < 1 / (1 + np.exp(-signal * t))).astype(int)
    features = (
        named("site", rng.integers(0, levels, n)),
        Variable.continuous("t", t),
        Variable.continuous("noise", noise),
    )
    return Dataset(features, (named("y", y),))


def options_of(alpha, **given):
    return method_options(alpha=alpha, rank="chance", **given)


def entropies_of(data, options, jobs=1):
    model, backend = KernelModel.build(data, options), tables.get_backend("numpy")
    return SetEntropies(
        Computation.of(model, options.alpha, backend, solver=options.solver, jobs=jobs)
    )


def steps_of(data, options, jobs=1, keep=()):
    entropies = entropies_of(data, options, jobs)
    return list(ForwardSearch(data, entropies, options, keep=keep)), entropies


def untold(done, total, ahead=0):
    pass


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1.01, 0.5, 3.0])
@pytest.mark.parametrize("given", [(), (1,)])
def test_what_chance_gives_is_what_many_draws_give(alpha, given):
    """Over many sets of pilot orders centre and spread are right, the centre better than plain."""
    data, draws, pilots = site_and_signal(0, n=60), 600, 20
    entropies = entropies_of(data, options_of(alpha))
    candidates = [j for j in range(3) if j not in given]
    rng = np.random.default_rng(8)
    orders = [rng.permutation(60) for _ in range(draws)]
    first = DrawnSums(entropies, given, candidates, PlainPermutations(60, 0, 1), untold)
    gains = first.before - first.conditional(orders)[0]
    mean, spread = gains.mean(axis=0), gains.std(axis=0)
    told = [
        sums_of(entropies, given, candidates, PlainPermutations(60, 1, k).pilot(), untold).chance
        for k in range(pilots)
    ]
    off = np.array([one.gain - mean for one in told]) / spread
    assert (np.abs(off).max(axis=0) <= 1.2).all()
    assert (np.abs(off.mean(axis=0)) <= 0.25).all()
    plain = 1 / PILOT_ORDERS**0.5
    assert np.sqrt((off**2).mean()) < plain
    ratios = np.array([one.deviation / spread for one in told])
    assert ratios.mean(axis=0) == pytest.approx(1, abs=0.2)
    assert np.isinf(told[0].reach).all()  # no tail is told from it


def test_at_order_two_it_is_what_it_was():
    entropies = entropies_of(site_and_signal(0, n=60), method_options())
    found = sums_of(entropies, (), (0, 1), PlainPermutations(60, 0, 1).pilot(), untold)
    assert type(found) is CandidateSums


def test_pilot_orders_are_not_those_of_the_test():
    scheme = PlainPermutations(50, 3, 2)
    pilot = scheme.pilot()
    assert (pilot.order(0) == PlainPermutations(50, 3, 2).pilot().order(0)).all()
    drawn = {tuple(scheme.order(k)) for k in range(100)}
    assert not drawn & {tuple(pilot.order(k)) for k in range(PILOT_ORDERS)}


def test_each_candidate_is_measured_before_any_is_named():
    told = []
    entropies = entropies_of(site_and_signal(1, n=40), options_of(3.0))
    pilot = PlainPermutations(40, 0, 1).pilot()
    sums = sums_of(entropies, (), (0, 1, 2), pilot, lambda *one: told.append(one))
    ranked = rank_above_chance(sums)
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert ranked.z == max(sums.standardised(sums.observed[0]))
    following = sums_of(entropies, (1,), (0, 2), pilot, untold, sums)
    assert following.squared is sums.squared  # kernel sums are found once


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1.01, 0.5])
def test_a_random_column_of_many_levels_hides_nothing(alpha):
    """By raw gains the true column is not found beside it; with chance taken out it is."""
    found = {"chance": [], "raw": []}
    for seed in range(6):
        data = site_and_signal(seed)
        for rank, names in found.items():
            steps, _ = steps_of(data, method_options(alpha=alpha, rank=rank, nominal="delta"))
            names.append([step.feature for step in steps if step.selected])
    assert sum("t" in names for names in found["chance"]) >= 5
    assert sum("site" in names for names in found["chance"]) <= 1
    assert sum("t" in names for names in found["raw"]) <= 2


@pytest.mark.slow
def test_noise_is_left_alone():
    """At level .05 one or two of 30 tables are expected to have something selected."""
    called = 0
    for seed in range(30):
        rng = np.random.default_rng(500 + seed)
        features = [Variable.continuous(f"x{k}", rng.normal(size=40)) for k in range(2)]
        features += [named(f"c{k}", rng.integers(0, k, 40)) for k in (2, 12)]
        data = Dataset(tuple(features), (named("y", (rng.random(40) < 0.3).astype(int)),))
        called += any(step.selected for step in steps_of(data, options_of(1.01, seed=seed))[0])
    assert called <= 5  # the chance of more is .004


def numbers(steps):
    return [
        (s.features, s.selected, [(r.drawn, r.exceedances, r.stop) for r in s.criteria])
        for s in steps
    ]


@pytest.mark.slow
@pytest.mark.parametrize("criteria", ["cmi-max", "cmi-local"])
@pytest.mark.parametrize("n", [90, 230])
def test_solvers_and_workers_say_the_same(criteria, n):
    """Beyond 192 rows values come from factors and bands, below from stacks."""
    data = site_and_signal(3, n=n, signal=2.0)
    plain, entropies = steps_of(data, options_of(1.01, criteria=criteria))
    assert plain[0].feature == "t"
    assert sum(entropies.ledger.solvers.values()) > PILOT_ORDERS
    others = [
        steps_of(data, options_of(1.01, criteria=criteria, solver="dense"))[0],
        steps_of(data, options_of(1.01, criteria=criteria), jobs=2)[0],
    ]
    assert others[1] == plain
    assert numbers(others[0]) == numbers(plain)
    for step, other in zip(plain, others[0], strict=True):
        for name in ("mi", "gain", "chance"):
            assert getattr(step, name) == pytest.approx(getattr(other, name), abs=1e-8)
        assert step.z == pytest.approx(other.z, abs=1e-5)


@pytest.mark.parametrize(("alpha", "solver"), [(3.0, "power"), (1.5, "eigen"), (1.01, "low-rank")])
def test_solvers_by_name(alpha, solver):
    data = site_and_signal(3, n=60)
    asked = options_of(alpha, max_features=1, nominal="delta")
    one = steps_of(data, asked)[0]
    other = steps_of(data, options_of(alpha, max_features=1, nominal="delta", solver=solver))[0]
    assert numbers(one) == numbers(other)
    assert one[0].z == pytest.approx(other[0].z, abs=1e-5)


@pytest.mark.parametrize("bandwidth", ["steady", "growing"])
def test_steps_say_what_chance_gives(bandwidth):
    data = site_and_signal(2, n=50)
    asked = options_of(3.0, criteria="none", bandwidth=bandwidth)
    steps, entropies = steps_of(data, asked, keep=(0,))
    assert [step.action for step in steps] == ["keep", "add", "add"]
    for number, step in enumerate(steps):
        place = data.names.index(step.feature)
        given = [data.names.index(one.feature) for one in steps[:number]]
        pilot = PlainPermutations(50, asked.seed, step.index).pilot()
        sums = DrawnSums(entropies, given, [place], pilot, untold)
        chance, deviation = sums.chance.gain[0], sums.chance.deviation[0]
        assert step.z == pytest.approx((step.gain - step.chance) / deviation, abs=1e-6)
        if not entropies.computation.model.widens(number + 1):
            assert step.chance == pytest.approx(chance, abs=1e-9)
        assert step.mi_chance is None  # no closed form, and no draws


def test_pairs_are_refused():
    with pytest.raises(OptionError, match="`lookahead` 2 needs alpha 2"):
        options_of(1.01, lookahead=2)
