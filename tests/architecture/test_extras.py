"""Optional means optional: without any extra the work is done, and what needs one says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import polars as pl
import pytest

Terminal = Callable[..., "CompletedProcess[str]"]
EXTRAS = ("matplotlib", "sklearn", "pooch", "dask", "distributed", "cupy", "fastexcel", "pandas")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("extras") / "table.csv"
    rows = [
        {"a": k % 4, "b": (7 * k) % 11 / 3, "y": "low" if k % 4 < 2 else "high"} for k in range(40)
    ]
    pl.DataFrame(rows).write_csv(path)
    return path


@pytest.fixture(scope="module")
def result(table: Path, terminal: Terminal) -> Path:
    path = table.with_name("result.json")
    done = terminal("select", table, "--alpha", 2, "-q", "-o", path, blocked=EXTRAS)
    assert done.returncode == 0, done.stderr
    return path


@pytest.mark.slow
def test_the_work_needs_no_extra(table: Path, result: Path, terminal: Terminal) -> None:
    assert json.loads(result.read_text(encoding="utf-8"))["selected"] == ["a"]
    reduced = table.with_name("reduced.parquet")
    done = terminal("apply", result, table, "-o", reduced, blocked=EXTRAS)
    assert done.returncode == 0, done.stderr
    assert pl.read_parquet(reduced).columns == ["a", "y"]
    for arguments in (["describe", table], ["measure", table, "--x", "a", "--y", "y"], ["doctor"]):
        done = terminal(*arguments, blocked=EXTRAS)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["plot", "RESULT", "-o", "FIGURE"], "renyi[plot]"),
        (["datasets", "fetch", "heart"], "renyi[fetch]"),
        (["select", "TABLE", "--backend", "cupy"], "renyi[cuda12]"),
    ],
)
def test_a_missing_extra_is_one_sentence_and_a_way_out(
    arguments: list[str], extra: str, table: Path, result: Path, terminal: Terminal
) -> None:
    figure = table.with_name("figure.png")
    named = {"RESULT": result, "TABLE": table, "FIGURE": figure}
    done = terminal(*(named.get(word, word) for word in arguments), blocked=EXTRAS)
    assert done.returncode == 1
    assert done.stdout == ""
    assert extra in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 2
    assert not figure.exists()


def test_estimators_without_scikit_learn_are_one_sentence_and_a_way_out(
    run: Callable[..., str],
) -> None:
    out = run(
        """
        try:
            from renyi_sklearn import RenyiSelector
        except ImportError as error:
            print(type(error).__name__, error)
        """,
        ("sklearn",),
    )
    assert out == (
        "MissingExtraError `renyi_sklearn` needs the extra `sklearn`. Install it: "
        "pip install 'renyi[sklearn]' (in a checkout: pip install '.[sklearn]')\n"
    )


def test_the_core_loads_no_estimator(run: Callable[..., str]) -> None:
    out = run(
        """
        import sys, renyi
        table = {"a": [0.0, 0.1, 1.0, 1.1] * 10, "y": ["n", "n", "p", "p"] * 10}
        assert renyi.select(table, target="y").selected == ("a",)
        print([name for name in ("sklearn", "renyi_sklearn") if name in sys.modules])
        """
    )
    assert out.strip() == "[]"
