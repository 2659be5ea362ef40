"""Grants: what an authorization server gave one user for one account, and the access tokens made
from it.

A refresh token is stored before the access token that came with it is used: some servers make the
old one void at once.
"""

import json
import os
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import quote

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.login import AccessToken
from nbmail.sync.mailbox_values import Issuer
from nbmail.sync.passwords import delete_secret, load_secret, store_secret
from nbmail.sync.web import Answer, Web

# An access token is renewed this long before its end.
MARGIN = 60.0
LIFETIME = 3600.0


class Grant(NamedTuple):
    """A refresh token with everything that is needed to use it, and until it is stored its first
    access token.

    `seconds`: how long the access token is valid.
    """

    issuer: Issuer
    refresh_token: str
    access_token: str = ""
    seconds: float = 0.0

    def text(self) -> str:
        kept = ("name", "issuer", "token", "scope", "client_id", "client_secret")
        return json.dumps(
            {
                **{key: getattr(self.issuer, key) for key in kept},
                "refresh_token": self.refresh_token,
            }
        )

    @classmethod
    def read(cls, text: str) -> "Grant | None":
        try:
            found = {key: str(value) for key, value in dict(json.loads(text)).items()}
            issuer = Issuer(
                found["name"], found["issuer"], token=found["token"], scope=found["scope"]
            )
            issuer = issuer._replace(
                client_id=found["client_id"], client_secret=found.get("client_secret", "")
            )
            return cls(issuer, found["refresh_token"])
        except (ValueError, KeyError, TypeError):
            return None


def signed_in(answer: Answer, issuer: Issuer) -> Grant:
    grant = grant_of(answer, issuer)
    if not grant.refresh_token:
        raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{issuer.name} gives no lasting permission")
    return grant


def grant_of(answer: Answer, issuer: Issuer) -> Grant:
    """Return what a token endpoint's answer grants. Raise `KnownError` with the server's own words
    if it refuses.
    """
    from oauthlib.oauth2 import OAuth2Error
    from oauthlib.oauth2.rfc6749.parameters import parse_token_response

    try:
        found = parse_token_response(answer.body.decode("utf-8", "replace"), scope=None)
    except OAuth2Error as error:
        words = f"{issuer.name}: {error.error} {error.description or ''}".strip()
        if error.error == "invalid_grant":
            raise KnownError(ErrorCode.SIGN_IN_AGAIN, words) from error
        if error.error in (
            "access_denied",
            "consent_required",
            "unauthorized_client",
            "invalid_client",
        ):
            raise KnownError(ErrorCode.SIGN_IN_FAILED, words) from error
        raise KnownError(ErrorCode.SERVER_REFUSED, words) from error
    except (ValueError, KeyError, TypeError, Warning) as error:
        raise KnownError(
            ErrorCode.SERVER_BROKEN, f"{issuer.name} answers {answer.status}"
        ) from error
    access = found.get("access_token")
    refresh = found.get("refresh_token")
    if not isinstance(access, str) or not access:
        raise KnownError(ErrorCode.SERVER_BROKEN, f"{issuer.name} sends no token")
    try:
        seconds = float(found.get("expires_in") or LIFETIME)
    except (TypeError, ValueError):
        seconds = LIFETIME
    return Grant(issuer, refresh if isinstance(refresh, str) else "", access, seconds)


class GrantStore(Protocol):
    """Storage of a grant that outlasts a run."""

    def load(self) -> Grant | None:
        """Return the stored grant; None if there is none."""

    def store(self, grant: Grant) -> None:
        """Store the grant instead of an earlier one. Raise `KnownError` if that fails."""


class AccessTokens:
    """Access tokens of one account, used instead of a password. Safe from any thread; one refresh
    runs at a time.
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
        """Return a valid access token, not the one that the mail server `refused`. Waits for the
        network.

        Raise `KnownError(SIGN_IN_AGAIN)` if only the user can get one.
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
        refresh_token = grant.refresh_token
        more = {"client_secret": issuer.client_secret} if issuer.client_secret else {}
        body = WebApplicationClient(issuer.client_id).prepare_refresh_body(
            refresh_token=refresh_token,
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
        if new.refresh_token not in ("", refresh_token):
            self.store.store(new)
        self._use(new)

    def _use(self, grant: Grant) -> None:
        self._token = grant.access_token
        self._until = time.monotonic() + max(grant.seconds - MARGIN, 0.0)


class KeyringGrants:
    """The grant of one user at one authorization server, in the keyring.

    With `report`, a missing or broken keyring is reported once, and the grant is kept in memory.
    """

    def __init__(
        self, issuer: str, user: str, report: Callable[[KnownError], None] | None = None
    ) -> None:
        self._entry = f"oauth2 {quote(user, safe='@')} {issuer}"
        self._held: Grant | None = None
        self._report = report

    def load(self) -> Grant | None:
        text = None if self._held else load_secret(self._entry)
        return self._held if text is None else Grant.read(text)

    def store(self, grant: Grant) -> None:
        try:
            if not store_secret(self._entry, grant.text()):
                raise KnownError(ErrorCode.NO_KEYRING)
        except KnownError as error:
            if self._report is None:
                raise
            if self._held is None:
                self._report(error)
            self._held = grant
        else:
            self._held = None

    def delete(self) -> None:
        delete_secret(self._entry)


class FileGrants:
    """A grant in a file, for machines without a keyring. Others must not be able to read the
    file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> Grant | None:
        """Return the stored grant; None without a file. Raise `KnownError` if others can read
        it.
        """
        try:
            with self._path.open(encoding="utf-8") as file:
                if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                    raise KnownError(
                        ErrorCode.BAD_INPUT,
                        f"{self._path}: other users can read this file; use chmod 600",
                    )
                return Grant.read(file.read())
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise KnownError(ErrorCode.NOT_FOUND, f"{self._path}: {error}") from error

    def store(self, grant: Grant) -> None:
        new = self._path.with_name(self._path.name + ".new")
        try:
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(grant.text() + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self._path)
        except OSError as error:
            raise KnownError(ErrorCode.READ_ONLY, f"{self._path}: {error.strerror}") from error
