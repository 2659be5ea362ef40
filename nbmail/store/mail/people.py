"""What is known of people: whom the user wrote to, and of each sender when a message arrived."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from nbmail.core.mail.message import Mail
from nbmail.core.senders.people import (
    Acquaintance,
    SentMessage,
    Thread,
    hash_of,
    references_of,
    sender_of,
)
from nbmail.store.files.columns import storable
from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable
from nbmail.values import FolderName

# Setting with the user's own addresses.
_OWN = "own-addresses"
_HAM_BEFORE = """
SELECT 1 FROM message_ids
JOIN messages USING (identity)
JOIN labels ON message = messages.number
JOIN classes ON classes.number = class
WHERE name = 'ham' AND moment < ? AND message_id
"""


class People:
    """Tables of sent mail and of acquaintances."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self._settings = settings

    def senders_like(self, messages: range, address: str, before: float) -> set[str]:
        """Return the senders of messages before a date that contain an address in lower case."""
        senders = self._connection.column(
            "SELECT DISTINCT sender FROM messages "
            "WHERE number >= ? AND number < ? AND date < ? AND instr(lower(sender), ?)",
            (messages.start, messages.stop, before, address),
        )
        return set(senders)

    def sent_upto(self, folder: FolderName, validity: int) -> int:
        """Return the highest UID of a folder of sent mail that was read, 0 for none."""
        query = "SELECT uid FROM sent_folders WHERE account = ? AND folder = ? AND validity = ?"
        return self._connection.number(query, (*folder, validity))

    def is_complete(self, account: str) -> bool:
        """True if a folder of sent mail of this account was read as a whole."""
        query = "SELECT max(complete) FROM sent_folders WHERE account = ?"
        return bool(self._connection.number(query, (account,)))

    def add_sent(
        self,
        name: FolderName,
        validity: int,
        upto: int,
        sent: Sequence[SentMessage],
        *,
        complete: bool,
    ) -> None:
        """Store sent messages, which are all of the folder up to this UID.

        `complete`: there are no others.
        """
        with self._connection.transaction():
            self._connection.execute_many(
                "INSERT OR IGNORE INTO sent VALUES (?)", ((each.identifier,) for each in sent)
            )
            self._connection.execute_many(
                "INSERT OR IGNORE INTO recipients VALUES (?, ?, ?)",
                (
                    (storable(to), each.identifier, each.moment)
                    for each in sent
                    for to in each.recipients
                ),
            )
            self._connection.execute(
                """
                INSERT INTO sent_folders VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (account, folder)
                DO UPDATE SET validity = ?3, uid = ?4, complete = max(complete, ?5)
                """,
                (*name, validity, upto, complete),
            )

    def recipients(self) -> set[str]:
        return set(self._connection.column("SELECT DISTINCT address FROM recipients"))

    def own_addresses(self) -> frozenset[str]:
        return frozenset(self._settings.get(_OWN, []))

    def add_own(self, addresses: Collection[str]) -> None:
        known = self.own_addresses()
        if not known.issuperset(addresses):
            self._settings.set(_OWN, sorted(known | set(addresses)))

    def acquaintance(self, mail: Mail, moment: float) -> Acquaintance:
        """Return what is known of the sender of a message with this date."""
        sender = storable(sender_of(mail))
        is_own = sender in self.own_addresses()
        return Acquaintance(self._written(sender, moment), is_own, self._thread(mail, moment))

    def _written(self, address: str, moment: float) -> int:
        """Return how often the user had written to an address."""
        if not address:
            return 0
        query = "SELECT count(*) FROM recipients WHERE address = ? AND moment < ?"
        return self._connection.number(query, (address, moment))

    def _thread(self, mail: Mail, moment: float) -> Thread:
        """Return what a message answers."""
        references = references_of(mail)
        if not references:
            return Thread.NONE
        some = f"IN ({', '.join('?' * len(references))}) LIMIT 1"
        mine = f"SELECT 1 FROM sent WHERE identifier {some}"
        if self._connection.number(mine, [hash_of(each) for each in references]):
            return Thread.MINE
        names = [storable(each) for each in references]
        if self._connection.number(_HAM_BEFORE + some, [moment, *names]):
            return Thread.HAM
        return Thread.UNKNOWN

    def store(self, known: Mapping[int, Acquaintance]) -> None:
        """Store what is known of the senders of messages. What was stored before stays."""
        self._connection.execute_many(
            "INSERT OR IGNORE INTO acquaintances VALUES (?, ?, ?, ?)",
            ((message, each.written, each.is_own, each.thread) for message, each in known.items()),
        )

    def stored(self, messages: Iterable[int]) -> dict[int, Acquaintance]:
        """Return what was known of the senders of messages when they arrived."""
        which = "SELECT message, written, own, thread FROM acquaintances WHERE message"
        rows = self._connection.among(which, messages)
        return {
            message: Acquaintance(written, bool(own), Thread(thread))
            for message, written, own, thread in rows
        }

    def set_verified(self, verified: Mapping[int, bool | None]) -> None:
        """Store whether the mail server confirmed the senders; None without a trusted server."""
        query = "UPDATE messages SET verified = ?2 WHERE number = ?1"
        self._connection.execute_many(query, verified.items())

    def verified(self, messages: Iterable[int]) -> frozenset[int]:
        return self._connection.column_among(
            "SELECT number FROM messages WHERE verified AND number", messages
        )
