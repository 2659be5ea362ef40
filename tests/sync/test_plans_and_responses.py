"""Fetch plans, parsed responses and folder names: pure functions."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.fetch_plan import ServerState, apply_delivery, make_plan
from nbmail.sync.imap.folders.name_encoding import encoded
from nbmail.sync.imap.folders.server_folders import ServerFolder, ServerFolders
from nbmail.sync.imap.protocol.fetch_responses import fetched, flag_set
from nbmail.sync.imap.protocol.names import astring, wire_text
from nbmail.sync.imap.protocol.uid_sets import vanished
from nbmail.values import Arrival, Delivery, FolderName, StoredFolder

FLAGS = some.frozensets(some.sampled_from(["\\Seen", "\\Flagged", "$Junk", "work"]))
MAILBOX = some.dictionaries(some.integers(1, 60), FLAGS)
NAME = FolderName("alice", "INBOX")


@given(MAILBOX, MAILBOX, some.integers(1, 2), some.integers(1, 2))
def test_a_plan_leads_to_the_servers_state(known, there, before, now):
    stored = StoredFolder(before, 5, dict(known))
    plan = make_plan(stored, ServerState(now, 9, there))
    arrivals = tuple(Arrival(uid, there[uid], 0.0, b"", 0) for uid in plan.fetch)
    delivery = Delivery(NAME, now, 9, arrivals, plan.flags, plan.expunged, complete=True)
    after = apply_delivery(stored, delivery)
    assert (after.validity, after.modseq, after.flags) == (now, 9, there)
    assert list(plan.fetch) == sorted(plan.fetch, reverse=True)
    if before == now:
        assert not set(plan.fetch) & set(known)
        assert plan.expunged == set(known) - set(there)


@given(some.binary(max_size=300))
def test_a_body_is_never_parsed_as_a_response(body):
    head = b"* 3 FETCH (UID 7 FLAGS (\\Seen \\Recent) RFC822.SIZE 5 BODY[]<0> {%d}" % len(body)
    found = fetched([head, body, b' INTERNALDATE "17-Jul-1996 02:44:25 -0700")'])
    assert (found.uid, found.flags, found.size, found.body) == (7, {"\\Seen"}, 5, body)
    assert found.received == 837596665.0


@pytest.mark.parametrize(
    ("text", "uid", "body"),
    [
        (b'* 1 FETCH (BODY[] "UID 99 \\"x\\" FLAGS (a)" UID 4)', 4, b'UID 99 "x" FLAGS (a)'),
        (b"* 1 FETCH (UID 4 BODY[] NIL)", 4, None),
        (b"* 1 FETCH (FLAGS () UID 4)", 4, None),
        (b"* 1 fetch (uid 4 flags ())", 4, None),
    ],
)
def test_bodies_that_are_no_literals_are_parsed(text, uid, body):
    assert (fetched([text]).uid, fetched([text]).body) == (uid, body)


@given(some.binary(max_size=80))
def test_any_line_is_parsed_without_an_error(line):
    reply = [b"* 1 FETCH (" + line]
    assert fetched(reply) is None or fetched(reply).uid >= 0
    dated = fetched([b'* 1 FETCH (UID 4 INTERNALDATE "' + line.replace(b'"', b"") + b'")'])
    assert dated.received >= -1e12
    assert "\\Recent" not in flag_set(line)


@pytest.mark.parametrize(
    "unit", [b"(BODY[", b"(FLAGS (", b" UID 1", b'(INTERNALDATE "', b' BODY[] "\\"']
)
def test_a_line_of_unclosed_items_is_parsed(unit):
    assert (found := fetched([b"* 1 FETCH (UID 5 " + unit * 50_000])) is None or found.uid == 5


@pytest.mark.parametrize("number", [b"9" * 5000, b"9" * 11, b"-1"])
def test_numbers_that_the_protocol_forbids_are_ignored(number):
    assert fetched([b"* 1 FETCH (UID " + number + b" FLAGS ())"]) is None
    assert vanished(b"9" * 5000) == []


@pytest.mark.parametrize("name", [b"a\r\nA1 LOGOUT", b"a\nb", b"\0", "ä\r\nA1 LOGOUT".encode()])
@pytest.mark.parametrize("written", [astring, wire_text])
def test_a_name_with_a_line_break_is_refused(name, written):
    with pytest.raises(KnownError) as caught:
        written(name)
    assert caught.value.error_code is ErrorCode.BAD_INPUT


def folders(*names, separator="/", uses=None, chosen=""):
    uses = uses or {}
    made = [
        ServerFolder(name, encoded(name), separator, frozenset(uses.get(name, ())))
        for name in names
    ]
    return ServerFolders(made, {"\\Junk": chosen})


@pytest.mark.parametrize(
    ("found", "spam"),
    [
        (folders("INBOX", "Spam", "Junk E-mail", uses={"Junk E-mail": ["\\Junk"]}), "Junk E-mail"),
        (folders("INBOX", "Bulk Mail", "Junk"), "Junk"),
        (folders("INBOX", "INBOX.Spam", separator="."), "INBOX.Spam"),
        (folders("INBOX", "[Gmail]/Spam"), "[Gmail]/Spam"),
        (folders("INBOX", "[Google Mail]/Spam"), "[Google Mail]/Spam"),
        (folders("INBOX", "Junk-E-Mail"), "Junk-E-Mail"),
        (folders("INBOX", "迷惑メール"), "迷惑メール"),
        (folders("INBOX", "JUNK EMAIL"), "JUNK EMAIL"),
        (folders("INBOX", "Spam", "Mine", chosen="Mine"), "Mine"),
        (folders("INBOX", "Work/Spam", "Lists/Junk"), None),
        (folders("INBOX", "Spam", chosen="Not yet"), None),
    ],
)
def test_the_spam_folder_is_found_by_choice_special_use_or_name(found, spam):
    assert (found.spam.name if found.spam else None) == spam


def test_special_uses_of_folders_are_found_by_mark_or_name():
    for trash in ("Deleted Items", "Gelöschte Elemente", "[Google Mail]/Bin"):
        found = folders("INBOX", "Junk", trash, "Sent", "Other", uses={"Sent": ["\\Sent"]})
        assert [found.special(each.name) for each in found.all] == [
            "\\Inbox",
            "\\Junk",
            "\\Trash",
            "\\Sent",
            "",
        ]
    assert folders("INBOX", chosen="Müll").to_create("\\Junk") == "Müll"
    assert "inbox" in found and "Nothing" not in found
