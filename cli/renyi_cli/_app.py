"""The program: its commands, and what holds for all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from renyi_cli import commands
from renyi_cli._errors import guarded
from renyi_cli._help import Command, Group
from renyi_cli._options import OTHER
from renyi_cli._output import print_text
from renyi_cli._session import Session

__all__ = ["app"]


class Program(Group):
    """The whole program: nothing that goes wrong in it escapes as a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = False,  # noqa: ARG002 - patterns are opened here, as on Unix
        **extra: Any,
    ) -> Any:
        """Run on `args`; exit with the status, or return it where not standalone."""
        session = Session()

        def work() -> object:
            return super(Program, self).main(
                args, prog_name, complete_var, False, False, obj=session, **extra
            )

        with session.interrupts:
            words = sys.argv[1:] if args is None else args
            status = guarded(work, session, set(self._option_names(words)))
        if standalone_mode:
            sys.exit(status)
        return status

    def _option_names(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the options of the command that is typed, of all where none is."""
        typed = [word for word in words if word in self.commands]
        known = [self.commands[name] for name in typed[:1]] or [*self.commands.values()]
        for command in known if known[0].params else self.commands.values():
            for param in command.params:
                yield from param.opts


app = typer.Typer(
    name="renyi",
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,
)


def _tell_version(asked: bool) -> None:
    if asked:
        import renyi

        print_text(f"renyi {renyi.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def program(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback has done the work
        bool,
        typer.Option(
            "--version",
            help="Show the version.",
            callback=_tell_version,
            is_eager=True,
            rich_help_panel=OTHER,
        ),
    ] = False,
) -> None:
    """Find the columns of a table that matter for a target, and how many to keep.

    Examples
    --------
    renyi select data.parquet                  choose columns
    renyi describe data.parquet                look at the table first
    renyi select data.parquet -o result.json   keep the answer
    renyi apply result.json data.parquet -o reduced.parquet
    renyi plot result.json -o path.svg
    renyi report result.json -o report.html    a page to look at
    renyi compare data.parquet                 which criterion to trust here

    `renyi COMMAND --help` shows each command's options.
    """
    if ctx.invoked_subcommand is None:
        print_text(ctx.get_help())


for _command in (
    commands.select,
    commands.describe,
    commands.measure,
    commands.compare,
    commands.plot,
    commands.report,
    commands.apply,
    commands.reproduce,
    commands.doctor,
    commands.setup,
):
    app.command(cls=Command)(_command)
app.add_typer(commands.datasets)
