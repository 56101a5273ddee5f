"""Pages stay small: 500 kB for ordinary tables, 1 MB with 5,000 columns, the result included."""

from __future__ import annotations

import numpy as np
import pytest

from records import data_report, heart_path, repeats
from renyi.selection import SelectionPath, Unselected
from renyi.variables import Dataset, Variable
from renyi.webpage import Drawn, fate_order, page, pictures

RNG = np.random.default_rng(8)


def wide_path(features: tuple[str, ...]) -> SelectionPath:
    """Three columns are selected; the others say nothing, each with numbers of its own."""
    path = heart_path()
    rest = [
        Unselected(
            feature=name,
            code="uninformative",
            reason="alone no better than chance (p = 1)",
            mi=float(RNG.uniform(0, 0.01)),
            gain=float(RNG.uniform(0, 0.01)),
            p_value=1.0,
        )
        for name in features
        if name not in {"thal", "vessels", "age"}
    ]
    return heart_path(data=data_report(features), unselected=tuple(rest), steps=path.steps)


def size_of(path: SelectionPath, classes: int, rows: int, *, all_drawn: bool = True) -> int:
    codes = RNG.integers(0, classes, rows)
    columns = [
        Variable.continuous(c.name, RNG.normal(size=rows))
        for c in path.data.columns
        if c.role == "feature"
    ]
    target = Variable.nominal("class", codes, tuple(f"class {k}" for k in range(classes)))
    found = pictures(Dataset(tuple(columns), (target,)), *fate_order(path))
    assert (len(found.drawn) == len(columns)) is all_drawn
    content = (path.to_json() + "\n").encode()
    drawn = Drawn(content=content, of_file=True, pictures=found)
    return len(page([path], [drawn], ["result"]).encode())


@pytest.mark.parametrize(("columns", "classes"), [(5000, 2), (5000, 10), (8000, 2)])
def test_thousands_of_columns_fit_into_a_megabyte(columns: int, classes: int) -> None:
    names = ("thal", "vessels", "age", "oldpeak", *(f"gene_{k:05d}" for k in range(columns - 4)))
    assert size_of(wide_path(names), classes, 100, all_drawn=columns <= 5000) <= 1_000_000


@pytest.mark.parametrize("columns", [30, 300, 1000])
def test_ordinary_tables_fit_into_half_of_it(columns: int) -> None:
    names = ("thal", "vessels", "age", "oldpeak", *(f"column {k}" for k in range(columns - 4)))
    assert size_of(wide_path(names), 6, 300) <= 500_000


def test_a_page_without_a_table_is_small() -> None:
    path = heart_path(**repeats())
    content = path.to_json().encode()
    assert len(page([path], [Drawn(content=content, of_file=True)], ["result"])) <= 80_000
