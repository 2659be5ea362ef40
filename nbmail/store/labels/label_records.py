"""Labels and journal as records that name messages by their identities, and the lines of
`labels.log`.

A line is a JSON object for one change of a label. `entry` is the number in the journal, missing for
unknown messages. `time` is in UTC, `by` the source of the change. `before` and `after` are labels,
null for none. `position` is the place in the learning order and `step` the undo step. `account` and
`folder` name the folder that the label was learned from. `message_id` is the Message-ID. `identity`
is the hash of the message as `identity_version` defines it. `crc32` is the checksum of all
characters before it.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any, NamedTuple

from nbmail.chunks import batches
from nbmail.store.files.connection import Connection, Table, storable
from nbmail.store.labels.journal import RESTORING, By
from nbmail.store.mail.identity import FORMER_VERSION, VERSION
from nbmail.values import LabelRecord

_BATCH = 500
_MESSAGE_ID = (
    "coalesce((SELECT message_id FROM message_ids WHERE message_ids.identity = "
    "messages.identity), '')"
)
_VERSION = (
    "1 + EXISTS (SELECT 1 FROM other_identities WHERE message = messages.number AND version = 1)"
)
_STEP_FOLDER = "coalesce(steps.account, ''), coalesce(steps.folder, '')"
# The source of a label is the entry that first assigned it at this position, not one that only
# restored it.
_LABELS = f"""
SELECT messages.identity, name, coalesce(journal.moment, labels.moment), coalesce(journal.by, ''), {_STEP_FOLDER},
  {_MESSAGE_ID}, '', 0, 0, position, {_VERSION}
FROM labels JOIN messages ON messages.number = labels.message JOIN classes ON classes.number = class
LEFT JOIN journal ON journal.number = (
  SELECT max(number) FROM journal AS gave WHERE gave.message = labels.message AND gave.after = class
  AND gave.position_after = position AND gave.by NOT IN ('undo', 'redo', 'travel'))
LEFT JOIN steps ON steps.number = journal.step WHERE position > ? ORDER BY position LIMIT ?
"""
_ENTRIES = f"""
SELECT messages.identity, coalesce(now.name, ''), journal.moment, journal.by, {_STEP_FOLDER}, {_MESSAGE_ID},
  coalesce(earlier.name, ''), journal.number, coalesce(step, 0), coalesce(position_after, 0), {_VERSION}
FROM journal JOIN messages ON messages.number = journal.message LEFT JOIN classes AS now ON now.number = after
LEFT JOIN classes AS earlier ON earlier.number = before LEFT JOIN steps ON steps.number = step
WHERE journal.number > ? ORDER BY journal.number LIMIT ?
"""
_WAITING = (
    "identity, label, moment, by, account, folder, coalesce(message_id, ''), '', 0, 0, "
    "coalesce(position, 0),"
    " identity_version"
)
_KNOWN = "EXISTS (SELECT 1 FROM messages WHERE messages.identity = waiting_labels.identity)"
_STATES = """
SELECT messages.number, coalesce(name, ''), coalesce(labels.moment, 0),
  coalesce((SELECT moment FROM journal WHERE message = messages.number ORDER BY number DESC LIMIT 1), 0),
  EXISTS (SELECT 1 FROM journal WHERE message = messages.number)
FROM messages LEFT JOIN labels ON labels.message = messages.number LEFT JOIN classes ON classes.number = class
WHERE messages.number"""


class LabelState(NamedTuple):
    """Label of a message ("" if none), when it was assigned, when it changed last, True if the
    journal knows it.
    """

    label: str = ""
    moment: float = 0.0
    changed: float = 0.0
    is_logged: bool = True


def label_records(connection: Connection) -> Iterator[LabelRecord]:
    """Yield all labels in learning order, then the labels of unknown messages."""
    yield from _records(connection, _LABELS, LabelRecord._fields.index("position"))
    yield from WaitingLabels(connection).records()


def journal_records(connection: Connection, after: int = 0) -> Iterator[LabelRecord]:
    """Yield all journal entries behind the entry number `after`, in order."""
    return _records(connection, _ENTRIES, LabelRecord._fields.index("entry"), after)


def label_states(connection: Connection, messages: Iterable[int]) -> dict[int, LabelState]:
    return {number: LabelState(*state) for number, *state in connection.among(_STATES, messages)}


def _records(connection: Connection, query: str, key: int, last: int = -1) -> Iterator[LabelRecord]:
    while rows := connection.rows(query, (last, _BATCH)):
        last = rows[-1][key]
        yield from map(LabelRecord._make, rows)


class WaitingLabels(Table):
    """Labels of messages that haven't arrived yet, by identity. A row with an empty label is a
    removal to be logged.
    """

    def __len__(self) -> int:
        return self._connection.number("SELECT count(*) FROM waiting_labels WHERE label <> ''")

    def records(self) -> Iterator[LabelRecord]:
        """Yield the labels whose messages are still unknown, by identity."""
        last = b""
        while rows := self._select(
            f"identity > ? AND label <> '' AND NOT {_KNOWN}", (last,), _BATCH
        ):
            last = rows[-1].identity
            yield from rows

    def unlogged(self) -> list[LabelRecord]:
        """Return the changes that `labels.log` doesn't contain."""
        return self._select("logged = 0", ())

    def set_logged(self) -> None:
        self._connection.execute("DELETE FROM waiting_labels WHERE label = ''")
        self._connection.execute("UPDATE waiting_labels SET logged = 1 WHERE logged = 0")

    def get(self, identities: Iterable[bytes]) -> dict[bytes, LabelRecord]:
        found = (
            self._select("identity = ? AND label <> ''", (identity,)) for identity in identities
        )
        return {rows[0].identity: rows[0] for rows in found if rows}

    def put(self, records: Iterable[LabelRecord], *, logged: bool = False) -> None:
        """Store labels until their messages arrive; "" removes one. `logged`: `labels.log` contains
        the records.
        """
        for record in records:
            if record.label:
                label, *texts = map(
                    storable, (record.label, record.by, record.account, record.folder)
                )
                self._connection.execute(
                    (
                        "INSERT OR REPLACE INTO waiting_labels VALUES (?, ?, ?, ?, ?, ?, "
                        "nullif(?, 0), ?, ?)"
                    ),
                    (
                        record.identity,
                        label,
                        record.moment,
                        *texts,
                        record.position,
                        logged,
                        record.identity_version,
                    ),
                )
            elif logged:
                self._connection.execute(
                    "DELETE FROM waiting_labels WHERE identity = ?", (record.identity,)
                )
            else:
                self._connection.execute(
                    (
                        "UPDATE waiting_labels SET label = '', moment = ?, by = ?, logged = 0 "
                        "WHERE identity = ?"
                    ),
                    (record.moment, record.by, record.identity),
                )

    def take(self, identities: Iterable[bytes]) -> dict[bytes, LabelRecord]:
        """Remove and return the labels of messages that have arrived."""
        if not self._connection.value("SELECT 1 FROM waiting_labels LIMIT 1"):
            return {}
        found = self.get(identities)
        self._connection.execute_many(
            "DELETE FROM waiting_labels WHERE identity = ?", ((one,) for one in found)
        )
        return found

    def _select(self, where: str, values: tuple[object, ...], most: int = -1) -> list[LabelRecord]:
        rows = self._connection.rows(
            f"SELECT {_WAITING} FROM waiting_labels LEFT JOIN message_ids USING (identity)"
            f" WHERE {where} ORDER BY identity LIMIT ?",
            (*values, most),
        )
        return [LabelRecord._make(row) for row in rows]


def last_records(records: Iterable[LabelRecord]) -> Mapping[bytes, LabelRecord]:
    """Return the last record of each message. Its source is the record that assigned the label
    first.

    Undo, redo and restore only bring a label back: `by`, `account` and `folder` are those of the
    original record.
    """
    last = dict[bytes, LabelRecord]()
    sources = dict[tuple[bytes, str], LabelRecord]()
    for record in records:
        last[record.identity] = with_source(record, sources)
    return last


def with_source(record: LabelRecord, sources: dict[tuple[bytes, str], LabelRecord]) -> LabelRecord:
    """Return the record with the source of its label. `sources` collects the records that assigned
    a label.
    """
    if record.by not in RESTORING:
        sources[record.identity, record.label] = record
        return record
    source = sources.get((record.identity, record.label))
    by, account, folder = source[3:6] if source else (By.RESTORE.value, "", "")
    return record._replace(by=by, account=account, folder=folder)


_IDENTITY_BYTES = 16
_CHECKSUM = re.compile(rb', "crc32": "([0-9a-f]{8})"\}\n?\Z')
_SOURCES = frozenset(By)


def format_lines(records: Iterable[LabelRecord]) -> Iterator[bytes]:
    """Yield a line for each record, some at once. Control characters and invisible ones are
    escaped.
    """
    for some in batches(records, _BATCH):
        yield b"".join(map(_format, some))


def parse_line(line: bytes, *, checked: bool = True) -> LabelRecord | None:
    """Return the record of a line; None if the line is damaged. Without `checked` it may lack its
    checksum.
    """
    found = _CHECKSUM.search(line)
    if found is None:
        if checked:
            return None
    elif zlib.crc32(line[: found.start()]) != int(found[1], 16):
        return None
    try:
        fields: dict[str, Any] = json.loads(line)
        identity = bytes.fromhex(fields["identity"])
        by = fields["by"]
        moment = datetime.fromisoformat(fields["time"])
        texts = [
            fields.get(name) or ""
            for name in ("after", "account", "folder", "message_id", "before")
        ]
        numbers = [fields.get(name, 0) for name in ("entry", "step", "position")]
        version = fields["identity_version"]
        is_known = (
            len(identity) == _IDENTITY_BYTES
            and version in (FORMER_VERSION, VERSION)
            and by in _SOURCES
        )
        if not is_known or not all(isinstance(text, str) for text in texts):
            return None
        if not all(isinstance(number, int) and 0 <= number < 1 << 63 for number in numbers):
            return None
        time = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        return LabelRecord._make((identity, texts[0], time, by, *texts[1:], *numbers, version))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None


def _format(record: LabelRecord) -> bytes:
    # `json.dumps` takes four times as long.
    (
        identity,
        label,
        moment,
        by,
        account,
        folder,
        message_id,
        before,
        entry,
        step,
        position,
        version,
    ) = record
    content = (
        f"{{{_field('entry', entry)}{_change(moment, by, before, label)}{_field('position', position)}"
        f"{_origin(step, account, folder)}{_field('message_id', message_id)}"
        f'"identity": "{identity.hex()}", "identity_version": {version}'
    ).encode()
    return b'%s, "crc32": "%08x"}\n' % (content, zlib.crc32(content))


# Successive changes differ only in their messages.
@lru_cache(16)
def _change(moment: float, by: str, before: str, label: str) -> str:
    try:
        time = datetime.fromtimestamp(moment, UTC)
    except (ValueError, OverflowError, OSError):
        time = datetime.fromtimestamp(0, UTC)
    fields = {
        "time": time.isoformat(timespec="microseconds"),
        "by": by,
        "before": before,
        "after": label,
    }
    return "".join(_field(name, value) or f'"{name}": null, ' for name, value in fields.items())


@lru_cache(16)
def _origin(step: int, account: str, folder: str) -> str:
    return _field("step", step) + _field("account", account) + _field("folder", folder)


def _field(name: str, value: int | str) -> str:
    """Return a field of a JSON object, nothing for 0 and for an empty text."""
    if not value:
        return ""
    if isinstance(value, str):
        value = encode_basestring(value) if value.isprintable() else encode_basestring_ascii(value)
    return f'"{name}": {value}, '
