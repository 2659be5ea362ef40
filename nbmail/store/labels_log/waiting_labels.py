"""Table of labels whose messages haven't arrived yet."""

from collections.abc import Iterable, Iterator

from nbmail.store.files.columns import storable
from nbmail.store.files.connection import Table
from nbmail.store.labels_log.earlier_builds import is_earlier
from nbmail.values import LabelRecord

# Records read at once.
_BATCH = 500
_COLUMNS = """
SELECT
  identity, label, moment, by, account, folder, coalesce(message_id, ''), '', 0, 0,
  coalesce(position, 0)
FROM waiting_labels LEFT JOIN message_ids USING (identity)
"""
_UNKNOWN = "NOT EXISTS (SELECT 1 FROM messages WHERE messages.identity = waiting_labels.identity)"


class WaitingLabels(Table):
    """Labels by identity. A row with an empty label is a removal to be logged."""

    def __len__(self) -> int:
        return self._connection.number("SELECT count(*) FROM waiting_labels WHERE label <> ''")

    def records(self) -> Iterator[LabelRecord]:
        """Yield the labels whose messages are still unknown, by identity."""
        last = b""
        while rows := self._select(
            f"identity > ? AND label <> '' AND {_UNKNOWN} ORDER BY identity LIMIT ?", last, _BATCH
        ):
            last = rows[-1].identity
            yield from rows

    @property
    def has_earlier(self) -> bool:
        """True if a label has the identity of an earlier build."""
        # With the condition of the index `waiting_labels_of_earlier_builds`.
        query = "SELECT 1 FROM waiting_labels WHERE length(identity) > 16 AND label <> '' LIMIT 1"
        return bool(self._connection.number(query))

    def unlogged(self) -> list[LabelRecord]:
        """Return the changes that `labels.log` doesn't contain."""
        return self._select("logged = 0 ORDER BY identity")

    def set_logged(self) -> None:
        self._connection.execute("DELETE FROM waiting_labels WHERE label = ''")
        self._connection.execute("UPDATE waiting_labels SET logged = 1 WHERE logged = 0")

    def set_unlogged(self) -> None:
        """Note that `labels.log` contains none of the labels."""
        self._connection.execute("UPDATE waiting_labels SET logged = 0")

    def get(self, identities: Iterable[bytes]) -> dict[bytes, LabelRecord]:
        found = dict[bytes, LabelRecord]()
        for identity in identities:
            for record in self._select("identity = ? AND label <> ''", identity):
                found[identity] = record
        return found

    def put(self, records: Iterable[LabelRecord], *, logged: bool = False) -> None:
        """Store labels until their messages arrive; "" removes one.

        `logged`: `labels.log` contains the records.
        """
        for record in records:
            if record.label:
                self._insert(record, logged)
            elif logged:
                self._delete(record.identity)
            else:
                self._remove(record)

    def take(self, identities: Iterable[bytes]) -> dict[bytes, LabelRecord]:
        """Remove and return the labels of messages that have arrived."""
        if not self._connection.value("SELECT 1 FROM waiting_labels LIMIT 1"):
            return {}
        found = self.get(identities)
        for identity, record in found.items():
            if is_earlier(identity):
                # From now on `labels.log` has the label under the message's identity.
                self._remove(record)
            else:
                self._delete(identity)
        return found

    def _insert(self, record: LabelRecord, logged: bool) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO waiting_labels VALUES (?, ?, ?, ?, ?, ?, nullif(?, 0), ?)",
            (
                record.identity,
                storable(record.label),
                record.moment,
                storable(record.by),
                storable(record.account),
                storable(record.folder),
                record.position,
                logged,
            ),
        )

    def _remove(self, record: LabelRecord) -> None:
        """Remove a label and note that its removal is to be logged."""
        self._connection.execute(
            "UPDATE waiting_labels SET label = '', moment = ?, by = ?, logged = 0 "
            "WHERE identity = ?",
            (record.moment, record.by, record.identity),
        )

    def _delete(self, identity: bytes) -> None:
        self._connection.execute("DELETE FROM waiting_labels WHERE identity = ?", (identity,))

    def _select(self, where: str, *values: object) -> list[LabelRecord]:
        rows = self._connection.rows(f"{_COLUMNS} WHERE {where}", values)
        return [LabelRecord._make(row) for row in rows]
