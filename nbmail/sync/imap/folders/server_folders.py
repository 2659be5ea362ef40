"""Folders of an account on its server."""

from collections.abc import Mapping
from typing import NamedTuple

from nbmail.sync.imap.folders.folder_names import (
    ALL,
    ARCHIVE,
    ARCHIVE_NAMES,
    INBOX,
    JUNK,
    JUNK_NAMES,
    PREFIXES,
    SENT,
    SENT_NAMES,
    SPECIAL,
    TRASH,
    TRASH_NAMES,
)
from nbmail.sync.imap.folders.name_encoding import encoded
from nbmail.sync.imap.protocol.names import wire_text
from nbmail.values import FolderName, ServerFolderUse


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


def _leaf(folder: ServerFolder) -> str:
    """Return the last part of a name at the top level or directly below a prefix such as INBOX;
    empty otherwise.
    """
    path = (
        folder.name.lower().split(folder.separator) if folder.separator else [folder.name.lower()]
    )
    return path[-1] if len(path) == 1 or (len(path) == 2 and path[0] in PREFIXES) else ""
