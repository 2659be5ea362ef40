"""Folders of an account on its server, by their special use."""

from collections.abc import Mapping
from typing import NamedTuple

from nbmail.sync.imap.folders.folder_names import ALL, ANY_MARKED, PREFIXES, SENT, USUAL_NAMES
from nbmail.sync.imap.folders.name_encoding import encoded
from nbmail.sync.imap.protocol.names import wire_text
from nbmail.values import ARCHIVE, INBOX, JUNK_FOLDER, FolderName, ServerFolderUse


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

    - `chosen`: names that the user chose, by special use.
    - `prefix`: prefix of all names, required by some servers.
    - `used`: folders for spam, deleted, archived and sent mail; None for a missing one.
    """

    def __init__(
        self, folders: list[ServerFolder], chosen: Mapping[str, str] | None = None, prefix: str = ""
    ) -> None:
        self.all = folders
        self.prefix = prefix
        self._by_name = {folder.name: folder for folder in folders}
        self._chosen = {use: name for use, name in (chosen or {}).items() if name}
        self.used = {use: self._find(use, names) for use, names in USUAL_NAMES.items()}

    @property
    def spam(self) -> ServerFolder | None:
        return self.used[JUNK_FOLDER]

    @property
    def sent(self) -> ServerFolder | None:
        return self.used[SENT]

    def usable(self, account: str, *, all_is_archive: bool) -> list[ServerFolderUse]:
        """Return the folders to which mail can be moved.

        `all_is_archive`: mail in "all mail" has left the inbox.
        """
        found = [
            ServerFolderUse(
                FolderName(account, each.name),
                self.special(each.name),
                mailbox_id=each.mailbox_id,
            )
            for each in self.all
            if each.selectable
        ]
        for use, name in self._chosen.items():
            if self.used[use] is None:
                found.append(ServerFolderUse(FolderName(account, name), use))
        has_archive = any(each.special == ARCHIVE for each in found)
        if all_is_archive and not has_archive:
            found = [
                each._replace(special=ARCHIVE) if each.special == ALL else each for each in found
            ]
        return found

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
        return next((use for use in ANY_MARKED if use in uses), "")

    def to_create(self, use: str) -> str:
        """Return the name that the user chose for a missing folder; otherwise an empty text."""
        return self._chosen.get(use, "") if self.used[use] is None else ""

    def _find(self, use: str, names: tuple[str, ...]) -> ServerFolder | None:
        """Return the folder for a special use: the chosen, a marked, or one with a usual name."""
        chosen = self._chosen.get(use)
        if chosen:
            return self._by_name.get(chosen) or self._by_name.get(self.prefix + chosen)
        usable = [folder for folder in self.all if folder.selectable]
        for folder in usable:
            if use in folder.uses:
                return folder
        named = [folder for folder in usable if _leaf(folder) in names]
        return min(named, key=lambda each: (names.index(_leaf(each)), each.name), default=None)


def _leaf(folder: ServerFolder) -> str:
    """Return the last part of a name at the top level or directly below a prefix such as INBOX.

    Return an empty text for other folders.
    """
    name = folder.name.lower()
    path = name.split(folder.separator) if folder.separator else [name]
    if len(path) == 1 or (len(path) == 2 and path[0] in PREFIXES):
        return path[-1]
    return ""
