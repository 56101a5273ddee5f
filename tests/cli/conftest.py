"""The program run inside the test, on a search that answers at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import renyi
from records import heart_path
from renyi.selection import SelectionPath as PathRecord
from renyi_cli._app import app


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eighty columns, no colour asked for or forbidden."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run the program on arguments; nothing may escape but its status."""

    def call(*arguments: str) -> Result:
        result = CliRunner().invoke(app, list(arguments))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        assert "Traceback" not in result.output or "--debug" in arguments
        return result

    return call


class Search:
    """Stands in for `renyi.select`: remembers what it was asked and answers."""

    def __init__(self) -> None:
        self.answer: PathRecord = heart_path()
        self.error: BaseException | None = None
        self.asked: dict[str, Any] = {}
        self.data = ""
        self.progress: Any = None

    def public(self) -> renyi.SelectionPath:
        return renyi.SelectionPath.from_dict(self.answer.to_dict())

    def __call__(self, data: str, **options: Any) -> renyi.SelectionPath:
        self.data, self.asked = data, options
        self.progress = self.asked.pop("progress")
        if self.error is not None:
            raise self.error
        return self.public()


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Search:
    stand_in = Search()
    monkeypatch.setattr(renyi, "select", stand_in)
    return stand_in
