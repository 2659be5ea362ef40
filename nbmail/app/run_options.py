"""Options of a run of the program with its window."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbmail.app.autostart import LoginEntry
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.ui.texts.error_texts import Notice


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a run.

    `settings`: None for the stored ones. `passwords`: known passwords by account name. `report`:
    called with the reason if the data folder cannot be opened. `users_home`: searched for mail of
    other programs. `files`: mail to show after the start. `demo`: the window's title names the
    demo. `minimized`: begin in the system tray. `login`: the entry for the start at login, None if
    there can't be one.
    """

    paths: Paths
    settings: Settings | None = None
    passwords: Mapping[str, str] = field(default_factory=dict)
    report: Callable[[Notice], None] = lambda notice: None
    users_home: Path = field(default_factory=Path.home)
    files: tuple[Path, ...] = ()
    demo: bool = False
    minimized: bool = False
    login: LoginEntry | None = None
