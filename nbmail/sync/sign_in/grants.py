"""Grants: what an authorization server gave one user for one account."""

import json
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.mailbox_values import Issuer
from nbmail.sync.web import Answer

LIFETIME = 3600.0
_ERRORS = {
    "invalid_grant": ErrorCode.SIGN_IN_AGAIN,
    "access_denied": ErrorCode.SIGN_IN_FAILED,
    "consent_required": ErrorCode.SIGN_IN_FAILED,
    "unauthorized_client": ErrorCode.SIGN_IN_FAILED,
    "invalid_client": ErrorCode.SIGN_IN_FAILED,
}


class Grant(NamedTuple):
    """A refresh token with everything that is needed to use it.

    `access_token`: the first one, until the grant is stored. `seconds`: how long it is valid.
    """

    issuer: Issuer
    refresh_token: str
    access_token: str = ""
    seconds: float = 0.0

    def text(self) -> str:
        """Return the grant as JSON, without the access token."""
        issuer = self.issuer
        stored = {
            "name": issuer.name,
            "issuer": issuer.issuer,
            "token": issuer.token,
            "scope": issuer.scope,
            "client_id": issuer.client_id,
            "client_secret": issuer.client_secret,
            "refresh_token": self.refresh_token,
        }
        return json.dumps(stored)

    @classmethod
    def read(cls, text: str) -> "Grant | None":
        """Parse `text()`; None if it is no grant."""
        try:
            found = {key: str(value) for key, value in dict(json.loads(text)).items()}
            issuer = Issuer(
                found["name"],
                found["issuer"],
                token=found["token"],
                scope=found["scope"],
                client_id=found["client_id"],
                client_secret=found.get("client_secret", ""),
            )
            return cls(issuer, found["refresh_token"])
        except (ValueError, KeyError, TypeError):
            return None


def signed_in(answer: Answer, issuer: Issuer) -> Grant:
    """Return the grant of a sign-in. Raise `KnownError` if it doesn't last."""
    grant = grant_of(answer, issuer)
    if not grant.refresh_token:
        raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{issuer.name} gives no lasting permission")
    return grant


def grant_of(answer: Answer, issuer: Issuer) -> Grant:
    """Return the grant in the answer of a token endpoint.

    Raise `KnownError` with the server's own words if it refuses.
    """
    from oauthlib.oauth2 import OAuth2Error
    from oauthlib.oauth2.rfc6749.parameters import parse_token_response

    try:
        found = parse_token_response(answer.body.decode("utf-8", "replace"), scope=None)
    except OAuth2Error as error:
        words = f"{issuer.name}: {error.error} {error.description or ''}".strip()
        code = _ERRORS.get(error.error, ErrorCode.SERVER_REFUSED)
        raise KnownError(code, words) from error
    except (ValueError, KeyError, TypeError, Warning) as error:
        detail = f"{issuer.name} answers {answer.status}"
        raise KnownError(ErrorCode.SERVER_BROKEN, detail) from error

    access = found.get("access_token")
    if not isinstance(access, str) or not access:
        raise KnownError(ErrorCode.SERVER_BROKEN, f"{issuer.name} sends no token")
    refresh = found.get("refresh_token")
    if not isinstance(refresh, str):
        refresh = ""
    return Grant(issuer, refresh, access, _seconds(found.get("expires_in")))


def _seconds(announced: object) -> float:
    try:
        return float(str(announced or LIFETIME))
    except ValueError:
        return LIFETIME
