"""Access tokens of an account in the place of its password."""

import ssl
from collections.abc import Callable
from functools import partial

from nbmail.settings import Account
from nbmail.sync.imap.access_token import AccessToken
from nbmail.sync.sign_in.grant_store import KeyringGrants
from nbmail.sync.sign_in.grants import AccessTokens, GrantStore
from nbmail.sync.sign_in.web import Web


def web_of(account: Account) -> Web:
    """Return HTTP with the authorities that the account trusts."""
    return Web(partial(ssl.create_default_context, cafile=account.authority_file or None))


def token_source(account: Account, store: GrantStore | None = None) -> Callable[[], str]:
    """Return a function for the account's thread that returns an access token, a new one when the old one has ended.

    `store`: the keyring by default.
    """
    tokens = AccessTokens(store or KeyringGrants(account.sign_in, account.user), web_of(account))

    def current() -> AccessToken:
        text = tokens.get()
        return AccessToken(text, partial(renew, text))

    def renew(refused: str) -> AccessToken:
        tokens.refused(refused)
        return current()

    return current
