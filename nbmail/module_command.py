"""Command that runs a module of this program in another process."""

import sys
from pathlib import Path

START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), "
    "run_name='__main__')"
)
"""Runs a module of this program. Its folder comes last in the search path, so that it can't replace
a library.
"""


def module_command(name: str) -> list[str]:
    """Return the command for a module, without the current folder in the search path."""
    return [sys.executable, "-P", "-c", START, str(Path(__file__).parents[1]), name]
