"""Files: read into frames, and results written whole."""

__all__: list[str] = []
