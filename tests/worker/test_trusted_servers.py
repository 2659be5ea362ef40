"""Checks of senders count only as the account's own server wrote them, whatever the sender adds."""

import pytest

from nbmail.values import INBOX as INBOX_USE
from nbmail.values import Arrival, Delivery
from tests.worker.conftest import INBOX, SPAM, mail, until_reread

RECEIVED = (
    "Received: from relay.example (relay.example [192.0.2.1]) by mx.home.example with ESMTPS; "
    "Mon, 2 Nov 2026"
)


def checked(number, result, forged="", server="mx.home.example"):
    head = f"Authentication-Results: {server}; dmarc={result}\r\n{RECEIVED}\r\n"
    if forged:
        head += f"Authentication-Results: {server}; dmarc={forged}\r\n{RECEIVED}\r\n"
    raw = head.encode() + mail(number, number % 2 == 1)
    return Arrival(number, frozenset(), 1000.0 + number, raw, len(raw))


def bring(harness, *arrivals, folder=INBOX, special=INBOX_USE):
    delivery = Delivery(folder, 1, arrivals=arrivals, complete=True, special=special)
    harness.engine.backend.deliver(delivery)


def facts(harness, message):
    def words(parts):
        store = parts.store
        return {
            store.words.vocabulary.word(number)
            for number in store.samples.of([message])[message].words
        }

    return {
        word
        for word in harness.on_engine(words)
        if word.startswith(("fact:dmarc", "fact:spf", "fact:dkim"))
    }


@pytest.fixture
def inbox(harness):
    harness.ready()
    harness.engine.backend.trust("home", None)
    return harness


def test_the_inbox_shows_whose_checks_count(inbox):
    bring(inbox, *(checked(number, "pass") for number in range(1, 20)))
    assert facts(inbox, 1) == set()
    bring(inbox, checked(20, "fail", forged="pass"))
    until_reread(inbox)
    assert (facts(inbox, 1), facts(inbox, 20)) == ({"fact:dmarc=pass"}, {"fact:dmarc=fail"})
    inbox.again()
    bring(
        inbox,
        checked(21, "fail", forged="pass"),
        checked(22, "pass", server="mx.elsewhere.example"),
    )
    assert (facts(inbox, 21), facts(inbox, 22)) == ({"fact:dmarc=fail"}, set())
    assert inbox.do.list_trusted_servers("home") == ("mx.home.example",)


def test_nothing_is_learned_from_other_folders_or_local_accounts(inbox):
    bring(inbox, *(checked(number, "pass") for number in range(1, 40)), folder=SPAM, special="")
    assert inbox.do.list_trusted_servers("home") == ()
    inbox.engine.backend.trust("home", ())
    bring(inbox, *(checked(number, "pass") for number in range(40, 80)))
    assert inbox.do.list_trusted_servers("home") == ()


def test_the_user_names_the_servers(inbox):
    bring(inbox, *(checked(number, "pass") for number in range(1, 3)))
    inbox.engine.backend.trust("home", ("mx.home.example",))
    until_reread(inbox)
    assert facts(inbox, 1) == {"fact:dmarc=pass"}
    inbox.engine.backend.trust("home", ("mx.other.example",))
    until_reread(inbox)
    assert facts(inbox, 1) == set()


def test_a_removed_account_leaves_no_trust(inbox):
    bring(inbox, *(checked(number, "pass") for number in range(1, 30)))
    assert inbox.do.list_trusted_servers("home") == ("mx.home.example",)
    inbox.engine.backend.retain("home", (), spam=False)
    assert inbox.do.list_trusted_servers("home") == ()


def test_the_sender_of_an_open_message_is_verified_by_the_accounts_server(inbox):
    bring(inbox, checked(1, "pass"), checked(2, "fail", forged="pass"), checked(11, "pass"))
    assert [inbox.do.read_message(number).sender.domain for number in (1, 2)] == [None, None]
    inbox.engine.backend.trust("home", ("mx.home.example",))
    assert [inbox.do.read_message(number).sender.domain for number in (1, 2)] == ["example.org", ""]
    assert [inbox.do.read_message(number).sender.first for number in (1, 2, 3)] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("sender", "letters"),
    [
        ("Pаypal <a@b.example>", "а"),
        ("Москва <a@b.example>", ""),
        ("x <x@xn--80ak6aa92e.com>", "арӏе"),
        ("x <x@аррӏе.com>", "арӏе"),
        ("Bücher <x@bücher.example>", ""),
        ("x <x@президент.рф>", ""),
        ("x <x@xn--.example>", ""),
    ],
)
def test_letters_that_look_like_latin_ones_are_found(inbox, sender, letters):
    raw = f"From: {sender}\r\nMessage-ID: <1@x>\r\n\r\ntext\r\n".encode()
    bring(inbox, Arrival(1, frozenset(), 1000.0, raw, len(raw)))
    assert inbox.do.read_message(1).sender.lookalikes == tuple(letters)
