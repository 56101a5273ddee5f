"""Every score from the terminal: the same answer as in Python, a page that tells of it."""

import json

import polars as pl
import pytest

import renyi
from renyi.options import SCORES

NAMES = [name for name, traits in SCORES.items() if traits.shuffles]


def test_the_page_says_what_the_numbers_are_of(run, root):
    table = str(root / "data" / "waveform.parquet")
    page = run("select", table, "--rows", "300", "--score", "jmi", "--max-features", "3")
    assert page.exit_code == 0
    assert "score-max, score jmi, alpha 1, bins:5, delta" in page.stdout
    assert "preset shannon" in page.stdout
    head = next(line for line in page.stdout.splitlines() if "feature" in line and "MI" in line)
    assert head.split().index("score") == head.split().index("feature") + 1
    assert "sigma" not in page.stdout.split("\n\n")[0]
    assert "steady" not in page.stdout


def test_a_number_after_the_colon(run, root):
    table = str(root / "data" / "waveform.parquet")
    words = (
        "select",
        table,
        "--rows",
        "200",
        "--criterion",
        "none",
        "--max-features",
        "4",
        "--json",
    )
    half = json.loads(run(*words, "--score", "mifs:0.5").stdout)
    assert half["options"]["score"] == "mifs:0.5"
    wrong = run(*words, "--score", "mifs:lots")
    assert wrong.exit_code == 2
    assert (
        "--score mifs takes a number of at least 0 after the colon, got mifs:lots" in wrong.stderr
    )


def test_a_test_that_a_score_has_not(run, root):
    table = str(root / "data" / "waveform.parquet")
    wrong = run("select", table, "--criterion", "score-max")
    assert wrong.exit_code == 2
    assert "--criterion cmi-max or --criterion mi-perm" in wrong.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_score_on_heart(run, data_set, name):
    file = str(data_set("heart"))
    told = json.loads(run("select", file, "--score", name, "--json").stdout)
    known = renyi.select(pl.read_parquet(file), score=name)
    assert told["selected"] == list(known.selected)
    assert [step["score"] for step in told["steps"]] == [step.score for step in known.steps]
    usual = SCORES[name].criterion
    assert told["options"]["criteria"] == [usual]
    last = told["steps"][-1]["criteria"][0]
    stopped = told["verdict"]["stopped"] == "criterion"
    assert stopped == (last["exceedances"] is not None and last["stop"])
