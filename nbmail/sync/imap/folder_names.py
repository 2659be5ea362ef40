"""The folders of an account: their names, as a person reads and as the server writes them, and what each is for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from imapclient import imap_utf7

from nbmail.sync.connection.imap_connection import wire_text

INBOX, JUNK, TRASH = "\\Inbox", "\\Junk", "\\Trash"
SPECIAL = (JUNK, TRASH, "\\Sent", "\\Drafts", "\\Archive", "\\All")

# Where a server doesn't say which folder is for junk, its name does; the first of these that is there is the one.
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
PREFIXES = ("inbox", "[gmail]", "[google mail]")

_LISTED = re.compile(rb'\(([^)]*)\) ("(?:[^"\\]|\\.)*"|[^ ]+) (.*)', re.DOTALL)
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class ServerFolder:
    """A folder on the server. `raw` is its name in the server's own bytes, `uses` its special uses."""

    name: str
    raw: bytes
    separator: str = ""
    uses: frozenset[str] = frozenset()
    selectable: bool = True


class ServerFolders:
    """All folders of an account, and which of them is for what. Some servers put a `prefix` before all names."""

    def __init__(self, folders: list[ServerFolder], chosen_junk: str = "", prefix: str = "") -> None:
        self.all = folders
        self.prefix = prefix
        self._by_name = {folder.name: folder for folder in folders}
        self._chosen_junk = chosen_junk
        chosen = self._by_name.get(chosen_junk) or self._by_name.get(prefix + chosen_junk)
        self.junk = chosen if chosen_junk else self._find(JUNK, JUNK_NAMES)
        self.trash = self._find(TRASH, TRASH_NAMES)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name or name.upper() == "INBOX"

    def raw(self, name: str) -> bytes:
        """The name in the server's bytes: as it listed it, else encoded anew."""
        known = self._by_name.get(name)
        return known.raw if known else encoded(name)

    def wire(self, name: str) -> str:
        """The name as imapclient sends it: these bytes, read as latin-1."""
        return wire_text(self.raw(name))

    def special(self, name: str) -> str:
        """What the folder is for ("\\\\Junk"); empty for any other."""
        if name.upper() == "INBOX":
            return INBOX
        for found, use in ((self.junk, JUNK), (self.trash, TRASH)):
            if found is not None and found.name == name:
                return use
        folder = self._by_name.get(name)
        uses = folder.uses if folder else frozenset()
        return next((use for use in SPECIAL[2:] if use in uses), "")

    @property
    def junk_to_create(self) -> str:
        return self._chosen_junk if self.junk is None else ""

    def _find(self, use: str, names: tuple[str, ...]) -> ServerFolder | None:
        usable = [folder for folder in self.all if folder.selectable]
        told = [folder for folder in usable if use in folder.uses]
        if told:
            return told[0]
        ranked = [(names.index(leaf), folder.name, folder) for folder in usable if (leaf := _leaf(folder)) in names]
        return min(ranked, key=lambda each: each[:2])[2] if ranked else None


def read_folders(listed: Iterable[Any]) -> list[ServerFolder]:
    """The folders that answers to LIST name; imaplib hands on a literal as a pair of the text before it and itself."""
    found = [_listed(*each) if isinstance(each, tuple) else _listed(each or b"") for each in listed]
    return [folder for folder in found if folder is not None]


def encoded(name: str) -> bytes:
    """A folder's name in modified UTF-7, as servers know it."""
    return bytes(imap_utf7.encode(name))


def readable(raw: bytes) -> str:
    """A folder's name as a person reads it; bytes that are no modified UTF-7 are read as UTF-8."""
    try:
        return str(imap_utf7.decode(raw)) if raw.isascii() else raw.decode("utf-8", "replace")
    except (UnicodeError, ValueError):
        return raw.decode("utf-8", "replace")


def _listed(answer: bytes, literal: bytes | None = None) -> ServerFolder | None:
    found = _LISTED.match(answer)
    if found is None:
        return None
    attributes, apart, rest = found.groups()
    raw = _unquoted(rest) if literal is None else literal
    name = readable(raw)
    lower = {each.lower() for each in attributes.decode("ascii", "replace").split()}
    uses = frozenset(use for use in SPECIAL if use.lower() in lower)
    separator = _unquoted(apart).decode("ascii", "replace") if apart.upper() != b"NIL" else ""
    # There is one inbox, in whatever letters a server writes it.
    name = "INBOX" if name.upper() == "INBOX" else name
    return ServerFolder(name, raw, separator, uses, not lower & {"\\noselect", "\\nonexistent"})


def _unquoted(text: bytes) -> bytes:
    """A name as it stands in an answer: quoted, or bare with all that follows, since some servers forget to quote."""
    found = _QUOTED.match(text)
    return re.sub(rb"\\(.)", rb"\1", found.group(1)) if found else text.rstrip()


def _leaf(folder: ServerFolder) -> str:
    """The last part of a name that stands at the top or right below INBOX or what a provider puts above all."""
    path = folder.name.lower().split(folder.separator) if folder.separator else [folder.name.lower()]
    return path[-1] if len(path) == 1 or (len(path) == 2 and path[0] in PREFIXES) else ""
