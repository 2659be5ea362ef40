"""Messages that are sorted automatically."""

from enum import StrEnum
from typing import NamedTuple

from nbmail.core.sorting.exemptions import Stay
from nbmail.values import JUNK_FOLDER, FolderName


class SortedState(StrEnum):
    """State of a message that was classified as spam when it arrived.

    NEW: not classified yet. MOVING: the server has not confirmed the move. REHEARSED: it would have
    been moved. STAYED: an exception keeps it in the inbox. PUT_BACK: any person moved it back.
    CONFIRMED: moved, and the user marked it as spam. GONE: another client removed it first.
    """

    NEW = "new"
    MOVING = "moving"
    REHEARSED = "rehearsed"
    STAYED = "stayed"
    MOVED = "moved"
    PUT_BACK = "put-back"
    CONFIRMED = "confirmed"
    GONE = "gone"


class SortedMessage(NamedTuple):
    """Message that was classified as spam or filed when it arrived.

    `probability`: that of spam or of the folder at that time.
    `near`: the probability is near the spam threshold of that account's setting today. `folder`,
    `validity`, `uid`: where it arrived. `reason`: why it stayed, None if it did not stay. `detail`:
    answer of a server that refused the move. `received`: date of the message. `target`: folder that
    it was filed into; empty for spam. `number`, `progress`: see `store.mail.sorted_mail`.
    """

    message: int
    account: str
    folder: str
    moment: float
    sender: str
    subject: str
    probability: float
    state: SortedState
    near: bool = False
    reason: Stay | None = None
    detail: str = ""
    received: float = 0.0
    target: str = ""
    number: int = 0
    validity: int = 0
    uid: int = 0
    progress: str = ""

    @property
    def name(self) -> FolderName:
        return FolderName(self.account, self.folder)

    @property
    def to(self) -> str:
        """The folder that the message is moved to, as in `ServerAction.target`."""
        return self.target or JUNK_FOLDER

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.account, self.folder, self.validity, self.uid
