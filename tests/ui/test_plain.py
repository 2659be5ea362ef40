"""Untrusted text is shown literally in the whole window, never as HTML."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QTableView, QToolTip, QWidget

import nbmail.ui
from nbmail import values
from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.mailbox_values import FolderLine
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.link_question import ask_link
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.dialogs.password_dialog import PasswordDialog
from nbmail.ui.dialogs.questions import ask_removal
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.texts.plain_text import plain_tip
from nbmail.worker.protocol.marks import PlannedMove
from nbmail.worker.protocol.model_files import Agreement, ImportReport
from tests.ui.helpers import Calls, show_account

EVIL = "<img src='file:///etc/hostname'><b>you & I</b>"


def own_labels():
    """Yield all labels except Qt's internal ones."""
    for top in QApplication.topLevelWidgets():
        for label in top.findChildren(QLabel):
            if not label.objectName().startswith("qt_") and not label.inherits("QTipLabel"):
                yield label


def tips():
    for top in QApplication.topLevelWidgets():
        for widget in [top, *top.findChildren(QWidget)]:
            yield widget.toolTip()
            model = widget.model() if isinstance(widget, QAbstractItemView) else None
            for row in range(min(5, model.rowCount(QModelIndex())) if model is not None else 0):
                for column in range(7 if isinstance(widget, QTableView) else 1):
                    yield str(model.index(row, column).data(Qt.ItemDataRole.ToolTipRole) or "")


def check_everything():
    labels = list(own_labels())
    assert [
        (type(each.parent()), each.text())
        for each in labels
        if each.textFormat() != Qt.TextFormat.PlainText
    ] == []
    shown = [tip for tip in tips() if tip]
    assert [tip for tip in shown if "<img" in tip or "<b>" in tip] == []
    return labels, shown


def open_folders(parent, listed, **chosen):
    searches = Calls([])
    searches.test_account = lambda account, password, tell, examine: (
        tell(tuple(listed)) or (lambda: None)
    )
    before = Account("home", "imap.example", user="anna", **chosen)
    dialog = AccountDialog(parent, searches, lambda *_: None, before=before)
    dialog.form.choose_folders.click()
    dialog.open()
    return dialog


@pytest.fixture
def hostile(open_window, qtbot):
    window = open_window(0, accounts=(Account(EVIL, host=EVIL, user=EVIL),))
    raws = [
        f"From: {EVIL} <a@b.example>\nSubject: {EVIL}\n\n{number}\n".encode() for number in range(3)
    ]
    window.mailbox.deliver(EVIL, raws)
    qtbot.waitUntil(lambda: window.model.rowCount() == 3)
    show_account(
        window, values.Phase.NEEDS_YOU, EVIL, error_code=ErrorCode.SERVER_REFUSED, detail=EVIL
    )
    return window


def test_every_label_and_question_is_made_where_its_text_is_plain():
    """Qt detects HTML automatically. Only `plain_label` and `question_box` turn that off."""
    rooms = Path(nbmail.ui.__file__).parent
    makers = {"plain_labels.py": "QLabel(", "questions.py": "QMessageBox("}
    found = [
        (path.name, word)
        for path in rooms.rglob("*.py")
        for word in makers.values()
        if re.search(rf"(?<![\w]){re.escape(word)}", path.read_text(encoding="utf-8"))
        and makers.get(path.name) != word
    ]
    assert found == []


def test_nothing_in_the_window_is_taken_for_html(hostile, qtbot):
    hostile.table.go_to(0)
    qtbot.waitUntil(lambda: hostile.evidence.why is not None)
    hostile.status.report(EVIL)
    hostile.status.show_work(EVIL, 1, 2, lambda: None)
    labels, shown = check_everything()
    assert sum(EVIL in label.text() for label in labels) >= 4
    assert sum("&lt;img" in tip for tip in shown) >= 3


def test_nothing_in_the_dialogs_is_taken_for_html(hostile):
    hostile.table.go_to(0)
    hostile.parts.show_model()
    folder = values.FolderName(EVIL, EVIL)
    account = hostile.settings.accounts[0]
    report = ((EVIL, 3),), ((EVIL, EVIL),), 9, 3, 6, 1, True, Agreement(1, 2, 1, 2), True, True
    dialogs = [
        MovesDialog(hostile, [PlannedMove(1, EVIL, EVIL, folder, "spam")]),
        AccountDialog(hostile, Calls([]), lambda *_: None, before=account),
        open_folders(hostile, (FolderLine(EVIL),), folders=(EVIL,)),
        ImportDialog(
            hostile,
            ImportReport(Path(EVIL), EVIL, *report),
            print,
        ),
    ]
    for dialog in dialogs:
        dialog.open()
    boxes = [
        ask_removal(hostile, EVIL, print),
        ask_link(hostile, f"http://x.example/{EVIL}", print),
        PasswordDialog(hostile, EVIL, print),
    ]
    hostile.actions_by_name["preferences"].trigger()
    hostile.actions_by_name["keys"].trigger()
    check_everything()
    for box in boxes[:2]:
        texts = [each for each in box.findChildren(QLabel) if each.text()]
        assert texts
        assert all(each.textFormat() == Qt.TextFormat.PlainText for each in texts)
    for widget in QApplication.topLevelWidgets():
        if widget.parent() is hostile:
            widget.close()


def test_a_tooltip_loads_no_picture_and_wraps_long_lines_alone(qtbot, tmp_path):
    assert [plain_tip(text)[:2] for text in ("", "Anna", "a " * 200)] == ["", "An", "<p"]
    picture = QImage(333, 222, QImage.Format.Format_RGB32)
    picture.fill(0xFF0000)
    picture.save(str(tmp_path / "x.png"))
    label = plain_label("x")
    qtbot.addWidget(label)
    label.show()
    QToolTip.showText(QPoint(5, 5), plain_tip(f"<img src='{tmp_path}/x.png'>"), label)
    tip = next(each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel"))
    assert tip.sizeHint().height() < 150
    QToolTip.hideText()
