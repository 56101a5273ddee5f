"""`renyi.report`: a page to look at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Final, TypeAlias

from renyi.api.reporting._made import REPORT_SUFFIXES, Report, made_report
from renyi.api.reporting._read import read_answer
from renyi.errors import OptionError, UsageError
from renyi.evaluation import Comparison, ScoreComparison
from renyi.io import check_output
from renyi.selection import SelectionPath
from renyi.webpage import Answer

__all__ = ["report"]

Given: TypeAlias = "Answer | str | os.PathLike[str]"

_GIVEN: Final = (SelectionPath, Comparison, ScoreComparison, str, os.PathLike)


def report(
    results: Given | Sequence[Given] | Mapping[str, Given],
    file: str | os.PathLike[str] | None = None,
    *,
    data: object = None,
    y: object = None,
    weights: object = None,
    no_data: bool = False,
    force: bool = False,
) -> Report:
    """Make a page of one or several results: one HTML file that fetches nothing.

    Parameters
    ----------
    results
        A result, the path of one written as JSON, or a list of these or a mapping of names to them:
        they are set side by side.
    file
        Where to write it, .html; None for nowhere.
    data
        The table that the results are of, a path or a table, for small pictures of what each column
        says of the target; None for what the results name. Only summaries go into the page, and
        only of the same rows.
    y, weights
        The target and the weights, where they were given apart from the data.
    no_data
        Whether the table is left alone: nothing but what the results hold is in the page.
    force
        Whether a file that is there may be replaced.

    Returns
    -------
    Report
        The page, `.html`, and `.notes`: why it has no pictures, if it has none.

    Raises
    ------
    UsageError
        If there is no result, or something else is given as one.
    OptionError
        If the suffix of `file` is not .html, or data are given beside `no_data`.
    ReadError
        If a result, or data that were given, cannot be read.
    OutputError
        If the page cannot be written there; nothing is half-written.

    Examples
    --------
    >>> table = {"a": [0.0, 0.1, 1.0, 1.1] * 10, "b": [float(i % 7) for i in range(40)],
    ...          "y": ["n", "n", "p", "p"] * 10}
    >>> import renyi
    >>> page = report(renyi.select(table, target="y"), data=table)
    >>> page.html.startswith("<!doctype html>"), page.notes
    (True, ())
    """
    if no_data and any(one is not None for one in (data, y, weights)):
        raise OptionError(
            "`no_data` leaves the table alone, and a table, its target or its weights were given.",
            "Leave one of them out.",
        )
    named = _named(results)
    if not named:
        raise UsageError(
            "`results` must hold a result at least, got none.",
            "Give what `select` or `compare` returned, or files of it.",
        )
    for _, one in named:
        if file is not None:
            source = one if isinstance(one, str | os.PathLike) else None
            check_output(file, force=force, suffixes=REPORT_SUFFIXES, source=source)
    answers = [read_answer(one) if isinstance(one, str | os.PathLike) else one for _, one in named]
    names = [name for name, _ in named]
    return made_report(
        answers, names, file, data=data, y=y, weights=weights, no_data=no_data, force=force
    )


def _named(
    results: Given | Sequence[Given] | Mapping[str, Given],
) -> list[tuple[str, Given]]:
    """Return the results, each with what it is called: as said, by its file, or by its number."""
    if isinstance(results, Mapping):
        return [(str(name), _known(one)) for name, one in results.items()]
    if isinstance(results, _GIVEN) or not isinstance(results, Iterable):
        results = [results]
    return [
        (Path(one).stem if isinstance(one, str | os.PathLike) else f"result {number}", _known(one))
        for number, one in enumerate(results, 1)
    ]


def _known(one: Given) -> Given:
    if not isinstance(one, _GIVEN):
        raise UsageError(
            "`results` must be what `select` or `compare` returned, or files of it, got "
            f"{shorten(repr(one), 60)}.",
            "Files are made by `save`.",
        )
    return one
