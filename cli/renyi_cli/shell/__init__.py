"""What a shell knows of the program: completion and manual pages, in the user's own folders."""

from renyi_cli.shell._completion import SHELLS, StartLine, completion, login_shell, start_line
from renyi_cli.shell._manual import manual_pages
from renyi_cli.shell._outdated import outdated
from renyi_cli.shell._owned import Owned, add_line, owned, remove, remove_line, write

__all__ = [
    "SHELLS",
    "Owned",
    "StartLine",
    "add_line",
    "completion",
    "login_shell",
    "manual_pages",
    "outdated",
    "owned",
    "remove",
    "remove_line",
    "start_line",
    "write",
]
