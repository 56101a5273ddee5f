"""What a search answers, frozen."""

__all__: list[str] = []
