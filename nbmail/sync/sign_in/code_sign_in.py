"""Sign-in with a code that the user types on another device."""

import time
from collections.abc import Callable
from urllib.parse import urlencode

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.mailbox_values import Issuer, SignInPage
from nbmail.sync.sign_in.grants import Grant, signed_in
from nbmail.sync.web import Web

GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"
INTERVAL = 5.0
LONGEST = 900.0


def sign_in_with_code(
    issuer: Issuer,
    web: Web,
    on_page: Callable[[SignInPage], None],
    pause: Callable[[float], object],
) -> Grant:
    """Show the page and the code to type there, and ask until the user has agreed.

    `pause` may raise an error to cancel.
    """
    if not issuer.device:
        detail = f"{issuer.name} offers no codes for other devices"
        raise KnownError(ErrorCode.SIGN_IN_FAILED, detail)
    wish = {"client_id": issuer.client_id}
    if issuer.scope:
        wish["scope"] = issuer.scope
    offer = web.post(issuer.device, urlencode(wish).encode()).json()
    code = str(offer.get("user_code", ""))
    address = str(offer.get("verification_uri", ""))
    device = str(offer.get("device_code", ""))
    if not (code and device and address.startswith("https://")):
        detail = f"{issuer.name}: {offer.get('error', 'no code')}"
        raise KnownError(ErrorCode.SIGN_IN_FAILED, detail)
    on_page(SignInPage(address, code))
    interval = _number(offer.get("interval"), INTERVAL)
    until = time.monotonic() + min(_number(offer.get("expires_in"), LONGEST), LONGEST)
    request = {"grant_type": GRANT_TYPE, "device_code": device, "client_id": issuer.client_id}
    while time.monotonic() < until:
        pause(interval)
        answer = web.post(issuer.token, urlencode(request).encode())
        error = answer.json().get("error")
        if error == "slow_down":
            interval += 5.0
        elif error != "authorization_pending":
            return signed_in(answer, issuer)
    raise KnownError(ErrorCode.SIGN_IN_FAILED, "the code is no longer valid")


def _number(value: object, default: float) -> float:
    return float(value) if isinstance(value, int | float) and value > 0 else default
