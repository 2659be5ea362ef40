"""Base class of runs that operate their own window."""

from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from nbmail.app.program import Program
from nbmail.app.scripted.window_driver import CheckFailed, WindowDriver
from nbmail.errors import KnownError


class ScriptedRun:
    """Runs `perform` in the event loop, prints how it ended, and ends the program.

    `failed`: beginning of the line that names a failure. `passed`: last line of a run without one.
    """

    failed = ""
    passed = ""

    def __init__(self, print_line: Callable[[str], None]) -> None:
        self.print_line = print_line

    def begin(self, program: Program) -> None:
        failure = "something went wrong inside nbmail"
        try:
            self.perform(WindowDriver(program))
            failure = ""
        except (CheckFailed, KnownError) as error:
            failure = str(error)
        finally:
            self.print_line(f"{self.failed}: {failure}." if failure else self.passed)
            QApplication.exit(1 if failure else 0)

    def perform(self, driver: WindowDriver) -> None:
        """Operate the window. Raises `CheckFailed`."""
        raise NotImplementedError
