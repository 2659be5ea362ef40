"""People whom the user wrote to, in sent mail on a real server and on the disk."""

import mailbox

import pytest

from nbmail.settings import Account
from nbmail.ui.evidence.breakdown.score_breakdown import break_down
from nbmail.ui.list.list_choice import Column
from tests.worker.conftest import on_engine
from tests.worker.test_people import SERVER, received

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
SENT = "To: {to}\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\nMessage-ID: <s{number}@x>\r\n\r\nhi\r\n"


class OnServer:
    """Mailbox of a Dovecot."""

    def __init__(self, dovecot, folder):
        self.client = dovecot.client()
        self.account = dovecot.account(trusted_servers=(SERVER,))

    def add(self, folder, raw):
        self.client.append(folder, raw)


class OnDisk:
    """Maildirs in a folder."""

    def __init__(self, dovecot, folder):
        self.boxes = {name: mailbox.Maildir(folder / "mail" / name) for name in ("INBOX", "Sent")}
        self.account = Account(
            "alice", path=str(folder / "mail"), poll_seconds=0.2, trusted_servers=(SERVER,)
        )

    def add(self, folder, raw):
        self.boxes[folder].add(raw)


@pytest.mark.parametrize("make", [OnServer, OnDisk])
def test_sent_mail_is_read_before_the_answers_to_it(open_program, dovecot, qtbot, tmp_path, make):
    (tmp_path / "mail").mkdir()
    place = make(dovecot, tmp_path)
    for number in range(12):
        place.add("Sent", SENT.format(to="Bob <bob@b.example>", number=number).encode())
    place.add("INBOX", received(1, "bob@b.example", 0).raw)
    place.add("INBOX", received(2, "bob@b.example", 0, verified=False, answers="<s3@x>").raw)
    watch = open_program(place.account)

    def known(message):
        def read(parts):
            sample = parts.store.samples.of([message])[message]
            words = map(parts.store.words.vocabulary.word, sample.words)
            return {word for word in words if word.startswith(("fact:known", "fact:thread"))}

        return on_engine(watch.program.engine, read)

    def known_people():
        return on_engine(watch.program.engine, lambda parts: parts.store.people.recipients())

    def messages():
        mail = watch.window.parts.model.mail
        return {mail.subjects[row]: int(mail.messages[row]) for row in mail.order.tolist()}

    qtbot.waitUntil(lambda: watch.synced and len(messages()) == 2)
    assert known(messages()["no. 1"]) == {"fact:known=verified", "fact:thread=none"}
    assert known(messages()["no. 2"]) == {"fact:known=written", "fact:thread=mine"}
    watch.program.engine.mark((messages()["no. 1"],), "ham")
    watch.program.engine.mark((messages()["no. 2"],), "spam")
    watch.open_message(messages()["no. 1"])

    def reasons():
        why = watch.window.parts.evidence.why
        return (
            []
            if why is None
            else [line.text for _, lines in break_down(why).groups for line in lines]
        )

    sentence = "you wrote to this address 12 times, and your mail server confirmed the sender"
    qtbot.waitUntil(lambda: sentence in reasons())
    listed = watch.window.parts.model
    row = listed.row_of(messages()["no. 2"])
    watch.window.parts.table.header.hide_columns(set())
    assert not watch.window.parts.table.isColumnHidden(Column.VERIFIED)
    assert [listed.index(each, Column.VERIFIED).data() for each in (row, 1 - row)] == [
        "No",
        "✓ Yes",
    ]
    for number in range(3, 6):
        place.add("Sent", SENT.format(to=f"new{number}@n.example", number=100 + number).encode())
        # Both could come while the mailbox is looked at, after the sent mail and before the inbox.
        qtbot.waitUntil(lambda number=number: f"new{number}@n.example" in known_people())
        place.add(
            "INBOX",
            received(number, f"new{number}@n.example", 0, answers=f"<s{100 + number}@x>").raw,
        )
        qtbot.waitUntil(lambda number=number: f"no. {number}" in messages())
        assert known(messages()[f"no. {number}"]) == {"fact:known=verified", "fact:thread=mine"}
