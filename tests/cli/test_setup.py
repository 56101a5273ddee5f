"""Completion and manual pages: written into the home folder, working, and taken away again."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

import renyi
from renyi_cli._app import app

# what a script asks of the program is replaced where it is asked
from renyi_cli.shell import _completion

Run = Callable[..., Any]
REQUESTS = {'.\\"', ".TH", ".SH", ".PP", ".TP", ".nf", ".fi", ".BR"}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shells of Unix")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home of one"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("SHELL", "/bin/bash")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR", "BASH_COMPLETION_USER_DIR"):
        monkeypatch.delenv(name, raising=False)
    return folder


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def commands(within: Any, words: tuple[str, ...] = ("renyi",)) -> Iterator[tuple[str, Any]]:
    yield "-".join(words), within
    for name, member in getattr(within, "commands", {}).items():
        yield from commands(member, (*words, name))


def test_a_dry_run_says_everything_and_writes_nothing(home: Path, run: Run) -> None:
    told = run("setup", "--dry-run", "--shell", "zsh")
    assert told.exit_code == 0
    assert not files(home)
    done = run("setup", "--shell", "zsh")
    assert (done.exit_code, done.stdout) == (0, "")
    assert told.stderr.replace("Would write", "Wrote").replace("Would add", "Added") in done.stderr
    assert files(home) > {".zshrc", ".local/share/renyi/completion.zsh"}


@pytest.mark.parametrize("before", ["", "alias a=b", "alias a=b\r\n# end\r\n"])
def test_what_was_there_is_as_it_was_when_all_is_taken_away(
    before: str, home: Path, run: Run
) -> None:
    own = home / "dotfiles" / "zshrc"  # as many keep theirs
    own.parent.mkdir()
    own.write_bytes(before.encode())
    own.chmod(0o600)
    (home / ".zshrc").symlink_to(own)
    for _ in range(2):
        assert run("setup", "--shell", "zsh", "-q").stderr == ""
    assert own.read_text(encoding="utf-8").count("renyi setup") == 1
    assert run("setup", "--shell", "zsh", "--remove").exit_code == 0
    assert files(home) == {".zshrc", "dotfiles/zshrc"}
    assert (home / ".zshrc").is_symlink()
    assert own.read_bytes().rstrip() == before.encode().rstrip()
    assert own.stat().st_mode & 0o777 == 0o600
    assert run("setup", "--shell", "zsh", "--remove").stderr == "There was nothing to remove.\n"


def test_a_file_of_somebody_else_is_left_and_nothing_is_written(home: Path, run: Run) -> None:
    theirs = home / ".local" / "share" / "man" / "man1" / "renyi-select.1"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("mine", encoding="utf-8")
    refused = run("setup")
    assert refused.exit_code == 1
    assert f"{theirs} is there and was not written by `renyi setup`" in refused.stderr
    assert files(home) == {str(theirs.relative_to(home))}
    run("setup", "--remove")
    assert theirs.read_text(encoding="utf-8") == "mine"


def test_folders_of_the_standard_are_kept_to(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative/is/no/name")
    run("setup", "-q")
    run("setup", "-q", "--shell", "fish")
    assert {path.split("/")[0] for path in files(home)} == {"data", ".config"}
    assert "data/bash-completion/completions/renyi" in files(home)
    assert ".config/fish/completions/renyi.fish" in files(home)


@pytest.mark.parametrize(
    ("shell", "said"),
    [("/bin/tcsh", "There is no completion for the shell tcsh."), (None, "SHELL is not set")],
)
def test_an_unknown_shell_is_said_with_the_way_out(
    shell: str | None, said: str, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", shell) if shell else monkeypatch.delenv("SHELL")
    refused = run("setup")
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert "--shell" in refused.stderr
    assert run("setup", "--shell", "fsh").exit_code == 2
    assert not files(home)


def test_on_windows_powershell_says_where_it_starts(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = home / "Documents" / "PowerShell" / "profile.ps1"
    script = _completion._said

    def said(words: list[str], problem: str, complete: str | None = None) -> str:
        return f"{profile}\r\n" if words[0] == "powershell" else script(words, problem, complete)

    monkeypatch.setattr(_completion, "_said", said)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(home / "Local"))
    assert run("setup").exit_code == 0
    assert files(home) == {"Local/renyi/completion.ps1", str(profile.relative_to(home))}
    assert str(home / "Local" / "renyi" / "completion.ps1") in profile.read_text(encoding="utf-8")
    text = (home / "Local" / "renyi" / "completion.ps1").read_text(encoding="utf-8")
    assert "Register-ArgumentCompleter" in text
    run("setup", "--remove")
    assert profile.read_text(encoding="utf-8") == ""


def test_each_command_has_a_page_that_names_each_option(home: Path, run: Run) -> None:
    run("setup", "-q")
    folder = home / ".local" / "share" / "man" / "man1"
    known = dict(commands(get_command(app)))
    assert {path.stem for path in folder.iterdir()} == set(known)
    for name, command in known.items():
        page = (folder / f"{name}.1").read_text(encoding="utf-8")
        for param in command.get_params(typer.Context(command)):
            shown = param.opts if param.param_type_name == "option" else [param.metavar]
            assert all(word.replace("-", "\\-") in page for word in shown)
        assert f"renyi {renyi.__version__}" in page
        lines = page.splitlines()
        assert {line.split(" ")[0] for line in lines if line[0] in ".'"} <= REQUESTS
        assert not re.search(r"(?<!\\)-", re.sub(r'".*?"|\\".*', "", page))
        assert not re.search(r"\\(?![-efg&\"(])", page)
        assert lines.count(".nf") == lines.count(".fi") == 1


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_a_program_that_shows_pages_is_content_with_them(home: Path, run: Run) -> None:
    run("setup", "-q")
    pages = sorted((home / ".local" / "share" / "man" / "man1").iterdir())
    words = ["mandoc", "-T", "lint", "-W", "warning", *map(str, pages)]
    assert subprocess.run(words, capture_output=True, check=False).stdout == b""


COMPLETES = {
    "bash": (
        "{file}",
        '. "{file}"; COMP_WORDS=(renyi select --criterion cmi-); COMP_CWORD=3; '
        '_renyi_completion renyi; echo "${{COMPREPLY[@]}}"',
        ".local/share/bash-completion/completions/renyi",
    ),
    "fish": ("", 'complete -C "renyi select --criterion cmi-"', ""),
    "zsh": (
        "",
        "words=(renyi select --criterion cmi-); CURRENT=4; "
        '_arguments() {{ print "$@"; }}; _describe() {{ print ${{(P)2}}; }}; ${{_comps[renyi]}}',
        "",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", COMPLETES)
def test_the_shell_completes(
    shell: str, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    run("setup", "-q", "--shell", shell)
    script = home / "bin" / "renyi"
    script.parent.mkdir()
    code = "import sys; sys.argv[0] = 'renyi'; from renyi_cli import main; main()"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(script.parent), prepend=":")
    _, words, file = COMPLETES[shell]
    line = words.format(file=home / file)
    options = ["-ic"] if shell == "zsh" else ["-c"]
    done = subprocess.run(
        [program, *options, line], capture_output=True, encoding="utf-8", check=False
    )
    assert "cmi-max" in done.stdout, done.stderr
    assert "mi-chi2" not in done.stdout


def test_the_doctor_knows_files_of_another_version(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("setup", "-q")
    assert not [one for one in advice(run) if one["code"] == "setup"]
    page = home / ".local" / "share" / "man" / "man1" / "renyi-select.1"
    now = f"renyi {renyi.__version__}, written"
    text = page.read_text(encoding="utf-8")
    assert now in text
    page.write_text(text.replace(now, "renyi 0.0.9, written"), encoding="utf-8")
    (told,) = [one["message"] for one in advice(run) if one["code"] == "setup"]
    assert "renyi 0.0.9" in told
    assert told in " ".join(run("doctor").stdout.split())
    run("setup", "-q")
    assert not [one for one in advice(run) if one["code"] == "setup"]


def advice(run: Run) -> list[dict[str, str]]:
    return list(json.loads(run("doctor", "--json").stdout)["advice"])
