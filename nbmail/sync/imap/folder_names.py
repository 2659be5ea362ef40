"""Folders of an account: readable and encoded names, special uses, and the parser of LIST
responses.
"""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from imapclient import imap_utf7

from nbmail.sync.imap.imap_connection import Reply, wire_text
from nbmail.values import FolderName, ServerFolderUse

INBOX = "\\Inbox"
JUNK = "\\Junk"
TRASH = "\\Trash"
ARCHIVE = "\\Archive"
ALL = "\\All"
SENT = "\\Sent"
SPECIAL = (JUNK, TRASH, ARCHIVE, SENT, "\\Drafts", ALL)

# Names of spam folders on servers without special uses, the preferred one first.
JUNK_NAMES = (
    "junk", "junk e-mail", "junk email", "junk mail", "spam", "bulk mail", "bulk", "spamverdacht", "junk-e-mail",
    "unerwünscht", "courrier indésirable", "indésirables", "correo no deseado", "posta indesiderata",
    "ongewenste e-mail", "lixo eletrônico", "skräppost", "søppelpost", "roskaposti", "wiadomości-śmieci",
    "нежелательная почта", "спам", "迷惑メール", "垃圾邮件", "垃圾郵件", "스팸",
)  # fmt: skip
TRASH_NAMES = (
    "trash", "deleted items", "deleted messages", "deleted", "bin", "papierkorb", "gelöschte elemente", "corbeille",
    "éléments supprimés", "papelera", "cestino", "prullenbak", "lixeira", "удаленные", "корзина",
    "ゴミ箱", "已删除邮件",
)  # fmt: skip
ARCHIVE_NAMES = (
    "archive", "archives", "archiv", "archivo", "archivio", "archief", "arquivo", "arkiv", "arkisto", "archiwum",
    "архив", "アーカイブ", "归档", "封存",
)  # fmt: skip
SENT_NAMES = (
    "sent", "sent items", "sent mail", "sent messages", "sent-mail", "gesendet", "gesendete elemente",
    "gesendete objekte", "messages envoyés", "éléments envoyés", "envoyés", "enviados", "elementos enviados",
    "posta inviata", "inviata", "verzonden", "verzonden items", "itens enviados", "skickat", "sendt", "lähetetyt",
    "wysłane", "отправленные", "送信済み", "已发送",
)  # fmt: skip
PREFIXES = ("inbox", "[gmail]", "[google mail]")

_LISTED = re.compile(rb'\* LIST \(([^)]*)\) ("(?:[^"\\]|\\.)*"|[^ ]+) (.*)', re.DOTALL)
_IDENTIFIED = re.compile(
    rb"\* STATUS (.*) \(MAILBOXID \(([\w-]{1,255})\)\)", re.IGNORECASE | re.DOTALL
)
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)


class ServerFolder(NamedTuple):
    """Folder on the server. `raw`: name in the server's bytes; `uses`: special uses."""

    name: str
    raw: bytes
    separator: str = ""
    uses: frozenset[str] = frozenset()
    selectable: bool = True
    mailbox_id: str = ""


class ServerFolders:
    """All folders of an account.

    `chosen`: folders that the user chose by their special use. `prefix`: prefix of all names,
    required by some servers. `used`: folders for spam, deleted, archived and sent mail; None for a
    missing one.
    """

    def __init__(
        self, folders: list[ServerFolder], chosen: Mapping[str, str] | None = None, prefix: str = ""
    ) -> None:
        self.all = folders
        self.prefix = prefix
        self._by_name = {folder.name: folder for folder in folders}
        self._chosen = {use: name for use, name in (chosen or {}).items() if name}
        names = (
            (JUNK, JUNK_NAMES),
            (TRASH, TRASH_NAMES),
            (ARCHIVE, ARCHIVE_NAMES),
            (SENT, SENT_NAMES),
        )
        self.used = {use: self._find(use, known) for use, known in names}

    @property
    def spam(self) -> ServerFolder | None:
        return self.used[JUNK]

    @property
    def sent(self) -> ServerFolder | None:
        return self.used[SENT]

    def usable(self, account: str, *, all_is_archive: bool) -> list[ServerFolderUse]:
        """Return the folders to which mail can be moved. `all_is_archive`: mail in "all mail" has
        left the inbox.
        """
        found = [
            (each.name, self.special(each.name), each.mailbox_id)
            for each in self.all
            if each.selectable
        ]
        found += [(name, use, "") for use, name in self._chosen.items() if self.used[use] is None]
        archive = ALL if all_is_archive and ARCHIVE not in {use for _, use, _ in found} else ARCHIVE
        return [
            ServerFolderUse(
                FolderName(account, name), ARCHIVE if use == archive else use, mailbox_id=mailbox_id
            )
            for name, use, mailbox_id in found
        ]

    def __contains__(self, name: str) -> bool:
        return name in self._by_name or name.upper() == "INBOX"

    def raw(self, name: str) -> bytes:
        """Return the name in the server's bytes: as listed, otherwise encoded."""
        known = self._by_name.get(name)
        return known.raw if known else encoded(name)

    def wire(self, name: str) -> str:
        """Return the name as imapclient sends it: the raw bytes decoded as latin-1."""
        return wire_text(self.raw(name))

    def special(self, name: str) -> str:
        """Return the special use of a folder, such as "\\\\Junk"; empty if it has none."""
        if name.upper() == "INBOX":
            return INBOX
        for use, found in self.used.items():
            if found is not None and found.name == name:
                return use
        folder = self._by_name.get(name)
        uses = folder.uses if folder else frozenset()
        return next((use for use in SPECIAL[3:] if use in uses), "")

    def to_create(self, use: str) -> str:
        """Return the name that the user chose for a folder that doesn't exist; otherwise an empty
        text.
        """
        return self._chosen.get(use, "") if self.used[use] is None else ""

    def _find(self, use: str, names: tuple[str, ...]) -> ServerFolder | None:
        if name := self._chosen.get(use):
            return self._by_name.get(name) or self._by_name.get(self.prefix + name)
        usable = [folder for folder in self.all if folder.selectable]
        marked = [folder for folder in usable if use in folder.uses]
        if marked:
            return marked[0]
        ranked = [
            (names.index(leaf), folder.name, folder)
            for folder in usable
            if (leaf := _leaf(folder)) in names
        ]
        return min(ranked, key=lambda each: each[:2])[2] if ranked else None


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


def encoded(name: str) -> bytes:
    return bytes(imap_utf7.encode(name))


def readable(raw: bytes) -> str:
    """Decode a folder name from modified UTF-7, otherwise from UTF-8."""
    try:
        return str(imap_utf7.decode(raw)) if raw.isascii() else raw.decode("utf-8", "replace")
    except (UnicodeError, ValueError):
        return raw.decode("utf-8", "replace")


def _unquoted(text: bytes) -> bytes:
    """Return a quoted name, or the whole text: some servers don't quote names with spaces."""
    found = _QUOTED.match(text)
    return re.sub(rb"\\(.)", rb"\1", found.group(1)) if found else text.rstrip()


def _leaf(folder: ServerFolder) -> str:
    """Return the last part of a name at the top level or directly below a prefix such as INBOX;
    empty otherwise.
    """
    path = (
        folder.name.lower().split(folder.separator) if folder.separator else [folder.name.lower()]
    )
    return path[-1] if len(path) == 1 or (len(path) == 2 and path[0] in PREFIXES) else ""
