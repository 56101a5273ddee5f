"""Everything that is drawn: figures of a path, of repeats and comparisons, pictures of columns."""

__all__: list[str] = []
