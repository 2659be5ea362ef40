"""Sign-in of an account, with a browser or a code.

On this machine the system's browser is used: authorization code with PKCE, sent to a listener (RFC
8252). On a machine without a browser, a code to type on another device (RFC 8628).
"""

import ssl
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.mailbox_values import Issuer, SignInPage, SignInRequest
from nbmail.sync.sign_in.browser_sign_in import Page, sign_in_with_browser
from nbmail.sync.sign_in.code_sign_in import sign_in_with_code
from nbmail.sync.sign_in.grants import Grant
from nbmail.sync.sign_in.issuers import find_issuer
from nbmail.sync.web import Web


def web_of(account: Account) -> Web:
    return Web(partial(ssl.create_default_context, cafile=account.authority_file or None))


def sign_in(
    account: Account,
    request: SignInRequest,
    page: Page,
    on_page: Callable[[SignInPage], None],
    registered: Callable[[str], Issuer | None],
    *,
    cancel: Event | None = None,
) -> tuple[Account, Grant]:
    """Sign in, and return the account with its authorization server, and the grant. Blocks.

    `on_page` is called with the page to open in the browser. `registered`: see `find_issuer`.
    """
    cancel = cancel or Event()
    web = web_of(account)
    issuer = find_issuer(account.host, request, web, registered)
    signed = replace(account, sign_in=issuer.issuer)
    if not request.by_code:
        grant = sign_in_with_browser(
            issuer, web, account.user, page, on_page, cancelled=cancel.is_set
        )
        return signed, grant

    def pause(seconds: float) -> None:
        if cancel.wait(seconds):
            raise KnownError(ErrorCode.SIGN_IN_FAILED, "cancelled")

    return signed, sign_in_with_code(issuer, web, on_page, pause)
