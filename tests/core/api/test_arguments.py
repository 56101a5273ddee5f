"""Arguments of the wrong sort are told in one sentence; numbers may be names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import renyi
from renyi.errors import OptionError


@pytest.fixture
def table() -> pd.DataFrame:
    draws = np.random.default_rng(0).normal(size=(40, 3))
    draws[:, 2] = draws[:, 0] > 0
    return pd.DataFrame(draws)


WRONG = {
    "target": [{"y": 1}, True],
    "features": [5, {"a": 1}, [None], []],
    "exclude": [5],
    "keep": [5],
    "criterion": [5, [5]],
    "kind": ["a=nominal", 5, [("a",)], ["ab"]],
    "bandwidths": [5, "a=2"],
    "progress": [5],
    "cancel": [5],
}


@pytest.mark.parametrize(
    ("argument", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_the_argument_is_named(argument: str, value: Any, table: pd.DataFrame) -> None:
    asked: dict[str, Any] = {"target": 2, argument: value}
    with pytest.raises(OptionError, match=f"^`{argument}` must "):
        renyi.select(table, **asked)


def test_some_feature_must_be_left(table: pd.DataFrame) -> None:
    with pytest.raises(OptionError, match=r"^`exclude` must leave some of `features`, got 0, 1"):
        renyi.select(table, target=2, features=[0], exclude=[0, 1])


def test_numbers_name_columns(table: pd.DataFrame) -> None:
    path = renyi.select(
        table,
        target=2,
        features=[0, 1],
        keep=[1],
        kind={0: "ordinal"},  # type: ignore[dict-item]
        bandwidths={np.int64(1): 0.5},  # type: ignore[dict-item]
        criterion="none",
        alpha=2,
    )
    assert path.data.target == "2"
    assert path.selected == ("1", "0")
    assert path.data_options.kinds == (("0", "ordinal"),)
    assert path.options.bandwidths == (("1", 0.5),)
