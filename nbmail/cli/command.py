"""Interface between the entry point and the modules of the commands."""

import argparse
from collections.abc import Callable
from typing import NamedTuple

ERROR = 2
"""Exit code of a command that failed."""


class CliCommand(NamedTuple):
    """A command. `add_options`: adds its options to a parser. `run`: returns the exit code."""

    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
