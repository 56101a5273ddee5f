"""A machine with as many cores as a test wants."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest


@pytest.fixture
def with_cores(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Have the system say that this process may use so many cores."""

    def use(count: int) -> None:
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {*range(count)}, raising=False)

    return use
