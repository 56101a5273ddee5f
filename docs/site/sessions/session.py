"""Run blocks from standard input, as `running` sends them, and print the value of the last line."""

from __future__ import annotations

import ast
import sys
import traceback
from typing import Any

END = "\x1eend"


def run(block: str, names: dict[str, Any]) -> int:
    """Run a block; return 0, or 1 where it raised."""
    try:
        tree = ast.parse(block)
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
            exec(compile(tree, "<block>", "exec"), names)
            sys.displayhook(eval(compile(ast.Expression(last.value), "<block>", "eval"), names))
        else:
            exec(compile(tree, "<block>", "exec"), names)
    except Exception as error:
        # The last line of a traceback is what a reader needs.
        print("".join(traceback.format_exception_only(error)).strip())
        return 1
    return 0


def main() -> None:
    """Run block after block in one namespace."""
    names: dict[str, Any] = {"__name__": "__main__"}
    lines: list[str] = []
    for line in sys.stdin:
        if line.rstrip("\n") == END:
            status = run("".join(lines), names)
            lines.clear()
            sys.stderr.flush()
            print(f"{END}{status}", flush=True)
        else:
            lines.append(line)


main()
