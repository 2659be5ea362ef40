"""Passwords of all accounts: in the system's keyring, otherwise in memory. Never in a file."""

from collections.abc import Mapping

from nbmail.settings import Account
from nbmail.sync.accounts.keyring_secrets import delete_secret, load_secret, store_secret


class Passwords:
    """Passwords of all accounts. Thread-safe. Blocks while the keyring waits for the user.

    `known`: passwords by account name, for which the keyring is not queried: some systems offer to
    create one then.
    """

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        self._known = dict(known or {})
        # Entries that the keyring contains: deleting others makes some systems offer to create a
        # keyring.
        self._stored: set[str] = set()

    def get(self, account: Account) -> str | None:
        # One look: another thread may forget the password in between.
        password = self._known.get(account.name)
        if password is None:
            password = load_secret(_entry(account))
            if password is not None:
                self._stored.add(_entry(account))
        return password

    def give(self, account: Account, password: str) -> None:
        """Use this password until the end of the run."""
        self._known[account.name] = password

    def keep(self, account: Account, password: str) -> bool:
        """Use this password and store it in the keyring. False if there is no usable keyring."""
        self.give(account, password)
        if not store_secret(_entry(account), password):
            return False
        self._stored.add(_entry(account))
        return True

    def forget(self, account: Account) -> None:
        """Drop a wrong password, or that of a deleted account, here and in the keyring."""
        self._known.pop(account.name, None)
        if _entry(account) in self._stored:
            self._stored.remove(_entry(account))
            delete_secret(_entry(account))


def _entry(account: Account) -> str:
    return f"{account.user}@{account.host}:{account.port}"
