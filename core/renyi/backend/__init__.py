"""Array libraries behind one record."""

from renyi.backend._band import Bands
from renyi.backend._record import Backend
from renyi.backend._registry import get_backend

__all__ = ["Backend", "Bands", "get_backend"]
