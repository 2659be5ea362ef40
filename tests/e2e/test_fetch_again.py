"""Raw mail that was let go comes back from a real mailbox when its message is opened, and mail in two mailboxes shows
in both.
"""

import pytest

from nbmail.chunks import drain
from nbmail.settings import Account
from nbmail.ui.list.list_choice import Choice
from nbmail.values import FolderName
from tests.e2e.test_errors import PATIENCE, letters, open_program
from tests.sync.letters import letter
from tests.sync.test_local import MAKERS
from tests.worker.conftest import on_engine

__all__ = ["open_program"]
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def forget_texts(watch):
    """Evict all raw mail, as a full cache evicts the oldest."""
    on_engine(watch.program.engine, lambda parts: drain(parts.store.raw_mail.evicting(0)))


def shown(watch):
    return watch.window.parts.message.shown_message.message if watch.window.parts.message.shown_message else None


def text_of(watch):
    return watch.window.parts.message.body.toPlainText()


def test_an_evicted_text_is_fetched_from_the_server_again(open_program, dovecot, qtbot):
    dovecot.put(letters(5))
    watch = open_program(dovecot.account())
    qtbot.waitUntil(lambda: watch.synced and len(watch.inbox()) == 5, timeout=PATIENCE)
    forget_texts(watch)
    for message in watch.inbox()[:3]:
        watch.select(message)
        qtbot.waitUntil(lambda message=message: shown(watch) == message and bool(text_of(watch)), timeout=PATIENCE)
        assert not watch.window.parts.message.missing.isVisibleTo(watch.window)


def test_without_a_connection_the_text_is_fetched_later(open_program, make_dovecot, qtbot):
    dovecot = make_dovecot()
    dovecot.put(letters(5))
    watch = open_program(dovecot.account())
    qtbot.waitUntil(lambda: watch.synced and len(watch.inbox()) == 5, timeout=PATIENCE)
    watch.select(watch.inbox()[0])
    qtbot.waitUntil(lambda: bool(text_of(watch)), timeout=PATIENCE)
    forget_texts(watch)
    dovecot.kill()
    lacks = watch.window.parts.message.missing
    watch.select(watch.inbox()[1])
    qtbot.waitUntil(lambda: "is offline" in lacks.text(), timeout=PATIENCE)
    dovecot.start()
    watch.window.parts.actions.by_name["check"].trigger()
    qtbot.waitUntil(lambda: bool(text_of(watch)), timeout=PATIENCE)


def test_mail_on_the_server_and_on_the_disk_is_shown_once(open_program, dovecot, qtbot, tmp_path):
    MAKERS["mbox"](tmp_path / "copies", range(30))
    dovecot.put([letter(number) for number in range(30)])
    local = Account(name="copies", path=str(tmp_path / "copies"))
    watch = open_program(dovecot.account(), local)

    def counts():
        mail = watch.window.parts.model.mail if hasattr(watch.window, "parts") else None
        return {} if mail is None else mail.count_folders()

    qtbot.waitUntil(lambda: sorted(held for held, _ in counts().values()) == [30, 30], timeout=PATIENCE)
    mail = watch.window.parts.model.mail
    assert len(mail.messages) == 30
    (there,) = (name for name in counts() if name.account == "copies")
    watch.window.parts.updates.show_choice(Choice(folder=there))
    assert watch.window.parts.model.rowCount() == 30
    assert FolderName("alice", "INBOX") in counts()
