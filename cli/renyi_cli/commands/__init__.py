"""The commands, one module each."""

from renyi_cli.commands._apply import apply
from renyi_cli.commands._compare import compare
from renyi_cli.commands._datasets import datasets
from renyi_cli.commands._describe import describe
from renyi_cli.commands._doctor import doctor
from renyi_cli.commands._measure import measure
from renyi_cli.commands._plot import plot
from renyi_cli.commands._report import report
from renyi_cli.commands._reproduce import reproduce
from renyi_cli.commands._select import select
from renyi_cli.commands._setup import setup

__all__ = [
    "apply",
    "compare",
    "datasets",
    "describe",
    "doctor",
    "measure",
    "plot",
    "report",
    "reproduce",
    "select",
    "setup",
]
