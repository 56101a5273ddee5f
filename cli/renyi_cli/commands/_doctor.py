"""``renyi doctor``: what this machine and installation can do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from renyi_cli import _options as opt
from renyi_cli._console import write_page
from renyi_cli._output import chosen_format, print_text
from renyi_cli.pages._table import print_pairs
from renyi_cli.shell import outdated

__all__ = ["doctor"]

FORMATS = ("table", "json")

DoctorFormat = Annotated[
    opt.Text, opt.option("--format", opt.OUTPUT, "FORMAT", "table (default) or json on stdout.")
]


def doctor(
    format_: DoctorFormat = None,
    json: opt.Json = False,
    debug: opt.Debug = False,
) -> None:
    """Show versions, linear algebra, cores, memory, GPU, extras, and what is outdated.

    Examples
    --------
    renyi doctor
    renyi doctor --json
    """
    import json as json_text

    import renyi

    form = chosen_format(format_, json, FORMATS)
    findings: dict[str, Any] = renyi.doctor()
    findings["advice"] = [*findings["advice"], *_of_setup(renyi.__version__)]
    if form == "json":
        print_text(json_text.dumps(findings, indent=2, ensure_ascii=False))
    else:
        write_page(lambda console: print_pairs(console, list(_rows(findings))))


def _of_setup(version: str) -> list[dict[str, str]]:
    """Return what to do where another version wrote completion or manual pages."""
    old = outdated(version)
    if not old:
        return []
    told = f"Completion or manual pages are of renyi {' and '.join(old)}: write them again"
    return [{"code": "setup", "message": f"{told} (renyi setup)."}]


def _rows(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    python, memory, gpu = found["python"], found["memory"], found["gpu"]
    yield "renyi", found["renyi"]
    yield "Python", f"{python['implementation']} {python['version']}"
    yield "system", python["platform"]
    for name, version in found["packages"].items():
        yield name, version or "missing"
    for library in found["blas"]:
        yield "BLAS", f"{library['name']} {library['version']}, threads: {library['threads']}"
    yield "cores", f"{found['cores']['usable']} usable of {found['cores']['present']}"
    free, total, budget = (_gibibytes(memory[name]) for name in ("free", "total", "budget"))
    yield "memory", f"{free} free of {total}; a run takes at most {budget}, see --max-memory"
    yield "GPU", gpu["device"] or f"none: {gpu['reason']}"
    for name, extra in found["extras"].items():
        state = extra["version"] if extra["installed"] else f"not installed; {extra['install']}"
        yield f"extra {name}", state
    yield "data home", found["data_home"] or "RENYI_DATA_HOME is not set"
    yield "data cache", found["data_cache"]
    for one in found["advice"]:
        yield "to mend", one["message"]


def _gibibytes(count: int | None) -> str:
    return "unknown" if count is None else f"{count / 2**30:.1f} GiB"
