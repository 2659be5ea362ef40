"""Passwords in the system's keyring, otherwise requested once a run and kept in memory. Never in a file."""

from collections.abc import Callable
from contextlib import suppress

import keyring
from keyring.errors import KeyringError

from nbmail.settings import Account

SERVICE = "nbmail"

# Errors of a configured keyring that can't be loaded: it counts as missing.
NO_KEYRING = (KeyringError, ImportError, AttributeError, ValueError, RuntimeError, OSError)

# Requests a password from the user; None if the user entered none.
Prompt = Callable[[Account], str | None]


class Passwords:
    """Passwords of all accounts. Thread-safe. Blocks while the keyring waits for the user.

    `prompt` is called in the calling thread if the keyring has no password or is missing.
    """

    def __init__(self, prompt: Prompt = lambda account: None) -> None:
        self._prompt = prompt
        self._known: dict[str, str] = {}
        # Entries that the keyring contains: deleting others makes some systems offer to create a keyring.
        self._stored: set[str] = set()

    def get(self, account: Account) -> str | None:
        """Return the account's password, or None."""
        password = self._known.get(account.name)
        if password is None and (password := _from_keyring(account)) is not None:
            self._stored.add(_entry(account))
        if password is None and (password := self._prompt(account)) is not None:
            self.give(account, password)
        return password

    def give(self, account: Account, password: str) -> None:
        """Use this password until the end of the run."""
        self._known[account.name] = password

    def keep(self, account: Account, password: str) -> bool:
        """Use this password and store it in the keyring. False if there is no usable keyring."""
        self.give(account, password)
        try:
            keyring.set_password(SERVICE, _entry(account), password)
        except NO_KEYRING:
            return False
        self._stored.add(_entry(account))
        return True

    def forget(self, account: Account) -> None:
        """Drop a wrong password, or that of a deleted account, here and in the keyring."""
        self._known.pop(account.name, None)
        if _entry(account) in self._stored:
            self._stored.remove(_entry(account))
            with suppress(*NO_KEYRING):
                keyring.delete_password(SERVICE, _entry(account))

    def of(self, account: Account) -> Callable[[], str | None]:
        return lambda: self.get(account)


def _entry(account: Account) -> str:
    return f"{account.user}@{account.host}:{account.port}"


def _from_keyring(account: Account) -> str | None:
    try:
        return keyring.get_password(SERVICE, _entry(account))
    except NO_KEYRING:
        return None
