"""Folders that fill automatically, on a real server: filed in seconds, put back for good, learned once confirmed."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from nbmail.core.scoring.sorting import SortedState
from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.session import Session
from nbmail.values import FolderName
from nbmail.worker.protocol.events import FolderRenamed
from nbmail.worker.protocol.sorting import SortingChoice
from tests.core.test_folders import counted
from tests.sync.homes import Home
from tests.waiting import wait_for

WORDS = {
    "Invoices": "invoice amount payment due account transfer bank total customer reference tax receipt",
    "Travel": "train ticket hotel booking journey seat platform luggage flight departure window station",
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
    """Computer that suggests folders, and files into Invoices if told to."""

    is_filing = False

    def ready(self):
        super().ready()
        self.do.choose_folders("home", ("*",))
        self.do.set_sorting("home", SortingChoice(folders=("Invoices",) if self.is_filing else ()))

    def file(self, *, on=True):
        self.is_filing = on
        self.do.set_sorting("home", SortingChoice(folders=("Invoices",) if on else ()))

    def lessons(self):
        """Return how many messages of Invoices the model has learned, and the size of the record."""
        return self.on_engine(lambda _: (counted(self._model_now())["Invoices", ""], len(self._model_now().past)))

    def _model_now(self):
        return self.engine.parts.folders._accounts["home"].state.model

    def number(self, letter_):
        found = self.read(f"SELECT number FROM messages WHERE subject = 'letter {letter_}'")
        return found[0][0] if found else 0

    def state(self, letter_):
        number = self.number(letter_)
        found = self.do.find_sorted(number) if number else None
        return found and found.state

    def quiet(self):
        """Wait until the engine has nothing to do and the server is told everything."""
        self.look()
        wait_for(lambda: not len(self.engine._jobs) and not self.is_pending())


@pytest.fixture
def home(dovecot, tmp_path):
    """A computer whose record carries Invoices, with a message of Invoices in the inbox."""
    client, began = dovecot.client(), datetime(2026, 10, 1, tzinfo=UTC)
    # Another program at the same mailbox.
    dovecot.hand = client
    for name in WORDS:
        client.create_folder(name)
    for number in range(2 * EACH):
        kind = list(WORDS)[number % 2]
        client.append(kind, letter(number, kind), msg_time=began + timedelta(hours=number))
    client.append("INBOX", letter(NEW - 1, "Invoices"))
    made = FilingHome(tmp_path, dovecot.account(name="home", suggested_folders=("*",)))
    wait_for(lambda: made.count() == 2 * EACH + 1)
    wait_for(
        lambda: made.on_engine(lambda parts: parts.folders.rebuild_stale()) or "Invoices" in carried(made), every=0.5
    )
    made.quiet()
    yield made
    made.close()


def carried(home):
    return home.do.filing_status("home").carried


def where(server, number):
    """Return the folders of a letter on the server, once for each copy."""
    client, found = server.hand, []
    for name in ("INBOX", *WORDS, "Trash"):
        client.select_folder(name, readonly=True)
        found += [name] * len(client.search(["HEADER", "Message-ID", f"<{number}@filing.example>"]))
    return found


def arrive(server, number, kind="Invoices"):
    server.hand.append("INBOX", letter(number, kind))


def carry(server, number, target):
    """Move a letter out of Invoices as a phone does: copy, then expunge."""
    client = server.hand
    client.select_folder("Invoices")
    uids = client.search(["HEADER", "Message-ID", f"<{number}@filing.example>"])
    client.copy(uids, target)
    client.delete_messages(uids)
    client.uid_expunge(uids)


def filed(server, home, number):
    arrive(server, number)
    wait_for(lambda: where(server, number) == ["Invoices"])
    wait_for(lambda: home.state(number) is SortedState.MOVED)
    home.quiet()


def test_arriving_mail_is_filed_put_back_and_learned_once_confirmed(dovecot, home):
    home.file()
    before = home.lessons()
    filed(dovecot, home, NEW)
    arrive(dovecot, NEW + 1, "Travel")
    # A folder that nobody chose, and mail that was there already.
    home.quiet()
    assert where(dovecot, NEW + 1) == where(dovecot, NEW - 1) == ["INBOX"]
    assert home.lessons() == before
    home.do.confirm_filing([home.number(NEW)])
    home.quiet()
    assert home.lessons() == (before[0] + 1, before[1])
    assert home.state(NEW) is SortedState.CONFIRMED

    filed(dovecot, home, NEW + 2)
    home.do.undo_sorting([home.number(NEW + 2)])
    wait_for(lambda: where(dovecot, NEW + 2) == ["INBOX"])
    again = (home.do.undo, "Invoices", SortedState.MOVED), (home.do.redo, "INBOX", SortedState.PUT_BACK)
    for turn, folder, state in again:
        home.quiet()
        turn()
        wait_for(lambda folder=folder: where(dovecot, NEW + 2) == [folder])
        wait_for(lambda state=state: home.state(NEW + 2) is state)
    filed(dovecot, home, NEW + 3)
    carry(dovecot, NEW + 3, "INBOX")
    wait_for(lambda: home.look() or home.state(NEW + 3) is SortedState.PUT_BACK)
    filed(dovecot, home, NEW + 4)
    filed(dovecot, home, NEW + 5)
    carry(dovecot, NEW + 4, "Travel")
    wait_for(lambda: home.look() or home.state(NEW + 4) is SortedState.PUT_BACK)
    home.do.move([home.number(NEW + 5)], FolderName("home", "Travel"), INVOICES)
    assert home.state(NEW + 5) is SortedState.PUT_BACK
    home.quiet()
    # Two corrections are learned, and neither is a suggestion that was tested.
    assert home.lessons() == (before[0] + 1, before[1])
    assert home.on_engine(lambda _: counted(home._model_now())["Travel", ""]) == EACH + 2
    home.sleep()
    home.again()
    home.wake()
    home.quiet()
    places = {NEW: "Invoices", NEW + 2: "INBOX", NEW + 3: "INBOX", NEW + 4: "Travel", NEW + 5: "Travel"}
    assert {number: where(dovecot, number) for number in places} == {number: [each] for number, each in places.items()}
    assert home.lessons() == (before[0] + 1, before[1])
    assert home.read("SELECT count(*) FROM labels")[0][0] == 1


def test_corrections_end_the_filing(dovecot, home):
    home.file()
    filed(dovecot, home, NEW)
    for number in range(NEW + 1, NEW + 9):
        filed(dovecot, home, number)
        carry(dovecot, number, "INBOX")
        wait_for(lambda number=number: home.look() or home.state(number) is SortedState.PUT_BACK)
        if "Invoices" not in carried(home):
            break
    arrive(dovecot, NEW + 20)
    wait_for(lambda: home.read(f"SELECT 1 FROM messages WHERE subject = 'letter {NEW + 20}'"))
    wait_for(lambda: home.state(NEW + 20) is SortedState.REHEARSED)
    home.quiet()
    assert where(dovecot, NEW + 20) == ["INBOX"]


def test_a_program_that_ends_between_mark_and_move_leaves_one_copy(dovecot, home, monkeypatch):
    home.file()
    move, ended = Session.move, []

    def cut(self, uids, target):
        ended.append(uids)
        raise KnownError(ErrorCode.SERVER_GONE)

    monkeypatch.setattr(Session, "move", cut)
    arrive(dovecot, NEW)
    wait_for(lambda: ended)
    home.sleep()
    monkeypatch.setattr(Session, "move", move)
    home.again()
    home.wake()
    wait_for(lambda: where(dovecot, NEW) == ["Invoices"])
    wait_for(lambda: home.state(NEW) is SortedState.MOVED)
    home.quiet()
    assert where(dovecot, NEW) == ["Invoices"]


def test_a_folder_that_is_switched_off_fills_no_more(dovecot, home):
    home.file()
    filed(dovecot, home, NEW)
    home.do.mark([home.number(NEW)], "junk")
    assert home.state(NEW) is SortedState.PUT_BACK
    home.file(on=False)
    arrive(dovecot, NEW + 1)
    wait_for(lambda: home.read(f"SELECT 1 FROM messages WHERE subject = 'letter {NEW + 1}'"))
    home.quiet()
    assert where(dovecot, NEW + 1) == ["INBOX"]


def test_the_rehearsal_lists_the_inbox_of_the_last_month(dovecot, home):
    found = home.do.rehearse_filing(INVOICES)
    assert found.moving == (home.number(NEW - 1),)
    assert [each.target for each in found.nearest] == ["Invoices"]
    assert home.do.rehearse_filing(FolderName("home", "Travel")).moving == ()


def test_a_renamed_folder_keeps_what_it_knows_and_fills_on(dovecot, home, monkeypatch):
    monkeypatch.setattr("nbmail.sync.imap.imap_sync.LIST_EVERY", 0.0)
    home.file()
    filed(dovecot, home, NEW)
    before = home.lessons()
    dovecot.hand.rename_folder("Invoices", "Bills")
    wait_for(lambda: home.look() or any(isinstance(each, FolderRenamed) for each in home.events))

    def counts(parts):
        parts.folders.rebuild_stale()
        model = home._model_now()
        return counted(model).get(("Bills", ""), 0), len(model.past), {each.filed for each in model.past}

    wait_for(lambda: home.on_engine(counts) == (before[0], before[1], {"Bills", "Travel"}), every=0.5)
    # The messages are the same: none was fetched again, and the filed one is still not learned.
    assert home.state(NEW) is SortedState.MOVED and home.count() == 2 * EACH + 2
    home.do.set_sorting("home", SortingChoice(folders=("Bills",)))
    arrive(dovecot, NEW + 1)
    wait_for(lambda: home.state(NEW + 1) is SortedState.MOVED)
    assert home.do.find_sorted(home.number(NEW + 1)).target == "Bills"
