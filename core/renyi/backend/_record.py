"""What the numerics ask of an array library beyond the array standard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from renyi._typing import Array

__all__ = ["Backend"]


@dataclass(frozen=True)
class Backend:
    """An array library with a device; the numerics are written once against it.

    Attributes
    ----------
    name
        `numpy`, `cupy`, or a stand-in's name.
    xp
        The namespace of the array standard.
    to_device, to_host
        Copy a NumPy array to the device, and back.
    eigvalsh
        Eigenvalues of a stack (..., m, m) of symmetric matrices, ascending, shape (..., m).
    free_memory
        Bytes that can still be allocated on the device.
    synchronise
        Wait for the device.
    device
        The device in words.
    reason
        Why this backend is in use where another one was asked for or could have been.
    """

    name: str
    xp: Any
    to_device: Callable[[np.ndarray[Any, Any]], Array]
    to_host: Callable[[Array], np.ndarray[Any, Any]]
    eigvalsh: Callable[[Array], Array]
    free_memory: Callable[[], int]
    synchronise: Callable[[], None]
    device: str
    reason: str = ""
