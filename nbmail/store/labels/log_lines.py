"""Lines of `labels.log`: one JSON object for each change of a label, with its checksum in the last field.

Fields: `entry` is the number in the journal, missing if the message is unknown; `time` is in UTC; `by` is the source of
the change; `before` and `after` are labels, null for none; `position` is the place in the learning order; `step` is the
undo step; `account` and `folder` name the folder that the label was learned from; `message_id` is the Message-ID.
`identity` is the hash of the message as `identity_version` defines it. `crc32` covers all characters before it.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from nbmail.store.labels.journal import By
from nbmail.values import LabelRecord

IDENTITY_VERSION = 1
"""Version of the hash that `store.mail.identity.identify` makes."""
_IDENTITY_BYTES = 16
_CHECKSUM = re.compile(rb', "crc32": "([0-9a-f]{8})"\}\n?\Z')
_SOURCES = frozenset(By)


def format_lines(records: Iterable[LabelRecord]) -> bytes:
    """Return a line for each record. Control characters and invisible ones are escaped."""
    return b"".join(map(_format, records))


def parse_line(line: bytes, *, checked: bool = True) -> LabelRecord | None:
    """Return the record of a line; None if the line is damaged. Without `checked` it may lack its checksum."""
    found = _CHECKSUM.search(line)
    if found is None:
        if checked:
            return None
    elif zlib.crc32(line[: found.start()]) != int(found[1], 16):
        return None
    try:
        return _record(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None


def parse_lines(lines: Iterable[bytes]) -> Iterator[LabelRecord]:
    """Yield the records of all undamaged lines."""
    return (record for record in map(parse_line, lines) if record is not None)


def _format(record: LabelRecord) -> bytes:
    fields: dict[str, Any] = {"entry": record.entry} if record.entry else {}
    fields |= {"time": _time(record.moment), "by": record.by, "before": record.before or None}
    fields["after"] = record.label or None
    for name, value in (("position", record.position), ("step", record.step)):
        if value:
            fields[name] = value
    for name, text in (("account", record.account), ("folder", record.folder), ("message_id", record.message_id)):
        if text:
            fields[name] = text
    fields["identity"], fields["identity_version"] = record.identity.hex(), IDENTITY_VERSION
    text = json.dumps(fields, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(fields)
    content = text[:-1].encode()
    return b'%s, "crc32": "%08x"}\n' % (content, zlib.crc32(content))


def _record(fields: dict[str, Any]) -> LabelRecord:
    """Raises `ValueError`, `TypeError` or `KeyError` if it isn't a line of this version."""
    identity, by, moment = bytes.fromhex(fields["identity"]), fields["by"], datetime.fromisoformat(fields["time"])
    if len(identity) != _IDENTITY_BYTES or fields["identity_version"] != IDENTITY_VERSION or by not in _SOURCES:
        raise ValueError("unknown identity or source")
    return LabelRecord(
        identity,
        _text(fields, "after"),
        (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp(),
        by,
        _text(fields, "account"),
        _text(fields, "folder"),
        _text(fields, "message_id"),
        _text(fields, "before"),
        _number(fields, "entry"),
        _number(fields, "step"),
        _number(fields, "position"),
    )


def _text(fields: dict[str, Any], name: str) -> str:
    text = fields.get(name) or ""
    if not isinstance(text, str):
        raise ValueError(name)
    return text


def _number(fields: dict[str, Any], name: str) -> int:
    number = fields.get(name, 0)
    if not isinstance(number, int) or not 0 <= number < 1 << 63:
        raise ValueError(name)
    return number


@lru_cache(maxsize=16)
def _time(moment: float) -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).isoformat(timespec="microseconds")
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC).isoformat(timespec="microseconds")
