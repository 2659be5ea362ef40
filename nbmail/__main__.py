"""Entry point: `nbmail` opens the window, `nbmail COMMAND` runs a command without one."""

import gc
import sys
from collections.abc import Sequence

from nbmail.cli import command_in


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named command, or the window, and return the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    # Commands run without Qt, and the window without the commands' modules.
    if command := command_in(given):
        from nbmail.cli import main as cli

        code = cli.main(command)
        # At its end Python would search all that is left for reference cycles.
        gc.freeze()
        return code
    from nbmail.app import main as app

    return app.main(given)


if __name__ == "__main__":
    sys.exit(main())
