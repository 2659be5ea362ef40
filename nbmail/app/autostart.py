"""Start at login: the entry in the system's list of programs.

On Linux the list is XDG autostart, on macOS launchd, and on Windows the registry.
"""

import hashlib
import importlib
import plistlib
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Protocol

RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""Windows: the programs to start, and which of them the user has disabled in the Task Manager."""
DISABLED = re.compile(
    r"^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$", re.MULTILINE
)


class LoginEntry(Protocol):
    """Entry of one data folder. Both methods access the disk or the registry."""

    def is_on(self) -> bool:
        """True if the system starts nbmail at login."""

    def change(self, on: bool) -> None:
        """Add or remove the entry. Raise `OSError` if the system refuses."""


def own_command(script: str, module: Sequence[str], home: Path | None, platform: str) -> list[str]:
    """Return the command to start nbmail minimized.

    `script`: the program of this process, used if it is an installed one; otherwise `module`, which
    starts with the path of Python. On Windows a Python without a console replaces it. `home`:
    option of the user.
    """
    if platform == "win32":
        python = Path(module[0])
        quiet = python.with_name("pythonw.exe")
        command = [str(quiet if quiet.is_file() else python), *module[1:]]
    elif Path(script).name == "nbmail" and Path(script).is_file():
        command = [str(Path(script).absolute())]
    else:
        command = list(module)
    return [*command, "--minimized", *(["--home", str(home)] if home else [])]


def login_entry(
    command: Sequence[str],
    home: Path | None,
    *,
    user: Path,
    environment: Mapping[str, str],
    platform: str,
) -> LoginEntry | None:
    """Return the entry for a data folder; None in a sandbox, which the system's list can't start.

    `user`: the user's home directory. Each `home` has its own entry; None is that of the standard
    folders.
    """
    name = f"nbmail-{hashlib.sha256(str(home).encode()).hexdigest()[:12]}" if home else "nbmail"
    if "FLATPAK_ID" in environment:
        return None
    if platform == "win32":
        return RegistryEntry(importlib.import_module("winreg"), name, command)
    if platform == "darwin":
        return _launch_agent(user / "Library/LaunchAgents" / f"org.nbmail.{name}.plist", command)
    config = Path(environment.get("XDG_CONFIG_HOME", ""))
    folder = config if config.is_absolute() else user / ".config"
    return _desktop_entry(folder / "autostart" / f"{name}.desktop", command)


class FileEntry:
    """File with `content` that starts the program.

    `is_disabled`: returns True for a content with which the system doesn't start it.
    """

    def __init__(self, path: Path, content: bytes, is_disabled: Callable[[bytes], bool]) -> None:
        self._path = path
        self._content = content
        self._is_disabled = is_disabled

    def is_on(self) -> bool:
        with suppress(OSError, ValueError):
            return not self._is_disabled(self._path.read_bytes())
        return False

    def change(self, on: bool) -> None:
        if on:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_bytes(self._content)
        else:
            self._path.unlink(missing_ok=True)


def _launch_agent(path: Path, command: Sequence[str]) -> FileEntry:
    """Return the entry for launchd, on macOS."""
    agent = {
        "Label": path.stem,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "ProcessType": "Interactive",
    }
    return FileEntry(
        path,
        plistlib.dumps(agent),
        lambda found: bool(plistlib.loads(found).get("Disabled", False)),
    )


def _desktop_entry(path: Path, command: Sequence[str]) -> FileEntry:
    """Return the entry for a Linux desktop."""
    words = []
    for word in command:
        # Backslashes are escaped twice: as an argument, and as a value of the key.
        quoted = re.sub(r'(["`$\\])', r"\\\1", word).replace("%", "%%").replace("\\", "\\\\")
        words.append(f'"{quoted}"' if re.search(r"[^\w./=:@-]", word) else quoted)
    lines = ["[Desktop Entry]", "Type=Application", "Name=nbmail", "Icon=nbmail", "Terminal=false"]
    content = "\n".join([*lines, f"Exec={' '.join(words)}", ""])
    return FileEntry(path, content.encode(), lambda found: bool(DISABLED.search(found.decode())))


class RegistryEntry:
    """Value in the registry of Windows. `registry`: the module `winreg`."""

    def __init__(self, registry: ModuleType, name: str, command: Sequence[str]) -> None:
        self._registry = registry
        self._name = name
        self._command = command

    def is_on(self) -> bool:
        # The user has disabled the entry in the Task Manager if the first byte of its state is odd.
        state = self._read(APPROVED)
        is_disabled = isinstance(state, bytes) and bool(state[:1]) and state[0] % 2 == 1
        return self._read(RUN) is not None and not is_disabled

    def change(self, on: bool) -> None:
        root = self._registry.HKEY_CURRENT_USER
        for key in (APPROVED, RUN):
            with (
                suppress(FileNotFoundError),
                self._registry.OpenKey(root, key, 0, self._registry.KEY_SET_VALUE) as run,
            ):
                self._registry.DeleteValue(run, self._name)
        if on:
            with self._registry.CreateKey(root, RUN) as run:
                words = subprocess.list2cmdline(self._command)
                self._registry.SetValueEx(run, self._name, 0, self._registry.REG_SZ, words)

    def _read(self, key: str) -> object:
        with (
            suppress(OSError),
            self._registry.OpenKey(self._registry.HKEY_CURRENT_USER, key) as opened,
        ):
            found: object = self._registry.QueryValueEx(opened, self._name)[0]
            return found
        return None
