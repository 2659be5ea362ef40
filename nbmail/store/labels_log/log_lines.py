"""Lines of `labels.log`: JSON objects, one for each change of a label.

- `entry`: number in the journal, missing for unknown messages.
- `time`: in UTC.
- `by`: source of the change, one of `By`.
- `before`, `after`: labels, null for none.
- `position`: place in the learning order.
- `step`: undo step.
- `account`, `folder`: origin of a label that was learned from a folder.
- `message_id`: Message-ID.
- `identity`: hash of the message, see `nbmail.store.mail.identity`.
- `crc32`: checksum of all characters before it.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from nbmail.chunks import batches
from nbmail.store.labels.journal import By
from nbmail.store.labels_log.earlier_builds import is_earlier, translated
from nbmail.store.mail.identity import SIZE
from nbmail.values import LabelRecord

# Lines yielded at once.
_BATCH = 500
_CHECKSUM = re.compile(rb', "crc32": "([0-9a-f]{8})"\}\n?\Z')
_SOURCES = frozenset(By)


def format_lines(records: Iterable[LabelRecord]) -> Iterator[bytes]:
    """Yield a line for each record, some at once. Invisible characters are escaped."""
    for some in batches(records, _BATCH):
        yield b"".join(map(_format, some))


def parse_line(line: bytes, *, checked: bool = True) -> LabelRecord | None:
    """Return the record of a line; None if it is damaged.

    Without `checked` the line may lack its checksum.
    """
    found = _CHECKSUM.search(line)
    if found is None:
        if checked:
            return None
    elif zlib.crc32(line[: found.start()]) != int(found[1], 16):
        return None
    try:
        return _record(translated(json.loads(line)))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None


def _record(fields: Mapping[str, Any]) -> LabelRecord:
    """Return the record of a JSON object. Raises an exception if it is none."""
    identity = bytes.fromhex(fields["identity"])
    if len(identity) != SIZE and not is_earlier(identity):
        raise ValueError("no identity")
    if fields["by"] not in _SOURCES:
        raise ValueError("unknown source")
    moment = datetime.fromisoformat(fields["time"])
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return LabelRecord(
        identity,
        _text(fields, "after"),
        moment.timestamp(),
        fields["by"],
        _text(fields, "account"),
        _text(fields, "folder"),
        _text(fields, "message_id"),
        _text(fields, "before"),
        _number(fields, "entry"),
        _number(fields, "step"),
        _number(fields, "position"),
    )


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name) or ""
    if not isinstance(value, str):
        raise TypeError(name)
    return value


def _number(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name, 0)
    if not isinstance(value, int) or not 0 <= value < 1 << 63:
        raise ValueError(name)
    return value


def _format(record: LabelRecord) -> bytes:
    # `json.dumps` takes four times as long.
    fields = [
        _field("entry", record.entry),
        _change(record.moment, record.by, record.before, record.label),
        _field("position", record.position),
        _origin(record.step, record.account, record.folder),
        _field("message_id", record.message_id),
        f'"identity": "{record.identity.hex()}"',
    ]
    content = "{" + "".join(fields)
    line = content.encode()
    return b'%s, "crc32": "%08x"}\n' % (line, zlib.crc32(line))


# Successive changes differ only in their messages.
@lru_cache(16)
def _change(moment: float, by: str, before: str, label: str) -> str:
    try:
        time = datetime.fromtimestamp(moment, UTC)
    except (ValueError, OverflowError, OSError):
        time = datetime.fromtimestamp(0, UTC)
    fields = [
        _field("time", time.isoformat(timespec="microseconds")),
        _field("by", by) or '"by": null, ',
        _field("before", before) or '"before": null, ',
        _field("after", label) or '"after": null, ',
    ]
    return "".join(fields)


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
