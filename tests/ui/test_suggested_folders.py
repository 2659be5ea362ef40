"""Suggested folders over the real engine: buttons, keys, column, preview and reasons."""

import re
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from nbmail.ui.filing.filing_preview import FOLDER, FilingPreviewDialog
from nbmail.ui.filing.folder_field import FolderField
from nbmail.ui.filing.folder_reasons import FolderReasonsWindow
from nbmail.ui.list.list_choice import Choice, Column
from nbmail.ui.message.pane.folder_buttons import FolderButtons
from nbmail.ui.model.folders_page import TableWindow
from nbmail.values import FolderName
from nbmail.worker.protocol.folders import FolderChance
from tests.ui.filing_mail import REMOTE, WAITING, WORDS, fill
from tests.ui.helpers import dialog, model_window, trigger
from tests.ui.real import ACCOUNT, Mailbox, settle

INBOX = Choice(folder=FolderName(ACCOUNT, "INBOX"))


@pytest.fixture
def filing(tmp_path):
    """Mailbox with four folders and an inbox of twelve messages; the newest one is open."""
    mailbox = Mailbox(tmp_path / "home", accounts=(REMOTE,))
    fill(mailbox)
    settle(mailbox)
    mailbox.window.show_choice(INBOX)
    settle(mailbox)
    assert len(mailbox.window.model.mail) == WAITING
    mailbox.window.table.go_to(0)
    mailbox.window.table.setFocus()
    settle(mailbox)
    assert buttons(mailbox).chances
    yield mailbox
    settle(mailbox)
    mailbox.close()
    mailbox.window.deleteLater()


def buttons(mailbox):
    return mailbox.window.message.folders


def subject_kind(mailbox, row):
    """Return the folder that a row of the inbox belongs in."""
    subject = mailbox.window.model.mail.heading_of(mailbox.window.model.message_at(row))[1]
    return next(kind for kind, words in WORDS.items() if subject.split()[0] in words.split())


def rows(mailbox):
    model = mailbox.window.model
    return [model.message_at(row) for row in range(model.rowCount())]


def test_a_key_moves_the_message_and_opens_the_next_one(filing, qtbot):
    before = rows(filing)
    kind = subject_kind(filing, 0)
    assert buttons(filing).isVisible()
    assert re.match(rf"{kind}\s+\d", buttons(filing).buttons[0].text())
    QTest.keyClick(filing.window.table, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: rows(filing) == before[1:])
    qtbot.waitUntil(lambda: filing.window.table.current_message() == before[1])
    move = filing.engine.requests("move")[-1]
    assert tuple(move[:2]) == ((before[0],), FolderName(ACCOUNT, kind))
    QTest.keyClick(filing.window.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: set(rows(filing)) == set(before))


def test_a_key_and_a_button_open_the_field_of_folders(filing, qtbot):
    for press in (
        partial(QTest.keyClick, filing.window.table, Qt.Key.Key_0),
        buttons(filing).others.click,
    ):
        press()
        qtbot.waitUntil(lambda: filing.window.findChild(FolderField) is not None)
        dialog(FolderField).reject()
        qtbot.waitUntil(lambda: not filing.window.findChildren(FolderField))


def test_the_column_shows_and_sorts(filing):
    window = filing.window
    model = filing.window.model
    assert not window.table.isColumnHidden(Column.SUGGESTED)
    shown = [model.index(row, Column.SUGGESTED).data() for row in range(WAITING)]
    assert all(re.match(rf"{subject_kind(filing, row)}\s", shown[row]) for row in range(WAITING))
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert f"suggested folder {shown[0]}" in spoken
    window.table.sort_by(Column.SUGGESTED)
    ordered = [model.index(row, Column.SUGGESTED).data().split()[0] for row in range(WAITING)]
    assert ordered == sorted(ordered)


def test_reasons_are_listed_line_by_line_and_add_up(filing, qtbot):
    buttons(filing).buttons[0].setFocus()
    QTest.keyClick(buttons(filing).buttons[0], Qt.Key.Key_E)
    qtbot.waitUntil(lambda: filing.window.findChild(FolderReasonsWindow) is not None)
    (window,) = filing.window.findChildren(FolderReasonsWindow)
    *lines, total = [
        float(row.cells[4].replace("−", "-").replace(",", ".")) for row in window.table.rows
    ]
    assert sum(lines) == pytest.approx(total, abs=0.01 * len(lines))
    assert "mail of this sender" in {row.cells[0] for row in window.table.rows}
    window.close()


def test_sure_messages_are_filed_together_but_not_the_unticked_ones(filing, qtbot):
    before = rows(filing)
    trigger(filing.window, "file-sure")
    qtbot.waitUntil(lambda: filing.window.findChild(FilingPreviewDialog) is not None)
    (preview,) = filing.window.findChildren(FilingPreviewDialog)
    sure = sum(map(len, preview.ticked().values()))
    assert 1 < sure <= len(before)
    preview.table.item(0, FOLDER).setCheckState(Qt.CheckState.Unchecked)
    left = [message for messages in preview.ticked().values() for message in messages]
    assert len(left) == sure - 1
    preview.accept()
    qtbot.waitUntil(lambda: set(rows(filing)) == set(before) - set(left))
    settle(filing)
    trigger(filing.window, "undo")
    qtbot.waitUntil(lambda: set(rows(filing)) == set(before))


def test_the_model_window_shows_folders_against_folders_words_and_methods(filing, qtbot):
    window = filing.window
    trigger(window, "history")
    page = model_window(window).folders
    model_window(window).go_to(page)
    qtbot.waitUntil(lambda: bool(page.table.rows))
    assert [row.item for row in page.table.rows] == sorted(WORDS)
    assert "the first suggestion was right for" in page.summary.text()
    assert page.against.rowCount() == len(WORDS) == page.against.columnCount() - 1
    (report,) = filing.engine.report_folders().result(60)
    for row in range(len(WORDS)):
        for column in range(len(WORDS)):
            count = report.table[row][column]
            assert page.against.item(row, column + 1).text() == (str(count) if count else "")
    page.table.go_to(3)
    page.words.click()
    qtbot.waitUntil(lambda: page.findChild(TableWindow) is not None)
    words = page.findChild(TableWindow)
    assert "train" in {row.cells[0] for row in words.table.rows}
    words.close()
    page.compare.click()
    qtbot.waitUntil(lambda: "too few marked messages" in page.note.text.text())


def test_buttons_of_long_names_fit_any_width_and_stay_as_they_are(qtbot):
    pane = QWidget()
    buttons = FolderButtons()
    QVBoxLayout(pane).addWidget(buttons)
    qtbot.addWidget(pane)
    names = ("cleburne_plant____cornhusker_", "pan_energy_swap", "logistics")
    pane.show()
    for width in (*range(900, 60, -37), *range(60, 900, 41)):
        pane.resize(width, 60)
        buttons.show_chances([FolderChance(FolderName("home", name), 0.3) for name in names])
        shown = [each for each in buttons.findChildren(QPushButton) if not each.isHidden()]
        assert buttons.buttons[0] in shown
        assert len(shown) == 1 or sum(each.sizeHint().width() for each in shown) <= buttons.width()
