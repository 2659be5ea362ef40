"""Requests of the accounts about their folders and sent mail."""

from collections.abc import Collection, Mapping, Sequence

from nbmail.core.folders.own_folders import ALL_OWN, own_folders
from nbmail.sync.account_backend import NONE_RENAMED, SentMail
from nbmail.values import FolderName, ServerFolderUse
from nbmail.worker.engine.jobs import JobSteps
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.events import FolderRenamed
from nbmail.worker.rereading.rereading import Rereading


class AccountRequests:
    """Engine side of `sync.account_backend.AccountBackend`, except deliveries and actions."""

    def __init__(self, updates: Updates, rereading: Rereading) -> None:
        self._store = updates.store
        self._changes = updates.changes
        self._emit = updates.around.emit
        self._rereading = rereading

    def trust(self, account: str, servers: tuple[str, ...] | None) -> JobSteps[None]:
        """Set the servers whose checks of senders count, None to learn them."""
        if self._rereading.trust.name(account, servers):
            self._rereading.schedule_account(account)
        yield from self._rereading.learn_servers_of(account)

    def take_sent(self, sent: SentMail) -> None:
        """Store whom the user wrote to."""
        people = self._store.people
        account = sent.folder.account
        was_complete = people.is_complete(account)
        with self._store.transaction():
            people.add_own(sent.own)
            people.add_sent(
                sent.folder, sent.validity, sent.upto, sent.messages, complete=sent.complete
            )
        if sent.complete and not was_complete:
            self._rereading.schedule_account(account)

    def list_folders(
        self,
        account: str,
        folders: Sequence[ServerFolderUse],
        renamed: Mapping[str, str] = NONE_RENAMED,
    ) -> None:
        """Store the folders of a server. Forget the locations in removed ones."""
        self._rename(account, renamed)
        before = {each.name for each in self._store.server_folders.all(account)}
        self._store.server_folders.replace(account, folders)
        removed = {name.folder for name in before - {each.name for each in folders}}

        stored = {name.folder for name in self._store.folders.names() if name.account == account}
        remaining = stored - removed
        if remaining and remaining != stored:
            self.retain(account, remaining, spam=False)

    def forget_account(self, account: str) -> None:
        """Remove the account's mail from the list and close its pending server actions.

        Labels stay.
        """
        self.retain(account, (), spam=False)

    def retain(self, account: str, folders: Collection[str], *, spam: bool) -> None:
        """Remove the account's locations except in `folders`. Without any, forget the account.

        `ALL_OWN` among `folders` keeps all folders of the user's own.
        """
        kept = set(folders)
        if ALL_OWN in kept:
            listed = self._store.server_folders.all(account)
            kept.update(own_folders((each.name.folder, each.special) for each in listed))
        messages = list[int]()
        for name in self._store.folders.names():
            if name.account == account and name.folder not in kept:
                messages += self._store.folders.messages(name)

        with self._store.transaction():
            if not kept:
                self._rereading.trust.forget(account)
                self._store.forget_account(account)
            unlocated = self._store.folders.forget(account, kept, spam=spam)
        self._changes.untidy = True
        self._changes.rows_changed(message for message in messages if message not in unlocated)
        self._changes.gone(unlocated)

    def _rename(self, account: str, renamed: Mapping[str, str]) -> None:
        """Store new names of folders, by their former ones, and announce them."""
        with self._store.transaction():
            for old, new in renamed.items():
                self._store.server_folders.rename(account, old, new)
        for old, new in renamed.items():
            self._changes.rows_changed(self._store.folders.messages(FolderName(account, new)))
            self._emit(FolderRenamed(account, old, new))
