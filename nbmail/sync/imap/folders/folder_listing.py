"""Parser of LIST responses."""

import re
from collections.abc import Collection

from nbmail.sync.imap.folders.folder_names import SPECIAL
from nbmail.sync.imap.folders.name_encoding import readable
from nbmail.sync.imap.folders.server_folders import ServerFolder
from nbmail.sync.imap.protocol.imap_connection import Reply

_LISTED = re.compile(rb'\* LIST \(([^)]*)\) ("(?:[^"\\]|\\.)*"|[^ ]+) (.*)', re.DOTALL)
_IDENTIFIED = re.compile(
    rb"\* STATUS (.*) \(MAILBOXID \(([\w-]{1,255})\)\)", re.IGNORECASE | re.DOTALL
)
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def read_folders(replies: Collection[Reply]) -> list[ServerFolder]:
    """Parse LIST responses, and STATUS responses with the MAILBOXID of folders."""
    folders = list[ServerFolder]()
    ids = dict[bytes, str]()
    for reply in replies:
        if (found := _LISTED.match(reply[0])) is not None:
            attributes, separator, rest = found.groups()
            raw = _unquoted(rest) if len(reply) == 1 else reply[1]
            # INBOX is case-insensitive.
            name = "INBOX" if raw.upper() == b"INBOX" else readable(raw)
            lower = {each.lower() for each in attributes.decode("ascii", "replace").split()}
            uses = frozenset(use for use in SPECIAL if use.lower() in lower)
            level = (
                ""
                if separator.upper() == b"NIL"
                else _unquoted(separator).decode("ascii", "replace")
            )
            folders.append(
                ServerFolder(name, raw, level, uses, not lower & {"\\noselect", "\\nonexistent"})
            )
        elif (found := _IDENTIFIED.match(b"".join(reply[::2]))) is not None:
            ids[_unquoted(found[1]) if len(reply) == 1 else reply[1]] = found[2].decode()
    return [each._replace(mailbox_id=ids.get(each.raw, "")) for each in folders]


def _unquoted(text: bytes) -> bytes:
    """Return a quoted name, or the whole text: some servers don't quote names with spaces."""
    found = _QUOTED.match(text)
    return re.sub(rb"\\(.)", rb"\1", found.group(1)) if found else text.rstrip()
