"""Sign-in of an account, and access tokens in the place of its password."""

import ssl
from collections.abc import Callable
from functools import partial
from threading import Event

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.imap.login import AccessToken
from nbmail.sync.mailbox_values import SignInPage
from nbmail.sync.sign_in.browser import BrowserSignIn, Page, SignedIn
from nbmail.sync.sign_in.device import DeviceSignIn
from nbmail.sync.sign_in.grants import AccessTokens, GrantStore
from nbmail.sync.sign_in.issuers import Issuer
from nbmail.sync.sign_in.web import Web


def web_of(account: Account) -> Web:
    """Return HTTP with the authorities that the account trusts."""
    return Web(partial(ssl.create_default_context, cafile=account.authority_file or None))


class TokenSource:
    """Access tokens of one account for its thread, a new one when the old one has ended. Safe from any thread."""

    def __init__(self, account: Account, store: GrantStore) -> None:
        self._store, self._tokens = store, AccessTokens(store, web_of(account))

    def __call__(self) -> AccessToken:
        """Return a valid access token. Blocks."""
        text = self._tokens.get()
        return AccessToken(text, partial(self._renew, text))

    def take(self, signed: SignedIn) -> None:
        """Store the grant of a sign-in, then use its tokens."""
        self._store.store(signed.grant)
        self._tokens.take(signed.tokens)

    def _renew(self, refused: str) -> AccessToken:
        self._tokens.refused(refused)
        return self()


def sign_in(
    issuer: Issuer,
    account: Account,
    page: Page,
    on_page: Callable[[SignInPage], None],
    *,
    by_code: bool = False,
    cancel: Event | None = None,
) -> SignedIn:
    """Sign in with the browser, or with a code on another device. `on_page` is called with the page to open. Blocks."""
    cancel, web = cancel or Event(), web_of(account)
    if not by_code:
        flow = BrowserSignIn(issuer, web, account.user)
        on_page(SignInPage(flow.address))
        return flow.wait(page, cancel.is_set)

    def pause(seconds: float) -> None:
        if cancel.wait(seconds):
            raise KnownError(ErrorCode.SIGN_IN_FAILED, "cancelled")

    device = DeviceSignIn(issuer, web)
    on_page(SignInPage(device.address, device.code))
    return device.wait(pause)
