"""Installations that sort one mailbox automatically, and what its server has."""

import re
from collections import Counter

from nbmail.settings import Sorting
from nbmail.values import Delivery, FolderName
from nbmail.worker.protocol.sorting import SortingChoice
from tests.sync.homes import Home
from tests.waiting import wait_for
from tests.worker.conftest import arrival, mail

SORT = SortingChoice(Sorting.SORT, begun_early=True)
TRAINING = FolderName("past", "INBOX")


class SortingHome(Home):
    """Computer whose model has learned sixty messages of another account, and that sorts the account "home"."""

    def __init__(self, path, account, choice=SORT):
        super().__init__(path, account)
        arrivals = tuple(arrival(each) for each in range(1, 61))
        self.engine.backend.deliver(Delivery(TRAINING, 1, arrivals=arrivals, complete=True))
        messages = self.on_engine(lambda parts: parts.store.folders.messages(TRAINING))
        self.do.mark(messages[::2], "junk")
        self.do.mark(messages[1::2], "good")
        self.do.set_cost(2.0)
        self.look()
        self.do.set_sorting("home", choice)
        # The claims of all computers meet at the same messages.
        self.until_exact()

    def again(self):
        super().again()
        self.do.set_cost(2.0)
        self.do.set_sorting("home", SORT)
        return self

    def states(self):
        rows = self.read("SELECT identity, state, reason FROM sorted JOIN messages ON messages.number = message")
        return Counter((state, reason) for _, state, reason in rows)

    def is_done(self):
        return not self.read("SELECT 1 FROM sorted WHERE state IN ('new', 'moving') OR progress <> '' OR going_back")


def junk(*numbers):
    return [mail(number, True) for number in numbers]


def good(*numbers):
    return [mail(number, False) for number in numbers]


def content(server):
    """Return how often each message is in the inbox and in the junk folder, by number."""
    found = {}
    client = server.client()
    for folder in ("INBOX", server.junk):
        client.select_folder(folder)
        uids = client.search("ALL")
        texts = client.fetch(uids, ["BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]"]) if uids else {}
        # Of a message that is being expunged Courier sends a placeholder, Dovecot nothing.
        bodies = (value or b"" for each in texts.values() for key, value in each.items() if key.startswith(b"BODY"))
        numbers = (re.search(rb"<0\.(\d+)@", body) for body in bodies)
        found[folder] = Counter(int(number.group(1)) for number in numbers if number)
    server._clients.remove(client)
    client.shutdown()
    return found["INBOX"], found[server.junk]


def wait_sorted(server, homes, numbers, *, patience=60.0):
    """Wait until these messages are in the junk folder once, in the inbox no more, and no home has anything to do."""
    wanted = Counter(numbers)

    def arrived():
        inbox, moved = content(server)
        return not any(inbox[number] for number in numbers) and all(moved[number] for number in wanted)

    # Each look is a login.
    wait_for(arrived, "the moves", patience, every=0.2)
    for home in homes:
        home.look()
    wait_for(lambda: all(home.is_done() for home in homes), "all homes", patience)
    _, moved = content(server)
    assert {number: moved[number] for number in wanted} == dict(wanted)
