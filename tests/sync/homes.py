"""Computers without a window, each an engine with an account, and other mail programs."""

import re
import time
from collections import Counter
from contextlib import suppress

from imapclient.exceptions import IMAPClientError

from nbmail.settings import Account, Sorting
from nbmail.store.actions.filed_moves import OPEN
from nbmail.sync.imap.imap_sync import ImapSync
from nbmail.values import AccountState, Delivery, FolderName, Phase
from tests.dovecot import PASSWORDS
from tests.sync.memory_backend import leave
from tests.waiting import wait_for
from tests.worker.conftest import EngineHarness, arrival, mail

SPAM = {"$Junk", "Junk"}
HAM = {"$NotJunk", "NonJunk"}
SORT = Account("home", sorting=Sorting.SORT, begun_early=True)
TRAINING = FolderName("past", "INBOX")


class Home(EngineHarness):
    """Computer. The engine runs all the time, the account thread can be stopped and started."""

    def __init__(self, path, account, moving=False):
        super().__init__(path)
        self.account = account
        self.clock = time.time
        self.phase = None
        self.thread = None
        self._rounds = 0
        self.ready()
        self.do.set_moving(moving)
        self.wake()

    def wake(self):
        if self.thread is None:
            # A line that loses an answer must not cost a test a minute each time.
            self.thread = ImapSync(
                self.account, self.engine.backend, lambda: PASSWORDS["alice"], timeout=10.0
            )
            self.thread.waits = 0.05, 0.2
            self.thread.start()

    def sleep(self):
        if self.thread is not None:
            thread = self.thread
            self.thread = None
            leave(thread)

    def close(self):
        self.sleep()
        self.stop()

    def call(self, account):
        """Wake the account thread, for the engine."""
        if (thread := self.thread) is not None:
            thread.wake()

    def numbers(self):
        """Return the numbers that messages have in the database, by letter."""
        return {
            number_of(subject): number
            for subject, number in self.read("SELECT subject, number FROM messages")
        }

    def mark(self, letters, label):
        """Mark letters, except those that haven't arrived yet."""
        numbers = self.numbers()
        if found := tuple(numbers[one] for one in letters if one in numbers):
            self.do.mark(found, label)

    def undo(self):
        self.do.undo()

    def redo(self):
        self.do.redo()

    def labels(self):
        """Return labels by letter."""
        rows = self.read(
            "SELECT subject, classes.name FROM labels JOIN classes ON classes.number = class"
            " JOIN messages ON messages.number = labels.message"
        )
        return {number_of(subject): label for subject, label in rows}

    def places(self):
        """Return all locations of letters."""
        rows = self.read(
            "SELECT subject, folders.folder, uid FROM locations JOIN folders ON "
            "folders.number = locations.folder"
            " JOIN messages ON messages.number = locations.message"
        )
        # Some servers have all folders below the inbox.
        return sorted(
            (number_of(subject), folder.removeprefix("INBOX."), uid)
            for subject, folder, uid in rows
        )

    def restart(self):
        """End the program and start it again."""
        self.sleep()
        self.again()
        self.wake()

    def is_pending(self):
        """True while the account has anything to do on its server."""
        return bool(self.engine.backend.pending_actions("home"))

    def look(self):
        """Look at all folders twice: the first look may have started before this call."""
        before = self._rounds
        for rounds in (before, before + 1):
            self.thread.wake()
            wait_for(lambda rounds=rounds: self._rounds > rounds)

    def labels_by_server(self):
        """Number of label changes that were taken from keywords on the server."""
        return self.read("SELECT count(*) FROM journal WHERE by = 'server'")[0][0]

    def count(self):
        return self.read("SELECT count(*) FROM locations")[0][0]

    def read(self, query):
        """Query the database on the engine's thread."""
        return self.on_engine(lambda parts: parts.store.connection.rows(query))

    def _emit(self, event):
        if isinstance(event, AccountState):
            self.phase = event.phase
            self._rounds += event.phase is Phase.SYNCED
        super()._emit(event)


class SortingHome(Home):
    """Computer that sorts the account "home". Its model has learned sixty other messages."""

    def __init__(self, path, account, choice=SORT):
        super().__init__(path, account)
        arrivals = tuple(arrival(each) for each in range(1, 61))
        self.engine.backend.deliver(Delivery(TRAINING, 1, arrivals=arrivals, complete=True))
        messages = self.on_engine(lambda parts: parts.store.folders.messages(TRAINING))
        self.do.mark(messages[::2], "spam")
        self.do.mark(messages[1::2], "ham")
        self.do.set_cost(2.0)
        self.look()
        self.do.set_sorting(choice)
        # The claims of all computers meet at the same messages.
        self.until_exact()

    def states(self):
        return Counter(self.read("SELECT state, reason FROM sorted"))

    def is_done(self):
        query = "SELECT 1 FROM sorted WHERE state IN ('new', 'moving') OR progress <> ''"
        return not self.read(f"{query} UNION SELECT 1 FROM filed WHERE {OPEN}")


def spam(*numbers):
    return [mail(number, True) for number in numbers]


def ham(*numbers):
    return [mail(number, False) for number in numbers]


def number_of(subject):
    return int(re.search(r"letter (\d+)", subject).group(1))


class Thunderbird:
    """Client that marks by its own keywords, one command each.

    `moved`: letters that it moved, without a claim.
    """

    def __init__(self, server):
        self.client = server.client()
        self._spam = server.spam
        self.moved = set()

    def mark(self, letter, label, moves=False):
        add, remove = ("Junk", "NonJunk") if label == "spam" else ("NonJunk", "Junk")
        target = self._spam if label == "spam" else "INBOX"
        for folder in ("INBOX", self._spam):
            if uids := self.client.uids(folder, letter):
                self.client.add_flags(uids, [add], silent=True)
                self.client.remove_flags(uids, [remove], silent=True)
                if moves and folder != target:
                    self._move(letter, uids, target)
                return

    def carry(self, letter, target):
        """Move without a mark, to the spam folder or the inbox."""
        target = self._spam if target == "Junk" else target
        if uids := self.client.uids("INBOX" if target == self._spam else self._spam, letter):
            self._move(letter, uids, target)

    def _move(self, letter, uids, target):
        self.moved.add(letter)
        # Refused by the server if another program has moved the letter in this moment.
        with suppress(IMAPClientError):
            (self.client.move if self.client.has_capability("MOVE") else self.client.carry)(
                uids, target
            )

    def everything(self):
        """Return all locations of letters with their keywords."""
        folders = (("INBOX", "INBOX"), ("Junk", self._spam))
        found = [
            (number, folder, uid, flags & (SPAM | HAM))
            for folder, name in folders
            for uid, (number, flags) in self.client.letters(name).items()
        ]
        return sorted(found, key=lambda each: each[:3])


def says(keywords):
    kinds = {label for label, both in (("spam", SPAM), ("ham", HAM)) if keywords & both}
    return "contradiction" if len(kinds) > 1 else kinds.pop() if kinds else None


def disagreement(homes, client):
    """Return the differences between installations and server."""
    there = client.everything()
    spoken = {(number, says(keywords)) for number, _, _, keywords in there if keywords}
    places = [each[:3] for each in there]
    found = {"server": spoken} if len(dict(spoken)) < len(spoken) else {}
    for number, home in enumerate(homes):
        if (labels := set(home.labels().items())) != spoken:
            found[f"home {number} labels, server says"] = (labels - spoken, spoken - labels)
        if (known := home.places()) != places:
            found[f"home {number} places, server has"] = (
                set(known) - set(places),
                set(places) - set(known),
            )
    return found


def wait_agreed(homes, client, labels=None, timeout=60.0):
    try:
        wait_for(
            lambda: not disagreement(homes, client) and labels in (None, homes[0].labels()),
            timeout=timeout,
        )
    except AssertionError:
        raise AssertionError(
            (disagreement(homes, client), homes[0].labels(), client.everything())
        ) from None
