"""Identity of a message: the same in all places, another one for another content."""

import hashlib
import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.settings import LEAST_OF_MESSAGE, Account
from nbmail.store.labels_log.earlier_builds import earlier_identities
from nbmail.store.mail.identity import BODY, identify

LINES = st.lists(
    st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"").replace(b"\r", b"")),
    max_size=6,
)
NAME = st.from_regex(r"<[a-z0-9.]{1,20}@[a-z.]{1,20}>", fullmatch=True).map(str.encode)


def message(name, body, headers=(b"Subject: x",)):
    return b"\n".join([*headers, b"Message-ID: " + name, b"", *body])


@given(NAME, LINES)
def test_line_ends_and_added_headers_do_not_count(name, body):
    plain = message(name, body)
    assert identify(plain) == identify(plain.replace(b"\n", b"\r\n"))
    assert identify(plain) == identify(plain + b"\n\n")
    added = message(
        name,
        body,
        (b"X-Spam-Status: Yes", b"Received: from somewhere\n\tby elsewhere", b"SUBJECT :\n x"),
    )
    assert identify(plain) == identify(added)


@pytest.mark.parametrize(
    "header",
    [
        b"From: eve@x",
        b"Reply-To: eve@x",
        b"Subject: y",
        b"Content-Type: text/html",
        b"Content-Transfer-Encoding: base64",
    ],
)
def test_what_is_shown_or_answered_otherwise_is_another_message(header):
    plain = message(b"<1@x>", [b"body"])
    other = message(b"<1@x>", [b"body"], (header, b"Subject: x"))
    assert identify(plain) != identify(other)


def attachment(lines, ends=b"\r\n", added=b""):
    text = b"Subject: x\n" + added + b"Message-ID: <1@x>\n\n" + b"line of an attachment\n" * lines
    return text.replace(b"\n", ends)


@pytest.mark.parametrize("lines", [10, 18_100, 18_182, 18_190, 60_000])
def test_a_message_is_the_same_wherever_it_was_cut_off(lines):
    """By a server, in a Maildir, with headers added on the way, and uncut."""
    whole = attachment(lines)
    cap = 1_000_000
    copies = [
        attachment(lines, b"\n"),
        attachment(lines, added=b"Received: by a long way\n" * 2000),
        whole + b"\r\n",
    ]
    assert {identify(copy[:cap]) for copy in copies} == {identify(whole)}
    assert identify(attachment(lines).replace(b"Subject: x", b"Message-ID: <2@x>")) != identify(
        whole
    )


@pytest.mark.parametrize("cap", [LEAST_OF_MESSAGE, Account("home").largest_message])
def test_the_smallest_fetched_part_identifies_a_message_with_usual_headers(cap):
    whole = attachment(60_000, added=b"Received: by a long way\r\n" * 4000)
    assert len(whole.partition(b"\r\n\r\n")[0]) > 100_000
    assert identify(whole[:cap]) == identify(attachment(60_000, b"\n"))


def by_the_rule(raw):
    """Return the identity of this build, then those of the earlier ones."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    found = re.search(
        rb"^message-id[ \t]*:[ \t]*((?:[^\n]|\n[ \t])*)", head, re.IGNORECASE | re.MULTILINE
    )
    name = b"".join(found[1].split()) if found else b""
    if not name:
        instead = re.findall(
            rb"^(?:date|from|subject)[ \t]*:(?:[^\n]|\n[ \t])*", head, re.IGNORECASE | re.MULTILINE
        )
        name = b"\n".join(sorted(b" ".join(line.split()).lower() for line in instead))
    content = name + b"\0" + body[:BODY].rstrip()
    fields = re.findall(
        rb"^(from|reply-to|subject|content-type|content-transfer-encoding)[ \t]*:"
        rb"((?:[^\n]|\n[ \t])*)",
        head,
        re.IGNORECASE | re.MULTILINE,
    )
    lines = [name.lower() + b":" + b" ".join(value.split()) for name, value in fields]
    before = [line for line in lines if not line.startswith(b"reply-to:")]
    return (
        hashed(content + b"\0" + b"\n".join(lines)),
        hashed(content) + b"\1",
        hashed(content + b"\0" + b"\n".join(before)) + b"\2",
    )


def hashed(content):
    return hashlib.blake2b(content, digest_size=16).digest()


PIECES = b"Message-ID|message-id:|From:|Reply-To:|dATE :|Subject|:|<a@b>|x".split(b"|")
PIECES += b"\n|\r\n|\n |\n\t| |\t|\v|\f|\r|\0|\xff|\n\n".split(b"|")


@given(st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_identities_follow_the_rule(raw):
    assert (identify(raw), *earlier_identities(raw)) == by_the_rule(raw)


@pytest.mark.parametrize("header", [b"Message-ID: ", b"Subject: "])
@pytest.mark.parametrize("filling", [b"a ", b"\n a", b"\nSubject: x"])
def test_a_header_of_megabytes_takes_little_more_memory_than_itself(header, filling):
    raw = header + filling * (500_000 // len(filling)) + b"\n\nx"
    tracemalloc.start()
    try:
        assert len(identify(raw)) == 16
        assert tracemalloc.get_traced_memory()[1] < 20 * len(raw)
    finally:
        tracemalloc.stop()
