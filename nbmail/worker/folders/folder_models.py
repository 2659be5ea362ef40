"""Folder models of all accounts."""

from collections.abc import Collection, Sequence

from nbmail.core.folders.folder_model import FolderModel
from nbmail.core.folders.suggestions import PastSuggestion
from nbmail.store.store import Store
from nbmail.values import INBOX
from nbmail.worker.engine.jobs import JobSteps
from nbmail.worker.folders.account_folders import AccountFolders

# Messages of an inbox that get a suggestion in the list, the newest.
MOST_LISTED = 2000


class FolderModels:
    """Accounts whose folders are suggested. Local mailboxes have none."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._accounts: dict[str, AccountFolders] = {}

    def __bool__(self) -> bool:
        return bool(self._accounts)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._accounts)

    @property
    def all(self) -> list[AccountFolders]:
        return list(self._accounts.values())

    def account(self, name: str) -> AccountFolders | None:
        return self._accounts.get(name)

    def model(self, name: str) -> FolderModel | None:
        """Return the model of an account, None while it has none."""
        account = self._accounts.get(name)
        return account.model if account else None

    def past(self, name: str) -> Sequence[PastSuggestion] | None:
        """Return the record of past suggestions of an account, None without a model."""
        model = self.model(name)
        return model.past if model else None

    def filed(self) -> set[int]:
        """Return the messages in suggested folders."""
        messages = set[int]()
        for account in self._accounts.values():
            if account.state:
                messages.update(account.state.filed)
        return messages

    def inbox(self) -> list[int]:
        """Return the newest messages of the inboxes."""
        messages = list[int]()
        for name in self._store.folders.names(INBOX):
            if name.account in self._accounts:
                messages += self._store.folders.messages(name)[-MOST_LISTED:]
        return messages

    def choose(self, name: str, chosen: Collection[str]) -> AccountFolders | None:
        """Suggest these folders of an account, "*" for all of the user's own, none to stop."""
        self._accounts.pop(name, None)
        if not chosen:
            self._store.folder_snapshots.delete(name)
            return None
        account = AccountFolders(self._store, name, tuple(chosen))
        self._accounts[name] = account
        return account

    def forget_samples(self) -> None:
        """Have all models rebuilt, because the words of some messages changed."""
        for account in self._accounts.values():
            account.forget()

    def writing(self) -> JobSteps[None]:
        """Write the snapshots of changed models."""
        for account in self.all:
            yield from account.writing()
