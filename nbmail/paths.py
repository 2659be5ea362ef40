"""Folders of the program's data. `--home` moves all of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import make_private_folder

_PACKAGE = Path(__file__).resolve().parent


def resources() -> Path:
    """Return the folder of icons, styles, translations and demo mail."""
    installed = _PACKAGE / "resources"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"


class Paths(NamedTuple):
    """Folders of one data folder. The README describes their contents."""

    config: Path
    data: Path
    cache: Path
    state: Path
    log: Path

    @classmethod
    def under(cls, home: Path) -> Paths:
        return cls(home / "config", home / "data", home / "cache", home / "state", home / "log")

    @classmethod
    def standard(cls) -> Paths:
        from platformdirs import PlatformDirs

        dirs = PlatformDirs("nbmail", appauthor=False)
        return cls(
            dirs.user_config_path,
            dirs.user_data_path,
            dirs.user_cache_path,
            dirs.user_state_path,
            dirs.user_log_path,
        )

    @classmethod
    def chosen(cls, home: Path | None) -> Paths:
        """Return the folders inside `home`, an option of the user; the standard ones for None."""
        return cls.under(Path(os.path.expanduser(home)).absolute()) if home else cls.standard()

    @property
    def settings(self) -> Path:
        """File of settings and accounts, without passwords."""
        return self.config / "settings.json"

    @property
    def database(self) -> Path:
        """Database of messages, labels and journal."""
        return self.data / "nbmail.sqlite3"

    def make(self) -> None:
        """Create the folders and make them private. Raise `KnownError` as `check` does."""
        self.check()
        for folder in self._folders:
            make_private_folder(folder)

    def check(self) -> None:
        """Raise `KnownError` if a folder or a file is something else."""
        for folder in self._folders:
            for one in (*reversed(folder.parents), folder):
                if os.path.lexists(one) and not one.is_dir():
                    raise KnownError(ErrorCode.BAD_INPUT, f"{one}: no folder, or a link to nothing")
        for file in (self.settings, self.database):
            if os.path.lexists(file) and not file.is_file():
                raise KnownError(ErrorCode.BAD_INPUT, f"{file}: no file, or a link to nothing")

    @property
    def _folders(self) -> tuple[Path, ...]:
        return self.config, self.data, self.cache, self.state, self.log
