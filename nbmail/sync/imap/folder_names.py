"""The folders of an account: their names, as a person reads and as the server writes them, and what each is for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from imapclient import imap_utf7

from nbmail.settings import Account
from nbmail.sync.connection.imap_protocol import Refusal, Reply, Talk, quote

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

_LISTED = re.compile(rb'\* LIST \(([^)]*)\) ("(?:[^"\\]|\\.)*"|[^ ]+) (.*)', re.IGNORECASE | re.DOTALL)
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder on the server. `raw` is its name in the server's own bytes, `uses` its special uses."""

    name: str
    raw: bytes
    separator: str = ""
    uses: frozenset[str] = frozenset()
    selectable: bool = True


class Folders:
    """All folders of an account, and which of them is for what."""

    def __init__(self, folders: list[Folder], chosen_junk: str = "") -> None:
        self.all = folders
        self._by_name = {folder.name: folder for folder in folders}
        self._chosen_junk = chosen_junk
        self.junk = self._chosen() if chosen_junk else self._find(JUNK, JUNK_NAMES)
        self.trash = self._find(TRASH, TRASH_NAMES)

    def __contains__(self, name: str) -> bool:
        """Whether the server has a folder of this name."""
        return name in self._by_name or name.upper() == "INBOX"

    def raw(self, name: str) -> bytes:
        """The name in the server's bytes: as it listed it, else encoded anew."""
        known = self._by_name.get(name)
        return known.raw if known else encoded(name)

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
        """The junk folder that the user named and the server doesn't have yet."""
        return self._chosen_junk if self._chosen_junk and self.junk is None else ""

    @property
    def below_inbox(self) -> str:
        """What new folders' names begin with on servers that keep all folders below the inbox ("INBOX.")."""
        others = [folder for folder in self.all if folder.name != "INBOX"]
        prefixes = {f"INBOX{folder.separator}" for folder in self.all if folder.separator}
        fitting = [each for each in prefixes if others and all(one.name.upper().startswith(each) for one in others)]
        return fitting[0] if len(fitting) == 1 else ""

    def _chosen(self) -> Folder | None:
        """The junk folder that the user named, as it is or with what the server puts before all names."""
        named = self._chosen_junk
        return self._by_name.get(named) or self._by_name.get(self.below_inbox + named)

    def _find(self, use: str, names: tuple[str, ...]) -> Folder | None:
        usable = [folder for folder in self.all if folder.selectable]
        told = [folder for folder in usable if use in folder.uses]
        if told:
            return told[0]
        ranked = [(names.index(leaf), folder.name, folder) for folder in usable if (leaf := _leaf(folder)) in names]
        return min(ranked, key=lambda each: each[:2])[2] if ranked else None


def list_folders(talk: Talk, abilities: frozenset[str], account: Account) -> Folders:
    """Ask for all folders, with their special uses where the server tells them."""
    command = b'LIST "" "*"'
    try:
        uses = {"SPECIAL-USE", "LIST-EXTENDED"} <= abilities
        replies = talk.ask(command + b" RETURN (SPECIAL-USE)" if uses else command)
    except Refusal:
        replies = talk.ask(command)
    folders = [folder for reply in replies if (folder := _listed(reply)) is not None]
    return Folders(folders, account.junk_folder)


def encoded(name: str) -> bytes:
    """A folder's name in modified UTF-7, as servers know it."""
    return bytes(imap_utf7.encode(name))


def readable(raw: bytes) -> str:
    """A folder's name as a person reads it; bytes that are no modified UTF-7 are read as UTF-8."""
    try:
        return str(imap_utf7.decode(raw)) if raw.isascii() else raw.decode("utf-8", "replace")
    except (UnicodeError, ValueError):
        return raw.decode("utf-8", "replace")


def quoted(raw: bytes) -> bytes:
    """A folder's name as it stands in a command."""
    return quote(raw)


def _listed(reply: Reply) -> Folder | None:
    found = _LISTED.match(reply[0])
    if found is None:
        return None
    attributes, apart, rest = found.groups()
    raw = reply[1] if len(reply) > 1 else _unquoted(rest)
    name = readable(raw)
    lower = {each.lower() for each in attributes.decode("ascii", "replace").split()}
    uses = frozenset(use for use in SPECIAL if use.lower() in lower)
    separator = _unquoted(apart).decode("ascii", "replace") if apart.upper() != b"NIL" else ""
    # There is one inbox, in whatever letters a server writes it.
    name = "INBOX" if name.upper() == "INBOX" else name
    return Folder(name, raw, separator, uses, not lower & {"\\noselect", "\\nonexistent"})


def _unquoted(text: bytes) -> bytes:
    """A name as it stands in an answer: quoted, or bare with all that follows, since some servers forget to quote."""
    found = _QUOTED.match(text)
    return re.sub(rb"\\(.)", rb"\1", found.group(1)) if found else text.rstrip()


def _leaf(folder: Folder) -> str:
    """The last part of a name that stands at the top or right below INBOX or what a provider puts above all."""
    path = folder.name.lower().split(folder.separator) if folder.separator else [folder.name.lower()]
    return path[-1] if len(path) == 1 or (len(path) == 2 and path[0] in PREFIXES) else ""
