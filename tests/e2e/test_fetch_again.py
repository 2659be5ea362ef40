"""Raw mail that was let go comes back when its message is opened, or for a newer tokenizer."""

import pytest

from nbmail.chunks import drain
from nbmail.core.words import tokenizer
from nbmail.core.words.tokenizer import TOKENIZER_VERSION, collect
from nbmail.settings import Account
from nbmail.worker.rereading import outdated_samples
from tests.e2e.test_errors import letters, said
from tests.worker.conftest import on_engine

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def forget_texts(watch):
    """Evict all raw mail, as a full cache evicts the oldest."""
    on_engine(watch.program.engine, lambda parts: drain(parts.store.raw_mail.evicting(0)))


def text_of(watch):
    return watch.window.parts.message.body.toPlainText()


def test_without_a_connection_the_text_is_fetched_later(open_program, make_dovecot, qtbot):
    dovecot = make_dovecot()
    dovecot.put(letters(5))
    watch = open_program(dovecot.account())
    qtbot.waitUntil(lambda: watch.synced and len(watch.inbox()) == 5)
    watch.open_message(watch.inbox()[0])
    qtbot.waitUntil(lambda: bool(text_of(watch)))
    forget_texts(watch)
    dovecot.kill()
    lacks = watch.window.parts.message.notes.missing
    watch.open_message(watch.inbox()[1])
    qtbot.waitUntil(lambda: "is offline" in lacks.text())
    dovecot.start()
    watch.window.parts.actions.by_name["check"].trigger()
    qtbot.waitUntil(lambda: bool(text_of(watch)))


def on_server(dovecot, folder):
    dovecot.put(letters(150))
    return dovecot.account()


def on_disk(dovecot, folder):
    for number, raw in enumerate(letters(150)):
        (folder / f"{number}.eml").write_bytes(raw)
    return Account(name="copies", path=str(folder))


@pytest.mark.parametrize("make", [on_server, on_disk])
def test_training_mail_is_fetched_and_learned_again_for_a_newer_tokenizer(
    open_program, dovecot, qtbot, monkeypatch, tmp_path, make
):
    (tmp_path / "mail").mkdir()
    account = make(dovecot, tmp_path / "mail")
    watch = open_program(account)
    qtbot.waitUntil(lambda: watch.synced and len(watch.parts.model.mail.messages) == 150)
    messages = watch.parts.model.mail.messages.tolist()
    marked = {label: tuple(messages[first:120:2]) for first, label in enumerate(("spam", "ham"))}
    for label, messages in marked.items():
        watch.program.engine.mark(messages, label)
    forget_texts(watch)
    open_program.end()

    def collect_more(mail, table, *about):
        table.add_words(["newer:word"])
        return collect(mail, table, *about)

    monkeypatch.setattr(tokenizer, "collect", collect_more)
    monkeypatch.setattr(outdated_samples, "TOKENIZER_VERSION", TOKENIZER_VERSION + 1)
    shown = set()
    watch = open_program(account)
    watch.program.bridge.arrived.connect(lambda _: shown.update(said(watch.window).splitlines()))

    def counted(parts):
        model = parts.store.model.model
        store = parts.store
        (number,) = model.vocabulary.known_numbers_of(["newer:word"])
        outdated = store.samples.outdated(TOKENIZER_VERSION + 1, 0, 1000)
        return number >= 0 and model.counts.documents_of([number])[:, 0].tolist(), len(outdated)

    qtbot.waitUntil(lambda: on_engine(watch.program.engine, counted) == ([60, 60], 30))
    assert any(text.startswith("Reading training mail again: ") for text in shown)
    qtbot.waitUntil(lambda: watch.synced and "Up to date" in said(watch.window))
