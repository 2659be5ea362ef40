"""Folders of an account that the model learns from."""

from nbmail.settings import Account
from nbmail.values import HAM, SPAM


class FolderTraining:
    """Labels of the folders that are used for training. Any thread may set `paused`.

    Delivered messages stay. Missing ones are fetched after a pause, also after a restart: the
    backend knows which messages are stored.
    """

    def __init__(self, account: Account) -> None:
        # A folder of both kinds is one of spam.
        self._labels = dict.fromkeys(account.ham_folders, HAM)
        self._labels |= dict.fromkeys(account.spam_folders, SPAM)
        self.paused = account.training_paused

    def label(self, folder: str) -> str:
        """Return the label of all messages of this folder; empty if it isn't used for training."""
        return self._labels.get(folder, "")

    def is_paused(self, folder: str) -> bool:
        """True if this folder's training is paused: mail stored then would never be learned."""
        return self.paused and folder in self._labels

    def folders(self) -> tuple[str, ...]:
        return () if self.paused else tuple(self._labels)
