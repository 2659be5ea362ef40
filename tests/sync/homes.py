"""Installations without a window, each an engine with an account, and a client that behaves like Thunderbird."""

import re
import time
from contextlib import suppress

from imapclient.exceptions import IMAPClientError

from nbmail.sync.imap.imap_sync import ImapSync
from nbmail.values import Phase
from nbmail.worker.protocol.events import AccountChanged
from tests.dovecot import PASSWORDS
from tests.sync.memory_backend import leave
from tests.waiting import wait_for
from tests.worker.conftest import EngineHarness

JUNK, GOOD = {"$Junk", "Junk"}, {"$NotJunk", "NonJunk"}


class Home(EngineHarness):
    """Computer. The engine runs all the time, the account thread can be stopped and started."""

    def __init__(self, path, account, moving=False):
        super().__init__(path)
        self._account, self.clock = account, time.time
        self.phase, self.thread, self._rounds = None, None, 0
        self.ready()
        self.do.set_moving(moving)
        self.wake()

    def wake(self):
        if self.thread is None:
            # A line that loses an answer must not cost a test a minute each time.
            self.thread = ImapSync(self._account, self.engine.backend, lambda: PASSWORDS["alice"], timeout=10.0)
            self.thread.waits = 0.05, 0.2
            self.thread.start()

    def sleep(self):
        if self.thread is not None:
            thread, self.thread = self.thread, None
            leave(thread)

    def close(self):
        self.sleep()
        self.stop()

    def call(self, account):
        """Wake the account thread, for the engine."""
        if (thread := self.thread) is not None:
            thread.wake()

    def mark(self, letters, label):
        """Mark letters by number, except those that haven't arrived yet."""
        numbers = dict(self.read("SELECT subject, number FROM messages"))
        found = tuple(numbers[f"letter {one}"] for one in letters if f"letter {one}" in numbers)
        if found:
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
            "SELECT subject, folders.folder, uid FROM locations JOIN folders ON folders.number = locations.folder"
            " JOIN messages ON messages.number = locations.message"
        )
        # Some servers have all folders below the inbox.
        return sorted((number_of(subject), folder.removeprefix("INBOX."), uid) for subject, folder, uid in rows)

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
        self.thread.wake()
        wait_for(lambda: self._rounds > before)
        self.thread.wake()
        wait_for(lambda: self._rounds > before + 1)

    def labels_by_server(self):
        """Number of label changes that were taken from keywords on the server."""
        return self.read("SELECT count(*) FROM journal WHERE by = 'server'")[0][0]

    def count(self):
        return self.read("SELECT count(*) FROM locations")[0][0]

    def read(self, query):
        """Query the database on the engine's thread."""
        return self.on_engine(lambda parts: parts.store.connection.rows(query))

    def _emit(self, event):
        if isinstance(event, AccountChanged):
            self.phase = event.state.phase
            self._rounds += event.state.phase is Phase.SYNCED
        super()._emit(event)


class Thunderbird:
    """Client that marks by its own keywords, one command each. `moved`: letters that it moved, without a claim."""

    def __init__(self, server):
        self.client, self._junk = server.client(), server.junk
        self.moved = set()

    def mark(self, letter, label, moves=False):
        for folder in ("INBOX", self._junk):
            self.client.select_folder(folder)
            uids = [uid for uid, (number, _) in self.content().items() if number == letter]
            if uids:
                self._mark(letter, uids, label, folder, moves)
                return

    def _mark(self, letter, uids, label, folder, moves):
        add, remove = ("Junk", "NonJunk") if label == "junk" else ("NonJunk", "Junk")
        self.client.add_flags(uids, [add], silent=True)
        self.client.remove_flags(uids, [remove], silent=True)
        target = self._junk if label == "junk" else "INBOX"
        if moves and folder != target:
            self._move(letter, uids, target)

    def carry(self, letter, target):
        """Move without a mark, to the junk folder or the inbox."""
        target = self._junk if target == "Junk" else target
        self.client.select_folder("INBOX" if target == self._junk else self._junk)
        uids = [uid for uid, (number, _) in self.content().items() if number == letter]
        if uids:
            self._move(letter, uids, target)

    def _move(self, letter, uids, target):
        self.moved.add(letter)
        # Refused by the server if another program has moved the letter in this moment.
        with suppress(IMAPClientError):
            if self.client.has_capability("MOVE"):
                self.client.move(uids, target)
            else:
                self.client.copy(uids, target)
                self.client.delete_messages(uids)
                self.client.uid_expunge(uids)

    def content(self):
        """Return number and keywords of each letter in the open folder by UID."""
        uids = self.client.search("ALL")
        found = self.client.fetch(uids, ["FLAGS", "BODY.PEEK[HEADER.FIELDS (SUBJECT)]"]) if uids else {}
        subjects = {uid: subject_of(data).decode() for uid, data in found.items()}
        # The server omits messages that are expunged at this moment, or reports that.
        return {uid: (number_of(text), words(found[uid])) for uid, text in subjects.items() if "letter" in text}

    def everything(self):
        """Return all locations of letters with their keywords."""
        found = []
        for folder, name in (("INBOX", "INBOX"), ("Junk", self._junk)):
            self.client.select_folder(name, readonly=True)
            found += [(number, folder, uid, keywords) for uid, (number, keywords) in self.content().items()]
        return sorted(found, key=lambda each: each[:3])


def words(data):
    return {flag.decode() for flag in data.get(b"FLAGS", ())} & (JUNK | GOOD)


def subject_of(data):
    """Return the subject line of a FETCH response: servers repeat the item's name in different ways."""
    return next((value or b"" for name, value in data.items() if name.upper().startswith(b"BODY[HEADER.FIELDS")), b"")


def number_of(subject):
    return int(re.search(r"letter (\d+)", subject).group(1))


def says(keywords):
    kinds = {label for label, both in (("junk", JUNK), ("good", GOOD)) if keywords & both}
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
            found[f"home {number} places, server has"] = (set(known) - set(places), set(places) - set(known))
    return found


def wait_agreed(homes, client, labels=None, timeout=60.0):
    try:
        wait_for(lambda: not disagreement(homes, client) and labels in (None, homes[0].labels()), timeout=timeout)
    except AssertionError:
        raise AssertionError((disagreement(homes, client), homes[0].labels(), client.everything())) from None
