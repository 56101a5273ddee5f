"""``renyi compare`` on a small real table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.wording import comparison_sentence, stop_words

# words of a verdict that no short comparison gives
from renyi_cli.pages._compare_page import _ends

Run = Callable[..., Any]
QUICK = ("--alpha", "2", "--runs", "6", "--permutations", "39")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(4)
    y = rng.integers(2, size=100)
    file = tmp_path_factory.mktemp("compare") / "data.csv"
    pl.DataFrame(
        {
            "good": y + rng.normal(scale=0.5, size=100),
            "noise": rng.normal(size=100),
            "y": np.where(y, "yes", "no"),
        }
    ).write_csv(file)
    return file


def test_the_page_has_a_row_a_criterion_and_says_what_to_make_of_it(run: Run, table: Path) -> None:
    result = run("compare", str(table), *QUICK)
    assert result.exit_code == 0
    found = renyi.compare(str(table), alpha=2, runs=6, permutations=39)
    rows = {line.split()[0]: line.split() for line in result.stdout.splitlines() if line.strip()}
    for outcome in found.results:
        assert rows[outcome.criterion][1] == str(outcome.features)
        assert rows[outcome.criterion][2] == f"{100 * outcome.score.mean:.1f}%"
    assert f"Best: {found.best} feature" in result.stdout
    assert "How to read" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json_and_csv_are_what_python_gives(run: Run, table: Path) -> None:
    chosen = ("compare", str(table), "--criterion", "mi-perm", "--sizes", "0-1", *QUICK)
    found = renyi.compare(
        str(table), criterion="mi-perm", sizes=(0, 1), alpha=2, runs=6, permutations=39
    )
    record = json.loads(run(*chosen, "--json").stdout)
    del record["run"]
    told = json.loads(found.to_json())
    del told["run"]
    assert record == told
    assert run(*chosen, "--format", "csv").stdout == found.to_polars().write_csv()


def test_results_and_figures_are_written(run: Run, table: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    result = run(
        *("compare", str(table), "--criterion", "mi-chi2", *QUICK),
        *("-o", str(tmp_path / "c.json"), "--plot", str(tmp_path / "c.svg")),
    )
    assert result.exit_code == 0
    assert json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))["runs"] == 6
    assert "<svg" in (tmp_path / "c.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (("--sizes", "1-"), "--sizes must be numbers"),
        (("--sizes", "5-2"), "--sizes must be ranges"),
        (("--sizes", "1-9999999999"), "--sizes must be ranges"),
        (("--runs", "x"), "--runs must be a whole number"),
        (("--criterion", "none"), "criterion must name criteria"),
        (("--plot", "c.gif"), "--plot must end in .png, .svg, .pdf"),
        (("--model", "tree"), "model must be one of"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(
    run: Run, table: Path, wrong: tuple[str, str], told: str
) -> None:
    result = run("compare", str(table), *QUICK, *wrong)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.replace("`", "").split())


def test_verdicts_follow_from_distance_and_test(table: Path) -> None:
    from dataclasses import replace

    found = renyi.compare(str(table), criterion="mi-perm", alpha=2, runs=6, permutations=39)
    (result,) = found.results

    def said(distance: int, p_value: float, stopped: str = "criterion") -> str:
        score = replace(result.score, p_value=p_value)
        return stop_words(
            replace(result, distance=distance, score=score, stopped=stopped),  # type: ignore[arg-type]
            found,
        )

    assert said(0, 0.5) == "enough"
    assert said(-2, 0.01) == "too few"
    assert said(3, 0.5) == "more than needed"
    assert said(3, 0.01) == "worse than fewer"
    assert said(3, 0.5, "max_features") == "did not stop"


def test_no_feature_as_the_best_answer_is_told_as_such(table: Path) -> None:
    from dataclasses import replace

    found = renyi.compare(str(table), criterion="mi-perm", alpha=2, runs=6, permutations=39)
    none = replace(found, best=0, smallest=0)
    assert comparison_sentence(none).endswith(": no number of features predicts better than none.")
    more = replace(found, best=1, smallest=1)
    assert comparison_sentence(more).endswith("; fewer predict worse.")
    assert "; 0 features predict no worse (" in comparison_sentence(
        replace(found, best=1, smallest=0)
    )
    curve = (*found.curve, replace(found.score(1), size=2))
    fewer = replace(found, best=2, smallest=1, curve=curve)
    assert "; 1 feature predicts no worse (" in comparison_sentence(fewer)
    wide = replace(found.score(0), mean=0.9, half_width=0.95)
    assert _ends(wide, found) == "0.0 to 100.0"


def test_the_page_says_why_its_width_is_not_that_of_a_selection(run: Run, table: Path) -> None:
    def method(*asked: str) -> str:
        return " ".join(run("compare", str(table), *QUICK, *asked).stdout.split())

    assert "alpha 2, sigma 2 throughout, for CMI, zscore" in method()
    assert "alpha 2, steady, zscore" in method("--criterion", "cmi-max")
    assert "alpha 2, steady, zscore" in method("--bandwidth", "steady")
    assert "alpha 2, sigma 2, zscore" in method("--criterion", "mi-perm", "--bandwidth", "2")


@pytest.mark.parametrize("phase", ["step", "models"])
def test_what_was_finished_is_printed_on_ctrl_c(
    run: Run, table: Path, tmp_path: Path, phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def watched(self: Any, report: Any) -> None:
        if report.phase == phase and report.step > 1:
            raise KeyboardInterrupt

    monkeypatch.setattr("renyi_cli.commands._compare.Watch.__call__", watched)
    chosen = ("compare", str(table), *QUICK, "--output", str(tmp_path / "c.json"))
    page = run(*chosen)
    assert page.exit_code == 130
    assert "Interrupted" in page.stdout
    assert "which is best is not known" in " ".join(page.stdout.split())
    assert max(map(len, page.stdout.splitlines())) <= 80
    record = json.loads(run(*chosen, "--json").stdout)
    assert record["interrupted"] is True
    names = [one["criterion"] for one in record["results"]]
    assert f"Path so far: {', '.join(record['path'])}" in page.stdout
    assert all(f"  {name}: " in page.stdout for name in names)
    csv = run(*chosen, "--format", "csv").stdout
    assert [line.partition(",")[0] for line in csv.splitlines()[1:]] == names
    assert not (tmp_path / "c.json").exists()
