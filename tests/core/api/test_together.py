"""Rows that belong together, from the option to the answer."""

import json
import re

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.errors import ColumnError, MissingValuesError, OptionError

N, GROUPS = 120, 20


def visits(seed=0, *, varies=False, sizes=None):
    """Rows of subjects: `own` says something of y, `noise` is noise of the subject."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(GROUPS), N // GROUPS if sizes is None else sizes)
    n, count = len(codes), codes.max() + 1
    label = np.arange(count) % 2
    y = label[codes]
    if varies:
        y = (rng.random(n) < 0.5).astype(int)
    return {
        "own": y + 0.3 * rng.normal(size=n),
        "noise": rng.normal(size=count)[codes] + 0.2 * rng.normal(size=n),
        "fixed": rng.normal(size=count)[codes],
        "subject": [f"p{code:02}" for code in codes],
        "y": np.where(y, "a", "b"),
    }


def series(n=150, seed=0):
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(3, n))
    for row in range(1, n):
        made[:, row] += 0.9 * made[:, row - 1]
    return {"x0": made[0], "x1": made[1], "y": made[2]}


def test_whole_groups_where_the_target_is_constant_in_them():
    found = renyi.select(visits(), groups="subject")
    assert found.selected[0] == "own"
    together = found.data.together
    assert (together.groups, together.count, together.shuffle) == ("subject", 20, "whole")
    assert (together.moved, together.blocks) == (120, None)
    assert "the target is constant in each" in together.reason
    roles = {column.name: column.role for column in found.data.columns}
    assert roles["subject"] == "groups"
    assert "subject" not in {one.feature for one in found.unselected}
    (report,) = found.steps[0].criteria
    assert "as whole groups of `subject`" in report.reason
    assert report.drawn > 50
    record = json.loads(found.to_json())
    assert record["data_options"]["groups"] == "subject"
    assert type(found).from_dict(record) == found


def test_rows_within_groups_where_the_target_varies_in_them():
    found = renyi.select(visits(varies=True), groups="subject")
    assert found.selected == ("own",)
    assert found.data.together.shuffle == "within"
    assert "the target varies in them" in found.data.together.reason
    (note,) = [note for note in found.warnings if note.code == "constant_in_groups"]
    assert note.columns == ("fixed",)
    whole = renyi.select(visits(varies=True), groups="subject", shuffle="whole")
    assert whole.data.together.shuffle == "whole"
    assert "as asked" in whole.data.together.reason


def test_a_series_is_turned_or_moved_in_blocks():
    turned = renyi.select(series(), target="y", blocks="auto")
    assert (turned.data.together.shuffle, turned.data.together.groups) == ("rotate", None)
    assert turned.data.together.blocks > 4
    assert "by rotation" in turned.steps[0].criteria[0].reason
    blocks = renyi.select(series(), target="y", blocks=10)
    assert (blocks.data.together.shuffle, blocks.data.together.blocks) == ("whole", 10)
    assert "in blocks of 10" in blocks.steps[0].criteria[0].reason


def test_a_short_block_lowers_the_level():
    """In blocks of 2 rows neighbours are parted everywhere: nothing could pass."""
    table = series(400)
    table["copy"] = table["y"] + np.random.default_rng(0).normal(size=400)
    with pytest.raises(OptionError, match="Blocks of 2 rows are too short") as caught:
        renyi.select(table, target="y", blocks=2)
    least = int(re.search(r"blocks of (\d+) rows", str(caught.value.hint)).group(1))
    assert 4 < least < 40
    levels = []
    for blocks in (40, "auto"):
        found = renyi.select(table, target="y", blocks=blocks)
        assert found.selected[0] == "copy"
        said = re.search(r"level ([0-9.]+)", found.steps[0].criteria[0].reason)
        levels.append(float(said.group(1)))
    assert 1 / 60 <= levels[0] < levels[1] <= 0.05


def test_each_group_may_be_a_series():
    rng = np.random.default_rng(2)
    codes = np.repeat(np.arange(6), 40)
    y = np.concatenate([series(40, seed)["y"] for seed in range(6)])
    table = {"own": y + 0.2 * rng.normal(size=240), "subject": codes.astype(str), "y": y}
    table["noise"] = np.concatenate([series(40, seed + 9)["y"] for seed in range(6)])
    found = renyi.select(table, target="y", groups="subject", blocks="auto")
    assert found.selected[0] == "own"
    assert found.data.together.count == 6
    assert "by rotation within groups of `subject`" in found.steps[0].criteria[0].reason


def test_groups_are_part_of_the_fingerprint():
    plain, other = visits(), visits()
    other["subject"] = other["subject"][::-1]
    prints = {
        renyi.select(t, groups=g, exclude=e, target="y", max_features=1, shuffle=s).data.fingerprint
        for t, g, e, s in (
            (plain, None, ("subject",), "auto"),
            (plain, "subject", (), "auto"),
            (other, "subject", (), "whole"),
        )
    }
    assert len(prints) == 3


def test_groups_of_a_size_of_their_own_stay():
    sizes = [6] * 17 + [3, 9, 6]
    found = renyi.select(visits(sizes=sizes), groups="subject")
    assert found.data.together.moved == 108
    assert "12 rows in groups of a size of their own stay" in found.data.together.reason


def test_a_column_of_numbers_may_name_groups():
    table = visits()
    table["subject"] = [int(name[1:]) for name in table["subject"]]
    assert renyi.select(table, groups="subject").data.together.count == 20


def test_rows_without_a_group_are_dropped_or_refused():
    table = pl.DataFrame(visits()).with_columns(
        subject=pl.when(pl.int_range(N) < 6).then(None).otherwise(pl.col("subject"))
    )
    with pytest.raises(MissingValuesError, match="`groups` must say of every row"):
        renyi.select(table, groups="subject")
    found = renyi.select(table, groups="subject", missing="drop")
    assert (found.data.rows_used, found.data.together.count) == (114, 19)
    (note,) = [note for note in found.warnings if note.code == "rows_dropped"]
    assert note.columns == ("subject",)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"groups": "subjekt"}, ColumnError, "Did you mean `subject`"),
        ({"groups": "y", "target": "y"}, ColumnError, "which is the target"),
        ({"groups": "subject", "keep": "subject"}, ColumnError, "which is forced in"),
        ({"groups": "row"}, ColumnError, "a value of its own"),
        ({"groups": "one"}, ColumnError, "two groups at least"),
        ({"groups": "subject", "shuffle": "within"}, ColumnError, "constant in each `subject`"),
        ({"groups": "subject", "blocks": 3}, ColumnError, "constant in each `subject`"),
        ({"shuffle": "whole"}, OptionError, "none are named"),
        ({"groups": "subject", "shuffle": "whole", "blocks": 3}, OptionError, "nothing to move"),
        ({"groups": "pair"}, OptionError, "takes 20 orders of the rows, and there is 1"),
        ({"blocks": 40}, OptionError, "120 rows make 3 blocks of 40"),
        ({"blocks": "auto", "significance": 0.005, "permutations": 400}, OptionError, "turned"),
        ({"blocks": "auto", "criterion": "cmi-local"}, OptionError, "keeps none of them together"),
        ({"blocks": 0}, OptionError, "at least 1"),
        ({"blocks": "day"}, OptionError, "a whole number or auto"),
        ({"shuffle": "some"}, OptionError, "auto, whole, within"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(given, error, words):
    table = visits() | {"row": [f"r{k}" for k in range(N)], "one": ["a"] * N}
    label = np.array(table["y"])
    table["pair"] = np.where(label == "a", "left", "right")
    table["pair"][np.flatnonzero(label == "a")[0]] = "third"
    with pytest.raises(error) as caught:
        renyi.select(table, **({"target": "y"} | given))
    assert words in f"{caught.value.message} {caught.value.hint}"


def test_samples_hold_whole_groups():
    found = renyi.select(visits(), groups="subject", rows=60)
    assert (found.data.rows_used, found.data.together.count) == (60, 10)
    (note,) = [note for note in found.warnings if note.code == "rows_sampled"]
    assert "whole groups" in note.message
    stretch = renyi.select(series(), target="y", blocks="auto", rows=80)
    assert stretch.data.rows_used == 80
    assert "one stretch" in " ".join(note.message for note in stretch.warnings)


def test_repeats_and_explanations_go_by_groups():
    found = renyi.select(visits(), groups="subject", stability=2)
    assert [one.feature for one in found.stability.features if one.share == 1] == ["own"]
    assert {one.feature: one.code for one in found.unselected} == {
        "noise": "uninformative",
        "fixed": "uninformative",
    }


def test_the_bandwidth_is_chosen_by_the_same_orders():
    found = renyi.select(visits(), groups="subject", bandwidth="auto")
    assert found.selected == ("own",)
    none = [
        bool(renyi.select(visits(seed), groups="subject", exclude="own", bandwidth="auto").selected)
        for seed in range(8)
    ]
    assert sum(none) <= 2


def test_compare_trains_and_tests_on_different_groups():
    table = visits()
    found = renyi.compare(table, groups="subject", runs=10, criterion=("cmi-max", "mi-chi2"))
    assert found.data.together.groups == "subject"
    assert found.to_dict()["data_options"]["groups"] == "subject"
    assert {"independent_rows"} <= {note.code for note in found.warnings}
    # the subject's own noise tells the class of a row of a known subject, not of another
    apart = renyi.compare(
        table, groups="subject", exclude="own", runs=20, criterion="cmi-max", model="knn"
    )
    mixed = renyi.compare(
        table, exclude=("own", "subject"), runs=20, criterion="cmi-max", model="knn"
    )
    assert apart.all_features.mean < 0.65 < mixed.all_features.mean


def test_compare_leaves_out_what_a_turned_series_cannot_serve():
    found = renyi.compare(series(), target="y", blocks="auto", runs=5)
    assert "cmi-local" not in {one.criterion for one in found.results}
    assert "criteria_left_out" in {note.code for note in found.warnings}
    with pytest.raises(OptionError, match="cmi-local"):
        renyi.compare(series(), target="y", blocks="auto", runs=5, criterion="cmi-local")


def test_describe_says_what_belongs_together():
    found = renyi.describe(visits(), groups="subject")
    assert found.data.together.shuffle == "whole"
    assert "subject" not in {column.name for column in found.columns}


def test_any_number_of_workers_gives_one_answer():
    paths = [renyi.select(visits(), groups="subject", jobs=jobs) for jobs in (1, 3)]
    assert paths[0] == paths[1]


NOISE = {
    "whole groups": ({"groups": "subject", "exclude": "own"}, visits),
    "rotations": ({"blocks": "auto", "target": "y"}, lambda seed: series(80, seed)),
}


@pytest.mark.parametrize("name", NOISE)
def test_noise_is_hardly_ever_selected(name):
    """Without the option 85% and more are; the exact 1% quantile of 40 runs at .05 is 6."""
    given, made = NOISE[name]
    picked = sum(bool(renyi.select(made(seed), **given, seed=seed).selected) for seed in range(40))
    assert picked <= 6


def unequal(seed):
    """Subjects of 2 to 7 rows, columns that are noise of the subject."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(40), rng.integers(2, 8, 40))
    table = {
        f"x{j}": rng.normal(size=40)[codes] + 0.5 * rng.normal(size=len(codes)) for j in range(10)
    }
    return table | {"subject": codes, "y": np.where(codes % 2, "a", "b")}


def sites(seed):
    """Eight sites, whose noise is in the columns and in the target alike."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(8), 25)
    made = rng.normal(size=(7, 8))[:, codes] + rng.normal(size=(7, 200))
    return {f"x{j}": made[j] for j in range(6)} | {"site": codes.astype(str), "y": made[6]}


def slow_series(seed):
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(6, 80))
    for row in range(1, 80):
        made[:, row] += 0.95 * made[:, row - 1]
    return {f"x{j}": made[j] for j in range(5)} | {"y": made[5]}


@pytest.mark.study
@pytest.mark.parametrize(
    ("made", "given"),
    [
        (unequal, {"groups": "subject"}),
        (sites, {"groups": "site"}),
        (slow_series, {"blocks": "auto"}),
        (NOISE["whole groups"][1], NOISE["whole groups"][0]),
    ],
    ids=["unequal", "sites", "series", "subjects"],
)
def test_the_level_is_kept(made, given):
    """Of 200 tables of noise at most 16: more has a chance of .02 at a level of .05."""
    picked = 0
    for seed in range(200):
        found = renyi.select(made(seed), **({"target": "y"} | given), seed=seed, max_features=1)
        picked += bool(found.selected)
    assert picked <= 16
