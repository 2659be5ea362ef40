"""Passwords and sign-in tokens of all accounts.

The keyring and the libraries of sign-in are imported when they are needed, which takes a moment.
"""

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.mailbox_values import Issuer

if TYPE_CHECKING:
    from nbmail.sync.accounts.passwords import Passwords
    from nbmail.sync.sign_in.access_tokens import AccessTokens
    from nbmail.sync.sign_in.grant_stores import GrantStore


class AccountSecrets:
    """Passwords and tokens. Thread-safe. Blocks while the keyring waits for the user.

    `known`: passwords by account name. `grants`: places of sign-in tokens by account name, if they
    are not in the keyring. `report` is called with errors of the keyring.
    """

    def __init__(
        self,
        known: Mapping[str, str],
        grants: Mapping[str, "GrantStore"],
        report: Callable[[KnownError], None],
    ) -> None:
        self._known = known
        self._grants = grants
        self._report = report
        self._lock = threading.Lock()
        self._made_passwords: Passwords | None = None
        # By authorization server and user, so that one refresh runs at a time.
        self._tokens: dict[tuple[str, str], AccessTokens] = {}

    def source(self, account: Account) -> Callable[[], str | None]:
        """Return a function that returns the current password or token of an account."""
        if account.sign_in:
            return self.tokens(account)
        return partial(self._passwords.get, account)

    def password(self, account: Account) -> str | None:
        return self._passwords.get(account)

    def use(self, account: Account, password: str) -> None:
        """Use a password until the end of the run."""
        self._passwords.give(account, password)

    def store(self, account: Account, password: str) -> None:
        """Store a password in the keyring, and report if that fails."""
        try:
            if not self._passwords.keep(account, password):
                self._report(KnownError(ErrorCode.NO_KEYRING))
        except KnownError as error:
            self._report(error)

    def forget(self, account: Account) -> None:
        """Delete the password or sign-in of an account."""
        if not account.sign_in:
            self._passwords.forget(account)
            return
        from nbmail.sync.sign_in.grant_stores import KeyringGrants

        KeyringGrants(account.sign_in, account.user).delete()
        self._tokens.pop((account.sign_in, account.user), None)

    def tokens(self, account: Account) -> "AccessTokens":
        """Return the tokens of an account that signs in."""
        from nbmail.sync.sign_in.access_tokens import AccessTokens
        from nbmail.sync.sign_in.account_sign_in import web_of
        from nbmail.sync.sign_in.grant_stores import KeyringGrants

        key = (account.sign_in, account.user)
        with self._lock:
            if key not in self._tokens:
                store = self._grants.get(account.name) or KeyringGrants(*key, self._report)
                self._tokens[key] = AccessTokens(store, web_of(account))
            return self._tokens[key]

    def issuer_at(self, address: str) -> Issuer | None:
        """Return the authorization server of a stored sign-in of any account."""
        with self._lock:
            known = [tokens for (issuer, _), tokens in self._tokens.items() if issuer == address]
        for tokens in known:
            grant = tokens.store.load()
            if grant is not None:
                return grant.issuer
        return None

    @property
    def _passwords(self) -> "Passwords":
        from nbmail.sync.accounts.passwords import Passwords

        with self._lock:
            if self._made_passwords is None:
                self._made_passwords = Passwords(known=self._known)
            return self._made_passwords
