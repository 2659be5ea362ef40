"""People and their mail: senders, recipients of sent mail, what was known of a sender at arrival, and threads."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from nbmail.core.reading.mail import Mail
from nbmail.core.reading.people import Acquaintance, SentMessage, Thread, hash_of, references_of, sender_of
from nbmail.store.files.connection import Connection, SettingsTable, listed, storable
from nbmail.values import FolderName

_OWN = "own-addresses"


class People:
    """Tables of sent mail and of acquaintances."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection, self._settings = connection, settings
        self._own: frozenset[str] | None = None

    def senders_like(self, messages: range, address: str, before: float) -> set[str]:
        """Return the senders of messages before a date that contain an address, in lower case, or end with it."""
        rows = self._connection.rows(
            "SELECT DISTINCT sender FROM messages"
            " WHERE number >= ? AND number < ? AND date < ? AND instr(lower(sender), ?)",
            (messages.start, messages.stop, before, address),
        )
        return {sender for (sender,) in rows}

    def messages_from(self, sender: str) -> list[int]:
        """Return the messages from a sender, oldest first."""
        rows = self._connection.rows("SELECT number FROM messages WHERE sender = ? ORDER BY date", (sender,))
        return [number for (number,) in rows]

    # ----------------------------------------------------------------------------------------------- sent mail

    def sent_upto(self, name: FolderName, validity: int) -> int:
        """Return the highest UID of a folder of sent mail that was read, 0 for none."""
        query = "SELECT uid FROM sent_folders WHERE account = ? AND folder = ? AND validity = ?"
        return int(self._connection.value(query, (name.account, name.folder, validity)) or 0)

    def is_complete(self, account: str) -> bool:
        """True if a folder of sent mail of this account was read as a whole."""
        query = "SELECT max(complete) FROM sent_folders WHERE account = ?"
        return bool(self._connection.value(query, (account,)))

    def add_sent(
        self, name: FolderName, validity: int, upto: int, sent: Sequence[SentMessage], *, complete: bool
    ) -> None:
        """Store sent messages, which are all of the folder up to this UID. `complete`: there are no others."""
        with self._connection.transaction():
            self._connection.execute_many(
                "INSERT OR IGNORE INTO sent VALUES (?)", ((each.identifier,) for each in sent)
            )
            self._connection.execute_many(
                "INSERT OR IGNORE INTO recipients VALUES (?, ?, ?)",
                ((storable(to), each.identifier, each.moment) for each in sent for to in each.recipients),
            )
            self._connection.execute(
                "INSERT INTO sent_folders VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (account, folder)"
                " DO UPDATE SET validity = ?3, uid = ?4, complete = max(complete, ?5)",
                (*name, validity, upto, complete),
            )

    def forget_sent(self, account: str) -> None:
        """Forget the folders of sent mail of an account. Recipients stay, as the labels do."""
        self._connection.execute("DELETE FROM sent_folders WHERE account = ?", (account,))

    def recipients(self) -> set[str]:
        """Return all addresses that the user wrote to."""
        return {address for (address,) in self._connection.rows("SELECT DISTINCT address FROM recipients")}

    def own_addresses(self) -> frozenset[str]:
        if self._own is None:
            self._own = frozenset(self._settings.get(_OWN, []))
        return self._own

    def add_own(self, addresses: Collection[str]) -> None:
        known = self.own_addresses()
        if not known.issuperset(addresses):
            self._settings.set(_OWN, sorted(known | set(addresses)))
            self._own = None

    # ----------------------------------------------------------------------------------------------- received mail

    def acquaintance(self, mail: Mail, moment: float) -> Acquaintance:
        """Return what is known of the sender of a message with this date."""
        sender = storable(sender_of(mail))
        count = "SELECT count(*) FROM recipients WHERE address = ? AND moment < ?"
        written = int(self._connection.value(count, (sender, moment)) or 0) if sender else 0
        return Acquaintance(written, sender in self.own_addresses(), self._thread(references_of(mail), moment))

    def _thread(self, references: Sequence[str], moment: float) -> Thread:
        if not references:
            return Thread.NONE
        marks = ", ".join("?" * len(references))
        mine = f"SELECT 1 FROM sent WHERE identifier IN ({marks}) LIMIT 1"
        if self._connection.value(mine, tuple(map(hash_of, references))):
            return Thread.MINE
        good = (
            "SELECT 1 FROM message_ids JOIN messages USING (identity) JOIN labels ON message = messages.number"
            f" JOIN classes ON classes.number = class WHERE message_id IN ({marks}) AND name = 'good' AND moment < ?"
        )
        known = self._connection.value(good, (*map(storable, references), moment))
        return Thread.GOOD if known else Thread.UNKNOWN

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
        return {message: Acquaintance(written, bool(own), Thread(thread)) for message, written, own, thread in rows}

    def set_verified(self, verified: Mapping[int, bool | None]) -> None:
        """Store whether the mail server confirmed the senders of messages; None without a trusted server."""
        self._connection.execute_many(
            "UPDATE messages SET verified = ? WHERE number = ?",
            ((value, message) for message, value in verified.items()),
        )

    def verified(self, messages: Iterable[int]) -> set[int]:
        """Return the messages whose sender the mail server confirmed."""
        wanted = (listed(messages),)
        query = "SELECT number FROM messages WHERE verified AND number IN (SELECT value FROM json_each(?))"
        return {message for (message,) in self._connection.rows(query, wanted)}


# Messages of a thread that are listed.
_MOST = 100
_SAME = "SELECT name FROM threads WHERE message"


class Threads:
    """Table of threads: messages that answer each other, by the names that `core.reading.people.thread_of` returns."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, threads: Mapping[int, Sequence[bytes]]) -> None:
        """Store the threads of messages. One without a name gets an empty one."""
        rows = ((message, name) for message, names in threads.items() for name in names or (b"",))
        self._connection.execute_many("INSERT OR IGNORE INTO threads VALUES (?, ?)", rows)

    def missing(self, limit: int, before: int) -> list[int]:
        """Return some messages with smaller numbers than `before` and no stored thread, the newest first."""
        missing = "number < ? AND number NOT IN (SELECT message FROM threads)"
        rows = self._connection.rows(
            f"SELECT number FROM messages WHERE {missing} ORDER BY number DESC LIMIT ?", (before, limit)
        )
        return [number for (number,) in rows]

    def names(self, messages: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Return the names of the threads of messages."""
        found: dict[int, tuple[str, ...]] = {}
        for message, name in self._connection.among(
            "SELECT message, name FROM threads WHERE name <> x'' AND message", messages
        ):
            found[message] = (*found.get(message, ()), name.hex())
        return found

    def messages(self, message: int) -> list[tuple[int, str, float]]:
        """Return number, sender and date of the latest messages of a thread that have a location, oldest first.

        A message belongs to it if it has a name in common with this one, or with one that has.
        """
        near = f"SELECT message FROM threads WHERE name <> x'' AND name IN ({_SAME} = ?1)"
        far = f"SELECT message FROM threads WHERE name <> x'' AND name IN ({_SAME} IN ({near}))"
        rows = self._connection.rows(
            f"SELECT number, sender, date FROM messages WHERE number IN ({far})"
            " AND EXISTS (SELECT 1 FROM locations WHERE locations.message = number) ORDER BY date DESC, number DESC"
            " LIMIT ?2",
            (message, _MOST),
        )
        return [(number, sender, date) for number, sender, date in reversed(rows)]
