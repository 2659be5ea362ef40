"""First training from folders: which folders teach which label, and whether that is paused."""

from nbmail.settings import Account

GOOD, JUNK = "good", "junk"


class FolderTraining:
    """The folders of one account that teach. Paused and resumed from any thread; the account looks between slices.

    What was delivered stays. What is missing is fetched later, also after a restart: a training is resumed simply
    because the desk knows what it has.
    """

    def __init__(self, account: Account) -> None:
        self._labels = {**dict.fromkeys(account.good_folders, GOOD), **dict.fromkeys(account.junk_folders, JUNK)}
        self._paused = account.training_paused

    def pause(self) -> None:
        """Fetch no more for training until `resume`; everything else goes on."""
        self._paused = True

    def resume(self) -> None:
        """Go on."""
        self._paused = False

    def label(self, folder: str) -> str:
        """What this folder teaches; empty for nothing."""
        return self._labels.get(folder, "")

    def rests(self, folder: str) -> bool:
        """Whether this folder teaches and is to wait. What came of it meanwhile would never be learned."""
        return self._paused and folder in self._labels

    def folders(self) -> tuple[str, ...]:
        """The folders to fetch for training now."""
        return () if self._paused else tuple(self._labels)
