"""Lines of `labels.log` that earlier builds wrote: other identities, other words.

Earlier identities are stored as the hash and one more byte, its version. So no current identity
equals one of them. A label with an earlier identity waits until its message is read again.
"""

import hashlib
import re
from collections.abc import Mapping

from nbmail.store.mail.identity import SIZE, content_of, divide, headers_in

# Version 1 was a hash of the content alone. Version 2 added these headers.
_VERSIONS = (1, 2)
_HEADERS = re.compile(
    rb"\n(from|subject|content-type|content-transfer-encoding)[ \t]*+:"
    rb"([^\n]*+(?:\n[ \t][^\n]*+)*+)",
    re.IGNORECASE,
)
_CLASSES = {"junk": "spam", "good": "ham"}
_CAUSES = {"travel": "restore", "repair": "restore"}


def is_earlier(identity: bytes) -> bool:
    return len(identity) == SIZE + 1


def earlier_identities(raw: bytes) -> tuple[bytes, ...]:
    """Return the identities that earlier builds gave to a message."""
    head, body = divide(raw)
    digest = hashlib.blake2b(content_of(head, body), digest_size=SIZE)
    first = digest.digest()
    digest.update(b"\0" + headers_in(head, _HEADERS))
    return _versioned(first, 1), _versioned(digest.digest(), 2)


def translated(fields: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields of a line as today's builds write them.

    Raises `ValueError` or `TypeError` for an invalid identity.
    """
    if "identity_version" not in fields:
        return fields
    version = fields["identity_version"]
    identity = fields["identity"]
    if version not in _VERSIONS or not isinstance(version, int):
        raise ValueError(f"identity version {version!r}")
    if not isinstance(identity, str):
        raise TypeError("identity")
    return {
        **fields,
        "identity": _versioned(bytes.fromhex(identity), version).hex(),
        "by": _in_new_words(fields["by"], _CAUSES),
        "before": _in_new_words(fields.get("before"), _CLASSES),
        "after": _in_new_words(fields.get("after"), _CLASSES),
    }


def _in_new_words(value: object, words: Mapping[str, str]) -> object:
    return words.get(value, value) if isinstance(value, str) else value


def _versioned(identity: bytes, version: int) -> bytes:
    return identity + bytes([version])
