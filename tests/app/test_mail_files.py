"""Mail in files without an account: read in the background, scored, and shown with its reasons."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent

from nbmail.app.main import main
from nbmail.app.threads.opened_files import MAX_MESSAGES, read_mail
from nbmail.settings import Account
from nbmail.ui.evidence.breakdown.breakdown_lines import LineKind
from nbmail.ui.message.file_window import FileWindow
from tests.sync.letters import letter

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def files(tmp_path):
    """A message in a file, and two in an mbox."""
    (tmp_path / "one.eml").write_bytes(letter(1))
    (tmp_path / "two.mbox").write_bytes(
        b"".join(b"From x Mon\n" + letter(number) + b"\n\n" for number in (2, 3))
    )
    return [tmp_path / "one.eml", tmp_path / "two.mbox"]


def test_files_are_read_up_to_a_limit(files, tmp_path):
    found = read_mail(tuple(files))
    assert [name for name, _ in found.mails] == ["one.eml", "two.mbox", "two.mbox"]
    assert "No such file" in read_mail((tmp_path / "nowhere.eml",)).problem
    (tmp_path / "many").write_bytes((b"From x Mon\n" + letter(1) + b"\n\n") * (MAX_MESSAGES + 5))
    many = read_mail((tmp_path / "many",))
    assert (len(many.mails), many.more) == (MAX_MESSAGES, True)


def test_files_of_the_command_line_and_dropped_files_are_shown_with_scores(
    files, start_program, qtbot
):
    program = start_program(files=tuple(files[:1]))

    def windows():
        return program.window.findChildren(FileWindow)

    qtbot.waitUntil(lambda: len(windows()) == 1)
    qtbot.waitUntil(lambda: bool(windows()[0].message.body.toPlainText()))
    assert "nbmail doesn't store or learn" in windows()[0].note.text()
    evidence = windows()[0].evidence
    assert evidence.why is not None
    windows()[0].resize(1300, 800)
    assert not any(
        button.isVisible() for button in (evidence.expand, evidence.if_spam, evidence.dial)
    )
    assert all(line.kind is not LineKind.WEAKER for line in evidence.table.lines)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(files[1]))])
    copy = Qt.DropAction.CopyAction
    left = Qt.MouseButton.LeftButton
    keys = Qt.KeyboardModifier.NoModifier
    program.window.dropEvent(QDropEvent(QPoint(300, 300), copy, data, left, keys))
    qtbot.waitUntil(lambda: len(windows()) == 2)
    qtbot.waitUntil(lambda: "\n" in windows()[1].list.item(1).text())
    assert program.window.parts.model.rowCount() == 0
    for window in windows():
        window.close()


@pytest.mark.parametrize("how", ["--demo", "--home=here"])
def test_files_of_the_command_line_are_passed_to_program_and_demo(how, monkeypatch, tmp_path):
    ran = []
    home = SimpleNamespace(account=Account("robin"), password="", folder=tmp_path, settings=None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("nbmail.app.run.run", lambda options, began: ran.append(options) or 0)
    monkeypatch.setattr("nbmail.demo.home.demo_home", lambda: nullcontext(home))
    monkeypatch.setattr("nbmail.app.demo_run.names_display", lambda environment: True)
    monkeypatch.setattr("nbmail.app.demo_run.probe_display", lambda: nullcontext(lambda: None))
    assert main([how, "one.eml"]) == 0
    assert ran[0].files == (tmp_path / "one.eml",)
