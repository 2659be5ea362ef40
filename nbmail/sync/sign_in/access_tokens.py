"""Access tokens of one account.

A refresh token is stored before the access token that came with it is used: some servers make the
old one void at once.
"""

import threading
import time
from functools import partial

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.protocol.token_login import AccessToken
from nbmail.sync.sign_in.grant_stores import GrantStore
from nbmail.sync.sign_in.grants import Grant, grant_of
from nbmail.sync.web import Web

# An access token is renewed this long before its end.
MARGIN = 60.0


class AccessTokens:
    """Access tokens of one account, used instead of a password.

    Thread-safe. One refresh runs at a time.
    """

    def __init__(self, store: GrantStore, web: Web) -> None:
        self.store = store
        self._web = web
        self._lock = threading.Lock()
        self._token = ""
        self._until = float("-inf")

    def take(self, grant: Grant) -> None:
        """Store the grant of a sign-in, then use its access token."""
        self.store.store(grant)
        with self._lock:
            self._use(grant)

    def __call__(self, refused: str = "") -> AccessToken:
        """Return a valid access token, not the one that the mail server `refused`.

        Waits for the network. Raise `KnownError(SIGN_IN_AGAIN)` if only the user can get one.
        """
        with self._lock:
            if self._token == refused or time.monotonic() >= self._until:
                self._until = float("-inf")
                self._refresh()
            return AccessToken(self._token, partial(self, self._token))

    def _refresh(self) -> None:
        """Ask the token endpoint for new tokens. Every failure but a revoked grant is temporary."""
        from oauthlib.oauth2 import WebApplicationClient

        grant = self.store.load()
        if grant is None:
            raise KnownError(ErrorCode.SIGN_IN_AGAIN, "there is no sign-in yet")
        issuer = grant.issuer
        more = {"client_secret": issuer.client_secret} if issuer.client_secret else {}
        body = WebApplicationClient(issuer.client_id).prepare_refresh_body(
            refresh_token=grant.refresh_token,
            scope=issuer.scope or None,
            client_id=issuer.client_id,
            **more,
        )
        try:
            new = grant_of(self._web.post(issuer.token, body.encode()), issuer)
        except KnownError as error:
            if error.error_code is ErrorCode.SIGN_IN_AGAIN:
                raise
            raise KnownError(ErrorCode.SIGN_IN_LATER, error.detail) from error
        if new.refresh_token not in ("", grant.refresh_token):
            self.store.store(new)
        self._use(new)

    def _use(self, grant: Grant) -> None:
        self._token = grant.access_token
        self._until = time.monotonic() + max(grant.seconds - MARGIN, 0.0)
