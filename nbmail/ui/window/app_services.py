"""What the window asks of the program around it, beyond the engine: accounts, passwords, settings."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbmail.settings import Account, Settings
from nbmail.ui.accounts.settings_search import GiveUp, TellFolders, TellSearch
from nbmail.values import LocalMailbox


@dataclass(frozen=True, slots=True)
class FoundMail:
    """Raw messages with the names of their files. `more` were left where they are; `problem` says what went wrong."""

    mails: tuple[tuple[str, bytes], ...]
    more: bool = False
    problem: str = ""


ReadFiles = Callable[["tuple[Path, ...]", Callable[[FoundMail], None]], None]


def _nothing(*_: Any) -> None:
    pass


def _no_search(*_: Any) -> GiveUp:
    return _nothing


@dataclass(frozen=True, slots=True)
class AppServices:
    """Calls that return at once; what comes of them arrives as events.

    `add_account` takes the account and its password (empty for a local mailbox); `give_password` an account's name and
    the password typed anew (an empty one to `change_account` leaves it as it is); `check_mail` wakes all accounts;
    `open_address` shows a web address the user has confirmed, `open_file` an attachment. `find_settings` looks for the
    server of a mail address and answers with what ends the search, `find_places` for mail of other programs: both tell
    on the window's thread, as does `list_folders`, which asks a mailbox (with this password, or an empty one for the
    one known) what it has.
    `pause_training` stops an account's learning from folders for a while, or lets it go on. `open_demo` shows a made-up
    mailbox in a window of its own: whether it can.
    """

    add_account: Callable[[Account, str], None] = _nothing
    read_files: ReadFiles = _nothing
    """Reads the mail in files of this computer."""
    remove_account: Callable[[str], None] = _nothing
    give_password: Callable[[str, str], None] = _nothing
    keep_settings: Callable[[Settings], None] = _nothing
    check_mail: Callable[[], None] = _nothing
    open_address: Callable[[str], None] = _nothing
    open_file: Callable[[Path], None] = _nothing
    change_account: Callable[[Account, str], None] = _nothing
    find_settings: Callable[[str, TellSearch], GiveUp] = _no_search
    find_places: Callable[[Callable[[tuple[LocalMailbox, ...]], None]], None] = _nothing
    list_folders: Callable[[Account, str, TellFolders], GiveUp] = _no_search
    pause_training: Callable[[str, bool], None] = _nothing
    open_demo: Callable[[], bool] = bool
