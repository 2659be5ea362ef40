"""Folders of each account as its server listed them last, also those whose messages are not stored."""

from collections.abc import Collection, Iterable

from nbmail.store.files.connection import Connection
from nbmail.values import FolderName, ServerFolderUse


class ListedFolders:
    """Table of the folders, with their special uses and when the user last moved mail there."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def replace(self, account: str, folders: Iterable[ServerFolderUse]) -> None:
        """Store the folders of an account. The times of use of folders that still exist stay."""
        before = {each.name.folder: each for each in self.all(account)}
        now = {each.name.folder: each.special for each in folders}
        if {name: each.special for name, each in before.items()} == now:
            return
        with self._connection.transaction():
            self.forget(account)
            used = {name: before[name].used for name in now.keys() & before.keys()}
            self._connection.execute_many(
                "INSERT INTO server_folders VALUES (?, ?, ?, ?)",
                ((account, name, special, used.get(name, 0.0)) for name, special in now.items()),
            )

    def all(self, account: str = "") -> tuple[ServerFolderUse, ...]:
        """Return the folders of an account, or of all accounts, by name."""
        rows = self._connection.rows(
            "SELECT account, folder, special, used FROM server_folders WHERE ?1 IN ('', account)", (account,)
        )
        return tuple(ServerFolderUse(FolderName(*row[:2]), *row[2:]) for row in rows)

    def special(self, account: str, use: str) -> str:
        """Return the folder of an account with this special use; empty if there is none."""
        query = "SELECT folder FROM server_folders WHERE account = ? AND special = ?"
        return str(self._connection.value(query, (account, use)) or "")

    def use_of(self, name: FolderName) -> str:
        """Return the special use of a folder; empty if it has none."""
        query = "SELECT special FROM server_folders WHERE account = ? AND folder = ?"
        return str(self._connection.value(query, name) or "")

    def accounts(self) -> frozenset[str]:
        return frozenset(row[0] for row in self._connection.rows("SELECT DISTINCT account FROM server_folders"))

    def use(self, names: Collection[FolderName], moment: float) -> None:
        """Note that the user moves mail to these folders."""
        self._connection.execute_many(
            "UPDATE server_folders SET used = ? WHERE account = ? AND folder = ?", ((moment, *name) for name in names)
        )

    def forget(self, account: str) -> None:
        self._connection.execute("DELETE FROM server_folders WHERE account = ?", (account,))
