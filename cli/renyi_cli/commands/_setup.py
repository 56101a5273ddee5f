"""``renyi setup``: completion and manual pages in the user's own folders."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from renyi_cli import _options as opt
from renyi_cli._console import say
from renyi_cli._session import Session
from renyi_cli._values import one_of
from renyi_cli.shell import (
    SHELLS,
    Owned,
    StartLine,
    add_line,
    completion,
    login_shell,
    manual_pages,
    owned,
    remove,
    remove_line,
    start_line,
    write,
)

__all__ = ["setup"]

OTHERS: Final = "Other shells have no completion; `renyi COMMAND --help` shows what there is."

Shell = Annotated[
    opt.Text,
    opt.option(
        "--shell",
        opt.OUTPUT,
        "SHELL",
        f"Complete in {', '.join(SHELLS[:-1])} or {SHELLS[-1]} (default: the one you log in with).",
        lambda incomplete: [(name, "") for name in SHELLS if name.startswith(incomplete)],
    ),
]
Remove = Annotated[bool, opt.switch("--remove", opt.OUTPUT, "Take away what was written.")]
DryRun = Annotated[bool, opt.switch("--dry-run", opt.OUTPUT, "Only say what would be written.")]


def setup(
    ctx: typer.Context,
    shell: Shell = None,
    dry_run: DryRun = False,
    remove_: Remove = False,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Install completion for your shell and the manual pages, in your home folder.

    Examples
    --------
    renyi setup --dry-run        which files it would write
    renyi setup
    renyi setup --shell zsh
    renyi setup --remove

    Only files of its own are written and removed. zsh and PowerShell look for no such file by
    themselves: a line is added to the file that they start with. Again after an update.
    """
    import renyi

    session: Session = ctx.find_root().obj
    chosen = one_of("--shell", shell, SHELLS, OTHERS) if shell else login_shell()
    script = completion(chosen, renyi.__version__)
    # On Windows no program shows manual pages.
    pages = manual_pages(ctx.find_root(), renyi.__version__) if sys.platform != "win32" else []
    line = start_line(chosen)
    if remove_:
        _take_away([script, *pages], line, dry_run, session)
        return
    if not dry_run:
        write([script, *pages])
    wrote = "Would write" if dry_run else "Wrote"
    _tell(wrote, script.path, session)
    if pages:
        _tell(f"{wrote} {len(pages)} manual pages in", pages[0].path.parent, session)
    if line is not None and (dry_run or add_line(*line)):
        _tell("Would add a line to" if dry_run else "Added a line to", line.path, session)
    if not dry_run:
        _tell("Start a new shell to use them.", "", session)
        if chosen == "bash":
            _tell(
                "",
                f"Without the package bash-completion, add to ~/.bashrc: . '{script.path}'",
                session,
            )


def _take_away(files: list[Owned], line: StartLine | None, dry: bool, session: Session) -> None:
    gone = owned(files) if dry else remove(files)
    for path in gone:
        _tell("Would remove" if dry else "Removed", path, session)
    if line is not None and not dry and remove_line(*line):
        _tell("Took a line out of", line.path, session)
    if not gone:
        _tell("There was nothing to remove.", "", session)


def _tell(word: str, path: object, session: Session) -> None:
    if not session.quiet:
        say(word, str(path), "bold" if path else "")
