"""Searches that take features away, against a slow definition of each."""

from functools import cache

import numpy as np
import pytest

import oracle
import tables
from renyi.information import chance_information
from renyi.options import method_options
from renyi.resampling import scheme_of
from renyi.selection import search_of, selected_after
from tables import raw_options

TIE = 1e-9
RECIPES = ("CRBNOW", "BBNCRC")


def run(table, *, keep=(), start=(), jobs=None, raw=True, **options):
    """Return the steps of a search, and the search."""
    make = raw_options if raw else method_options
    chosen = make(**{"bandwidth": 1.0, "criteria": "none", **options})
    search = search_of(
        table.dataset, tables.entropies(table, chosen, jobs), chosen, keep=keep, start=start
    )
    return list(search), search


def told(steps):
    """What each step does, as (action, columns)."""
    return [
        (step.action, tuple(int(name.removeprefix("f")) for name in step.features))
        for step in steps
    ]


def columns(steps):
    return [int(name.removeprefix("f")) for name in selected_after(steps)]


def mi_of(table, alpha):
    """I(Z; y) of any set of columns, by the oracle."""

    @cache
    def of(members):
        return oracle.mutual_information(
            [table.features[j].gram for j in sorted(members)], [table.label], alpha
        )

    return lambda members: of(frozenset(members))


def largest(values):
    """The key of the largest value, of those within a tie the first."""
    best = max(values.values())
    return next(key for key, value in values.items() if value >= best - TIE)


def backward(mi, count, left, keep=()):
    """Take away what leaves the largest MI, ties to the highest column."""
    members, path = list(range(count)), [("start", tuple(j for j in range(count) if j not in keep))]
    while len(members) > left:
        free = sorted(set(members) - set(keep), reverse=True)
        weakest = largest({x: mi(set(members) - {x}) for x in free})
        members.remove(weakest)
        path.append(("remove", (weakest,)))
    return path


def floating(mi, count, most, keep=()):
    """Sequential floating forward selection; sets of a size are compared by MI."""
    members, path = list(keep), [("keep", (x,)) for x in keep]
    best = {len(keep): mi(keep) if keep else 0.0}
    while len(members) < most:
        rest = [x for x in range(count) if x not in members]
        newest = largest({x: mi({*members, x}) for x in rest})
        members.append(newest)
        path.append(("add", (newest,)))
        best[len(members)] = max(mi(members), best.get(len(members), -np.inf))
        while True:
            free = [x for x in sorted(members, reverse=True) if x not in {newest, *keep}]
            if not free:
                break
            without = {x: mi(set(members) - {x}) for x in free}
            worst = largest(without)
            if without[worst] <= best[len(members) - 1] + TIE:
                break
            members.remove(worst)
            path.append(("remove", (worst,)))
            best[len(members)] = without[worst]
    return path


def beam(mi, count, most, width, keep=()):
    """The best set of each size, of the best extensions of the best sets."""
    sets, found = [tuple(keep)], []
    while len(sets[0]) < most:
        larger = {
            frozenset((*members, x)) for members in sets for x in range(count) if x not in members
        }
        values = {tuple(sorted(members)): mi(members) for members in sorted(larger, key=sorted)}
        sets = []
        while values and len(sets) < width:
            sets.append(largest(values))
            del values[sets[-1]]
        found.append(set(sets[0]))
    return found


@pytest.mark.parametrize("keep", [(), (2, 0)])
@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize("recipe", RECIPES)
def test_backward_takes_away_what_is_needed_least(recipe, alpha, keep):
    for seed in range(3):
        table = tables.random_table(recipe, "delta", 40, seed=seed)
        mi = mi_of(table, alpha)
        left = 1 + len(keep)
        steps, search = run(table, search="backward", max_features=left, alpha=alpha, keep=keep)
        expected = backward(mi, len(recipe), left, keep)
        assert told(steps) == [*(("keep", (x,)) for x in keep), *expected]
        members = set(range(len(recipe)))
        for step, (action, (removed, *_)) in zip(steps[len(keep) :], expected, strict=True):
            before = mi(members)
            if action == "remove":
                members.remove(removed)
                assert step.gain == pytest.approx(before - mi(members), abs=1e-9)
                assert not step.selected
                assert step.done
            assert step.mi == pytest.approx(mi(members), abs=1e-9)
            assert step.cmi == pytest.approx(mi(range(len(recipe))) - mi(members), abs=1e-9)
        assert set(columns(steps)) == members >= set(keep)
        assert search.verdict.stopped == "max_features"


@pytest.mark.parametrize("keep", [(), (3, 1)])
@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize("recipe", RECIPES)
def test_floating_goes_back_where_that_is_better(recipe, alpha, keep):
    for seed in range(3):
        table = tables.random_table(recipe, "delta", 40, seed=10 + seed)
        mi = mi_of(table, alpha)
        steps, _ = run(table, search="floating", alpha=alpha, keep=keep)
        assert told(steps) == floating(mi, len(recipe), len(recipe), keep)
        for number, step in enumerate(steps, 1):
            assert step.mi == pytest.approx(mi(columns(steps[:number])), abs=1e-9)


@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_beam_leads_from_the_best_set_of_a_size_to_that_of_the_next(recipe, alpha, width):
    for seed in range(3):
        table = tables.random_table(recipe, "delta", 40, seed=20 + seed)
        mi = mi_of(table, alpha)
        keep = (1,) if seed == 2 else ()
        steps, search = run(table, search=f"beam:{width}", alpha=alpha, keep=keep)
        found = [
            set(columns(steps[:number]))
            for number, step in enumerate(steps, 1)
            if step.action == "add"
        ]
        assert found == beam(mi, len(recipe), len(recipe), width, keep)
        for number, step in enumerate(steps, 1):
            assert step.mi == pytest.approx(mi(columns(steps[:number])), abs=1e-9)
        assert search.verdict.stopped == "exhausted"


def needless_first(n=80, seed=0, noise=3):
    """The best single column says less than two others, which make up the target."""
    rng = np.random.default_rng(seed)
    parts = rng.normal(size=(2, n))
    total = parts.sum(axis=0)
    values = [total + 0.9 * rng.normal(size=n), *parts, *rng.normal(size=(noise, n))]
    features = tuple(tables.continuous(f"f{j}", value, 2.0) for j, value in enumerate(values))
    return tables.Table(features, tables.continuous("y", total, 2.0))


@pytest.mark.parametrize("raw", [True, False])
def test_floating_drops_a_column_that_two_later_ones_are_better_without(raw):
    table, given = needless_first(), {"bandwidth": 2.0, "criteria": "cmi-max", "raw": raw}
    forward, _ = run(table, **given)
    assert columns(forward) == [0, 1, 2]
    steps, _ = run(table, search="floating", **given)
    assert told(steps)[:4] == [("add", (0,)), ("add", (1,)), ("add", (2,)), ("remove", (0,))]
    assert columns(steps[:4]) == [1, 2]
    kept, _ = run(table, search="floating", keep=(0,), **given)
    assert [step.action for step in kept] == ["keep", "add", "add", "add"]
    by_beam, _ = run(table, search="beam:3", **given)
    assert told(by_beam)[:3] == [("add", (0,)), ("remove", (0,)), ("add", (1, 2))]
    two, _ = run(table, search="backward", max_features=2, bandwidth=2.0, raw=raw)
    assert columns(two) == [1, 2]


@pytest.mark.parametrize("recipe", ["CRBNOWC", "NNNCBB"])
def test_by_chance_a_set_is_left_for_a_better_one_of_its_size_only(recipe):
    """MI less what chance gives rises with each removal, and none is left out."""
    gone = 0
    for seed in range(12):
        table = tables.random_table(recipe, "delta", 50, seed=seed)
        options = method_options(search="floating", criteria="none", bandwidth=2.0)
        known = tables.entropies(table, options)
        steps, _ = run(table, search="floating", bandwidth=2.0, raw=False)

        def value(members, known=known):
            pair = known.pair(members)
            return known.mutual_information(pair) - chance_information(known, pair)

        best, newest = {}, ()
        for number, step in enumerate(steps, 1):
            members = columns(steps[:number])
            mine = value(members)
            assert step.mi - step.mi_chance == pytest.approx(mine, abs=1e-9)
            if step.action == "remove":
                gone += 1
                assert mine > best[len(members)] + TIE
            else:
                newest = {int(name[1:]) for name in step.features}
            best[len(members)] = max(mine, best.get(len(members), mine))
            goes_back = number < len(steps) and steps[number].action == "remove"
            if not goes_back and len(members) > 1:
                free = set(members) - newest
                without = [value(set(members) - {x}) for x in free]
                assert max(without) <= best[len(members) - 1] + TIE
        assert len(columns(steps)) == len(recipe)
    assert gone


def test_backward_by_chance_compares_as_a_forward_step_would():
    table = tables.random_table("CRBNOW", "delta", 60, seed=3)
    given = {"bandwidth": 2.0, "raw": False}
    steps, _ = run(table, search="backward", max_features=2, **given)
    members = list(range(6))
    for step in steps[1:]:
        z = {}
        for column in members:
            others = [x for x in members if x != column]
            part = tables.Table(tuple(table.features[x] for x in (*others, column)), table.target)
            last = run(part, keep=range(len(others)), **given)[0][-1]
            z[column] = last.z
        weakest = min(z, key=z.__getitem__)
        assert step.features == (f"f{weakest}",)
        assert step.z == pytest.approx(z[weakest], abs=1e-6)
        assert step.above_chance == pytest.approx(step.gain - step.chance)
        members.remove(weakest)


def orders(table, turn, count, seed=0):
    scheme = scheme_of(None, table.n, seed, turn)
    return [scheme.order(number) for number in range(count)]


@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize("criterion", ["mi-perm", "cmi-max"])
def test_backward_asks_whether_the_column_would_enter(criterion, alpha):
    """The test is that of a forward step from the others, among those not in the set."""
    table = tables.random_table("CRBN", "delta", 50, seed=4)
    steps, search = run(
        table, search="backward", criteria=criterion, permutations=19, alpha=alpha, seed=5
    )
    mi, members = mi_of(table, alpha), list(range(4))
    tested = 0
    for step in steps[1:]:
        (report,) = step.criteria
        (column,) = (int(name[1:]) for name in step.features)
        others = [x for x in members if x != column]
        chosen = [*others, column]
        drawn = orders(table, step.index - 1 + 4, report.drawn, seed=5)
        if criterion == "mi-perm":
            truth = oracle.mi_permutation(table.grams, table.label, alpha, chosen, drawn)
            as_good = truth.exceedances
        else:
            gain = mi(members) - mi(others)
            found = [oracle.largest_gain(table.grams, table.label, alpha, chosen, o) for o in drawn]
            as_good = sum(value >= gain - TIE for value in found)
        assert report.exceedances == as_good
        assert report.stop is step.selected is report.keeps_feature
        tested += 1
        members = members if step.selected else others
    assert tested
    assert columns(steps) == members
    last = steps[-1]
    if last.selected:
        assert search.verdict.stopped == "criterion"
        assert "before taking away" in search.verdict.reason
    else:
        assert search.verdict.stopped == "exhausted"


def test_a_beam_is_judged_by_its_weakest_feature_at_its_share_of_the_level():
    table = needless_first(noise=4)
    steps, search = run(
        table, search="beam:3", criteria="cmi-max", bandwidth=2.0, raw=False, seed=2
    )
    assert set(columns(steps)) == {0, 1, 2}
    last = steps[-1]
    assert not last.selected
    assert search.verdict.stopped == "criterion"
    (report,) = last.criteria
    assert "tells the least" in report.reason
    assert "level 0.0167" in report.reason
    options = method_options(search="beam:3", criteria="cmi-max")
    assert options.looks == 3
    assert options.permutations == "auto:179"


@pytest.mark.parametrize("search", ["backward", "floating", "beam:2"])
def test_a_search_is_the_same_for_any_number_of_workers(search):
    table = needless_first(n=90)
    for alpha in (1.01, 2.0):
        given = {"criteria": "cmi-max", "search": search, "bandwidth": 2.0, "alpha": alpha}
        first, one = run(table, jobs=1, raw=False, **given)
        second, two = run(table, jobs=3, raw=False, **given)
        assert first == second
        assert one.verdict == two.verdict


@pytest.mark.parametrize("search", ["backward", "floating", "beam:3"])
@pytest.mark.parametrize("keep", [(), (0,)])
def test_a_search_goes_on_from_finished_steps(search, keep):
    table = needless_first(noise=4)
    options = method_options(search=search, criteria="cmi-max", bandwidth=2.0, seed=1)

    def made(finished=()):
        known = tables.entropies(table, options)
        return search_of(table.dataset, known, options, keep=keep, finished=finished)

    whole = made()
    steps = list(whole)
    assert any(step.action == "remove" for step in steps) or keep
    for count in range(len(steps) + 1):
        again = made(steps[:count])
        assert list(again) == steps
        assert again.verdict == whole.verdict
        assert len(again.work) == len(steps) - count


@pytest.mark.parametrize("search", ["forward", "floating"])
def test_a_search_begins_where_another_ended(search):
    """One that begins with its first features goes on as it would have gone on."""
    table = tables.random_table("CRBNOWC", "delta", 60, seed=6)
    given = {"criteria": "cmi-max", "significance": 0.6, "search": search, "raw": False}
    whole, _ = run(table, **given)
    assert len(whole) > 3
    begun = columns(whole[:2])
    steps, _ = run(table, start=begun, **given)
    assert told(steps)[0] == ("start", tuple(begun))
    for step, truth in zip(steps[1:], whole[2:], strict=True):
        assert (step.features, step.selected) == (truth.features, truth.selected)
        assert (step.mi, step.z, step.criteria) == (truth.mi, truth.z, truth.criteria)


def test_backward_begins_with_what_it_is_given():
    table = needless_first(noise=4)
    steps, _ = run(
        table, search="backward", criteria="cmi-max", bandwidth=2.0, start=(0, 4, 2, 1), raw=False
    )
    assert told(steps)[0] == ("start", (0, 4, 2, 1))
    assert columns(steps) == [0, 2, 1]


@pytest.mark.slow
@pytest.mark.parametrize("search", ["backward", "floating", "beam:2"])
def test_noise_alone_is_seldom_selected(search):
    """The level holds for the whole search where nothing matters: 60 tables of six columns."""
    found = 0
    for seed in range(60):
        rng = np.random.default_rng([seed, 77])
        features = tuple(tables.continuous(f"f{j}", rng.normal(size=60)) for j in range(6))
        table = tables.Table(features, tables.nominal("y", rng.integers(0, 2, size=60)))
        given = {"search": search, "criteria": "cmi-max", "bandwidth": 2.0}
        found += bool(columns(run(table, raw=False, seed=seed, **given)[0]))
    assert found <= 8  # 5% of 60 are 3; more than 8 with a chance of .003
