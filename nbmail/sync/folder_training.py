"""First training from folders: which folders teach which label, and whether that goes on, pauses or is over."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from nbmail.settings import Account

GOOD, JUNK = "good", "junk"


class FolderTraining:
    """The folders of one account that teach. Changed from any thread; the account's thread looks between chunks.

    What was delivered stays when it is cancelled; what is missing is fetched when the folders are picked again, also
    after a restart: a training is resumed simply because the desk knows what it has.
    """

    def __init__(self, account: Account) -> None:
        self._lock = threading.Lock()
        self._labels: dict[str, str] = {
            **dict.fromkeys(account.good_folders, GOOD),
            **dict.fromkeys(account.junk_folders, JUNK),
        }
        self._paused = account.training_paused

    def pick(self, labels: Mapping[str, str]) -> None:
        """These folders teach these labels from now on, and no others."""
        with self._lock:
            self._labels = dict(labels)
            self._paused = False

    def pause(self) -> None:
        """Fetch no more for training until `resume`; everything else goes on."""
        with self._lock:
            self._paused = True

    def resume(self) -> None:
        """Go on."""
        with self._lock:
            self._paused = False

    def cancel(self) -> None:
        """No folder teaches any more."""
        self.pick({})

    def label(self, folder: str) -> str:
        """What this folder teaches; empty for nothing."""
        with self._lock:
            return self._labels.get(folder, "")

    def rests(self, folder: str) -> bool:
        """Whether this folder teaches and is to wait. What came of it meanwhile would never be learned."""
        with self._lock:
            return self._paused and folder in self._labels

    def folders(self) -> tuple[str, ...]:
        """The folders to fetch for training now."""
        with self._lock:
            return () if self._paused else tuple(self._labels)
