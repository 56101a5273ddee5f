"""Downloads of public sets, kept only if their content is what the registry names."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Final
from urllib.parse import urlsplit

import polars as pl

from renyi.datasets._places import HOME_VARIABLE, cache_folder
from renyi.datasets._raw import RAW
from renyi.datasets._records import SetRecord
from renyi.datasets._registry import find_record
from renyi.errors import (
    IntegrityError,
    MissingExtraError,
    OutputError,
    ReadError,
    RenyiError,
    UsageError,
    Way,
)
from renyi.io import APPLY_SUFFIXES, content_hash, read_frame, write_table

__all__ = ["fetch"]

TIMEOUT_SECONDS: Final = 60


def fetch(
    name: str, *, url: str | None = None, cache: str | os.PathLike[str] | None = None
) -> Path:
    """Download a public set into the cache, or return it from there.

    Parameters
    ----------
    name
        A name that `list_sets` knows.
    url
        Another address: of a table (``.parquet``, ``.csv`` with a header, ...), of the set's one
        public file, or, ending in a slash, of the folder of its public files.
    cache
        Another folder to keep it in.

    Returns
    -------
    Path
        A Parquet file with exactly the content that the registry names.

    Raises
    ------
    UsageError
        If the name is unknown, its public form cannot be read here, or `url` is no http address.
    MissingExtraError
        If the extra `fetch` is not installed.
    ReadError
        If the download fails or is not in the form expected.
    IntegrityError
        If the content is another; nothing is kept.
    OutputError
        If the cache cannot be written to.
    """
    record = find_record(name)
    folder = cache_folder() if cache is None else Path(cache)
    place = folder / f"{name}.parquet"
    if place.is_file() and _is_right(record, place):
        return place
    if url is None and name not in RAW:
        raise UsageError(
            f"`{name}` cannot be fetched: no public file of it is read here.",
            f"Obtain it yourself from {record.source} and put {name}.parquet into the folder that "
            f"{HOME_VARIABLE} names.",
        )
    pooch = _pooch()
    with tempfile.TemporaryDirectory(prefix="renyi-") as work, _quiet(pooch):
        frame = _downloaded(pooch, record, url, Path(work))
    found = content_hash(frame)
    if found != record.content:
        raise IntegrityError(
            f"What was downloaded for `{name}` is not the content that the registry names: got "
            f"{found}, expected {record.content}.",
            "Nothing was kept; try another address.",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"The cache `{folder}` cannot be made: {(error.strerror or str(error)).lower()}.",
            "Make it, or give yourself the right to write there.",
        ) from error
    return write_table(frame, place, target=record.target, force=True)


def _is_right(record: SetRecord, place: Path) -> bool:
    try:
        return content_hash(read_frame(place)) == record.content
    except RenyiError:
        return False


def _downloaded(pooch: ModuleType, record: SetRecord, url: str | None, work: Path) -> pl.DataFrame:
    """Download what a set is made of and return its table."""
    if url is not None and urlsplit(url).scheme not in {"http", "https"}:
        raise UsageError(
            f"`url` must be an http or https address, got `{url}`.",
            "Leave ",
            Way("url"),
            " out to download from where the set is published.",
        )
    suffix = Path(urlsplit(url or "").path).suffix.lower()
    if url is not None and suffix in APPLY_SUFFIXES:
        return read_frame(_download(pooch, url, work, f"table{suffix}"))
    raw = RAW.get(record.name)
    if raw is None or (url is not None and not url.endswith("/") and len(raw.files) > 1):
        raise UsageError(
            f"`url` must name a table for `{record.name}`, got `{url}`.",
            f"Known are {', '.join(APPLY_SUFFIXES)}.",
        )
    if url is not None and not url.endswith("/"):
        addresses = [url]
    else:
        addresses = [f"{url or raw.base}{file}" for file in raw.files]
    contents = [
        _download(pooch, address, work, f"part{number}").read_bytes()
        for number, address in enumerate(addresses)
    ]
    return raw.parse(contents)


def _download(pooch: ModuleType, url: str, work: Path, name: str) -> Path:
    try:
        file = pooch.retrieve(
            url,
            known_hash=None,
            fname=name,
            path=work,
            downloader=pooch.HTTPDownloader(timeout=TIMEOUT_SECONDS),
        )
    except (OSError, ValueError) as error:  # what requests raises is an OSError
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise ReadError(
            f"`{url}` cannot be downloaded: {reason}.", "Check the address and the connection."
        ) from error
    return Path(file)


def _pooch() -> ModuleType:
    try:
        import pooch
    except ImportError as error:
        raise MissingExtraError.for_extra("fetch", "Downloading a data set") from error
    module: ModuleType = pooch
    return module


@contextmanager
def _quiet(pooch: ModuleType) -> Iterator[None]:
    """Keep pooch from writing to standard error: its remarks on hashes are not ours."""
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
