"""Conversations by Message-ID, References and In-Reply-To."""

from nbmail.core.folders.folder_model import THREAD
from nbmail.values import ActionKind, Arrival, Delivery
from tests.worker.conftest import INBOX
from tests.worker.test_folders import WORDS, filled, model, rebuilt, settle, wait_for_suggestions
from tests.worker.test_folders import letter as letter_of

__all__ = ["filled"]


def letter(uid, name, references="", answered=""):
    raw = f"From: {name}@x.org\r\nSubject: tea\r\nMessage-ID: <{name}@x>\r\n"
    raw += f"References: {references}\r\n" if references else ""
    raw += f"In-Reply-To: {answered}\r\n" if answered else ""
    return Arrival(uid, frozenset(), 100.0 + uid, f"{raw}\r\n{name}".encode(), 200)


def test_messages_that_answer_each_other_belong_together(harness):
    letters = (
        letter(1, "a"),
        letter(2, "b", "<a@x>", "<a@x>"),
        letter(3, "c", "<a@x> <b@x>", "<b@x>"),
        letter(4, "d", answered="<a@x>"),
        letter(5, "other"),
        letter(6, "unseen", "<nowhere@x>"),
    )
    harness.ready()
    harness.engine.backend.deliver(Delivery(INBOX, 1, arrivals=letters, complete=True))
    rows = harness.do.list_mail()
    numbers = {
        sender[: sender.index("@")]: message
        for sender, message in zip(rows.senders, rows.messages.tolist(), strict=True)
    }
    for name in "abcd":
        found = harness.do.list_conversation(numbers[name])
        assert [each.sender for each in found] == [f"{one}@x.org" for one in "abcd"]
    assert [each.message for each in harness.do.list_conversation(numbers["other"])] == [numbers["other"]]
    harness.on_engine(lambda parts: parts.store.connection.execute("DELETE FROM threads"))
    harness.again()
    harness.settle()
    assert len(harness.do.list_conversation(numbers["c"])) == 4, "mail of an earlier version is read from the cache"


def test_threads_of_stored_mail_in_suggested_folders_are_fetched(filled):
    # What was learned one at a time may have been learned in another order.
    before = rebuilt(filled).model.habits.uses
    assert any(key.startswith(THREAD) for key in before)

    def lose(parts):
        parts.store.connection.execute("DELETE FROM threads")
        parts.folders._accounts["home"].is_stale = True

    filled.on_engine(lose)
    settle(filled)
    assert not any(key.startswith(THREAD) for key in model(filled).habits.uses)
    filled.on_engine(lambda parts: list(parts.store.raw_mail.evicting(0)))
    filled.again()
    wait_for_suggestions(filled)
    settle(filled)
    fetches = [one for one in filled.engine.backend.pending_actions("home") if one.kind is ActionKind.FETCH]
    assert {one.folder.folder for one in fetches} <= set(WORDS)
    while fetches:
        for one in fetches:
            filled.engine.backend.complete_fetch(one, letter_of(one.uid, one.folder.folder))
        settle(filled)
        fetches = [one for one in filled.engine.backend.pending_actions("home") if one.kind is ActionKind.FETCH]
    assert model(filled).habits.uses == before
