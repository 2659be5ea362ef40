"""The folders of an account: their names, as a person reads and as the server writes them, and what each is for."""

from __future__ import annotations

from dataclasses import dataclass

from imapclient import imap_utf7
from imapclient.response_parser import parse_response

from nbmail.settings import Account
from nbmail.sync.talk import Refusal, Reply, Talk, quote

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
        self.junk = self._find(JUNK, JUNK_NAMES) if not chosen_junk else self._by_name.get(chosen_junk)
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
        return self._chosen_junk if self._chosen_junk and self._chosen_junk not in self else ""

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
    if reply[0][:7].upper() != b"* LIST ":
        return None
    pieces = [reply[0][7:], *reply[1:]]
    flags, separator, name = parse_response(_lines(pieces))
    # The parser reads a folder called 2024 as a number.
    raw = name if isinstance(name, bytes) else str(name).encode()
    uses = frozenset(flag.decode("ascii", "replace") for flag in flags)
    lower = {use.lower() for use in uses}
    proper = frozenset(use for use in SPECIAL if use.lower() in lower)
    apart = separator.decode("ascii", "replace") if isinstance(separator, bytes) else ""
    return Folder(readable(raw), raw, apart, proper, not lower & {"\\noselect", "\\nonexistent"})


def _lines(pieces: list[bytes]) -> list[object]:
    """Pieces as the parser wants them: each line with the literal behind it."""
    paired: list[object] = list(zip(pieces[0::2], pieces[1::2], strict=False))
    return [*paired, pieces[-1]] if len(pieces) % 2 else paired


def _leaf(folder: Folder) -> str:
    """The last part of a name that stands at the top or right below INBOX or what a provider puts above all."""
    path = folder.name.lower().split(folder.separator) if folder.separator else [folder.name.lower()]
    return path[-1] if len(path) == 1 or (len(path) == 2 and path[0] in PREFIXES) else ""
