"""Authorization server of a mail server: a known one, or a discovered one with registration."""

import json
from collections.abc import Callable
from urllib.parse import urlsplit

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.mailbox_values import Issuer, SignInRequest
from nbmail.sync.sign_in.known_issuers import KNOWN
from nbmail.sync.web import Web

REDIRECT = "http://127.0.0.1/"

# Standard names; a server that supports none of them gets the request without a scope.
_SCOPES = ("imap", "IMAP", "mail", "email", "offline_access")


def discover(issuer: str, web: Web) -> Issuer:
    """Read the metadata of an authorization server (RFC 8414, otherwise OpenID Connect Discovery).

    Raise `KnownError` where there is none, or where it names another issuer than itself or another
    host's endpoints.
    """
    base = issuer.rstrip("/")
    host = urlsplit(base).hostname or base
    metadata = _metadata(base, web)
    named = str(metadata.get("issuer", "")).rstrip("/")
    if named != base:
        raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{base} calls itself {named or 'nothing'}")
    token = _endpoint(metadata, "token", base)
    if not token:
        raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{base} names no token endpoint")

    offered = metadata.get("scopes_supported")
    scopes = [scope for scope in _SCOPES if isinstance(offered, list) and scope in offered]
    return Issuer(
        name=host,
        issuer=base,
        authorization=_endpoint(metadata, "authorization", base),
        token=token,
        device=_endpoint(metadata, "device_authorization", base),
        registration=_endpoint(metadata, "registration", base),
        scope=" ".join(scopes),
        sends_issuer=metadata.get("authorization_response_iss_parameter_supported") is True,
    )


def _metadata(base: str, web: Web) -> dict[str, object]:
    parts = urlsplit(base)
    addresses = [
        f"{parts.scheme}://{parts.netloc}/.well-known/oauth-authorization-server{parts.path}",
        f"{base}/.well-known/openid-configuration",
    ]
    for address in addresses:
        answer = web.get(address)
        metadata = answer.json()
        if answer.status == 200 and metadata:
            return metadata
    raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{parts.netloc} describes no sign-in")


def _endpoint(metadata: dict[str, object], kind: str, issuer: str) -> str:
    """Return an endpoint of the metadata, which must use https and be of the issuer's site."""
    address = metadata.get(f"{kind}_endpoint", "")
    if not isinstance(address, str) or not address:
        return ""
    endpoint = urlsplit(address)
    home = urlsplit(issuer)
    if endpoint.scheme != "https" or not same_site(endpoint.hostname or "", home.hostname or ""):
        detail = f"{issuer} leads to {endpoint.scheme}://{endpoint.netloc}"
        raise KnownError(ErrorCode.SIGN_IN_FAILED, detail)
    return address


def same_site(one: str, other: str) -> bool:
    """True if two hosts are equal, or one is in the domain of the other's last two labels."""
    if one == other:
        return True
    site = ".".join(other.split(".")[-2:])
    return "." in site and (one == site or one.endswith("." + site))


def register(issuer: Issuer, web: Web) -> Issuer:
    """Register nbmail as a public client (RFC 7591). Return the issuer with the client ID."""
    grant_types = ["authorization_code", "refresh_token"]
    if issuer.device:
        grant_types.append("urn:ietf:params:oauth:grant-type:device_code")
    request: dict[str, object] = {
        "client_name": "nbmail",
        "software_id": "nbmail",
        "application_type": "native",
        "redirect_uris": [REDIRECT],
        "grant_types": grant_types,
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    if issuer.scope:
        request["scope"] = issuer.scope
    answer = web.post(issuer.registration, json.dumps(request).encode(), "application/json").json()
    client_id = answer.get("client_id")
    if not isinstance(client_id, str) or not client_id:
        raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{issuer.name} registers no programs")
    return issuer._replace(client_id=client_id)


def find_issuer(
    host: str,
    request: SignInRequest,
    web: Web,
    registered: Callable[[str], Issuer | None] = lambda issuer: None,
) -> Issuer:
    """Return the authorization server for an IMAP server, with a client ID.

    The client ID is the user's own, nbmail's, the one of an earlier sign-in there, or a newly
    registered one. `registered` returns the authorization server of an earlier sign-in of any
    account by its address.
    """
    known = KNOWN.get(host.lower())
    if known is not None and request.issuer in ("", known.issuer):
        issuer = known
    elif request.issuer:
        issuer = discover(request.issuer, web)
    else:
        raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{host} has no known authorization server")
    if request.client_id:
        return issuer._replace(client_id=request.client_id, client_secret=request.client_secret)
    if issuer.client_id:
        return issuer
    before = registered(issuer.issuer)
    if before is not None:
        return issuer._replace(client_id=before.client_id, client_secret=before.client_secret)
    if not issuer.registration:
        raise KnownError(ErrorCode.NO_CLIENT_ID, f"{issuer.name} {issuer.register_page}".strip())
    return register(issuer, web)
