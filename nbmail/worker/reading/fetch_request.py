"""Request for a message to one account."""

import itertools
from dataclasses import dataclass

from nbmail.store.mail.folders import Location
from nbmail.values import ActionKind, ServerAction

# Requests for a message that breaks the connection each time are abandoned after so many tries.
TRIES = 3


@dataclass(slots=True)
class FetchRequest:
    """Message that an account must fetch. `tries`: how often the account got the action."""

    message: int
    action: ServerAction
    tries: int = 0

    @property
    def account(self) -> str:
        return self.action.folder.account

    def is_tried_again(self) -> bool:
        """Count a try. False if there were too many."""
        self.tries += 1
        return self.tries <= TRIES


class FetchRequests:
    """Makes requests. Their actions have negative numbers, other than stored actions."""

    def __init__(self) -> None:
        self._numbers = itertools.count(-1, -1)

    def make(self, location: Location, most: int = 0) -> FetchRequest:
        """Request at most `most` bytes of the message at a location, 0 for the size limit."""
        action = ServerAction(
            next(self._numbers),
            ActionKind.FETCH,
            location.name,
            location.validity,
            location.uid,
            most=most,
        )
        return FetchRequest(location.message, action)
