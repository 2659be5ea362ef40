"""What is known of the sender of a message."""

from typing import NamedTuple


class SenderCheck(NamedTuple):
    """Check of the sender.

    `domain`: domain that the account's mail server confirmed, empty if it confirmed none, None
    without a trusted server. `first`: no earlier message from this address is stored. `lookalikes`:
    letters that look like Latin ones.
    """

    domain: str | None = None
    first: bool = False
    lookalikes: tuple[str, ...] = ()


class UnsubscribeOffer(NamedTuple):
    """Ways to unsubscribe from the list of a message: `one_click` is an https address, `mail` a
    mailto address.

    `moment`, `answer`: of the latest request for the same list; 0.0 without one.
    """

    message: int
    sender: str
    one_click: str = ""
    mail: str = ""
    moment: float = 0.0
    answer: str = ""
