"""Searches other than forward, and a search by its name."""

__all__: list[str] = []
