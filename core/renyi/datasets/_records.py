"""What is known of a set, and what of it is at hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

__all__ = ["PaperSettings", "Place", "SetRecord", "SetStatus"]

Place: TypeAlias = Literal["RENYI_DATA_HOME", "cache", "bundled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSettings:
    """How Yu and Principe, Entropy 2019, most likely prepared one of their sets.

    The paper does not say. Of some 200 combinations these come closest to its Table 1; the
    features are numbers, all of them, and the target is nominal.

    Attributes
    ----------
    standardise
        Of the features: `bins:5`, five bins of equal width in columns of more than five values,
        or `none`.
    """

    standardise: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRecord:
    """A public data set.

    Attributes
    ----------
    name
        What it is called here; its file is ``NAME.parquet``.
    title, citation
        What it is, and who published it.
    source
        Where the public can get it.
    licence
        As its source states it.
    rows, features, target
        Its shape, and the name of its target, the last column.
    content
        Hash of its content, whatever the file format (`renyi.io.content_hash`).
    kinds
        (column, kind) pairs for columns whose type says something else: codes stored as numbers.
    paper_settings
        How the set is prepared under the preset `paper`, None where it is none of the ten of Yu
        and Principe, Entropy 2019.
    fetchable
        Whether `fetch` knows a public file of it and how to read it.
    generated_content
        Hash of the table of this name that is made here and travels with the package, None where
        there is none.
    """

    name: str
    title: str
    citation: str
    source: str
    licence: str
    rows: int
    features: int
    target: str
    content: str
    kinds: tuple[tuple[str, str], ...] = ()
    paper_settings: PaperSettings | None = None
    fetchable: bool = False
    generated_content: str | None = None

    @property
    def paper(self) -> bool:
        """Whether it is one of the ten of Yu and Principe, Entropy 2019."""
        return self.paper_settings is not None


@dataclass(frozen=True, slots=True)
class SetStatus:
    """Where a set is on this machine.

    Attributes
    ----------
    record
        The set.
    place, path
        Where it was found first, None where it is not at hand.
    verified
        Whether the file has the content that the record names; None where there is no file.
    """

    record: SetRecord
    place: Place | None = None
    path: Path | None = None
    verified: bool | None = None

    @property
    def name(self) -> str:
        """Name of the set."""
        return self.record.name

    @property
    def state(self) -> str:
        """The same in words: `not at hand`, `verified`, `generated`, or `content differs`."""
        if self.verified is None:
            return "not at hand"
        if not self.verified:
            return "content differs"
        return "generated" if self.place == "bundled" else "verified"
