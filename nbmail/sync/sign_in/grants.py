"""Grants: what an authorization server gave one user for one account, and the access tokens made
from it.

A refresh token is stored before the access token that came with it is used: some servers make the
old one void at once.
"""

import json
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.mailbox_values import Issuer
from nbmail.sync.web import Answer

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
