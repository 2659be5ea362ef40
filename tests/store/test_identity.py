"""The same message is the same wherever it lies and however it came; another one is another."""

from hypothesis import given
from hypothesis import strategies as st

from nbmail.store.identity import identify

LINES = st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"").replace(b"\r", b"")), max_size=6)
NAME = st.from_regex(r"<[a-z0-9.]{1,20}@[a-z.]{1,20}>", fullmatch=True).map(str.encode)


def message(name, body, headers=(b"Subject: x",)):
    return b"\n".join([*headers, b"Message-ID: " + name, b"", *body])


@given(NAME, LINES)
def test_line_ends_and_added_headers_do_not_count(name, body):
    plain = message(name, body)
    assert identify(plain) == identify(plain.replace(b"\n", b"\r\n"))
    assert identify(plain) == identify(plain + b"\n\n")
    added = message(
        name, body, (b"X-Spam-Status: Yes", b"Received: from somewhere\n\tby elsewhere", b"Subject: [SPAM] x")
    )
    assert identify(plain) == identify(added)


@given(NAME, NAME, LINES, LINES)
def test_different_messages_differ(name, other, body, text):
    same = name == other and b"\n".join(body).rstrip() == b"\n".join(text).rstrip()
    assert (identify(message(name, body)) == identify(message(other, text))) is same


def test_a_folded_message_id_is_the_same():
    assert identify(b"Message-ID:\n <a@b>\n\nx") == identify(b"message-id: <a@b>\r\n\r\nx\r\n")


def test_without_a_message_id_date_sender_and_subject_stand_in():
    one = b"From: a@b\nDate: Mon, 1 Jan 2024 10:00:00 +0000\nSubject: hello\n\nsame"
    assert identify(one) == identify(b"X-Added: 1\n" + one)
    assert identify(one) != identify(one.replace(b"10:00", b"10:01"))


@given(st.binary(max_size=300))
def test_any_bytes_have_an_identity(raw):
    assert len(identify(raw)) == 16
