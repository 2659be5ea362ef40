"""Random keys and clicks on the real engine: no exception, no warning, and no event about a bug."""

import os

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QApplication, QFileDialog

from nbmail.ui.message import printing
from nbmail.worker.protocol.events import EngineFailed
from tests.ui import filing_mail
from tests.ui.helpers import printer_to
from tests.ui.monkey import PATIENCE, Monkey
from tests.ui.real import settle

SEEDS, ACTS = (range(5), 10_000) if os.environ.get("NBMAIL_TORTURE") else (range(1), 300)


def newsletter(number):
    """Return a verified message with remote pictures, an attachment and ways to unsubscribe."""
    server = "mx.home.example"
    return (
        f"Authentication-Results: {server}; dmarc=pass header.from=shop.example; dkim=pass "
        f"header.d=shop.example\r\n"
        f"Received: from relay.example (relay.example [192.0.2.1]) by {server} with ESMTPS; "
        f"Mon, 2 Nov 2026\r\n"
        "DKIM-Signature: v=1; d=shop.example; h=from:list-unsubscribe:list-unsubscribe-post; "
        "b=x\r\n"
        "List-Unsubscribe: <https://shop.example/u?1>, <mailto:leave@shop.example>\r\n"
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
        f"From: Shop <news@shop.example>\r\nSubject: News {number}\r\nMessage-ID: "
        f"<n{number}@shop.example>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/html\r\n\r\n<table><tr><td><img "
        "src='https://shop.example/a.png' width=99></td>"
        f"<td><a href='https://shop.example/{number}'>Offer {number}</a></td></tr></table>\r\n"
        "--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; "
        "filename=a.txt\r\n\r\nx\r\n--b--\r\n"
    ).encode()


@pytest.mark.qt_log_ignore("This plugin does not support", "occurs outside target window")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_monkey_breaks_nothing(seed, open_mailbox, qtbot, qtlog, caplog, monkeypatch, tmp_path):
    """The first problem ends the test and is reported with the latest acts."""
    chosen = tmp_path / "chosen.nbmodel"
    monkeypatch.setattr(
        QFileDialog, "open", lambda dialog: (dialog.fileSelected.emit(str(chosen)), dialog.reject())
    )
    monkeypatch.setattr(printing, "QPrinter", lambda: printer_to(tmp_path / "printed.pdf"))
    monkeypatch.setattr(QPrintDialog, "show", lambda dialog: dialog.finished.emit(1))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    mailbox = open_mailbox(30, inbox=200, accounts=(filing_mail.REMOTE,))
    filing_mail.fill(mailbox)
    mailbox.deliver("INBOX", [newsletter(number) for number in range(20)], first=2001)
    mailbox.window.model_files.export_to(chosen)
    settle(mailbox)
    mailbox.window.actions_by_name["quit"].setVisible(False)
    mailbox.window.actions_by_name["quit"].setEnabled(False)
    bugs = []
    monkey = Monkey(seed)
    mailbox.bridge.arrived.connect(
        lambda event: (
            bugs.append(event)
            if isinstance(event, EngineFailed) and not event.failed.error_code
            else None
        )
    )
    with qtbot.capture_exceptions() as raised:
        for act in range(ACTS):
            monkey.act()
            qtbot.wait(50 if act % 40 == 0 else 0)
            logged = [
                record.getMessage()
                for record in caplog.records
                if record.levelname in ("WARNING", "ERROR")
            ]
            warnings = [
                record.message
                for record in qtlog.records
                if record.type_name != "QtDebugMsg" and not record.ignored
            ]
            problems = [*raised, *bugs, *logged, *warnings]
            assert not problems, "\n".join([f"act {act}: {problems}", *monkey.trail])
            assert mailbox.window.isVisible(), "\n".join(monkey.trail)
        while front := QApplication.activePopupWidget() or QApplication.activeModalWidget():
            front.close()
        settle(mailbox)
        # The monkey's own timers end.
        qtbot.wait(2 * PATIENCE)
