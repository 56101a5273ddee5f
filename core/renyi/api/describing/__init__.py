"""`renyi.describe`: a table without a search."""

from renyi.api.describing._describe import ColumnDescription, Description, describe

__all__ = ["ColumnDescription", "Description", "describe"]
