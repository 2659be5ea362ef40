"""A newcomer turns sorting on in the window and lets `nbmail watch` sort."""

import re

import pytest
from PySide6.QtWidgets import QPushButton

from nbmail.app.run import check_home
from nbmail.core.sorting.sorted_message import SortedState
from nbmail.settings import Sorting
from nbmail.ui.sorting.preview_dialog import PreviewDialog
from nbmail.ui.sorting.sorting_window import SortingWindow
from nbmail.values import HAM, SPAM
from tests.dovecot import PASSWORDS
from tests.e2e.sorting_month import letter, real
from tests.e2e.watching import Place, mail
from tests.needs import need_corpus
from tests.store.helpers import open_store
from tests.waiting import wait_for

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
LEARNED = {SPAM: 200, HAM: 400}
SEEN = 10
"""Letters of each label in the training folders, and in the inbox."""


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path)
    yield made
    made.close()


class Mailbox:
    """The mailbox as other programs see it. `letters`: those that arrive, by label."""

    def __init__(self, server, letters):
        self._client = server.client()
        by_label = {
            label: [each for each in letters if each.label == label] for label in (SPAM, HAM)
        }
        for label, folder in ((SPAM, "Junk"), (HAM, "Past")):
            server.put([each.raw for each in by_label[label][: LEARNED[label]]], folder=folder)
        self.letters = {label: iter(found[LEARNED[label] :]) for label, found in by_label.items()}

    def deliver(self, label):
        each = next(self.letters[label])
        self._client.append("INBOX", each.raw)
        return each.number

    def has(self, folder, number):
        return bool(self._client.uids(folder, number))

    def is_sorted(self, number):
        return self.has("Junk", number) and not self.has("INBOX", number)

    def put_back(self, number):
        self._client.move(self._client.uids("Junk", number), "INBOX")


def invented():
    """Return letters that are easy to classify: good mail, and spam of two kinds."""
    kinds = ("spam", "ham", "pills", "ham")
    return [
        letter(number, (SPAM, HAM)[number % 2], mail(kinds[number % 4], number))
        for number in range(900)
    ]


def deliver_until_sorted(mailbox, watch, count):
    """Deliver spam until `count` letters were moved. Return their numbers."""
    moved = []
    while len(moved) < count:
        kept = kept_by(watch)
        number = mailbox.deliver(SPAM)
        wait_for(
            lambda n=number, k=kept: mailbox.is_sorted(n) or kept_by(watch) > k, f"letter {number}"
        )
        moved += [number] if mailbox.is_sorted(number) else []
    return moved


def kept_by(watch):
    """Return how many letters were decided and left in the inbox."""
    return sum(line.rstrip().endswith("stays") for line in list(watch.lines))


def turn_sorting_on(program, qtbot):
    """Accept the offer after the training, see the rehearsal, and agree."""
    parts = program.window.parts
    qtbot.waitUntil(parts.sorting_notices.banner.isVisible)
    parts.sorting_notices.banner.remedy.click()
    window = program.window.findChild(SortingWindow)
    combo = window.accounts["home"].combo
    combo.setCurrentIndex(combo.findData(Sorting.SORT))
    combo.activated.emit(combo.currentIndex())
    qtbot.waitUntil(lambda: window.findChild(PreviewDialog) is not None)
    dialog = window.findChild(PreviewDialog)
    moving = re.match(
        r"Of 20 messages of the last 30 days, (\d+) would have been moved\.", dialog.sentence.text()
    )
    assert 3 <= int(moving.group(1)) <= SEEN
    # Without good mail among the tested messages that is classified as spam, no question is left.
    next(each for each in dialog.findChildren(QPushButton) if each.text() == "Sort").click()
    state = window.accounts["home"].state
    qtbot.waitUntil(lambda: state.text().startswith("Arriving spam is moved"))


def put_back_by_key(program, qtbot, moved, number):
    """Put back a sorted letter in the list of sorted messages.

    `moved`: letters that are in the spam folder.
    """
    parts = program.window.parts
    qtbot.waitUntil(lambda: len(moved_messages(parts)) == len(moved))
    assert parts.sorting_notices.banner.isVisible()
    parts.actions.by_name["list-sorted"].trigger()
    qtbot.waitUntil(lambda: parts.model.rowCount() == len(parts.sorted.messages))
    found = (each.message for each in moved_messages(parts))
    parts.table.go_to(
        parts.model.row_of(
            next(each for each in found if is_letter(program.engine.read_source(each), number))
        )
    )
    parts.actions.by_name["ham"].trigger()


def is_letter(ticket, number):
    return re.search(rf"X-Number: {number}\b", str(ticket.result(60.0)))


def moved_messages(parts):
    return [each for each in parts.sorted.messages if each.state is SortedState.MOVED]


def labels_of(paths, numbers):
    """Return the labels of letters by number; those without a label are left out."""
    with open_store(paths.data.parent) as store:
        sources = {
            message: str(store.raw_mail.get(name))
            for message, name in store.messages.identities(
                store.listing.newest(9999).messages.tolist()
            ).items()
        }
        found = {
            int(match.group(1)): message
            for message, text in sources.items()
            if (match := re.search(r"X-Number: (\d+)", text))
        }
        labels = store.labels.all()
    return {number: labels[found[number]] for number in numbers if found[number] in labels}


@pytest.mark.parametrize("kind", ["invented", "real"])
def test_a_newcomer_lets_spam_be_sorted(start_program, place, qtbot, dovecot, kind):
    mailbox = Mailbox(
        dovecot, invented() if kind == "invented" else real(need_corpus("spamassassin"), 1000)
    )
    there = [mailbox.deliver(label) for label in (SPAM, HAM) for _ in range(SEEN)]
    program = start_program(passwords={"home": PASSWORDS["alice"]})
    account = dovecot.account(name="home", spam_folders=("Junk",), ham_folders=("Past",))
    program.window.parts.accounts.add(account, PASSWORDS["alice"])
    turn_sorting_on(program, qtbot)
    start_program.end()

    running = place.watch()
    ham = [mailbox.deliver(HAM) for _ in range(3)]
    wait_for(lambda: kept_by(running) == len(ham), "the decisions about good mail")
    moved = deliver_until_sorted(mailbox, running, 3)

    by_key, stayed, by_phone = moved
    mailbox.put_back(by_phone)
    running.line("--learn-moves")

    check_home(start_program.paths)
    again = start_program(passwords={"home": PASSWORDS["alice"]})
    offers = again.window.parts.offers
    qtbot.waitUntil(offers.isVisible)
    offers.remedy.click()
    put_back_by_key(again, qtbot, {*moved} - {by_phone}, by_key)
    qtbot.waitUntil(lambda: mailbox.has("INBOX", by_key))
    start_program.end()

    later = deliver_until_sorted(mailbox, running, 1)
    assert running.stop() == 0, running.errors
    assert all(mailbox.has("INBOX", number) for number in (by_phone, by_key, *there, *ham))
    assert mailbox.is_sorted(stayed)
    assert labels_of(start_program.paths, (*moved, *later)) == {by_phone: "ham", by_key: "ham"}
