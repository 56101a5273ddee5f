"""Factors of variables side by side: the columns that a squared Gram is multiplied with."""

__all__: list[str] = []
