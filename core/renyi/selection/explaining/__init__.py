"""Why features are not selected, and what of them is left given others."""

__all__: list[str] = []
