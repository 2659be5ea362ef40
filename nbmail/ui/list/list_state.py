"""Shown list and open message, stored when the window closes."""

from collections.abc import Collection

from PySide6.QtCore import QSettings

from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.values import FolderName

KEY = "shown"


def write_state(notes: QSettings, choice: Choice, message: int) -> None:
    account = ""
    folder = ""
    if choice.folder is not None:
        account, folder = choice.folder
    notes.setValue(KEY, [str(int(choice.kind)), account, folder, str(message)])


def read_state(notes: QSettings, accounts: Collection[str]) -> tuple[Choice, int] | None:
    """Return the stored list and message, -1 for no message; None without a list of `accounts`."""
    stored = notes.value(KEY)
    if not isinstance(stored, list) or len(stored) != 4:
        return None
    kind, account, folder, message = (str(each) for each in stored)
    if not kind.isdecimal() or int(kind) >= len(Kind):
        return None
    if account and account not in accounts:
        return None
    name = FolderName(account, folder) if account else None
    return Choice(Kind(int(kind)), name), int(message) if message.isdecimal() else -1
