"""Addresses in headers."""

import re

# Text between the signs around addresses. A pattern for whole addresses would not take linear time.
ADDRESS_OR_NAME = re.compile(r"""[^\s<>()\[\]",;:']+""")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
_BRACKETED = re.compile(r"<\s*+([^\s<>]++@[^\s<>]++)\s*+>")
# Limits the time per header, and the size of the caches.
VALUE_CAP = 1000


def mailboxes_in(value: str) -> list[str]:
    """Return the addresses in a header, in lower case."""
    return [word for word in ADDRESS_OR_NAME.findall(value[:VALUE_CAP].lower()) if "@" in word]


def author_in(value: str) -> str:
    """Return the only address of a From header in lower case.

    Empty if there is none, or if a reader could take another.
    """
    unquoted = _QUOTED.sub(" ", value[:VALUE_CAP].lower())
    found = set(_BRACKETED.findall(unquoted) or mailboxes_in(unquoted))
    return found.pop() if len(found) == 1 else ""
