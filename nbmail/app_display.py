"""Is there a display to open a window on? Asked before Qt is, since Qt ends the program where it finds none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

OFFSCREEN = "offscreen"
PROBE = "from PySide6.QtGui import QGuiApplication; QGuiApplication([])"


def names_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether the environment promises a display. Windows and macOS always have one."""
    if platform in ("win32", "darwin"):
        return True
    if chosen := environment.get("QT_QPA_PLATFORM", ""):
        return chosen.partition(":")[0] not in (OFFSCREEN, "minimal")
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def reaches_display() -> bool:
    """Whether Qt can really open one: tried in a process of its own, as Qt aborts where it can't."""
    if getattr(sys, "frozen", False):
        return True
    tried = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, check=False)
    return tried.returncode == 0


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
