"""Is there a display to open a window on? Asked before Qt is, since Qt ends the program where it finds none."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

OFFSCREEN = "offscreen"
PROBE = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
print("here", flush=True)
sys.stdin.read()
"""


def names_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether the environment promises a display. Windows and macOS always have one."""
    if platform in ("win32", "darwin"):
        return True
    if chosen := environment.get("QT_QPA_PLATFORM", ""):
        return chosen.partition(":")[0] not in (OFFSCREEN, "minimal")
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


class DisplayProbe:
    """Tries in a process of its own whether Qt can open the display, as Qt aborts where it can't.

    The process stays connected until `release`: some servers start anew when their last client leaves, and turn away
    whoever comes at that moment.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def reaches(self) -> bool:
        """Whether there is a display that answers. In a bundle there is no Python to try it with."""
        if getattr(sys, "frozen", False):
            return True
        import subprocess

        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROBE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        if self._process.stdout.readline().strip() == "here":
            return True
        self.end()
        return False

    def release(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def end(self) -> None:
        """Let go, and see the process end."""
        self.release()
        if self._process is not None and self._process.stdout is not None:
            self._process.wait()
            self._process.stdout.close()


def go_offscreen() -> None:
    """Let Qt draw into memory."""
    os.environ["QT_QPA_PLATFORM"] = OFFSCREEN


def missing_library() -> str:
    """Why Qt can't be imported on this system, empty where it can: most often a library such as libEGL.so.1."""
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        return str(error)
    return ""
