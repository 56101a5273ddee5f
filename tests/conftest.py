"""What every test may ask for."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from renyi.information import Computation, Thresholds

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--few", type=int, metavar="CASES", help="run at most so many cases a test")


@pytest.hookimpl(trylast=True)  # the marks have spoken
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave as many cases of each test as `--few` says, evenly spread, the first among them."""
    few = config.getoption("--few")
    if few is None:
        return
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen = {
        cases[place * len(cases) // few if len(cases) > few else place]
        for cases in tests.values()
        for place in range(min(few, len(cases)))
    }
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


@pytest.fixture
def with_thresholds(monkeypatch: pytest.MonkeyPatch) -> Callable[[Thresholds], None]:
    """Hand other thresholds to all computations that doors make which take none."""

    def use(thresholds: Thresholds) -> None:
        made = partial(Computation.of, thresholds=thresholds)
        monkeypatch.setattr(Computation, "of", made)

    return use


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def data_home() -> Path:
    """The folder of public data sets, named by RENYI_DATA_HOME; skips where there is none."""
    named = os.environ.get("RENYI_DATA_HOME", "")
    if not named:
        pytest.skip("RENYI_DATA_HOME is not set: no public data sets at hand")
    if not Path(named).is_dir():
        pytest.fail(f"RENYI_DATA_HOME names no folder: {named}")
    return Path(named)


@pytest.fixture(scope="session")
def data_set(data_home: Path) -> Callable[[str], Path]:
    """Return the Parquet file of a named public set, or skip where the folder lacks it."""

    def find(name: str) -> Path:
        path = data_home / f"{name}.parquet"
        if not path.is_file():
            pytest.skip(f"{name}.parquet is not in RENYI_DATA_HOME")
        return path

    return find


@pytest.fixture(scope="session", autouse=True)
def _no_proxy_here() -> None:
    """Reach servers that tests start without the proxy that a machine may have."""
    for name in ("no_proxy", "NO_PROXY"):
        os.environ[name] = ",".join(filter(None, (os.environ.get(name), "127.0.0.1,localhost")))


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c_is_heard() -> None:
    """Hear SIGINT whatever started the tests: a background shell starts its children deaf to it.

    A handler of one's own is not inherited, so that the processes that tests start hear it too.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
