"""A newcomer turns sorting on in the window, closes it, and lets `nbmail watch` sort; what anybody puts back stays."""

import signal
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QPushButton

from nbmail.app.run import Program, RunOptions, check_home
from nbmail.paths import Paths
from nbmail.settings import Sorting
from nbmail.ui.sorting.sorting_preview import PreviewDialog
from nbmail.ui.sorting.sorting_window import SortingWindow
from tests.dovecot import PASSWORDS
from tests.e2e.watching import Watching, mail
from tests.store.helpers import open_store
from tests.waiting import wait_for

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
PATIENCE = 60_000
SECONDS = 7.0
"""From delivery to move, as promised for servers of every kind."""


@pytest.fixture
def start(qtbot, tmp_path):
    """Starts the program with its window on one data folder, and closes both."""
    running, paths = [], Paths.under(tmp_path / "home")
    paths.make()

    def make():
        program = Program(RunOptions(paths, users_home=tmp_path / "user", passwords={"home": PASSWORDS["alice"]}))
        qtbot.addWidget(program.window)
        program.start()
        program.window.show()
        running.append(program)
        return program

    def stop(program):
        running.remove(program)
        program.stop()
        program.window.close()

    make.stop, make.paths = stop, paths
    yield make
    for program in list(running):
        stop(program)


@pytest.fixture
def watch(tmp_path):
    secret = tmp_path / "password"
    secret.write_text(PASSWORDS["alice"])
    secret.chmod(0o600)
    made = []

    def begin():
        made.append(Watching(SimpleNamespace(folder=tmp_path, home=tmp_path / "home", secret=secret)))
        return made[-1]

    yield begin
    for each in made:
        each.end(signal.SIGKILL)


class Mailbox:
    """The mailbox as other programs see it."""

    def __init__(self, server):
        self._client = server.client()

    def deliver(self, kind, number):
        self._client.append("INBOX", mail(kind, number))

    def has(self, folder, kind, number):
        self._client.select_folder(folder, readonly=True)
        self._client.noop()
        return bool(self._client.search(["HEADER", "Message-ID", f"<{kind}{number}@"]))

    def is_sorted(self, kind, number):
        return self.has("Junk", kind, number) and not self.has("INBOX", kind, number)

    def put_back(self, kind, number):
        self._client.select_folder("Junk")
        self._client.move(self._client.search(["HEADER", "Message-ID", f"<{kind}{number}@"]), "INBOX")


def turn_sorting_on(program, qtbot):
    """Accept the offer after the training, see the rehearsal, and agree."""
    parts = program.window.parts
    qtbot.waitUntil(parts.sorted.notices.isVisible, timeout=PATIENCE)
    parts.sorted.notices.remedy.click()
    window = program.window.findChild(SortingWindow)
    combo = window.accounts["home"].combo
    combo.setCurrentIndex(combo.findData(Sorting.SORT))
    combo.activated.emit(combo.currentIndex())
    qtbot.waitUntil(lambda: window.findChild(PreviewDialog) is not None, timeout=PATIENCE)
    dialog = window.findChild(PreviewDialog)
    assert dialog.sentence.text().startswith("Of 20 messages of the last 30 days, 10 would have been moved.")
    next(each for each in dialog.findChildren(QPushButton) if each.text() == "Sort").click()
    state = window.accounts["home"].state
    qtbot.waitUntil(lambda: state.text().startswith("Arriving junk is moved"), timeout=PATIENCE)


def test_a_newcomer_lets_junk_be_sorted(start, watch, qtbot, dovecot):
    dovecot.put([mail(("junk", "pills")[number % 2], number) for number in range(300)], folder="Junk")
    dovecot.put([mail("good", number) for number in range(300)], folder="Past")
    mailbox = Mailbox(dovecot)
    for number in range(500, 510):
        mailbox.deliver("junk", number)
        mailbox.deliver("good", number)
    program = start()
    account = dovecot.account(name="home", junk_folders=("Junk",), good_folders=("Past",))
    program.window.parts.accounts.add(account, PASSWORDS["alice"])
    turn_sorting_on(program, qtbot)
    start.stop(program)

    running = watch()
    mailbox.deliver("good", 600)
    for kind, number in (("junk", 601), ("pills", 602)):
        mailbox.deliver(kind, number)
        wait_for(lambda kind=kind, number=number: mailbox.is_sorted(kind, number), "the first moves", 30.0)
    mailbox.deliver("pills", 603)
    wait_for(lambda: mailbox.is_sorted("pills", 603), "the next move", SECONDS)
    assert mailbox.has("INBOX", "good", 600)

    check_home(start.paths)
    again = start()
    parts = again.window.parts
    qtbot.waitUntil(lambda: len(parts.sorted.messages) == 3, timeout=PATIENCE)
    assert parts.sorted.notices.isVisible()
    parts.actions.by_name["list-sorted"].trigger()
    qtbot.waitUntil(lambda: parts.model.rowCount() == 3, timeout=PATIENCE)
    subjects = [parts.model.mail.heading_of(parts.model.message_at(row))[1] for row in range(3)]
    parts.table.go_to(next(row for row, subject in enumerate(subjects) if subject.endswith(" 601")))
    parts.actions.by_name["good"].trigger()
    qtbot.waitUntil(lambda: mailbox.has("INBOX", "junk", 601), timeout=PATIENCE)
    start.stop(again)

    mailbox.put_back("pills", 602)
    mailbox.deliver("pills", 604)
    wait_for(lambda: mailbox.is_sorted("pills", 604), "the move after the window was closed", 30.0)
    assert running.end() == 0, running.errors
    assert mailbox.has("INBOX", "junk", 601) and mailbox.has("INBOX", "pills", 602)
    assert mailbox.is_sorted("pills", 603)
    assert all(mailbox.has("INBOX", kind, number) for kind in ("junk", "good") for number in range(500, 510))
    with open_store(start.paths.data.parent) as store:
        rows = store.listing.all()
        labelled = {subject[-3:]: label for subject, label in zip(rows.subjects, rows.labels.tolist(), strict=True)}
        assert rows.label_names[labelled["601"]] == "good"
        assert {labelled[number] for number in ("602", "603", "604")} == {-1}
