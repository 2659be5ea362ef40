"""A month at one mailbox: two computers sort, a person corrects, everything fails.

Another program moves and flags mail. Lines, processes, the server and a disk fail.
"""

import re
import signal
import time
from collections import Counter
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import partial
from typing import NamedTuple

from nbmail.core.mail.message import heading_of
from nbmail.core.mail.parser import parse
from nbmail.settings import Security, Sorting
from nbmail.store.actions.filed_moves import OPEN
from nbmail.store.mail.identity import identify
from nbmail.values import HAM, SPAM
from tests.e2e.running import LABELS, write_settings
from tests.e2e.watching import Place, mail
from tests.faulty_line import FaultyLine
from tests.sync.homes import Home
from tests.waiting import wait_for

PAST = {SPAM: "Past spam", HAM: "Past ham"}
_RECEIVED = re.compile(
    rb"^Received:(?:.*\n[ \t])*.*;([^;\n]*(?:\n[ \t][^\n]*)*)\n", re.MULTILINE | re.IGNORECASE
)
_STATE = f"""
SELECT (SELECT count(*) FROM sorted WHERE state IN ('new', 'moving') OR progress <> '')
  + (SELECT count(*) FROM filed WHERE {OPEN}),
(SELECT count(*) FROM locations JOIN folders ON folders.number = locations.folder WHERE \
folders.folder = 'INBOX'),
(SELECT count(*) FROM labels)
"""


class Letter(NamedTuple):
    """Message with its true class."""

    number: int
    label: str
    raw: bytes


def invented(count):
    """Return letters that are easy to classify, spam and ham in turns."""
    return [
        letter(number, (SPAM, HAM)[number % 2], mail((SPAM, HAM)[number % 2], number))
        for number in range(count)
    ]


def letter(number, label, raw):
    """Return a letter that its number identifies."""
    return Letter(number, label, b"X-Number: %d\r\n" % number + re.sub(rb"\r?\n", b"\r\n", raw))


def real(corpus, count):
    """Return different letters of a corpus with an index, in the order of arrival."""
    found = {}
    for line in (
        (corpus / "index").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    ):
        label, path = line.split(None, 1)
        raw = (corpus / path.strip()).read_bytes()
        raw = raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw
        kind = SPAM if label.lower() in ("spam", "spam") else HAM
        found.setdefault(identify(raw), (_received(raw), kind, raw))
    ordered = sorted(found.values())
    chosen = [ordered[place * len(ordered) // count] for place in range(count)]
    return [letter(number, kind, raw) for number, (_, kind, raw) in enumerate(chosen)]


def _received(raw):
    """Return when the last server received a message; its own date without such a line."""
    line = _RECEIVED.search(raw.partition(b"\n\n")[0] + b"\n")
    with suppress(ValueError, TypeError):
        return parsedate_to_datetime(line.group(1).decode("latin-1")).timestamp() if line else 0.0
    return heading_of(parse(raw)).date


class Computer:
    """A data folder on which `nbmail watch` runs, restarted whenever it ends."""

    def __init__(self, folder, home):
        folder.mkdir()
        self.place = Place(folder, home=home)
        self.watch = None
        self.starts = 0

    def start(self, account):
        write_settings(self.place.home, [account])
        self.supervise()

    def supervise(self):
        if self.watch is None or self.watch.process.poll() is not None:
            self.stop()
            self.watch = self.place.watch()
            self.starts += 1

    def stop(self, number=signal.SIGTERM):
        watch = self.watch
        self.watch = None
        return watch.stop(number) if watch is not None else 0

    def state(self):
        """Return the numbers of pending moves, messages in the inbox, and labels."""
        return next(iter(self.place.ask(_STATE)), None)


class Month:
    """The mailbox, its computers, and what the person said of which letter."""

    def __init__(self, server, folder, past, chance, *, homes=(), seen_after=0.0):
        """`seen_after`: seconds after which others have seen a letter, and the computers have
        decided about it.
        """
        self._seen_after = seen_after
        self._arrived = {}
        self.server = server
        self.chance = chance
        self.letters = {}
        self.said = {}
        self.line = FaultyLine(server.port, chance, 0)
        for label, name in PAST.items():
            server.put([each.raw for each in past if each.label == label], folder=name)
        self.past = {each.number: each.label for each in past}
        plain = {
            "name": "home",
            "security": Security.PLAIN,
            "poll_seconds": 1.0,
            "folders": ("INBOX", "Archive"),
        }
        learn = {"spam_folders": (PAST[SPAM],), "ham_folders": (PAST[HAM],)}
        sort = {"sorting": Sorting.SORT, "begun_early": True}
        self.account = server.account(**plain, **learn, **sort, port=self.line.port)
        homes = homes or (folder / "first home", folder / "second home")
        self.computers = [Computer(folder / str(number), home) for number, home in enumerate(homes)]
        self._writer = server.client()
        self._person = server.client()
        self._other = server.client()
        self._other.create_folder("Archive")

    def begin(self):
        """Start the computers, and wait until they have learned the past."""
        for computer in self.computers:
            computer.start(self.account)
        wait_for(
            lambda: all(self._has_learned(each) for each in self.computers),
            "the training",
            240.0,
            0.5,
        )

    def _has_learned(self, computer):
        query = "SELECT (SELECT count(*) FROM labels), (SELECT count(*) FROM sorting_start)"
        return computer.place.ask(query) == [(len(self.past), 1)]

    def deliver(self, letters):
        for each in letters:
            self._writer.append("INBOX", each.raw)
            self.letters[each.number], self._arrived[each.number] = each, time.monotonic()

    def _is_seen(self, number):
        return time.monotonic() - self._arrived[number] > self._seen_after

    # ----------------------------------------------------------------------------------------------
    # the others

    def correct(self, share=0.7):
        """The person corrects some mistakes in Thunderbird."""
        for folder, wrong, target in (
            (self.server.spam, HAM, "INBOX"),
            ("INBOX", SPAM, self.server.spam),
        ):
            for uid, (number, _) in self._person.letters(folder, readonly=False).items():
                is_wrong = self.letters[number].label == wrong and self._is_seen(number)
                if is_wrong and self.chance.random() < share:
                    self._say(uid, number, wrong, target)

    def _say(self, uid, number, label, target):
        add, remove = ("Junk", "NonJunk") if label == SPAM else ("NonJunk", "Junk")
        self._person.add_flags([uid], [add])
        self._person.remove_flags([uid], [remove])
        self._person.move([uid], target)
        self.said[number] = label

    def interfere(self):
        """Another program reads, flags and files mail. It marks nothing."""
        inbox = self._other.letters("INBOX", readonly=False)
        ham = [
            uid
            for uid, (number, _) in inbox.items()
            if self.letters[number].label == HAM and self._is_seen(number)
        ]
        for uid in self.chance.sample(list(inbox), min(3, len(inbox))):
            self._other.add_flags(
                [uid], [self.chance.choice([rb"\Seen", rb"\Seen", rb"\Flagged"])], silent=True
            )
        filed = self.chance.sample(ham, len(ham) // 8)
        if filed:
            self._other.move(filed, "Archive")

    def fail(self):
        """Let a line, a process or the server fail."""
        computer = self.chance.choice(self.computers)
        kill = partial(computer.stop, signal.SIGKILL)
        self.chance.choice(
            [lambda: setattr(self.line, "faults", 3), self.line.drop, kill, kill, self.line.drop]
        )()
        computer.supervise()

    def supervise(self):
        for computer in self.computers:
            computer.supervise()

    # ----------------------------------------------------------------------------------------------
    # the end

    def settle(self, patience=240.0):
        """Wait until nothing is under way."""
        self.line.faults = 0
        self.supervise()
        seen = []

        def is_quiet():
            self.supervise()
            places = self.places()
            seen.append((places, [each.state() for each in self.computers]))
            labels = len(self.past) + len(self.said)
            idle = [(0, sum(places["INBOX"].values()), labels)] * len(self.computers)
            return (
                len(seen) > 5
                and all(each == seen[-1] for each in seen[-5:])
                and seen[-1][1] == idle
            )

        wait_for(is_quiet, "the end of all moves", patience, 0.5)

    def end(self):
        for computer in self.computers:
            assert computer.stop() == 0

    def places(self):
        """Return how often each letter is in which folder."""
        folders = ("INBOX", self.server.spam, "Archive")
        return {
            name: Counter(number for number, _ in self._person.letters(name).values())
            for name in folders
        }

    def moved(self):
        """Return the letters that either computer has moved."""
        numbers = self._numbers()
        found = set()
        query = (
            "SELECT DISTINCT identity FROM sorted JOIN messages ON messages.number = message"
            " WHERE state IN ('moved', 'put-back')"
        )
        for computer in self.computers:
            found |= {numbers[identity] for (identity,) in computer.place.ask(query)}
        return found

    def labels(self, computer):
        numbers = self._numbers()
        return {numbers[identity]: label for identity, label in computer.place.ask(LABELS)}

    def _numbers(self):
        """Return the numbers of all letters by the identity of what the server has."""
        found = {}
        for folder in (*PAST.values(), *self.places()):
            self._person.select_folder(folder, readonly=True)
            uids = self._person.search("ALL")
            for data in self._person.fetch(uids, ["BODY.PEEK[]"]).values() if uids else ():
                raw = next(value for key, value in data.items() if key.startswith(b"BODY"))
                found[identify(raw)] = int(re.search(rb"X-Number: (\d+)", raw).group(1))
        return found

    def put_back(self, numbers):
        """Mark letters as ham in the first computer until they are in the inbox."""
        home = Home(self.computers[0].place.home, self.account)
        try:
            identities = {number: identity for identity, number in self._numbers().items()}
            wanted = [identities[number] for number in numbers]
            found = home.on_engine(lambda parts: parts.store.messages.find(wanted))
            home.do.mark(tuple(found.values()), HAM)
            wait_for(
                lambda: set(numbers) <= set(self.places()["INBOX"]),
                "letters that come back",
                240.0,
                0.5,
            )
            return home.do.sorting_status("home").readiness
        finally:
            home.close()

    def close(self):
        for computer in self.computers:
            computer.stop(signal.SIGKILL)
        self.line.close()


def fill_disk(folder, seconds):
    """Leave no room on the disk of a folder for a while."""
    ballast = folder / "ballast"
    try:
        with suppress(OSError), ballast.open("wb") as file:
            while True:
                file.write(b"x" * 65_536)
                file.flush()
        time.sleep(seconds)
    finally:
        ballast.unlink(missing_ok=True)
