"""Text files: separators, marks of numbers, types from all values of a column."""

__all__: list[str] = []
