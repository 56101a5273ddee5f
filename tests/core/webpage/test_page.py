"""What a page holds: the answer in words, every column, no markup of the data's, nothing else."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

import renyi
from records import FEATURES, column, data_report, heart_path, repeats, there_and_back
from renyi.options import method_options
from renyi.selection import SelectionPath, Unselected, Verdict
from renyi.variables import Note
from renyi.webpage import Drawn, page
from renyi.wording import bits

VOID = {"meta", "input", "br", "link", "img", "hr"}
HOSTILE = (
    "<script>window.x=1</script>",
    "</script><script>window.x=2</script>",
    '"><img src=x onerror=window.x=3>',
    "javascript:window.x=4",
    "'quoted' \"twice\" & `ticks`",
    "{{ 7 * 7 }}{% raw %}",
    "<!-- comment --> ]]>",
    "left\u202eright\u2066",
    "two\nlines\ttab\x00nul\x1b[31m",
    "x" * 500,
    "\U0001f469\u200d\U0001f52c emoji \u05e9\u05dc\u05d5\u05dd",
)


class Seen(HTMLParser):
    """Tags with attributes, and the text that a reader sees."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page_of(path: SelectionPath, **drawn: Any) -> str:
    content = (path.to_json() + "\n").encode()
    return page([path], [Drawn(content=content, of_file=True, **drawn)], ["result"])


def test_the_first_screen_answers_the_first_questions() -> None:
    text = Seen(page_of(heart_path())).text
    for words in (
        "270 rows, 7 columns: 6 candidates, the target",
        "3 of 6 candidates are selected for the target class",
        "the next best column, oldpeak , does not stand out from shuffled columns",
        "thal , vessels , age .",
        "a shuffled copy did as well in 6 of 12 draws",
        "thal stands for thal_code too: the same column.",
        "Redundant, 1 column: telling of the target what the selected ones tell already (sex)",
        "class, 2 classes: its name is one of target, label, class, y.",
        "thal won by 0.004 bits over chest_pain .",
    ):
        assert words in text, words


@pytest.mark.parametrize(
    ("stopped", "words"),
    [
        ("interrupted", "was interrupted"),
        ("max_features", "as many columns were selected as were allowed"),
        ("exhausted", "no column was left"),
    ],
)
def test_it_says_in_plain_words_why_the_search_ended(stopped: Any, words: str) -> None:
    steps = heart_path().steps[:3]
    path = heart_path(steps=steps, verdict=Verdict(stopped=stopped, reason="so", step=3))
    assert words in Seen(page_of(path)).text


def test_a_search_that_takes_away_and_one_without_a_step_have_a_page() -> None:
    text = Seen(page_of(there_and_back())).text
    assert "is still needed" in text
    assert "taken away" in text
    empty = heart_path(
        steps=(), aliases={}, verdict=Verdict(stopped="interrupted", reason="interrupted", step=0)
    )
    assert "None of 6 candidates is selected for the target class" in Seen(page_of(empty)).text


def test_every_column_has_a_row_that_says_what_became_of_it() -> None:
    data = data_report(FEATURES)
    flat = column("flat", role="dropped", code="constant_column", reason="it has one value only")
    data = replace(data, columns=(*data.columns, flat))
    rest = [
        Unselected(feature="oldpeak", code="weak", reason="", mi=0.1, gain=0.08, p_value=0.01),
        Unselected(
            feature="chest_pain", code="uninformative", reason="", mi=2e-4, gain=None, p_value=0.7
        ),
    ]
    path = heart_path(data=data, unselected=(*heart_path().unselected, *rest), aliases={})
    html = page_of(path)
    rows = re.findall(r"<tr><th>([^<]*)<td>([^<]*)<td>([^<]*)<td>([^<]*)<td>([^<\n]*)", html)
    assert [row[0] for row in rows] == [
        *("thal", "vessels", "age", "sex", "oldpeak", "chest_pain", "flat", "class"),
    ]
    told = {row[0]: row[1:] for row in rows}
    assert told["vessels"] == ("selected, step 2", "", "0.1212", "")
    assert told["sex"] == ("redundant given thal", "0.0600", "0.0100", "0.01")
    assert told["oldpeak"][0] == "adds too little"
    assert told["chest_pain"] == ("chance", "0.0002", "", "0.7")
    assert told["flat"][0] == "left out: it has one value only"
    assert told["class"][0] == "the target"


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_name_is_text_and_never_markup(name: str) -> None:
    features = (name, *FEATURES[1:])
    path = heart_path()
    steps = tuple(replace(s, features=(name,)) if s.features == ("age",) else s for s in path.steps)
    path = heart_path(
        data=data_report(features, source=name, target_reason=name),
        steps=steps,
        aliases={name: (name + "2",)},
        verdict=replace(path.verdict, reason=f"stopped before `{name}`: so"),
        warnings=(Note("code", f"About `{name}`.", (name,)),),
    )
    html = page_of(path, why_not=f"No {name}.")
    seen = Seen(html)
    plain = Seen(page_of(heart_path()))
    assert {tag for tag, _ in seen.tags} == {tag for tag, _ in plain.tags}
    assert not [a for _, attrs in seen.tags for a in attrs if a.startswith("on")]
    assert sum(tag == "script" for tag, _ in seen.tags) == 1
    links = [attrs["href"] or "" for tag, attrs in seen.tags if tag == "a"]
    assert all(link.startswith(("#", "data:application/")) for link in links)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", html)
    assert html.count("49") == page_of(heart_path()).count("49")


def test_the_policy_lets_in_what_the_page_holds_and_nothing_else() -> None:
    html = page_of(heart_path())
    policy = next(
        attrs["content"] or ""
        for tag, attrs in Seen(html).tags
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        (inside,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    seen = Seen(html)
    assert not [t for t, _ in seen.tags if t in {"link", "img", "iframe", "object", "base"}]
    assert not [attrs for _, attrs in seen.tags if "style" in attrs or "src" in attrs]
    assert not re.search(r"https?://|@import|url\(", html)


def test_equal_results_give_equal_bytes() -> None:
    assert page_of(heart_path()) == page_of(heart_path())
    html = page_of(heart_path(**repeats()))
    assert html == page_of(heart_path(**repeats()))


def downloaded(html: str) -> bytes:
    (link,) = [attrs for tag, attrs in Seen(html).tags if "download" in attrs]
    head, _, text = (link["href"] or "").partition(",")
    content = base64.b64decode(text)
    return gzip.decompress(content) if "gzip" in head else content


def test_the_result_can_be_taken_out_again() -> None:
    path = heart_path(**repeats())
    assert SelectionPath.from_json(downloaded(page_of(path)).decode()) == path
    wide = heart_path(data=data_report([f"column {k}" for k in range(900)]), steps=(), aliases={})
    html = page_of(wide)
    assert "application/gzip" in html
    assert json.loads(downloaded(html)) == wide.to_dict()


def test_all_options_are_told_and_those_that_differ_are_marked() -> None:
    options = method_options(criteria="cmi-perm", alpha=1.01, bandwidth=2.0, permutations=100)
    html = page_of(heart_path(options=options))
    changed = re.findall(r'<tr class="changed"><th scope="row">(\w+)', html)
    assert set(changed) == {
        *("criterion", "alpha", "bandwidth", "permutations", "rank", "class_weights"),
    }
    assert re.search(r'<tr><th scope="row">standardise</th><td class="l">zscore</td>', html)
    assert "sha256:" + "0" * 64 in html


def test_headings_go_down_one_by_one_and_tables_have_scopes() -> None:
    seen = Seen(page_of(heart_path()))
    levels = [int(tag[1]) for tag, _ in seen.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(two <= one + 1 for one, two in pairwise(levels))
    assert ("html", {"lang": "en"}) in seen.tags
    assert all("scope" in attrs for tag, attrs in seen.tags if tag == "th" and attrs)
    figures = [attrs for tag, attrs in seen.tags if attrs.get("class") == "figure"]
    assert figures
    names = {attrs["id"] for _, attrs in seen.tags if "id" in attrs}
    for attrs in figures:
        assert attrs["role"] == "img"
        assert set((attrs["aria-labelledby"] or "").split()) <= names
    ids = [attrs["id"] for _, attrs in seen.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    made = heart_path()
    shown = renyi.Report(page_of(made))._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert "<script>" not in shown


def test_estimates_stand_beside_their_errors() -> None:
    table = renyi.datasets.generate("waveform", 600, seed=1)
    path = renyi.select(table, target="class", pairs=0.5, max_features=2)
    text = Seen(page_of(path)).text
    errors = path.steps[1].errors
    assert errors is not None
    assert f"{bits(path.steps[1].mi)} +-{bits(errors.mi)}" in text
    assert "+- : a standard error" in text
    whole = renyi.select(table, target="class", max_features=2)
    assert "+-" not in Seen(page_of(whole)).text
