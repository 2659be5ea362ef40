"""Problems of an account that the user must see, but that stop nothing."""

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.actions.action_batch import NO_FLAGS
from nbmail.sync.imap.actions.folder_actions import EndedAction
from nbmail.values import ActionKind, Outcome


class AccountProblems:
    """Problems found in the folders of an account."""

    def __init__(self) -> None:
        # Folders that are listed and can't be opened.
        self.unopenable: set[str] = set()
        # Number of messages that the server sent empty, by folder.
        self._empty: dict[str, int] = {}
        # Reason of the server for refusing an automatic move, until it is reported.
        self._refusal = ""
        self._folder_without_keywords = ""

    def note_synced(self, folder: str, empty_count: int) -> None:
        """Note that a folder was opened, and how many of its messages came empty."""
        self.unopenable.discard(folder)
        self._empty.pop(folder, None)
        if empty_count:
            self._empty[folder] = empty_count

    def note_action(self, ended: EndedAction) -> None:
        """Note how an action ended."""
        action, outcome, detail, _ = ended
        if outcome is Outcome.REFUSED and action.kind is ActionKind.SORT:
            self._refusal = detail
        elif detail == NO_FLAGS and action.kind is ActionKind.KEYWORDS:
            self._folder_without_keywords = action.folder.folder

    def next(self) -> KnownError | None:
        """Return the most important problem. A refusal is returned once."""
        if self.unopenable:
            return KnownError(ErrorCode.FOLDER_MISSING, min(self.unopenable))
        if self._empty:
            folder, count = min(self._empty.items())
            return KnownError(ErrorCode.SERVER_BROKEN, f"{folder}: {count} messages came empty")
        if self._refusal:
            refusal = self._refusal
            self._refusal = ""
            return KnownError(ErrorCode.SERVER_REFUSED, refusal)
        if self._folder_without_keywords:
            return KnownError(ErrorCode.NO_KEYWORDS, self._folder_without_keywords)
        return None
