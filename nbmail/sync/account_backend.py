"""Where mail meets the engine: what an account asks of, and hands to, whoever keeps the mail.

An account thread sees only `AccountBackend`; the engine implements it and imports nothing else from this room.
Every call is safe from any thread.
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from nbmail.values import (
    AccountState,
    Arrival,
    Delivery,
    FolderName,
    Outcome,
    ServerAction,
    ServerLocation,
    StoredFolder,
)


class BackendClosed(Exception):
    """The engine is stopping and takes nothing more: what was being handed in is not stored."""


class AccountBackend(Protocol):
    """What an account thread may ask of the engine. Every call but `report` raises `BackendClosed` when it stops."""

    def retain(self, account: str, folders: Collection[str], *, junk: bool) -> None:
        """Forget where the account's mail lay in all other folders, never labels. `junk`: keep its junk folder too."""

    def stored_folder(self, folder: FolderName) -> StoredFolder:
        """What is known of the folder; empty for a new one. Waits for deliveries made before."""

    def deliver(self, delivery: Delivery) -> None:
        """Take this. Returns once it is stored, as is all that was handed in before."""

    def submit(self, delivery: Delivery) -> None:
        """Take this, and return once what was handed in before is stored: meanwhile the account fetches what is next.

        So an account is never further ahead of the disk than by one delivery, and hears at its next call of the folder
        if that one could not be stored.
        """

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """What the server is still to be told, oldest first."""

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        """Store `progress` of these actions durably, before a command whose result may not be received.

        Until KEYWORDS are completed, their location counts as uncertain: it may have the new flags or the old ones.
        """

    def complete(
        self, action: ServerAction, outcome: Outcome, detail: str = "", new_location: ServerLocation | None = None
    ) -> None:
        """The errand is over. `new_location`: where what it moved lies now, if the server told."""

    def complete_fetch(self, action: ServerAction, arrival: Arrival) -> None:
        """The mail that a FETCH asked for, which ends it."""

    def report(self, state: AccountState) -> None:
        """This is my state now. Never waits."""
