"""Programs that are registered on this computer for opening messages."""

import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths

MID = "x-scheme-handler/mid"
MAIL_FILE = "message/rfc822"
OWN = "nbmail"
"""Part of the name under which nbmail is registered itself."""
MESSAGE_KEYS = {
    MID: r"HKEY_CLASSES_ROOT\mid\shell\open\command",
    MAIL_FILE: r"HKEY_CLASSES_ROOT\.eml",
}


def programs_for(kind: str) -> list[str]:
    """Return the programs that open this kind, the user's choice first; none on macOS."""
    if sys.platform == "win32":
        settings = QSettings(MESSAGE_KEYS[kind], QSettings.Format.NativeFormat)
        program = str(settings.value(".") or "")
        return [program] if program else []

    programs = dict[str, None]()
    for path in _lists():
        programs.update(dict.fromkeys(_registered(path, kind)))
    return list(programs)


def _lists() -> Iterator[Path]:
    """Yield the desktop's lists of programs, the user's own first."""
    locations = QStandardPaths.StandardLocation
    found = QStandardPaths.locateAll(locations.GenericConfigLocation, "mimeapps.list")
    found += QStandardPaths.locateAll(locations.ApplicationsLocation, "mimeapps.list")
    found += QStandardPaths.locateAll(locations.ApplicationsLocation, "mimeinfo.cache")
    yield from map(Path, found)


def _registered(path: Path, kind: str) -> Iterator[str]:
    """Yield the programs that a list of the desktop names for this kind, except removed ones."""
    section = ""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("["):
            section = line
        elif line.startswith(f"{kind}=") and section != "[Removed Associations]":
            names = line.partition("=")[2].strip()
            yield from filter(None, names.split(";"))
