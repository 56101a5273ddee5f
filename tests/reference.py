"""Where the tests find reference values and public data, which are not part of the project.

`RENYI_DATA_HOME` is a folder of Parquet files, one a data set; `RENYI_REFERENCE_HOME` the folder of
`golden.json`, by default `../reference` beside it.
"""

import functools
import json
import os
from pathlib import Path

import pytest


def data_home():
    home = os.environ.get("RENYI_DATA_HOME")
    return Path(home) if home else None


def reference_home():
    home = os.environ.get("RENYI_REFERENCE_HOME")
    if home:
        return Path(home)
    return data_home() / ".." / "reference" if data_home() else None


def reason_to_skip():
    """Return why the reference values cannot be checked here, or an empty string."""
    if data_home() is None or not data_home().is_dir():
        return "RENYI_DATA_HOME names no folder of data sets"
    if not (reference_home() / "golden.json").is_file():
        return "no golden.json: set RENYI_REFERENCE_HOME"
    return ""


needs_reference = pytest.mark.skipif(bool(reason_to_skip()), reason=reason_to_skip() or "present")


@functools.cache
def golden():
    """Return the golden entries, or none where they are not at hand."""
    if reason_to_skip():
        return ()
    return tuple(json.loads((reference_home() / "golden.json").read_text()))


def entry_name(entry):
    return f"{entry['dataset']}-{entry['label_kernel']}-{entry['alpha']}"


@functools.cache
def _read(dataset):
    import polars as pl

    return pl.read_parquet(data_home() / f"{dataset}.parquet")


def golden_table(entry):
    """Return the entry's rows: the used columns and the target, nulls dropped, the first ones."""
    used = _read(entry["dataset"]).select([*entry["columns"], entry["target"]])
    return used.drop_nulls().head(entry["rows"])
