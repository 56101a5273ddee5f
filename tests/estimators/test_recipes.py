"""The recipes of the page run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sklearn.md"


@pytest.mark.slow
def test_the_recipes_run() -> None:
    """One after the other, as somebody would who reads the page."""
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == len(re.findall(r"^### \d", text, re.MULTILINE)) == 6
    test = doctest.DocTestParser().get_doctest("".join(blocks), {}, PAGE.name, str(PAGE), 0)
    told: list[str] = []
    results = doctest.DocTestRunner().run(test, out=told.append)
    assert not results.failed, "".join(told)
    assert results.attempted > 40
