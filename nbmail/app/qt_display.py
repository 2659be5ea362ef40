"""What a window needs of Qt: its libraries and a display."""

import builtins
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

OFFSCREEN = "offscreen"
QT_NEEDS = {
    "linux": "On Debian and Ubuntu this brings what it needs: "
    "apt install libglib2.0-0 libgl1 libegl1 libdbus-1-3 libfontconfig1 libxkbcommon0",
    "win32": "It needs Windows 10, version 1809, or later.",
    "darwin": "It needs macOS 13 or later.",
}
PROBE = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
print("here", flush=True)
sys.stdin.read()
"""


def import_plainly() -> None:
    """Remove the import hook that PySide6 installs when it is loaded.

    The hook supports PySide6's alternative spellings (`from __feature__ import …`), which nbmail
    doesn't use. It reads the source of every module imported later, which takes an eighth of the
    time until the window is built.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def missing_library() -> str:
    """Return why Qt can't be imported, empty if it can.

    Often a library such as libEGL.so.1 is missing.
    """
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        return str(error)
    return ""


def names_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """True if the environment names a display. Windows and macOS always have one."""
    if platform in ("win32", "darwin"):
        return True
    if chosen := environment.get("QT_QPA_PLATFORM", ""):
        return chosen.partition(":")[0] not in (OFFSCREEN, "minimal")
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


@contextmanager
def probe_display() -> Iterator[Callable[[], None] | None]:
    """Try in another process whether Qt can open the display. Yield None if it can't.

    Qt would abort this process. Otherwise yield the function that disconnects the other one: some
    servers restart when their last client leaves, and reject new clients meanwhile.
    """
    command = [sys.executable, "-P", "-c", PROBE]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        is_open = process.stdout.readline().strip() == "here"
        yield process.stdin.close if is_open else None
