"""Facts about correspondents are fixed at the message's date, however the mail arrives."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import read_sent, sender_of
from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedState
from nbmail.sync.account_backend import SentMail
from nbmail.values import INBOX as INBOX_USE
from nbmail.values import Arrival, Delivery, FolderName, SenderRule
from tests.worker.conftest import INBOX, EngineHarness, mail, until_reread
from tests.worker.test_sorting import BOUNDARY, SORT, sorting, states, trained

SENT = FolderName("home", "Sent")
SERVER = "mx.home.example"
__all__ = ["trained"]
PEOPLE = ("bob@b.example", "eve@e.example", "me@home.example")


def sent(number, to, moment):
    date = f"Thu, 1 Jan 1970 00:{moment // 60:02}:{moment % 60:02} +0000"
    return read_sent(f"To: {to}\r\nDate: {date}\r\nMessage-ID: <s{number}@x>\r\n\r\n".encode())


def take_sent(harness, *messages, upto=1, complete=True):
    mail = SentMail(SENT, 1, upto, messages, ("me@home.example",), complete)
    harness.engine.backend.take_sent(mail)


def received(number, sender, moment, *, answers="", verified=True, more=""):
    raw = (
        f"Authentication-Results: {SERVER}; dmarc={'pass' if verified else 'fail'}\r\n{more}"
        f"From: {sender}\r\nMessage-ID: <r{number}@x>\r\n"
        f"{f'In-Reply-To: {answers}' if answers else 'X-None: 1'}\r\nSubject: no. "
        f"{number}\r\n\r\ntext {number}\r\n"
    ).encode()
    return Arrival(number, frozenset(), float(moment), raw, len(raw))


def bring(harness, *arrivals):
    harness.engine.backend.deliver(
        Delivery(INBOX, 1, arrivals=arrivals, complete=True, special=INBOX_USE)
    )


def facts(harness):
    def read(parts):
        store = parts.store
        found = {}
        for message, sample in store.samples.of(range(1, store.messages.last() + 1)).items():
            words = [store.words.vocabulary.word(number) for number in sample.words]
            about = sorted(
                word[5:] for word in words if word.startswith(("fact:known", "fact:thread"))
            )
            found[store.messages.headings([message])[message].subject] = tuple(about)
        return found

    return harness.on_engine(read)


@pytest.fixture
def home(harness):
    harness.ready()
    harness.engine.backend.trust("home", (SERVER,))
    return harness


def test_what_is_known_of_a_sender(home):
    take_sent(
        home,
        sent(1, "Bob <BOB@b.example>, list@lists.example", 100),
        sent(2, "me@home.example", 100),
    )
    listed = "List-Id: <list.lists.example>\r\n"
    bring(
        home,
        received(1, "Bob <bob@b.example>", 200),
        received(2, "bob@b.example", 200, verified=False),
        received(3, "bob@b.example", 50),
        received(4, "me@home.example", 200, verified=False),
        received(5, "eve@e.example", 200),
        received(6, "Bob via list <list@lists.example>", 200, more=listed),
        received(7, "bob@b.example", 200, more=listed),
        received(8, "bob@b.example\r\nFrom: eve@e.example", 200),
        received(9, "me@home.example", 200),
    )
    values = [facts(home)[f"no. {number}"][0].partition("=")[2] for number in range(1, 10)]
    assert values == [
        "verified",
        "written",
        "other",
        "me",
        "other",
        "other",
        "other",
        "other",
        "verified",
    ]


def test_what_a_message_answers(home):
    take_sent(home, sent(1, "bob@b.example", 100))
    bring(home, received(1, "eve@e.example", 200), received(2, "eve@e.example", 200))
    home.do.mark((1,), "ham")
    home.do.mark((2,), "spam")
    marked = int(home.clock.now) + 1
    answers = [
        "<s1@x>",
        "<r1@x>",
        "<r2@x>",
        "<nobody@x>",
        "",
        "<nobody@x>\r\nReferences: <s1@x> <r2@x>",
    ]
    for number, answered in enumerate(answers, 3):
        bring(home, received(number, "eve@e.example", marked, answers=answered))
    bring(home, received(9, "eve@e.example", 300, answers="<r1@x>"))
    values = [facts(home)[f"no. {number}"][1].partition("=")[2] for number in range(3, 10)]
    assert values == ["mine", "ham", "unknown", "unknown", "none", "mine", "unknown"]


def test_without_a_folder_of_sent_mail_there_are_no_facts(home):
    bring(home, received(1, "bob@b.example", 200, answers="<s1@x>"))
    assert facts(home) == {"no. 1": ()}
    take_sent(home, sent(1, "bob@b.example", 100), complete=False)
    bring(home, received(2, "bob@b.example", 200))
    until_reread(home)
    assert facts(home) == {"no. 1": (), "no. 2": ()}
    take_sent(home)
    until_reread(home)
    assert facts(home) == {
        "no. 1": ("known=verified", "thread=mine"),
        "no. 2": ("known=verified", "thread=none"),
    }


def test_mail_that_another_account_brought_first_gets_the_facts(home):
    copy = Delivery(
        FolderName("copies", "INBOX"),
        1,
        arrivals=(received(1, "bob@b.example", 200),),
        complete=True,
    )
    home.engine.backend.deliver(copy)
    take_sent(home, sent(1, "bob@b.example", 100))
    assert facts(home) == {"no. 1": ()}
    bring(home, received(1, "bob@b.example", 200))
    until_reread(home)
    assert facts(home) == {"no. 1": ("known=verified", "thread=none")}


def expected(letters, arrivals):
    """Return the facts by their definition."""
    found = {}
    for number, (person, moment, answered, verified) in enumerate(arrivals):
        written = any(to == person and date < moment for to, date in letters)
        claimed = "me" if person == 2 else "written" if written else "other"
        known = claimed if not verified else "verified" if written else "other"
        thread = "none" if answered is None else "mine" if answered < len(letters) else "unknown"
        found[f"no. {number + 1}"] = (f"known={known}", f"thread={thread}")
    return found


PERSON = st.integers(0, 2)
moments = st.integers(1, 3000)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.tuples(PERSON, moments), max_size=6),
    st.lists(
        st.tuples(PERSON, moments, st.none() | st.integers(0, 9), st.booleans()),
        min_size=1,
        max_size=9,
    ),
    st.integers(1, 9),
)
def test_reading_again_and_rebuilding_give_the_same_facts(letters, arrivals, together):
    mail = [
        received(
            number,
            PEOPLE[person],
            moment,
            answers="" if to is None else f"<s{to}@x>",
            verified=verified,
        )
        for number, (person, moment, to, verified) in enumerate(arrivals, 1)
    ]
    with tempfile.TemporaryDirectory() as folder, EngineHarness(Path(folder)) as harness:
        harness.ready()
        harness.engine.backend.trust("home", (SERVER,))
        take_sent(
            harness,
            *(sent(number, PEOPLE[to], moment) for number, (to, moment) in enumerate(letters)),
        )
        for first in range(0, len(mail), together):
            bring(harness, *mail[first : first + together])
        harness.do.mark(tuple(range(1, len(mail) + 1)), "ham")
        wanted = expected(letters, arrivals)
        assert facts(harness) == wanted
        # What is sent later, and labels that are given later, change nothing.
        take_sent(
            harness, *(sent(number, each, 5) for number, each in enumerate(PEOPLE, 100)), upto=9
        )
        harness.on_engine(lambda parts: parts.rereading.schedule_account("home"))
        until_reread(harness)
        assert facts(harness) == wanted
        harness.do.rebuild()
        harness.until_exact()
        counts = Counter(f"fact:{each}" for both in wanted.values() for each in both)

        def counted(parts):
            model = parts.store.model.model
            numbers = model.vocabulary.known_numbers_of(list(counts))
            return model.counts.documents_of(numbers)[0].tolist()

        assert harness.on_engine(counted) == list(counts.values())
        harness.again()
        assert facts(harness) == wanted


@pytest.mark.parametrize("rules", [(), (SenderRule("example.org", "spam"),)])
def test_written_to_and_own_threads_are_never_moved(trained, rules):
    """Nor if a rule of the user decides that they are always spam."""
    trained.engine.backend.trust("home", (SERVER,))
    for rule in rules:
        trained.do.set_rule(rule)
    take_sent(trained, sent(1, "offers1@example.org", 100))
    trained.do.set_sorting(SORT)

    def spam(number, *, verified=True, answers=""):
        """Return spam; its sender is offers1@example.org for 101, 111 and 121."""
        head = (
            f"Authentication-Results: {SERVER}; dmarc={'pass' if verified else 'fail'}\r\n{answers}"
        )
        raw = head.encode() + mail(number, spam=True)
        return Arrival(BOUNDARY + number, frozenset(), 2000.0, raw, len(raw))

    stays = (spam(101), spam(103, answers="In-Reply-To: <s1@x>\r\n"))
    bring(trained, *stays, spam(111, verified=False), spam(105))
    assert {action.uid - BOUNDARY for action in sorting(trained)} == {105, 111}
    kept = {reason for state, reason in states(trained).values() if state is SortedState.STAYED}
    assert kept == {Stay.WRITTEN_TO, Stay.OWN_THREAD}


def test_recipients_of_long_headers_are_read():
    many = ", ".join(f'"Doe, Jane" <jane{number}@x.example>' for number in range(100))
    message = read_sent(f"To: {many}\nBcc: bob@b.example\nDate: nonsense\n\n".encode())
    assert len(message.recipients) == 101
    assert (message.moment, len(message.identifier)) == (0.0, 8)
    for sender, address in (
        ("a@x, b@x", ""),
        ('"b@x" <b@x>', "b@x"),
        ('"<b@x>" <E@x>', "e@x"),
        ("<b@x> <e@x>", ""),
    ):
        assert sender_of(parse(f"From: {sender}\n\n".encode())) == address
