"""Folders that fill automatically, on a real server."""

import random
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from nbmail.core.sorting.sorted_message import SortedState
from nbmail.settings import Account
from nbmail.values import FolderName
from nbmail.worker.protocol.events import FolderRenamed
from tests.core.test_folders import counted
from tests.sync.homes import Home
from tests.waiting import wait_for

WORDS = {
    "Invoices": "invoice amount payment due account transfer bank total customer reference tax \
receipt",
    "Travel": "train ticket hotel booking journey seat platform luggage flight departure \
window station",
}
EACH = 140
INVOICES = FolderName("home", "Invoices")
NEW = 1000


def letter(number, kind):
    chance = random.Random(number)
    words = " ".join(chance.choices(WORDS[kind].split(), k=12))
    head = f"From: {kind.lower()}@example.org\r\nTo: me@example.com\r\nSubject: letter {number}\r\n"
    return f"{head}Message-ID: <{number}@filing.example>\r\n\r\n{words} {number}\r\n".encode()


class FilingHome(Home):
    """Computer that suggests folders, and files into Invoices on request."""

    is_filing = False

    def ready(self):
        super().ready()
        self.do.choose_folders("home", ("*",))
        self.file(on=self.is_filing)

    def file(self, *, on=True):
        self.is_filing = on
        self.do.set_sorting(Account("home", automatic_folders=("Invoices",) if on else ()))

    def model(self):
        return self.engine.parts.folder_models.account("home").state.model

    def lessons(self):
        """Return the number of learned messages of Invoices, and the size of the record."""
        return self.on_engine(
            lambda _: (counted(self.model())["Invoices", ""], len(self.model().past))
        )

    def state(self, letter_):
        number = self.numbers().get(letter_)
        found = self.do.find_sorted(number) if number else None
        return found and found.state

    def carried(self):
        record = self.do.filing_status("home")
        return [*filter(record.carries, record.folders)]

    def quiet(self):
        """Wait until the engine has nothing to do and no action is pending."""
        self.look()
        wait_for(lambda: not len(self.engine._jobs) and not self.is_pending())

    def put_back(self, letter_):
        """Wait until another program's move out of Invoices is noticed."""
        wait_for(lambda: self.look() or self.state(letter_) is SortedState.PUT_BACK)


@pytest.fixture
def client(dovecot):
    """Another program at the same mailbox."""
    return dovecot.client()


@pytest.fixture
def home(client, dovecot, install):
    """A computer whose record carries Invoices, with a message of Invoices in the inbox."""
    began = datetime(2026, 10, 1, tzinfo=UTC)
    for name in WORDS:
        client.create_folder(name)
    for number in range(2 * EACH):
        kind = list(WORDS)[number % 2]
        client.append(kind, letter(number, kind), msg_time=began + timedelta(hours=number))
    client.append("INBOX", letter(NEW - 1, "Invoices"))
    made = install(dovecot.account(name="home", suggested_folders=("*",)), FilingHome)
    wait_for(lambda: made.count() == 2 * EACH + 1)
    rebuild = partial(made.on_engine, lambda parts: parts.folder_updates.rebuild_stale())
    wait_for(lambda: rebuild() or "Invoices" in made.carried(), every=0.5)
    made.quiet()
    return made


def where(client, number):
    """Return the folders of a letter on the server, once for each copy."""
    names = ("INBOX", *WORDS, "Trash")
    return [name for name in names for found, _ in client.letters(name).values() if found == number]


def arrive(client, number, kind="Invoices"):
    client.append("INBOX", letter(number, kind))


def take(client, number, target):
    """Move a letter out of Invoices as a phone does."""
    client.carry(client.uids("Invoices", number), target)


def filed(client, home, number):
    arrive(client, number)
    wait_for(lambda: where(client, number) == ["Invoices"])
    wait_for(lambda: home.state(number) is SortedState.MOVED)
    home.quiet()


def test_arriving_mail_is_filed_put_back_and_learned_once_confirmed(client, home):
    home.file()
    before = home.lessons()
    filed(client, home, NEW)
    arrive(client, NEW + 1, "Travel")
    # A folder that nobody chose, and mail that was there already.
    home.quiet()
    assert where(client, NEW + 1) == where(client, NEW - 1) == ["INBOX"]
    assert home.lessons() == before
    home.do.confirm_filing([home.numbers()[NEW]])
    home.quiet()
    assert home.lessons() == (before[0] + 1, before[1])
    assert home.state(NEW) is SortedState.CONFIRMED

    filed(client, home, NEW + 2)
    home.do.undo_sorting([home.numbers()[NEW + 2]])
    wait_for(lambda: where(client, NEW + 2) == ["INBOX"])
    again = (
        (home.do.undo, "Invoices", SortedState.MOVED),
        (home.do.redo, "INBOX", SortedState.PUT_BACK),
    )
    for turn, folder, state in again:
        home.quiet()
        turn()
        wait_for(lambda folder=folder: where(client, NEW + 2) == [folder])
        wait_for(lambda state=state: home.state(NEW + 2) is state)
    filed(client, home, NEW + 3)
    take(client, NEW + 3, "INBOX")
    home.put_back(NEW + 3)
    filed(client, home, NEW + 4)
    filed(client, home, NEW + 5)
    take(client, NEW + 4, "Travel")
    home.put_back(NEW + 4)
    home.do.move([home.numbers()[NEW + 5]], FolderName("home", "Travel"), INVOICES)
    assert home.state(NEW + 5) is SortedState.PUT_BACK
    home.quiet()
    # Two corrections are learned, and neither is a suggestion that was tested.
    assert home.lessons() == (before[0] + 1, before[1])
    assert home.on_engine(lambda _: counted(home.model())["Travel", ""]) == EACH + 2
    home.restart()
    home.quiet()
    places = {
        NEW: "Invoices",
        NEW + 2: "INBOX",
        NEW + 3: "INBOX",
        NEW + 4: "Travel",
        NEW + 5: "Travel",
    }
    assert {number: where(client, number) for number in places} == {
        number: [each] for number, each in places.items()
    }
    assert home.lessons() == (before[0] + 1, before[1])
    assert home.read("SELECT count(*) FROM labels")[0][0] == 1


def test_corrections_end_the_filing(client, home):
    home.file()
    filed(client, home, NEW)
    for number in range(NEW + 1, NEW + 9):
        filed(client, home, number)
        take(client, number, "INBOX")
        home.put_back(number)
        if "Invoices" not in home.carried():
            break
    arrive(client, NEW + 20)
    wait_for(lambda: NEW + 20 in home.numbers())
    wait_for(lambda: home.state(NEW + 20) is SortedState.REHEARSED)
    home.quiet()
    assert where(client, NEW + 20) == ["INBOX"]


def test_a_folder_that_is_switched_off_fills_no_more(client, home):
    home.file()
    filed(client, home, NEW)
    home.do.mark([home.numbers()[NEW]], "spam")
    assert home.state(NEW) is SortedState.PUT_BACK
    home.file(on=False)
    arrive(client, NEW + 1)
    wait_for(lambda: NEW + 1 in home.numbers())
    home.quiet()
    assert where(client, NEW + 1) == ["INBOX"]


def test_the_rehearsal_lists_the_inbox_of_the_last_month(client, home):
    found = home.do.rehearse_filing(INVOICES)
    assert [*found.moving] == [home.numbers()[NEW - 1]] and found.moving[
        home.numbers()[NEW - 1]
    ] > 0.99
    assert home.do.rehearse_filing(FolderName("home", "Travel")).moving == {}


def test_a_renamed_folder_keeps_what_it_knows_and_fills_on(client, home, monkeypatch):
    monkeypatch.setattr("nbmail.sync.imap.imap_sync.LIST_EVERY", 0.0)
    home.file()
    filed(client, home, NEW)
    before = home.lessons()
    client.rename_folder("Invoices", "Bills")
    wait_for(lambda: home.look() or any(isinstance(each, FolderRenamed) for each in home.events))

    def counts(parts):
        parts.folder_updates.rebuild_stale()
        model = home.model()
        return (
            counted(model).get(("Bills", ""), 0),
            len(model.past),
            {each.filed for each in model.past},
        )

    wait_for(
        lambda: home.on_engine(counts) == (before[0], before[1], {"Bills", "Travel"}), every=0.5
    )
    # The messages are the same: none was fetched again, and the filed one is still not learned.
    assert home.state(NEW) is SortedState.MOVED and home.count() == 2 * EACH + 2
    home.do.set_sorting(Account("home", automatic_folders=("Bills",)))
    arrive(client, NEW + 1)
    wait_for(lambda: home.state(NEW + 1) is SortedState.MOVED)
    assert home.do.find_sorted(home.numbers()[NEW + 1]).target == "Bills"
