"""Passwords: in the system's keyring, else asked once a run and kept in memory only. Never in a file of ours."""

from collections.abc import Callable
from contextlib import suppress

import keyring
from keyring.errors import KeyringError

from nbmail.settings import Account

SERVICE = "nbmail"

# A keyring that is chosen and can't be loaded says so in any of these words: it counts as none.
NO_KEYRING = (KeyringError, ImportError, AttributeError, ValueError, RuntimeError, OSError)

# Asked with the account; None means that the user gave none.
Ask = Callable[[Account], str | None]


class Passwords:
    """The passwords of all accounts. Safe from any thread; waits for the keyring, which may wait for the user.

    `ask` is called in the thread that needs a password, where the keyring has none or there is no keyring.
    """

    def __init__(self, ask: Ask = lambda account: None) -> None:
        self._ask = ask
        self._given: dict[str, str] = {}
        self._stored: set[str] = set()
        """What the keyring is known to hold: to delete anything else, some systems first ask for a new keyring."""

    def get(self, account: Account) -> str | None:
        """The account's password, or None."""
        given = self._given.get(account.name)
        if given is None and (given := _from_keyring(account)) is not None:
            self._stored.add(_entry(account))
        if given is None and (given := self._ask(account)) is not None:
            self.give(account, given)
        return given

    def give(self, account: Account, password: str) -> None:
        self._given[account.name] = password

    def keep(self, account: Account, password: str) -> bool:
        """Use this password, and put it into the keyring: whether there is one that took it."""
        self.give(account, password)
        try:
            keyring.set_password(SERVICE, _entry(account), password)
        except NO_KEYRING:
            return False
        self._stored.add(_entry(account))
        return True

    def forget(self, account: Account) -> None:
        """The password was wrong, or the account is no more: drop it here and in the keyring."""
        self._given.pop(account.name, None)
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
