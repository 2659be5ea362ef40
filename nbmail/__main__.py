"""The front door: `nbmail` opens the window, `nbmail COMMAND` works without one."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that is named, or the window; the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    from nbmail.cli import command_in

    if command := command_in(given):
        from nbmail.cli import main as cli

        return cli.main(command)
    from nbmail.app import main as app

    return app.main(given)


if __name__ == "__main__":
    if getattr(sys, "frozen", False):
        # A bundle has no other program to start a process of ours with than itself.
        from multiprocessing import freeze_support

        freeze_support()
    sys.exit(main())
