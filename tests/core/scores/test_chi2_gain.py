"""The penalised argmax of Vinh et al. against the oracle."""

import math

import pytest

import oracle
import tables


@pytest.mark.parametrize("label", ["delta", "numeric"])
@pytest.mark.parametrize("seed", range(3))
def test_each_step_takes_the_largest_information_less_its_quantile(label, seed):
    table = tables.random_table("CRBNOC", label, 80, seed)
    steps, _ = tables.search(table, score="chi2-gain", alpha=2.0)
    codes = [
        oracle.equal_width(column.values, 5) if len(set(column.values)) > 5 else column.values
        for column in table.features
    ]
    target = table.target.values
    if label == "numeric":
        target = oracle.equal_width(target, 5)

    def gain(chosen):
        statistic, quantile, _ = oracle.chi2_test(codes, target, chosen, 0.95)
        return (statistic - quantile) / (2 * table.n * math.log(2))

    chosen = []
    for step in steps:
        left = [j for j in range(len(codes)) if j not in chosen]
        gains = {j: gain([*chosen, j]) for j in left}
        best = max(gains.values())
        newest = min(j for j in left if gains[j] >= best - 1e-9)
        assert step.feature == f"f{newest}"
        chosen.append(newest)
        grams = [table.grams[j] for j in chosen]
        mi = oracle.mutual_information(grams, [table.label], 2.0)
        assert step.mi == pytest.approx(mi, abs=1e-9)
        if step.runner_up is not None:
            second = int(step.runner_up.features[0].removeprefix("f"))
            assert step.runner_up.gap == pytest.approx(best - gains[second], abs=1e-9)
            assert gains[second] >= max(g for j, g in gains.items() if j != newest) - 1e-9


def test_with_the_criterion_the_gain_decides():
    """Stopping at the quantile is stopping where the gain is not positive."""
    table = tables.random_table("CRBNOC", "delta", 80, 7)
    steps, _ = tables.search(table, score="chi2-gain", criteria="mi-chi2", alpha=2.0)
    assert not steps[-1].selected
    for step in steps:
        (report,) = step.criteria
        assert report.stop == (report.statistic <= report.threshold)
