"""What both estimators share once columns are chosen: they pick them, and say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

import renyi
from renyi_sklearn._outputs import as_container, picked, undone
from renyi_sklearn._page import chosen_page
from renyi_sklearn._refusals import TableError
from renyi_sklearn._tables import Given, check_names, checked_array, frame_of, take

__all__ = ["ColumnPicker"]


class ColumnPicker(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Picks the columns `_chosen` of `_names`; those who inherit say which in `fit`."""

    _names: tuple[str, ...]
    _chosen: tuple[str, ...]
    path_: renyi.SelectionPath

    def __sklearn_tags__(self) -> Any:
        """Say what it takes: text and categories, and NaN where `missing` has an answer to it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self._rule_for_missing() != "error"
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32", "int64", "int32"]
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether columns were chosen."""
        return hasattr(self, "path_")

    @property
    def report_(self) -> renyi.Report:
        """A page of `path_`, without pictures of its columns."""
        check_is_fitted(self)
        return self.path_.report(no_data=True)

    def _rule_for_missing(self) -> str:
        raise NotImplementedError  # pragma: no cover - each says it

    def _take_over(self, x: Any) -> Given:
        """Begin to fit: forget what was chosen, and learn the columns."""
        for name in [name for name in vars(self) if name.endswith("_") and name[0] != "_"]:
            delattr(self, name)
        given = Given.of(self, x, self._rule_for_missing())
        frame = frame_of(x)
        self._names = given.names
        self._no_rows = None if frame is None else nw.to_native(take(frame)[:0])
        return given

    def _get_support_mask(self) -> Any:
        check_is_fitted(self)
        chosen = set(self._chosen)
        return np.array([name in chosen for name in self._names], dtype=np.bool_)

    def transform(self, X: Any) -> Any:  # noqa: N803 - scikit-learn's name
        """Reduce a table to the selected columns, in the table's order.

        Parameters
        ----------
        X
            (n, F) table of any kind that `fit` takes, or a lazy one.

        Returns
        -------
        object
            (n, k) table of the same kind with the same types, pandas' categories and polars' Enum
            among them, or the frame that `set_output` asks for; with k = 0 where no column was
            selected. Of a frame no value is looked at.
        """
        check_is_fitted(self)
        places = self.get_support(indices=True)
        wanted = self._output()
        frame = frame_of(X)
        if frame is None:
            array = checked_array(self, X, self._rule_for_missing(), reset=False)
            return as_container(array[:, places], wanted)
        check_names(self, frame, reset=False)
        return as_container(picked(frame, places.tolist()), wanted)

    def inverse_transform(self, X: Any) -> Any:  # noqa: N803
        """Put the columns that were not selected back, without their values.

        Parameters
        ----------
        X
            (n, k) table as `transform` gives it.

        Returns
        -------
        object
            (n, F) array with 0 in the columns that were not selected; of a frame, where `fit` had
            one too, a frame of that kind and its types, with 0 in columns of numbers, False in
            those of truth values and nothing in others.

        Raises
        ------
        ValueError
            If the number of columns is another one.
        """
        support = self.get_support()
        places: Sequence[int] = np.flatnonzero(support).tolist()
        frame = frame_of(X)
        count = np.shape(X)[-1] if frame is None else len(frame.collect_schema().names())
        if count != len(places):
            raise TableError(
                f"`X` must have the {len(places)} selected columns, and has {count}: it has a "
                "different shape than during fitting."
            )
        if frame is not None and self._no_rows is not None:
            return undone(nw.to_native(frame), self._no_rows, places)
        array = np.asarray(X) if frame is None else take(frame).to_numpy()
        found = np.zeros((len(array), len(support)), dtype=array.dtype)
        found[:, support] = array
        return found

    def _output(self) -> str:
        own = getattr(self, "_sklearn_output_config", {}).get("transform")
        return str(own or get_config()["transform_output"])

    def _repr_html_inner(self) -> str:
        return str(super()._repr_html_inner()) + self._page()

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        found: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in found:
            found["text/html"] += self._page()
        return found

    def _page(self) -> str:
        if not self.__sklearn_is_fitted__():
            return ""
        return chosen_page(self._sentences())

    def _sentences(self) -> list[str]:
        """Return what was chosen and why, a sentence each."""
        raise NotImplementedError  # pragma: no cover - each says it
