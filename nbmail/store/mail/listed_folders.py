"""Folders that each account's server listed last."""

from collections.abc import Collection, Iterable

from nbmail.store.files.connection import Table
from nbmail.values import FolderName, KnownFolder, ServerFolderUse

# Tables and their columns with names of folders.
_FOLDER_NAMES = (
    ("folders", "folder"),
    ("server_folders", "folder"),
    ("departed", "folder"),
    ("sent_folders", "folder"),
    ("outbox", "folder"),
    ("filed", "folder"),
    ("filed", "origin"),
    ("filed", "target"),
    ("sorted", "folder"),
    ("sorted", "target"),
    ("sorting_start", "folder"),
    ("sorting_start", "target"),
)


class ListedFolders(Table):
    """Folders by name, with their special uses and the user's last move there."""

    def replace(self, account: str, folders: Iterable[ServerFolderUse]) -> None:
        """Store the folders of an account. The times of use of folders that still exist stay."""
        before = {each.name: each for each in self.all(account)}
        now = {}
        for each in folders:
            known = before.get(each.name, each)
            now[each.name] = each._replace(used=known.used)
        if before == now:
            return
        with self._connection.transaction():
            self._connection.execute("DELETE FROM server_folders WHERE account = ?", (account,))
            self._connection.execute_many(
                "INSERT INTO server_folders VALUES (?, ?, ?, ?, ?)",
                ((*name, each.special, each.used, each.mailbox_id) for name, each in now.items()),
            )

    def all(self, account: str = "") -> tuple[ServerFolderUse, ...]:
        """Return the folders of an account, or of all accounts, by name."""
        rows = self._connection.rows(
            "SELECT account, folder, special, used, mailbox_id FROM server_folders "
            "WHERE ?1 IN ('', account)",
            (account,),
        )
        return tuple(
            ServerFolderUse(FolderName(owner, folder), special, used, mailbox_id)
            for owner, folder, special, used, mailbox_id in rows
        )

    def special(self, account: str, use: str) -> str:
        """Return the folder of an account with this special use; empty if there is none."""
        query = "SELECT folder FROM server_folders WHERE account = ? AND special = ?"
        return str(self._connection.value(query, (account, use)) or "")

    def use_of(self, name: FolderName) -> str:
        """Return the special use of a folder; empty if it has none."""
        query = "SELECT special FROM server_folders WHERE account = ? AND folder = ?"
        return str(self._connection.value(query, name) or "")

    def accounts(self) -> frozenset[str]:
        return frozenset(self._connection.column("SELECT DISTINCT account FROM server_folders"))

    def use(self, names: Collection[FolderName], moment: float) -> None:
        """Note that the user moves mail to these folders."""
        self._connection.execute_many(
            "UPDATE server_folders SET used = ? WHERE account = ? AND folder = ?",
            ((moment, *name) for name in names),
        )

    def newest_mail(self, account: str) -> dict[str, float]:
        """Return the date of the latest stored message in each folder of an account."""
        rows = self._connection.rows(
            """
            SELECT folders.folder, max(date) FROM folders
            JOIN locations ON locations.folder = folders.number
            JOIN messages ON messages.number = message
            WHERE account = ? GROUP BY folders.number
            """,
            (account,),
        )
        return dict(rows)

    def known(self, account: str) -> dict[str, KnownFolder]:
        """Return what identifies the folders of an account, stored ones and listed ones."""
        rows = self._connection.rows(
            """
            SELECT folder, max(validity), max(mailbox_id) FROM (
              SELECT folder, validity, '' AS mailbox_id FROM folders WHERE account = ?1
              UNION ALL SELECT folder, 0, mailbox_id FROM server_folders WHERE account = ?1
            ) GROUP BY folder
            """,
            (account,),
        )
        return {folder: KnownFolder(validity, mailbox_id) for folder, validity, mailbox_id in rows}

    def rename(self, account: str, old: str, new: str) -> None:
        """Give a folder that the server lists under another name that name everywhere."""
        for table, column in _FOLDER_NAMES:
            self._connection.execute(
                f"UPDATE OR REPLACE {table} SET {column} = ?3 WHERE account = ?1 AND {column} = ?2",
                (account, old, new),
            )
