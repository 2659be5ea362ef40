"""Interface between account threads and the engine. All methods are thread-safe."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from nbmail import values
from nbmail.core.senders.people import SentMessage

NONE_RENAMED: Mapping[str, str] = MappingProxyType({})


class BackendClosed(Exception):
    """The engine is stopping. The current delivery is not stored."""


class SentMail(NamedTuple):
    """Sent messages of a folder up to UID `upto`.

    `own`: addresses of the account. `complete`: these are the last.
    """

    folder: values.FolderName
    validity: int
    upto: int
    messages: tuple[SentMessage, ...]
    own: tuple[str, ...] = ()
    complete: bool = False


class AccountBackend(Protocol):
    """Methods of the engine for account threads.

    All except `report` raise `BackendClosed` when the engine stops.
    """

    def trust(self, account: str, servers: tuple[str, ...] | None) -> None:
        """Set the servers whose checks of senders count, by authserv-id.

        None: learn them from the inbox.
        """

    def known_folders(self, account: str) -> dict[str, values.KnownFolder]:
        """Return each folder that was listed or stored before."""

    def list_folders(
        self,
        account: str,
        folders: Sequence[values.ServerFolderUse],
        renamed: Mapping[str, str] = NONE_RENAMED,
    ) -> None:
        """Store the folders to which the account can move mail.

        `renamed`: new names of folders, which keep their messages, by old names.
        """

    def sent_upto(self, folder: values.FolderName, validity: int) -> int:
        """Return up to which UID a folder of sent mail is stored, 0 if nothing is."""

    def take_sent(self, sent: SentMail) -> None:
        """Store the recipients of sent messages."""

    def retain(self, account: str, folders: Collection[str], *, spam: bool) -> None:
        """Drop the locations in all other folders, never labels.

        `spam`: also keep the spam folder.
        """

    def stored_folder(self, folder: values.FolderName) -> values.StoredFolder:
        """Return the stored state of a folder, empty for a new one.

        Waits for earlier deliveries.
        """

    def deliver(self, delivery: values.Delivery) -> None:
        """Store a delivery and all earlier ones, and wait for that."""

    def submit(self, delivery: values.Delivery) -> None:
        """Queue a delivery; return when the previous one is stored.

        Its error is raised by the account's next call.
        """

    def pending_actions(self, account: str) -> tuple[values.ServerAction, ...]:
        """Return the pending actions on the server, oldest first."""

    def store_progress(self, actions: Sequence[values.ServerAction]) -> None:
        """Store `progress` durably before a command.

        Until KEYWORDS are completed, their flags count as uncertain.
        """

    def complete(
        self,
        action: values.ServerAction,
        outcome: values.Outcome,
        detail: str = "",
        new_location: values.ServerLocation | None = None,
    ) -> None:
        """End an action.

        `new_location`: location of the moved message, if the server reported it.
        """

    def complete_fetch(self, action: values.ServerAction, arrival: values.Arrival) -> None:
        """End a FETCH with the mail it requested."""

    def report(self, state: values.AccountState) -> None:
        """Report the account's state. Never waits."""
