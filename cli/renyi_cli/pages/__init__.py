"""What a person reads: a page for each answer, and the tables it is made of."""

__all__: list[str] = []
