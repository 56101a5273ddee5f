"""The printed numbers agree with each other as the paper says they do."""

from __future__ import annotations

import pytest

# records of sets that are not at hand
from renyi.datasets._registry import REGISTRY
from renyi.options import CRITERIA
from renyi_paper import (
    ALPHAS,
    PRINTED_CRITERIA,
    average_ranks,
    competition_ranks,
    printed_tables,
    rank_sum_p_value,
)

PRINTED = printed_tables()


def ranks(table: int) -> list[dict[str, int]]:
    cells = PRINTED.cells[table]
    return [
        competition_ranks(
            {criterion: cells[criterion][name].features for criterion in PRINTED_CRITERIA},
            cells["optimal"][name].features,
        )
        for name in PRINTED.sets
    ]


def test_every_cell_is_there() -> None:
    assert list(PRINTED.sets) == [record.name for record in REGISTRY.values() if record.paper]
    assert set(PRINTED_CRITERIA) < set(CRITERIA)
    assert list(PRINTED.cells) == list(ALPHAS)
    for columns in PRINTED.cells.values():
        assert set(columns) == {*PRINTED_CRITERIA, "optimal"}
        for of_sets in columns.values():
            assert tuple(of_sets) == PRINTED.sets
            for name, cell in of_sets.items():
                assert 1 <= cell.features <= REGISTRY[name].features
                assert 40 < cell.accuracy < 100
                assert 0 < cell.spread < 10


@pytest.mark.parametrize("table", ALPHAS)
def test_printed_mean_ranks_follow_from_the_printed_sizes(table: int) -> None:
    found = average_ranks(ranks(table))
    assert found == pytest.approx(PRINTED.average_ranks[table], abs=1e-9)


@pytest.mark.parametrize("table", ALPHAS)
def test_printed_table_3_follows_from_the_printed_ranks(table: int) -> None:
    for one, other, p_value in PRINTED.rank_sum_tests[table]:
        found = rank_sum_p_value([r[one] for r in ranks(table)], [r[other] for r in ranks(table)])
        assert round(found, 4) == p_value
