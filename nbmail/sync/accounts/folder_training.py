"""Folders of an account that the model learns from."""

from nbmail.settings import Account

HAM = "ham"
SPAM = "spam"


class FolderTraining:
    """Folders of an account that the model learns from. Any thread may set `paused`.

    Delivered messages stay. Missing ones are fetched after a pause, also after a restart: the
    backend knows which messages are stored.
    """

    def __init__(self, account: Account) -> None:
        self._labels = dict.fromkeys(account.ham_folders, HAM) | dict.fromkeys(
            account.spam_folders, SPAM
        )
        self.paused = account.training_paused

    def label(self, folder: str) -> str:
        """Return the label of all messages of this folder; empty if it isn't used for training."""
        return self._labels.get(folder, "")

    def is_paused(self, folder: str) -> bool:
        """True if this folder's training is paused. A message stored in the meantime would never be
        learned.
        """
        return self.paused and folder in self._labels

    def folders(self) -> tuple[str, ...]:
        return () if self.paused else tuple(self._labels)
