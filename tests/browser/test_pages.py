"""A report in a real browser: it opens, sorts, filters, prints, and nothing leaves it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),  # one worker starts the browser and makes the pages once
]

Show = Callable[..., Any]
Pages = dict[str, Path]
ALL = ("path", "hostile", "repeats", "comparison", "several", "long")


@pytest.mark.parametrize("name", ALL)
def test_it_opens_without_a_word_and_asks_for_nothing(name: str, show: Show, pages: Pages) -> None:
    opened = show(pages[name])
    assert opened.page.title()
    assert opened.page.locator("h1").count() == 1
    assert opened.quiet(), (opened.messages, opened.requests)


def test_no_script_runs_from_the_data(show: Show, pages: Pages) -> None:
    opened = show(pages["hostile"])
    page = opened.page
    page.locator(".tools input").fill("script")
    for head in page.locator("table.sortable thead button").all():
        head.click()
    page.locator(".panels").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("window.x") is None
    assert page.locator("img, body script script, iframe").count() == 0
    assert opened.quiet(), (opened.messages, opened.dialogs, opened.requests)
    first = opened.column(".all", 1)
    assert any("<script>window.x=1</script>" in name for name in first)


def test_a_name_cannot_turn_the_line_around(show: Show, pages: Pages) -> None:
    text = show(pages["hostile"]).page.locator("main").inner_text()
    assert "left\\u202eright" in text
    assert "\u202e" not in text
    assert "two\\x0alines" in text


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("name", ALL)
def test_the_page_is_never_wider_than_the_window(
    name: str, width: int, show: Show, pages: Pages
) -> None:
    page = show(pages[name], width).page
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    outside = page.evaluate(
        """width => [...document.querySelectorAll("body *")].filter((one) => {
          const box = one.getBoundingClientRect();
          return box.width > 0 && box.right > width + 1 && !one.closest(".scroll, pre, .skip, svg");
        }).map((one) => one.outerHTML.slice(0, 80))""",
        width,
    )
    assert not outside


def test_letters_of_figures_are_readable_on_a_telephone(show: Show, pages: Pages) -> None:
    page = show(pages["path"], 360).page
    sizes = page.evaluate(
        """[...document.querySelectorAll("svg.figure text")].map((one) =>
          parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"""
    )
    assert sizes
    assert min(sizes) >= 9


def test_a_table_is_sorted_by_its_heads_up_down_and_back(show: Show, pages: Pages) -> None:
    opened = show(pages["path"])
    before = opened.column(".all", 1)
    adds = ".all thead th:nth-child(4) button"
    opened.click(adds)
    numbers = [float(text) for text in opened.column(".all", 4) if text]
    assert numbers == sorted(numbers)
    assert opened.page.locator(".all th[aria-sort=ascending]").inner_text().startswith("Adds")
    opened.page.locator(adds).focus()
    opened.page.keyboard.press("Enter")
    numbers = [float(text) for text in opened.column(".all", 4) if text]
    assert numbers == sorted(numbers, reverse=True)
    assert opened.column(".all", 4)[-1] == ""  # what has no number stays at the end
    opened.click(adds)
    assert opened.column(".all", 1) == before
    opened.click(".all thead th:nth-child(1) button")
    assert opened.column(".all", 1) == sorted(before, key=str.lower)


def test_steps_are_sorted_by_numbers_not_by_their_words(show: Show, pages: Pages) -> None:
    opened = show(pages["repeats"])
    opened.click(".steps thead th:nth-child(1) button")
    opened.click(".steps thead th:nth-child(1) button")
    assert opened.column(".steps", 1) == ["4", "3", "2", "1"]


def test_columns_are_filtered_by_words_and_by_what_became_of_them(show: Show, pages: Pages) -> None:
    opened = show(pages["path"])
    page = opened.page
    every = opened.column(".all", 1)
    page.locator(".tools input").fill("X3")
    assert opened.column(".all", 1) == ["x3"]
    assert page.locator(".tools output").inner_text() == f"1 of {len(every)} columns"
    page.locator(".tools input").fill("")
    page.locator(".tools select").select_option("selected")
    assert all(words.startswith("selected") for words in opened.column(".all", 2))
    page.locator(".tools select").select_option("left out")
    assert opened.column(".all", 1) == ["one value"]
    page.locator(".tools input").fill("no such column")
    assert opened.column(".all", 1) == []


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_list_shows_its_beginning_until_all_is_asked_for(
    width: int, show: Show, pages: Pages
) -> None:
    opened = show(pages["long"], width)
    assert len(opened.column(".all", 1)) == 150
    assert opened.page.locator(".all tbody tr:visible").count() == 150
    opened.page.locator(".tools input").fill("gene_069")
    assert len(opened.column(".all", 1)) == 10
    opened.page.locator(".tools input").fill("")
    opened.click("button.more")
    assert len(opened.column(".all", 1)) == 703


def test_the_arrow_keys_go_through_the_steps(show: Show, pages: Pages) -> None:
    page = show(pages["repeats"]).page
    page.locator(".panels").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    said = page.locator(".readout").inner_text()
    assert said.startswith("Step 2")
    assert "vessels" in said
    assert "MI 0.3313" in said
    assert page.locator(".steps tr.on th").inner_text() == "vessels"
    page.keyboard.press("End")
    assert page.locator(".readout").inner_text().startswith("Step 4")
    page.locator(".row[data-step='1']").first.hover()
    assert page.locator(".readout").inner_text().startswith("Step 1")


def test_without_scripts_all_is_there(show: Show, pages: Pages) -> None:
    opened = show(pages["long"], java_script_enabled=False)
    page = opened.page
    assert page.locator(".all tbody tr").count() == 703
    assert page.locator(".all tbody tr").last.is_visible()
    assert not page.locator(".tools").first.is_visible()
    assert page.locator("details:not([open])").count() == 0
    assert page.get_by_text("fingerprint", exact=True).is_visible()
    assert page.locator("svg.figure").first.is_visible()
    assert opened.quiet()


def lightness(page: Any, variable: str) -> float:
    colour = page.evaluate(f"getComputedStyle(document.querySelector('html')).{variable}")
    red, green, blue = (int(part) for part in colour.strip("rgb()").split(", "))
    return (red + green + blue) / 765


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_page_follows_the_scheme_of_the_reader(
    scheme: str, dark: bool, show: Show, pages: Pages
) -> None:
    page = show(pages["path"], color_scheme=scheme).page
    assert (lightness(page, "backgroundColor") < 0.2) is dark
    assert (lightness(page, "color") > 0.8) is dark


@pytest.mark.parametrize("scripts", [True, False])
def test_in_print_all_is_open_and_dark_is_light(scripts: bool, show: Show, pages: Pages) -> None:
    page = show(pages["path"], color_scheme="dark", java_script_enabled=scripts).page
    page.emulate_media(media="print")
    assert page.pdf()[:5] == b"%PDF-"
    assert not page.locator(".tools").first.is_visible()
    assert page.get_by_text("fingerprint", exact=True).is_visible()
    assert page.locator(".all tbody tr").last.is_visible()
    if scripts:
        assert lightness(page, "backgroundColor") > 0.9


def test_a_long_list_says_what_of_it_is_printed(show: Show, pages: Pages) -> None:
    page = show(pages["long"]).page
    assert not page.locator(".printed").is_visible()
    page.emulate_media(media="print")
    assert page.locator(".printed").is_visible()
    shown = page.locator(".all tbody tr:visible").count()
    assert shown == 500


@pytest.mark.parametrize("name", ["path", "long"])
def test_the_result_is_handed_out_as_it_was(name: str, show: Show, pages: Pages) -> None:
    opened = show(pages[name], accept_downloads=True)
    with opened.page.expect_download() as waiting:
        opened.click("a[download]")
    download = waiting.value
    assert download.suggested_filename == "result.json"
    record = json.loads(Path(download.path()).read_text(encoding="utf-8"))
    assert record["data"]["target"] == "y"
    assert not opened.messages


def test_the_skip_link_and_the_focus_are_seen(show: Show, pages: Pages) -> None:
    page = show(pages["path"]).page
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    assert skip.bounding_box()["x"] >= 0
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")


@pytest.mark.parametrize(("wish", "how"), [("reduce", "auto"), ("no-preference", "smooth")])
def test_nothing_moves_for_who_wants_no_motion(
    wish: str, how: str, show: Show, pages: Pages
) -> None:
    page = show(pages["path"], reduced_motion=wish).page
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == how


def test_several_results_are_reached_by_their_links(show: Show, pages: Pages) -> None:
    page = show(pages["several"]).page
    links = page.locator(".card a")
    assert links.count() == 2
    links.nth(1).click()
    page.wait_for_url("**#r2")
    assert page.locator("article").count() == 2
    assert page.locator("h1").count() == 1
