"""The script by which a shell completes commands, options and values, and where it is looked for.

The program writes the script itself when it is asked to by a variable, as typer's programs do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from renyi.errors import OptionError, OutputError
from renyi_cli.shell._owned import Owned, config_folder, data_folder, owner

__all__ = ["SHELLS", "StartLine", "completion", "login_shell", "places", "start_line"]

SHELLS: Final = ("bash", "zsh", "fish", "powershell", "pwsh")

_PROGRAM: Final = "import sys; sys.argv = ['renyi']; from renyi_cli import main; main()"
_COMPLETES_ALREADY: Final = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n"


class StartLine(NamedTuple):
    """A line in the file with which a shell starts.

    Attributes
    ----------
    path
        The user's file.
    line
        The line that reads the completion.
    """

    path: Path
    line: str


def login_shell() -> str:
    """Return the shell that the user logs in with.

    Raises
    ------
    OptionError
        If it is none of those that completion is written for.
    """
    if sys.platform == "win32":
        return "powershell"
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        shown = f"the shell {name}" if name else "an unknown shell (SHELL is not set)"
        raise OptionError(
            f"There is no completion for {shown}.", f"--shell names another: {', '.join(SHELLS)}."
        )
    return name


def completion(shell: str, version: str) -> Owned:
    """Return the file of the completion of a shell."""
    return Owned(_place(shell), _script(shell, version))


def places() -> list[Path]:
    """Return where the completions of all shells are, whether they are there or not."""
    return list(dict.fromkeys(map(_place, SHELLS)))


def _place(shell: str) -> Path:
    if shell == "bash":  # where the package bash-completion looks when a command is first completed
        named = os.environ.get("BASH_COMPLETION_USER_DIR")
        folder = Path(named) if named else data_folder() / "bash-completion"
        return folder / "completions" / "renyi"
    if shell == "fish":
        return config_folder() / "fish" / "completions" / "renyi.fish"
    suffix = "zsh" if shell == "zsh" else "ps1"
    return data_folder() / "renyi" / f"completion.{suffix}"


def start_line(shell: str) -> StartLine | None:
    """Return the line that the shell must start with, None where it looks for the file itself."""
    script = _place(shell)
    if shell == "zsh":
        folder = Path(os.environ.get("ZDOTDIR") or Path.home())
        return StartLine(folder / ".zshrc", f"[ -r '{script}' ] && . '{script}'  # renyi setup")
    if shell in {"powershell", "pwsh"}:
        line = f"if (Test-Path '{script}') {{ . '{script}' }}  # renyi setup"
        return StartLine(_profile(shell), line)
    return None


def _profile(shell: str) -> Path:
    """Return the file with which PowerShell starts; it alone knows where that is."""
    words = [shell, "-NoProfile", "-NonInteractive", "-Command", "$PROFILE"]
    said = _said(words, f"{shell} does not say where its profile is")
    return Path(said.strip())


def _script(shell: str, version: str) -> str:
    kind = "powershell" if shell == "pwsh" else shell
    text = _said([sys.executable, "-c", _PROGRAM], "The completion was not made", f"source_{kind}")
    before = _COMPLETES_ALREADY if shell == "zsh" else ""
    return f"# {owner(version)}\n{before}{text.strip()}\n"


def _said(words: list[str], problem: str, complete: str | None = None) -> str:
    """Return what a program writes; with `complete`, of renyi as its shells call it."""
    asked = {} if complete is None else {"_RENYI_COMPLETE": complete, "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(
            words,
            env=os.environ | asked,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise OutputError(f"{problem}: {error}.", "--shell names another shell.") from error
    return done.stdout
