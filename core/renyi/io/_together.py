"""Which rows belong together, from what is asked and what the columns hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from renyi.errors import ColumnError, MissingValuesError, OptionError, Way
from renyi.io._wording import plural
from renyi.io.columns._column import Column
from renyi.io.columns._encode import Encoded, encode
from renyi.options import DataOptions
from renyi.resampling import block_length, memory_of, moved_rows
from renyi.variables import Dataset, Kind, RowsTogether, RowStructure, Variable

__all__ = ["check_together", "encoded_groups", "structure_of", "together_of", "with_memory"]


def check_together(options: DataOptions) -> None:
    """Refuse options of rows that do not go together.

    Raises
    ------
    OptionError
        Naming the first that does not suit another.
    """
    if options.shuffle != "auto" and options.groups is None:
        raise OptionError(
            f"`shuffle` {options.shuffle} is for groups of rows, and none are named.",
            "Name their column: ",
            Way("groups", rule="COLUMN"),
            ".",
        )
    if options.shuffle == "whole" and options.blocks is not None:
        raise OptionError(
            "`shuffle` whole moves each group with its rows in their order, so that `blocks` has "
            "nothing to move.",
            "Leave ",
            Way("blocks"),
            " out, or use ",
            Way("shuffle", "within"),
            ".",
        )
    if options.weight_kind != "importance" and options.weights is None:
        raise OptionError(
            f"`weight_kind` {options.weight_kind} is for weights of rows, and none are given.",
            "Name their column: ",
            Way("weights", rule="COLUMN"),
            ".",
        )
    repeats = options.weights is not None and options.weight_kind == "frequency"
    if repeats and options.blocks is not None:
        raise OptionError(
            "`blocks` needs each row once, and `weights` that are frequencies repeat rows.",
            "Use ",
            Way("weight_kind", "importance"),
            ".",
        )


def encoded_groups(column: Column, *, dropping: bool) -> Encoded:
    """Return the column that names groups, each of its values a group.

    Raises
    ------
    ColumnError
        If it holds no values that can be told apart, or one only.
    MissingValuesError
        If some are missing and rows are not to be dropped for it.
    """
    if not column.readable:
        raise ColumnError(
            f"`groups` must be a column of plain values, got `{column.name}`, which holds "
            f"{column.family.value}.",
            "Name another column.",
        )
    found = encode(column, Kind.NOMINAL)
    rows = np.arange(len(column.values), dtype=np.int64)
    if found.is_constant(rows):
        raise ColumnError(
            f"`groups` must be a column of two groups at least, got `{column.name}`, which has one "
            "value only.",
            "Leave it out: all rows are one group.",
        )
    if found.missing_count and not dropping:
        raise MissingValuesError(
            f"`groups` must say of every row where it belongs, and `{column.name}` has no value in "
            f"{plural(found.missing_count, 'row')}.",
            "Use ",
            Way("missing", "drop"),
            ", or fill them in.",
        )
    return found


def structure_of(
    options: DataOptions,
    groups: Variable | None,
    target: Variable,
    settled: RowStructure | None = None,
) -> RowStructure | None:
    """Return which rows belong together, None where all are exchangeable.

    Parameters
    ----------
    options
        What was asked.
    groups
        The column that names groups, over the rows in use.
    target
        Over the same rows.
    settled
        That of the rows from which these were drawn: what is shuffled is decided once.

    Raises
    ------
    ColumnError
        If rows cannot be shuffled as asked, for what the columns hold.
    """
    if groups is None and options.blocks is None:
        return None
    shuffle = options.shuffle
    if groups is not None:
        alone = groups.distinct == groups.n and settled is None
        constant = _is_constant(target, groups)
        if alone:
            raise ColumnError(
                f"`groups` must name a column in which values repeat; in `{groups.name}` every row "
                "has a value of its own.",
                "Leave it out.",
            )
        if constant and settled is None and (shuffle == "within" or options.blocks is not None):
            raise ColumnError(
                f"Rows cannot be shuffled within groups: the target `{target.name}` is constant in "
                f"each `{groups.name}`, so that no order changes anything.",
                *(
                    ("Leave ", Way("blocks"), " out.")
                    if options.blocks
                    else ("Use ", Way("shuffle", "whole"), ".")
                ),
            )
        if shuffle == "auto":
            whole = constant if settled is None else settled.moves_groups
            shuffle = "whole" if whole else "within"
    length = options.blocks
    if length == "auto":
        parts = np.zeros(target.n, dtype=np.int64) if groups is None else groups.codes
        return RowStructure(groups, "within", block_length(target, parts), rotates=True)
    blocks = None if length is None else int(length)
    return RowStructure(groups, "whole" if shuffle == "whole" else "within", blocks)


def with_memory(dataset: Dataset) -> Dataset:
    """Return the data set, its structure told how alike neighbours are that orders take apart."""
    structure = dataset.structure
    if structure is None or structure.blocks is None:
        return dataset
    memory = memory_of(dataset.features, dataset.target, structure)
    return replace(dataset, structure=replace(structure, memory=memory))


def _is_constant(target: Variable, groups: Variable) -> bool:
    """Whether the target is the same in all rows of each group."""
    pairs = groups.codes * np.int64(target.distinct) + target.codes
    return len(np.unique(pairs)) == groups.distinct


def together_of(
    structure: RowStructure | None, options: DataOptions, target: Variable
) -> RowsTogether | None:
    """Return the record of a structure, with the reason in words."""
    if structure is None:
        return None
    groups = structure.groups
    moved = moved_rows(structure, target.n)
    shuffle: Literal["whole", "within", "rotate"]
    of = "" if groups is None else f"{plural(groups.distinct, 'group')} of `{groups.name}`"
    if structure.moves_groups and groups is not None:
        sizes = len(np.unique(np.bincount(groups.codes)))
        shuffle = "whole"
        why = "as asked" if options.shuffle == "whole" else "the target is constant in each"
        words = f"{of}, permuted as a whole ({why})"
        if sizes > 1:
            words += " among those of as many rows"
        if moved < target.n:
            words += f"; {plural(target.n - moved, 'row')} in groups of a size of their own stay"
    elif structure.blocks is None:
        shuffle = "within"
        why = "as asked" if options.shuffle == "within" else "the target varies in them"
        words = f"{of}, rows permuted within them ({why})"
    else:
        shuffle = "rotate" if structure.rotates else "whole"
        inside = f", within {of}" if of else ""
        words = f"rows in time, permuted in blocks of {structure.blocks}{inside}"
        if structure.rotates:
            words = (
                f"rows in time, permuted by rotation{inside}; draws of rows in blocks of "
                + str(structure.blocks)
            )
    return RowsTogether(
        groups=None if groups is None else groups.name,
        count=None if groups is None else groups.distinct,
        shuffle=shuffle,
        moved=moved,
        blocks=structure.blocks,
        reason=words,
    )
