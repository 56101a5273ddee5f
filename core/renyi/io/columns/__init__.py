"""One column: how it was read, its kind, its values as numbers or as levels."""

__all__: list[str] = []
