"""The one table of options: what an option is, and each of them."""

__all__: list[str] = []
