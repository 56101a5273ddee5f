"""Results that a paper prints."""

import renyi

LRMI_BREAST = [27, 20, 21, 7, 10, 22, 29, 26, 1, 23]
"""Columns from 0 that Dong et al. (AAAI 2023) list for WDBC, 569 x 30: alpha 2, sigma 1, z-scores,
delta label."""


def test_the_list_for_breast(data_set):
    import polars as pl

    path = renyi.select(data_set("breast"), preset="lrmi", solver="auto")
    columns = pl.read_parquet_schema(data_set("breast"))
    assert [list(columns).index(name) for name in path.selected] == LRMI_BREAST
    assert path.options.alpha == 2
    assert path.verdict.stopped == "max_features"


def test_noise_of_waveform_comes_last(data_set):
    """x1 and x21 are noise in every class, x2 to x20 carry signal: the first ten are signal."""
    path = renyi.select(data_set("waveform"), alpha=2, criterion="none", max_features=10, rows=1000)
    assert not {"x1", "x21"} & set(path.selected)
