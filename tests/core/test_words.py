import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.reading.clues import LONGEST_WORD, gather
from nbmail.core.reading.facts import MEASURES
from nbmail.core.reading.mail import parse

PAGE = (
    b"From: anna@example.org\nTo: b@example.org\nSubject: Hello\nX-Spam-Flag: YES\n"
    b'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n'
    b'<p style="display:none">Hello <b>you</b> <a href="http://evil.example/path">http://bank.example</a>'
    b'<img src="http://img.example/x.gif"></p>\n--b\nContent-Type: application/pdf; name="Your Invoice.PDF"\n'
    b"\nx\n--b--\n"
)  # fmt: skip


def words(raw):
    clues = gather(parse(raw))
    return dict(zip(clues.words, clues.occurrences, strict=True))


def measure(raw, name):
    return gather(parse(raw)).measures[MEASURES.index(name)]


def test_every_place_speaks():
    found = words(PAGE)
    assert {
        "hello", "you", "subject:hello", "from:anna@example.org", "from:@example.org", "to:b@example.org",
        "link:evil.example", "link:@evil.example", "link:elsewhere", "path:path", "path:gif", "html:hiding",
        "file:invoice", "file:application/pdf", "file:.pdf", "fact:charset=utf-8", "measure:images=1",
    } <= found.keys()  # fmt: skip
    assert not any(word.startswith("x-spam") for word in found)


def test_words_are_counted():
    found = words(b"Subject: a\n\nspam Spam SPAM eggs")
    assert (found["spam"], found["eggs"], found["subject:a"]) == (3, 1, 1)


def test_body_words_stand_plain_and_all_others_say_their_place():
    found = words(b"Subject: a\n\nsubject: a:b from:x")
    assert {"subject", "a", "b", "from", "x"} <= found.keys()
    assert {"subject:a", "subject:^ a", "subject:a $"} == {word for word in found if word.startswith("subject:")}


def test_the_first_pairs_of_a_text_are_its_beginning():
    raw = b"Subject: a\n\n" + b"\n" * 50 + b" ".join(b"w%d" % number for number in range(30))
    assert {word for word in words(raw) if word.startswith("start:")} == {
        f"start:w{number} w{number + 1}" for number in range(5)
    }
    assert "start:\u65e5\u672c \u672c\u8a9e" in words("Subject: a\n\n\u65e5\u672c\u8a9e".encode())


def test_mixed_scripts_are_noted():
    assert "text:mixed-scripts" in words("Subject: a\n\npаypal".encode())
    assert "text:mixed-scripts" not in words(b"Subject: a\n\npaypal")


def test_words_too_long_to_come_back_are_dropped():
    long = b"x" * (LONGEST_WORD + 1)
    assert long[1:].decode() in words(b"Subject: a\n\n" + long[1:])
    assert long.decode() not in words(b"Subject: a\n\n" + long)


@pytest.mark.parametrize(
    ("name", "value"),
    [("size", len(PAGE)), ("words", 5), ("links", 4), ("link-hosts", 3), ("images", 1), ("tags", 7), ("files", 1),
     ("headers", 5), ("hops", 0), ("recipients", 1), ("subject-length", 5), ("quoted-lines", 0)],
)  # fmt: skip
def test_measures(name, value):
    assert measure(PAGE, name) == value


def test_quoted_lines():
    assert measure(b"Subject: a\n\nyou said\n> one\n> two\nyes", "quoted-lines") == 2


@given(st.binary(max_size=500))
def test_the_same_mail_gives_the_same_clues(raw):
    raw = b"Subject: =?utf-8?b?" + raw
    assert gather(parse(raw)) == gather(parse(raw))
