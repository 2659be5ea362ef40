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
        listed = _LISTED.match(reply[0])
        identified = _IDENTIFIED.match(b"".join(reply[::2]))
        if listed is not None:
            attributes, separator, rest = listed.groups()
            folders.append(_folder(_raw_name(rest, reply), attributes, separator))
        elif identified is not None:
            ids[_raw_name(identified[1], reply)] = identified[2].decode()
    return [each._replace(mailbox_id=ids.get(each.raw, "")) for each in folders]


def _folder(raw: bytes, attributes: bytes, separator: bytes) -> ServerFolder:
    flags = {each.lower() for each in attributes.decode("ascii", "replace").split()}
    level = ""
    if separator.upper() != b"NIL":
        level = _unquoted(separator).decode("ascii", "replace")
    return ServerFolder(
        # INBOX is case-insensitive.
        name="INBOX" if raw.upper() == b"INBOX" else readable(raw),
        raw=raw,
        separator=level,
        uses=frozenset(use for use in SPECIAL if use.lower() in flags),
        selectable=not flags & {"\\noselect", "\\nonexistent"},
    )


def _raw_name(text: bytes, reply: Reply) -> bytes:
    """Return the name of a folder: a literal, or else in the text."""
    return reply[1] if len(reply) > 1 else _unquoted(text)


def _unquoted(text: bytes) -> bytes:
    """Return a quoted name, or the whole text: some servers don't quote names with spaces."""
    found = _QUOTED.match(text)
    return re.sub(rb"\\(.)", rb"\1", found.group(1)) if found else text.rstrip()
