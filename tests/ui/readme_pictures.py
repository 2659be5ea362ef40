"""Screenshots for the README, with the demo mail: `python -m tests.ui.readme_pictures`."""

import os
import sys
import tempfile
from datetime import datetime
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QDialog

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.settings import Account
from nbmail.ui.evidence.breakdown.breakdown_lines import LineKind
from nbmail.ui.evidence.word.word_window import WordWindow
from nbmail.ui.list.list_choice import Choice
from nbmail.ui.model.model_window import ModelWindow
from nbmail.values import INBOX, VERDICTS, AccountState, Arrival, Delivery, FolderName, Phase
from tests.ui.helpers import place_of, put_away, wait_for
from tests.ui.real import ACCOUNT, Mailbox, settle
from tests.ui.scenes import SCENES

FOLDER = Path(__file__).parents[2] / "resources" / "pictures"
MORNING = datetime(2026, 11, 19, 10, 30).timestamp()
SIZE = (1264, 780)
SCRIPTED = {"welcome": "empty", "account": "account_dialog", "import": "model_import"}


def main():
    """Take all screenshots."""
    app = QApplication([])
    for name, scene in SCRIPTED.items():
        window = SCENES[scene]()
        take(name, place_of(window))
        put_away(window)
    with tempfile.TemporaryDirectory() as home:
        clock = [MORNING]
        # Of an account on a server, whose checks of senders count.
        mailbox = Mailbox(
            Path(home),
            size=SIZE,
            clock=lambda: clock[0],
            accounts=(Account(ACCOUNT, "imap.example.org"),),
        )
        mailbox.window.show()
        fill(mailbox, clock)
        take_all(mailbox)
        mailbox.close()
    del app
    return 0


def take(name, widget):
    """Save one screenshot."""
    widget.grab().save(str(FOLDER / f"{name}.png"))


def fill(mailbox, clock):
    """Deliver the demo mail with its dates, so that labels have dates as well."""
    for number, each in enumerate(demo_mailbox(demo_folder(), MORNING), 1):
        clock[0] = each.received + each.delay
        arrival = Arrival(number, each.flags, clock[0], each.raw, len(each.raw))
        folder = FolderName(ACCOUNT, each.folder)
        special = INBOX if each.folder == "INBOX" else ""
        mailbox.backend.deliver(
            Delivery(folder, 1, arrivals=(arrival,), complete=True, special=special)
        )
        wait_for(lambda number=number: mailbox.window.model.rowCount() == number)
    clock[0] += 60
    mailbox.bridge.emit_event(AccountState(ACCOUNT, Phase.SYNCED, clock[0] - 20))
    mailbox.window.show_choice(Choice(folder=FolderName(ACCOUNT, "INBOX")))
    settle(mailbox)


def take_all(mailbox):
    """Take the window, its reasons, a word, the model and the review of unsure messages."""
    window = mailbox.window
    mail = window.model.mail
    spam, unsure = (
        next(
            row
            for row, place in enumerate(mail.order)
            if row and mail.verdicts[place] == VERDICTS.index(verdict)
        )
        for verdict in ("spam", "unsure")
    )
    window.table.go_to(spam)
    settle(mailbox)
    take("window", window)
    window.actions_by_name["explain"].trigger()
    settle(mailbox)
    take("why", window)
    window.table.go_to(unsure)
    settle(mailbox)
    panel = window.evidence
    row = next(row for row, line in enumerate(panel.table.lines) if line.kind is LineKind.WORD)
    panel.table.clicked.emit(panel.table.model().index(row, 0))
    word = window.findChild(WordWindow)
    settle(mailbox)
    word.simulate.click()
    settle(mailbox)
    take("word", word)
    word.close()
    window.actions_by_name["explain"].trigger()
    window.parts.show_model()
    shown = window.findChild(ModelWindow)
    settle(mailbox)
    take("model", shown)
    shown.close()
    window.actions_by_name["triage"].trigger()
    settle(mailbox)
    assert not [each for each in window.findChildren(QDialog) if each.isVisible()]
    take("triage", window)


if __name__ == "__main__":
    sys.exit(main())
