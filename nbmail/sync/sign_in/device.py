"""Sign-in on a machine without a browser: a code to type on another device (RFC 8628)."""

import time
from collections.abc import Callable
from urllib.parse import urlencode

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.sign_in.browser import SignedIn
from nbmail.sync.sign_in.grants import Grant, tokens_of
from nbmail.sync.sign_in.issuers import Issuer
from nbmail.sync.sign_in.web import Web

GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"
INTERVAL = 5.0
LONGEST = 900.0


class DeviceSignIn:
    """A sign-in. The user types `code` on the page `address`."""

    def __init__(self, issuer: Issuer, web: Web) -> None:
        self._issuer, self._web = issuer, web
        if not issuer.device:
            raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{issuer.name} offers no codes for other devices")
        request = {"client_id": issuer.client_id, **({"scope": issuer.scope} if issuer.scope else {})}
        answer = web.post(issuer.device, urlencode(request).encode()).json()
        self.code, self.address = str(answer.get("user_code", "")), str(answer.get("verification_uri", ""))
        self._device_code = str(answer.get("device_code", ""))
        self._interval = _number(answer.get("interval"), INTERVAL)
        self._seconds = min(_number(answer.get("expires_in"), LONGEST), LONGEST)
        if not (self.code and self._device_code and self.address.startswith("https://")):
            raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{issuer.name}: {answer.get('error', 'no code')}")

    def wait(
        self, pause: Callable[[float], object] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> SignedIn:
        """Ask until the user has agreed, as often as the server allows. `pause` may raise to cancel."""
        until = clock() + self._seconds
        request = {
            "grant_type": GRANT_TYPE,
            "device_code": self._device_code,
            "client_id": self._issuer.client_id,
        }
        while clock() < until:
            pause(self._interval)
            answer = self._web.post(self._issuer.token, urlencode(request).encode())
            error = answer.json().get("error")
            if error == "slow_down":
                self._interval += 5.0
            elif error != "authorization_pending":
                tokens = tokens_of(answer, self._issuer)
                if not tokens.refresh_token:
                    raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{self._issuer.name} gives no lasting permission")
                return SignedIn(Grant(self._issuer, tokens.refresh_token), tokens)
        raise KnownError(ErrorCode.SIGN_IN_FAILED, "the code is no longer valid")


def _number(value: object, default: float) -> float:
    return float(value) if isinstance(value, int | float) and value > 0 else default
