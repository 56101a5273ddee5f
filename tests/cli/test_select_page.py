"""``renyi select``: what its table, heading and legend show of an answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from records import (
    FEATURES,
    data_report,
    heart_path,
    permutation_report,
    step,
)
from renyi.options import MethodOptions
from renyi.selection import RunnerUp, SelectionPath, Unselected, WhyNot
from renyi.stopping import CriterionReport

Run = Callable[..., Any]


def test_the_table_says_what_was_found(run: Run, search: Any) -> None:
    out = run("select", "heart.parquet").stdout
    lines = out.splitlines()
    assert lines[0] == "heart.parquet: 270 rows, 6 features"
    assert lines[1] == "Target class (its name is one of target, label, class, y)"
    assert all(word in lines[2] for word in ("cmi-perm", "alpha 1.01", "sigma 2", "seed 0"))
    head = lines[4].split()
    assert head[:6] == ["#", "feature", "MI", "CMI", "gain", "p"]
    row = dict(zip(head, lines[6].split(), strict=False))
    assert row["feature"] == "thal"
    assert (row["MI"], row["CMI"], row["p"], row["draws"]) == (
        "0.2101",
        "0.5702",
        "0.0099",
        "0/100",
    )
    failed = next(number for number, line in enumerate(lines) if "oldpeak" in line)
    assert set(lines[failed - 1]) == {"\u2500"}
    assert lines[failed + 1].strip() == "not selected"
    assert "6/12" in lines[failed]
    text = " ".join(out.split())
    assert "Stopped before `oldpeak`: a shuffled copy did as well in 6 of 12 draws" in text
    assert "Selected 3 of 6 features: thal, vessels, age" in text
    assert "at most its entropy, 0.9911" in text
    assert max(map(len, lines)) <= 80


def test_a_p_value_decided_early_is_a_bound(run: Run, search: Any) -> None:
    early = permutation_report(False, drawn=96, exceedances=0)
    assert early.p_value is None
    search.answer = heart_path(steps=(step(1, "thal", 0.2, 0.5, criteria=(early,)),))
    row = run("select", "x").stdout.splitlines()[6]
    assert "<= 0.05 " in row
    assert "0/96" in row


def by_chance(**given: Any) -> CriterionReport:
    """What `cmi-max` says of a gain that is compared with chance."""
    drawn = permutation_report(False, drawn=100, exceedances=0)
    chosen: dict[str, Any] = {
        "criterion": "cmi-max",
        "statistic_name": "z",
        "statistic": 31.46,
        "p_value": None,
        "p_upper": 3e-6,
        "drawn": 0,
        "null_quantiles": None,
        "null_error": None,
    }
    return replace(drawn, **(chosen | given))


def chance_path(*reports: CriterionReport) -> SelectionPath:
    """A path whose steps know what chance gives."""
    known = {"gain": 0.0312, "chance": 0.0021, "z": 31.46, "mi_chance": 0.0456}
    return heart_path(
        options=MethodOptions(),
        steps=tuple(
            step(number, FEATURES[number], 0.3, 0.1, criteria=(report,), **known)
            for number, report in enumerate(reports, 1)
        ),
    )


def test_what_chance_gives_stands_beside_mi_and_gain(
    run: Run, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = by_chance(stop=True, p_upper=1.0, statistic=-0.3)
    pilot = by_chance(drawn=10, p_upper=0.05, null_quantiles=(0.1, 0.5, 1.9), null_error=0.0)
    search.answer = chance_path(by_chance(), pilot, failed)
    monkeypatch.setenv("COLUMNS", "120")
    lines = run("select", "x").stdout.splitlines()
    assert lines[2].startswith("cmi-max, alpha 2, steady, zscore, up to 59 permutations")
    head = next(line for line in lines if line.startswith("#"))
    assert "MI  by chance    gain  chance     z " in head
    assert "CMI" not in head, "it compares two widths where kernels widen"
    assert "draws" in head
    rows = [line for line in lines if line[:1] in {"1", "2", "3"}]
    assert rows[0].split()[2:8] == ["0.3000", "0.0456", "0.0312", "0.0021", "31.5", "<"]
    assert "< 1e-5   none" in rows[0]
    assert "<= 0.05" in rows[1]
    assert "     -   none" in rows[2]
    legend = " ".join(" ".join(lines).partition("How to read")[2].split())
    for words in (
        "by chance: what they would tell of a shuffled target",
        "chance: what it would add if it were shuffled",
        "z: by how many standard deviations the gain is above that",
        "p: how likely shuffled columns do as well, after < a bound worked out from z",
        "none that z was so far out that no draw was needed",
    ):
        assert words in legend, words


def test_eighty_columns_hold_what_is_needed_most(run: Run, search: Any) -> None:
    search.answer = chance_path(by_chance())
    out = run("select", "x").stdout
    head = next(line for line in out.splitlines() if line.startswith("#"))
    assert {"#", "feature", "MI", "gain", "chance", "z", "p", "room"} <= set(head.split())
    assert "runner-up" not in head
    assert max(map(len, out.splitlines())) <= 80


def test_a_result_from_before_is_drawn_without_what_it_lacks() -> None:
    import io

    from rich.console import Console
    from rich.theme import Theme

    import renyi

    # a path that no table of a test gives
    from renyi_cli.pages._select_page import draw_path

    record = heart_path().to_dict()
    record["schema_version"] = "1.2"
    for name in ("rank", "nominal", "class_weights"):
        del record["options"][name]  # type: ignore[union-attr, index, call-overload]
    record["options"]["criteria"] = ["cmi-echo"]  # type: ignore[index, call-overload]
    for one in record["steps"]:  # type: ignore[union-attr]
        for name in ("chance", "z", "mi_chance", "above_chance"):
            del one[name]  # type: ignore[union-attr, index, call-overload, arg-type]
        one["criteria"][0]["criterion"] = "cmi-echo"  # type: ignore[index, call-overload]
    styles = Theme(dict.fromkeys(("heading", "name", "quiet"), "none"))
    console = Console(file=io.StringIO(), width=120, theme=styles)
    draw_path(renyi.SelectionPath.from_dict(record), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "cmi-echo, alpha 1.01" in text
    assert "chance" not in text
    assert "0/100" in text


def test_how_many_are_drawn_and_the_least_gain_are_told(run: Run, search: Any) -> None:
    least = CriterionReport(
        criterion="min-gain",
        stop=False,
        keeps_feature=False,
        reason="",
        statistic_name="gain",
        statistic=0.2,
        threshold=0.01,
    )
    tested = permutation_report(False, drawn=50, exceedances=0, criterion="cmi-max", p_value=0.02)
    for permutations, words in (
        ("auto:499", "up to 499 permutations at level 0.05"),
        ("besag-clifford:999", "up to 999 permutations (besag-clifford) at level 0.05"),
        (19, "19 permutations at level 0.05"),
    ):
        for gain, told in (("1%", "gain at least 1% of H(y)"), (0.02, "gain at least 0.02 bits")):
            search.answer = heart_path(
                options=MethodOptions(
                    criteria=("cmi-max",), permutations=permutations, min_gain=gain
                ),
                steps=(step(1, "thal", 0.2, 0.5, criteria=(least, tested)),),
            )
            out = run("select", "x").stdout
            text = " ".join(out.split())
            assert words in text
            assert told in text
            assert "0/50" in text


def test_what_a_criterion_compared_is_shown(run: Run, search: Any) -> None:
    chi = CriterionReport(
        criterion="mi-chi2",
        stop=False,
        keeps_feature=False,
        reason="",
        statistic_name="chi2",
        statistic=78.0612,
        threshold=5.991,
    )
    both = (permutation_report(False, drawn=100, exceedances=1), chi)
    search.answer = heart_path(
        options=MethodOptions(criteria=("cmi-perm", "mi-chi2"), stop_when="all", bandwidth=2.0),
        steps=(step(1, "thal", 0.2, 0.5, criteria=both),),
    )
    out = run("select", "x").stdout
    lines = out.splitlines()
    assert lines[2].startswith("cmi-perm and mi-chi2, ")
    head = next(number for number, line in enumerate(lines) if line.startswith("#"))
    titles = zip(lines[head - 1].split(), lines[head].split()[5:8], strict=True)
    assert list(titles) == [("p", "cmi-perm"), ("chi2", "mi-chi2"), ("quantile", "mi-chi2")]
    assert lines[head + 2].split()[5:8] == ["0.02", "78.06", "5.991"]


def test_missing_numbers_forced_and_grouped_features_are_shown(run: Run, search: Any) -> None:
    first = step(1, "age", -0.00002, None, action="keep", criteria=(), runner_up=None)
    group = step(2, "", 0.1, None, features=("sex", "thal"), criteria=(), runner_up=None)
    search.answer = heart_path(steps=(first, group))
    out = run("select", "x").stdout
    assert "age (kept)" in out
    assert "sex + thal" in out
    assert "-2.0e-05" in out
    assert "CMI" not in out.splitlines()[4]
    assert "runner-up" not in out


def test_aliases_and_reasons_are_shown(run: Run, search: Any) -> None:
    def why(name: str, code: WhyNot, gain: float | None = 0.012, *given: str) -> Unselected:
        return Unselected(
            feature=name, code=code, reason="r", mi=0.1, gain=gain, p_value=0.01, given=given
        )

    search.answer = heart_path(
        aliases={"thal": ("thal2", "thal3")},
        unselected=(
            why("sex", "redundant", 0.1, "thal", "age"),
            why("slope", "redundant", 0.1, "thal", "age", "vessels"),
            why("chest", "weak"),
            why("rest", "not_reached", None),
            *(why(f"n{k}", "uninformative") for k in range(10)),
            why("n0_again", "alias", 0.1, "n0"),
        ),
    )
    out = run("select", "x").stdout
    assert "thal stands for thal2, thal3, the same column." in out
    words = " ".join(out.split())
    assert "redundant (others tell it already): sex (given thal, age), slope (given the" in words
    assert "adding too little to pass the test: chest (adds 0.012 bits)" in words
    assert "not reached before the search ended: rest\n" in out
    assert "no better than chance: n0 (p 0.01)" in words
    assert "n7 (p 0.01) and 2 more" in words
    assert "the same as another one: n0_again (n0)" in words


NASTY = ("[red]", "a\x1b[31mb", "two\nlines", "\u540d\u524d" * 15, "n" * 200, "a,b")


def test_names_are_printed_as_they_are_and_obeyed_by_nobody(run: Run, search: Any) -> None:
    rival = RunnerUp(features=("[/red]",), mi=0.1, gap=0.01)
    steps = tuple(
        step(i, name, 0.1 * i, 0.5, runner_up=rival) for i, name in enumerate(NASTY, start=1)
    )
    search.answer = heart_path(steps=steps, data=data_report(NASTY))
    out = run("select", "x").stdout
    table = out.splitlines()[4 : 4 + 2 + len(NASTY)]
    assert "[red]" in table[2]
    assert r"a\x1b[31mb" in table[3]
    assert r"two\nlines" in table[4]
    assert all("0.5000" in line for line in table[2:])
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("width", "hidden"),
    [("200", []), ("80", ["runner-up"]), ("40", ["draws", "room left", "runner-up"])],
)
def test_the_legend_is_of_the_columns_shown(
    width: str, hidden: list[str], run: Run, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    out = run("select", "x").stdout
    head, legend = out.partition("MI")[0], " ".join(out.partition("How to read")[2].split())
    legend, _, more = legend.partition("A wider terminal shows more columns: ")
    for name in hidden:
        assert name not in head
        assert f"{name}: " not in legend
        assert name in more
    assert bool(more) == bool(hidden)
    assert ("draws: h/L" in legend) == ("draws" not in hidden)


@pytest.mark.parametrize("form", ["names", "csv", "json"])
def test_nothing_that_a_terminal_obeys_is_written_to_one(
    run: Run, search: Any, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    odd = "a\x1b[31m\x07\x00\x9b"
    search.answer = heart_path(steps=(step(1, odd, 0.1, 0.2),))
    piped = run("select", "x", "--format", form).stdout
    monkeypatch.setattr("renyi_cli._output.is_terminal", lambda _: True)
    shown = run("select", "x", "--format", form).stdout
    assert shown.replace("\n", "").isprintable()
    assert "1b[31m" in shown
    if form == "names":
        assert piped == f"{odd}\n"  # another program gets the name as it is
    if form == "json":
        assert json.loads(shown) == json.loads(piped)
