"""From what is typed to what `renyi` takes."""

from __future__ import annotations

import doctest
import importlib

import pytest

from renyi.errors import OptionError

# numbers at the edges of their formats
from renyi.wording import at_most, bits
from renyi_cli._errors import as_typed
from renyi_cli._values import assignments, bandwidths, names, number, whole


@pytest.mark.parametrize(
    "module",
    [
        *("_console", "_errors", "_progress", "_values"),
        "pages._table",
    ],
)
def test_examples_are_true(module: str) -> None:
    found = doctest.testmod(importlib.import_module(f"renyi_cli.{module}"))
    assert found.failed == 0
    assert found.attempted > 0


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (None, ()),
        (["a,b"], ("a", "b")),
        (["a", "b,c"], ("a", "b", "c")),
        ([" a , b c "], ("a", "b c")),
        (['"a,b",c'], ("a,b", "c")),
        (['"a,b"', '" c "'], ("a,b", " c ")),
        (['"say ""hi""",x'], ('say "hi"', "x")),
        (['5" pipe,x'], ('5" pipe', "x")),
        (["a,,b,"], ("a", "b")),
        (['""'], ("",)),
        (['a,""'], ("a", "")),
        (["", "\u00e9t\u00e9,x*"], ("\u00e9t\u00e9", "x*")),
    ],
)
def test_names_are_split_at_commas_outside_quotes(
    texts: list[str] | None, expected: tuple[str, ...]
) -> None:
    assert names("--features", texts) == expected


@pytest.mark.parametrize("text", ['"a', '"a"b', 'x,"a", "b'])
def test_a_quote_that_encloses_nothing_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="--features has a quotation mark"):
        names("--features", [text])


@pytest.mark.parametrize("texts", [[""], [" , "], ["", ","]])
def test_names_that_name_nothing_are_refused(texts: list[str]) -> None:
    with pytest.raises(OptionError, match="--keep names no column"):
        names("--keep", texts)


def test_an_assignment_is_split_at_its_last_equals_sign() -> None:
    assert assignments("--kind", ["a=nominal", "x=y=ordinal"], "C=K") == (
        ("a", "nominal"),
        ("x=y", "ordinal"),
    )


@pytest.mark.parametrize("text", ["nominal", "=nominal", "a=", "="])
def test_half_an_assignment_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="must have the form C=K"):
        assignments("--kind", [text], "C=K")


def test_bandwidths_are_general_or_of_one_column() -> None:
    assert bandwidths(None) == (None, None)
    assert bandwidths(["range:0.15", "age=2", "a=b=scott"]) == (
        "range:0.15",
        {"age": "2", "a=b": "scott"},
    )
    with pytest.raises(OptionError, match="once for all columns, got 1 and 2"):
        bandwidths(["1", "2"])


@pytest.mark.parametrize("text", ["abc", "", "1,5", "--"])
def test_what_is_no_number_is_refused_in_one_sentence(text: str) -> None:
    for read in (number, whole):
        with pytest.raises(OptionError) as caught:
            read("--alpha", text)
        assert str(caught.value).startswith("--alpha must be a")
        assert repr(text) in str(caught.value)


def test_numbers_are_read() -> None:
    assert number("--alpha", "1e-4") == 1e-4
    assert number("--alpha", None) is None
    assert whole("--rows", "300") == 300
    assert whole("--rows", None) is None
    with pytest.raises(OptionError, match=r"whole number, got '2\.5'"):
        whole("--rows", "2.5")


@pytest.mark.parametrize("value", [0.0495, 5 / 101, 0.01, 0.0099, 0.123456, 1.0, 0.05])
def test_an_upper_bound_is_never_rounded_down(value: float) -> None:
    written = float(at_most(value).removeprefix("<= "))
    assert value * (1 - 1e-9) <= written <= value * 1.11


def test_amounts_keep_their_sign_and_digits() -> None:
    assert bits(-0.02774) == "-0.0277"
    assert bits(0.000999) == "1.0e-03"
    assert bits(-5e-10) == "0.0000"
    assert bits(12.3) == "12.3000"


def test_only_options_are_written_as_typed() -> None:
    known = {"--max-features", "--kind"}
    assert as_typed("`max_features` must be 1", known) == "--max-features must be 1"
    assert as_typed("`kind x` must be", known) == "--kind x must be"
    assert as_typed("column `kind_of`", known) == "column `kind_of`"
    assert as_typed("`set` must be heart", known) == "SET must be heart"
    assert as_typed("`folder` must hold", known) == "--out must hold"
    assert as_typed("`x`: `kind` must", known, everywhere=False) == "`x`: `kind` must"
