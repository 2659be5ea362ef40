"""The window over the real engine: mail comes in, marks teach, undo takes back, the evidence adds up to the row."""

import random
import time

import numpy as np
import pytest
from PySide6.QtWidgets import QMessageBox

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.ui.list.columns import Column
from nbmail.worker.protocol import Changed, Learned
from tests.needs import need_corpus
from tests.ui.real import RealHouse

PATIENCE = 10_000


@pytest.fixture
def mailbox(house, qtbot):
    """The demo's mail, thirty messages of each kind learned from folders."""
    mails = demo_mailbox(demo_folder(), time.time())
    folders = {"Junk": [mail for mail in mails if mail.is_junk][:30]}
    folders["Sorted"] = [mail for mail in mails if not mail.is_junk][:30]
    folders["INBOX"] = [mail for mail in mails if mail not in folders["Junk"] + folders["Sorted"]]
    for folder, here in folders.items():
        house.deliver(folder, [mail.raw for mail in here], received=[mail.received for mail in here])
    window = house.window
    qtbot.waitUntil(lambda: window.model.rowCount() == len(mails), timeout=PATIENCE)
    house.label_folder("Junk", "junk")
    house.label_folder("Sorted", "good")
    qtbot.waitUntil(lambda: "Learned 30 junk · 30 good" in window.learning_bar.text(), timeout=PATIENCE)
    return house


def settled(house, qtbot):
    """Wait until every command has been answered."""
    qtbot.waitUntil(lambda: not house.window.requests.pending, timeout=PATIENCE)


def test_a_mark_teaches_and_undo_takes_exactly_that_back(mailbox, qtbot):
    window = mailbox.window
    settled(mailbox, qtbot)
    window.table.sort_by(Column.DATE)
    window.table.go_to(3)
    message = window.table.current_message()
    odds, strip = window.model.mail.log_odds.copy(), window.learning_bar.text()
    window.actions_by_name["junk"].trigger()
    qtbot.waitUntil(lambda: "Learned 31 junk" in window.learning_bar.text(), timeout=PATIENCE)
    qtbot.waitUntil(lambda: not np.array_equal(window.model.mail.log_odds, odds), timeout=PATIENCE)
    qtbot.waitUntil(lambda: "Marked junk." in window.status.text(), timeout=PATIENCE)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: window.learning_bar.text() == strip, timeout=PATIENCE)
    qtbot.waitUntil(lambda: np.allclose(window.model.mail.log_odds, odds, atol=1e-9), timeout=PATIENCE)
    assert window.table.current_message() == message


def test_a_learned_folder_is_taken_back_by_name_after_a_question(mailbox, qtbot):
    window = mailbox.window
    rest = [mail.raw for mail in demo_mailbox(demo_folder(), time.time()) if mail.is_junk][30:70]
    mailbox.deliver("Spam", rest)
    mailbox.label_folder("Spam", "junk")
    qtbot.waitUntil(lambda: f"Learned {30 + len(rest)} junk" in window.learning_bar.text(), timeout=PATIENCE)
    settled(mailbox, qtbot)
    words = f"learning {len(rest)} messages from"
    window.parts.undoing.undo()
    qtbot.waitUntil(lambda: window.findChildren(QMessageBox) != [], timeout=PATIENCE)
    box = window.findChildren(QMessageBox)[0]
    assert words in box.text()
    assert f"Learned {30 + len(rest)} junk" in window.learning_bar.text()
    next(button for button in box.buttons() if button is not box.escapeButton()).click()
    qtbot.waitUntil(lambda: f"Took back: {words}" in window.status.text(), timeout=PATIENCE)
    assert "Learned 30 junk" in window.learning_bar.text()
    window.status._redo.click()
    qtbot.waitUntil(lambda: f"Did again: {words}" in window.status.text(), timeout=PATIENCE)
    settled(mailbox, qtbot)


def test_the_evidence_adds_up_to_the_score_of_the_row(mailbox, qtbot):
    window = mailbox.window
    for row in (0, 40, 200):
        settled(mailbox, qtbot)
        window.table.go_to(row)
        place = int(window.model.mail.order[row])
        odds = window.model.mail.log_odds[place]
        qtbot.waitUntil(
            lambda odds=odds: window.evidence.why is not None and abs(window.evidence.why.log_odds - odds) < 1e-9,
            timeout=PATIENCE,
        )
        lines = window.evidence.model.lines
        assert sum(line.adds for line in lines if not line.is_sum) == pytest.approx(odds, abs=1e-9)
        assert round(sum(line.shown for line in lines[:-1]), 2) == round(lines[-1].shown, 2)


def test_the_text_of_each_message_can_be_shown(mailbox, qtbot):
    window = mailbox.window
    chance = random.Random(5)
    for row in chance.sample(range(window.model.rowCount()), 12):
        window.table.go_to(row)
        message = window.table.current_message()
        qtbot.waitUntil(
            lambda message=message: window.message._shown is not None and window.message._shown.message == message,
            timeout=PATIENCE,
        )
        assert window.message._subject.text()
    assert window.message.body.refused == 0


def test_what_was_learned_travels_to_another_home(mailbox, qtbot, tmp_path):
    window = mailbox.window
    path = tmp_path / "mine.nbmodel"
    settled(mailbox, qtbot)
    window.model_files.export_to(path)
    qtbot.waitUntil(lambda: "Exported" in window.status.text(), timeout=PATIENCE)
    other = RealHouse(tmp_path / "other")
    qtbot.addWidget(other.window)
    other.window.model_files.import_from(path)
    qtbot.waitUntil(lambda: "Imported" in other.window.status.text(), timeout=PATIENCE)
    other.close()


def test_a_file_that_is_no_model_is_refused_with_advice(mailbox, qtbot, tmp_path):
    path = tmp_path / "holiday.nbmodel"
    path.write_bytes(b"not a model")
    mailbox.window.model_files.import_from(path)
    qtbot.waitUntil(mailbox.window.banner.isVisible, timeout=PATIENCE)
    assert "no model file" in mailbox.window.banner.text()


def test_new_mail_appears_without_a_reset(mailbox, qtbot):
    window = mailbox.window
    settled(mailbox, qtbot)
    resets = []
    window.model.modelReset.connect(lambda: resets.append(1))
    count = window.model.rowCount()
    raw = b"From: new@mail.example\r\nSubject: brand new\r\nMessage-ID: <new@x>\r\n\r\nhello\r\n"
    mailbox.deliver("INBOX", [raw], first=9001)
    qtbot.waitUntil(lambda: window.model.rowCount() == count + 1, timeout=PATIENCE)
    assert "brand new" in {window.model.mail.subjects[place] for place in window.model.mail.order[:20].tolist()}
    assert resets == []


def test_one_mark_is_one_change(mailbox, qtbot):
    settled(mailbox, qtbot)
    qtbot.wait(100)
    heard = []
    mailbox.bridge.arrived.connect(heard.append)
    mailbox.window.table.go_to(7)
    settled(mailbox, qtbot)
    heard.clear()
    mailbox.window.actions_by_name["good"].trigger()
    settled(mailbox, qtbot)
    qtbot.wait(150)
    assert len([event for event in heard if isinstance(event, Learned)]) <= 2
    assert 1 <= len([event for event in heard if isinstance(event, Changed)]) <= 3


def test_a_thousand_real_messages(house, qtbot):
    folder = need_corpus("spamassassin")
    lines = [line.split(maxsplit=1) for line in (folder / "index").read_text().splitlines()][:1000]
    raws = {"junk": [], "good": []}
    for label, path in lines:
        raws["junk" if label in ("spam", "junk") else "good"].append((folder / path.strip()).read_bytes())
    house.deliver("Junk", raws["junk"])
    house.deliver("INBOX", raws["good"])
    window = house.window
    wanted = len({raw for each in raws.values() for raw in each})
    qtbot.waitUntil(lambda: window.model.rowCount() > 0.9 * wanted, timeout=60_000)
    house.label_folder("Junk", "junk")
    qtbot.waitUntil(lambda: not window.requests.pending, timeout=60_000)
    for row in range(0, window.model.rowCount(), 97):
        window.table.go_to(row)
        message = window.table.current_message()
        qtbot.waitUntil(
            lambda message=message: window.message._shown is not None and window.message._shown.message == message,
            timeout=PATIENCE,
        )
    assert window.message.body.refused == 0
    assert not window.banner.isVisible()
