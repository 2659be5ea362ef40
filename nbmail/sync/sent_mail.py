"""Recipients of sent mail, delivered to the engine in batches."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from nbmail.core.senders.people import read_sent
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend, SentMail
from nbmail.values import FolderName

# Sent messages whose headers are read at once.
SENT_BATCH = 500
# More sent messages would delay all other mail by minutes.
MOST_SENT = 100_000


class SentHeaders(NamedTuple):
    """Headers of a batch of sent messages that end with UID `last_uid`."""

    last_uid: int
    headers: list[bytes]


class SentDelivery:
    """Delivers the recipients of an account's sent mail.

    `check` is called before each batch and may raise an error. `on_progress` is called with the
    folder, the number of messages read and the total.
    """

    def __init__(
        self,
        account: Account,
        backend: AccountBackend,
        check: Callable[[], None],
        on_progress: Callable[[str, int, int], None],
    ) -> None:
        self._account = account.name
        self._backend = backend
        self._check = check
        self._on_progress = on_progress
        names = {account.user, account.name}
        self._own_addresses = tuple(name.lower() for name in names if "@" in name)

    def read_upto(self, folder: str, validity: int) -> int:
        """Return the highest UID that was delivered, 0 for none."""
        return self._backend.sent_upto(FolderName(self._account, folder), validity)

    def deliver(
        self, folder: str, validity: int, batches: Iterable[SentHeaders], total: int
    ) -> None:
        """Deliver all new messages of a folder. `total`: their number."""
        name = FolderName(self._account, folder)
        upto = self.read_upto(folder, validity)
        done = 0
        for batch in batches:
            self._check()
            upto = batch.last_uid
            messages = tuple(map(read_sent, batch.headers))
            self._backend.take_sent(SentMail(name, validity, upto, messages, self._own_addresses))
            done += len(messages)
            self._on_progress(folder, done, total)

        end = SentMail(name, validity, upto, (), self._own_addresses, complete=True)
        self._backend.take_sent(end)
