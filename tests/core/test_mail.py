import email
import email.policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.mail import headers
from nbmail.core.mail.decoding import TEXT_CAP, decode_words
from nbmail.core.mail.headers import HEADER_CAP, parameters
from nbmail.core.mail.message import AttachedFile, TextPart
from nbmail.core.mail.parser import DEPTH_CAP, PART_CAP, inline_files, parse
from tests.needs import need_compiled, need_corpus

SIMPLE = b"From: Anna <anna@example.org>\nSubject: Lunch\n\nAt noon?\n"


def multipart(*parts, boundary=b"edge", kind=b"mixed", preamble=b"", epilogue=b""):
    lines = [
        b"Subject: parts\nContent-Type: multipart/%s; boundary=%s\n\n" % (kind, boundary),
        preamble,
    ]
    for part in parts:
        lines += [b"\n--" + boundary + b"\n", part]
    return b"".join([*lines, b"\n--", boundary, b"--\n", epilogue])


def texts(raw):
    return [part.text for part in parse(raw).texts]


def test_a_plain_message():
    mail = parse(SIMPLE)
    assert mail.headers == (("from", "Anna <anna@example.org>"), ("subject", "Lunch"))
    assert mail.texts == (TextPart("text/plain", "", "At noon?\n"),)
    assert (mail.files, mail.size) == ((), len(SIMPLE))
    assert (mail.header("subject"), mail.header("to")) == ("Lunch", "")


@pytest.mark.parametrize("ends", [b"\r\n", b"\r"])
def test_line_ends_change_nothing_but_the_size(ends):
    raw = SIMPLE.replace(b"\n", ends)
    mail = parse(raw)
    assert (mail.headers, mail.texts) == (parse(SIMPLE).headers, parse(SIMPLE).texts)
    assert mail.size == len(raw)


@pytest.mark.parametrize(
    "line", [b"From anna@example.org Mon Jan  1 00:00:00 2024\n", b">From anna Mon Jan  1\n"]
)
def test_the_line_that_parts_messages_in_a_mail_file_is_no_header(line):
    assert parse(line + SIMPLE).headers == parse(SIMPLE).headers


@pytest.mark.parametrize(
    "lines",
    [
        b"some tool: loading\xe2\x80\xa6\n",
        b"loading\nstill loading\n",
        b"From a@b Mon Jan  1\n>From anna Mon Jan  1\n",
        b"  indented\nand not\n",
    ],
)
def test_stray_lines_above_the_headers_are_no_part_of_a_message(lines):
    assert parse(lines + SIMPLE).headers == parse(SIMPLE).headers
    assert texts(lines + SIMPLE) == texts(SIMPLE)
    inside = multipart(b"Content-Type: message/rfc822\n\n" + lines + SIMPLE)
    assert texts(inside) == texts(SIMPLE)


def test_headers_are_unfolded_and_decoded_and_keep_their_order():
    raw = b"Received: one\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\taus  Ulm\nRECEIVED : two\n\n"
    assert parse(raw).headers == (
        ("received", "one"),
        ("subject", "Grüße aus  Ulm"),
        ("received", "two"),
    )


def test_raw_bytes_in_headers_are_read_in_the_charset_of_the_body():
    raw = "Subject: новости\nContent-Type: text/plain; charset=koi8-r\n\nпривет\n".encode("koi8-r")
    mail = parse(raw)
    assert (mail.header("subject"), mail.texts[0].text) == ("новости", "привет\n")
    assert parse("Subject: Grüße\n\n".encode()).header("subject") == "Grüße"
    assert parse("Subject: Grüße\n\n".encode("latin-1")).header("subject") == "Grüße"


def test_lines_that_are_no_headers_are_passed_over():
    mail = parse(b"Subject: a\nnonsense here\n: nameless\ntwo words: b\nTo: c\n\nbody")
    assert mail.headers == (("subject", "a"), ("to", "c"))
    assert mail.texts[0].text == "body"


def test_a_block_of_headers_gone_wrong_is_read_as_text():
    assert texts(b"Subject: a\nThe blank line is missing\n") == ["The blank line is missing\n"]


def test_what_has_no_headers_is_all_text():
    assert texts(b"hello\nyou\n\nSubject: no\n") == ["hello\nyou\n\nSubject: no\n"]
    assert texts(multipart(b"hello\nSubject: no\n\nyou")) == ["hello\nSubject: no\n\nyou"]
    assert texts(b"\nhello") == ["hello"]
    assert texts(b"") == [""]


def test_a_first_line_that_continues_nothing_is_dropped():
    assert parse(b" goes!on\nSubject: a\n\nb").headers == (("subject", "a"),)
    assert parse(b" Subject: a\n\nb").headers == (("subject", "a"),)
    assert texts(b"  just text") == ["  just text"]


def test_pictures_inside_a_message_are_found_by_their_id_within_a_bound():
    parts = "".join(
        (
            f"--b\nContent-Type: {kind}\nContent-ID: <{name}>\nContent-Transfer-Encoding: "
            f"base64\n\n{content}\n"
        )
        for name, kind, content in (
            ("a@x", "image/png", "YWJj"),
            ("b@x", "text/css", "YWJj"),
            ("c@x", "IMAGE/GIF", "ZGVm"),
        )
    )
    raw = (
        f"Content-Type: multipart/related; boundary=b\n\n{parts}--b\nContent-Type: "
        f"image/png\n\nx\n--b--\n"
    ).encode()
    assert inline_files(raw, 100) == {"a@x": b"abc", "c@x": b"def"}
    assert inline_files(raw, 5) == {"a@x": b"abc"}
    assert inline_files(raw, 0) == {}


def test_parts_are_read_in_order_and_files_are_named():
    raw = multipart(
        b"Content-Type: text/plain; charset=iso-8859-1\n\nGr\xfc\xdfe",
        b"\nno headers",
        b"Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\nQUJDRA==\n",
        (
            b"Content-Type: text/plain\nContent-Disposition: attachment; "
            b'filename="notes.txt"\n\nkept aside'
        ),
        (
            b"Content-Type: text/html\nContent-Disposition: attachment; "
            b"filename=page.html\n\n<p>read all the same"
        ),
        b"Content-Type: text/plain; name=inline.txt\n\nread too",
        preamble=b"for old programs",
        epilogue=b"and nothing more",
    )
    mail = parse(raw)
    assert [part.text for part in mail.texts] == [
        "Grüße",
        "no headers",
        "<p>read all the same",
        "read too",
    ]
    assert mail.files == (
        AttachedFile("a.png", "image/png", 4),
        AttachedFile("notes.txt", "text/plain", 10),
        AttachedFile("page.html", "text/html", 20),
        AttachedFile("inline.txt", "text/plain", 8),
    )


def test_a_message_inside_a_message_is_read():
    inner = b"Subject: inner\nContent-Type: text/html\n\n<b>hi"
    assert [part.kind for part in parse(b"Content-Type: message/rfc822\n\n" + inner).texts] == [
        "text/html"
    ]
    assert texts(
        multipart(inner, kind=b"digest", boundary=b'"a b"').replace(b'--"a b"', b"--a b")
    ) == ["<b>hi"]


def test_a_boundary_that_begins_like_another_belongs_inside():
    inner = multipart(b"\none", b"\ntwo", boundary=b"edge2")
    assert texts(multipart(inner, b"\nthree")) == ["one", "two", "three"]


def test_a_boundary_that_never_comes_leaves_text():
    assert texts(b"Content-Type: multipart/mixed; boundary=x\n\nhello") == ["hello"]
    assert texts(b"Content-Type: multipart/mixed\n\nhello") == ["hello"]
    assert texts(b"Content-Type: multipart/mixed; boundary=x\n\n--x other\nhello") == [
        "--x other\nhello"
    ]


def test_html_is_recognized_by_its_first_tag():
    assert parse(b"Subject: a\n\n \n<HTML><body>hi").texts[0].kind == "text/html"
    assert parse(b"Content-Type: text\n\nhi").texts[0].kind == "text/plain"
    assert parse(b"Content-Type: multipart/mixed\n\n<html>hi").texts[0].kind == "text/html"


def test_caps():
    assert len(texts(b"Subject: a\n\n" + b"x" * 200_000)[0]) == TEXT_CAP
    assert len(parse(b"A: b\n" * 5000 + b"\n").headers) == HEADER_CAP
    assert len(texts(multipart(*[b"\nx"] * 500))) < PART_CAP
    deep = b"Subject: in\n\nhello"
    for level in range(DEPTH_CAP + 5):
        deep = multipart(deep, boundary=b"b%d." % level)
    assert texts(deep) == []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("text/plain; Charset=UTF-8", {"charset": "UTF-8"}),
        ('a/b; name="x; \\"y\\" \\\\ z"; b=c', {"name": 'x; "y" \\ z', "b": "c"}),
        ("a/b; name=first; name=second", {"name": "first"}),
        ("a/b; name*=utf-8''na%C3%AFve.txt", {"name": "naïve.txt"}),
        ("a/b; name*0=long; name*1=er.txt", {"name": "longer.txt"}),
        ("a/b; name*0*=utf-8''%C3%A4; name*1*=%20b", {"name": "ä b"}),
        ("a/b", {}),
    ],
)
def test_parameters(value, found):
    assert parameters(value) == found


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12
)
lines = st.lists(st.lists(words, max_size=8).map(" ".join), max_size=8).map("\n".join)
# What a writer may not begin a text with if it is to come back the same: a page's mark makes it a
# page.
plain = lines.filter(lambda text: not text.lstrip().startswith("<"))


@given(plain, plain, words, st.sampled_from(["quoted-printable", "base64", "8bit"]))
def test_what_the_standard_library_writes_comes_back(first, second, subject, encoding):
    message = EmailMessage(policy=email.policy.SMTP)
    message["Subject"] = subject
    message.set_content(first, charset="utf-8", cte=encoding)
    message.add_alternative(f"<p>{second}</p>", subtype="html")
    message.add_attachment(b"\x00\x01", maintype="application", subtype="zip", filename="größe.zip")
    mail = parse(message.as_bytes())
    assert mail.header("subject") == subject
    assert [part.text.split() for part in mail.texts] == [first.split(), f"<p>{second}</p>".split()]
    assert mail.files == (AttachedFile("größe.zip", "application/zip", 2),)


@pytest.mark.parametrize("corpus", ["spamassassin", "20news", "enron"])
def test_real_mail_reads_as_the_standard_library_reads_it(corpus):
    """Headers are always equal, and text if the charset is valid, except 1 in 200 at most."""
    messages = [
        path.read_bytes() for path in sorted(need_corpus(corpus).rglob("*")) if path.is_file()
    ][::7]
    other = [raw for raw in messages if not raw.startswith(b"\x1f") and _differs(raw)]
    assert len(other) <= len(messages) / 200


def _differs(raw):
    mail = parse(raw)
    message = email.message_from_bytes(raw)
    if not raw.isascii() or b"\x1b" in raw:
        return [name for name, _ in mail.headers] != [name.lower().strip() for name in message]
    headers = [
        (name.lower().strip(), " ".join(decode_words(str(value)).split()))
        for name, value in message.items()
    ]
    parts = [
        part
        for part in message.walk()
        if not part.is_multipart() and part.get_content_maintype() == "text"
    ]
    read = [
        part.get_payload(decode=True)
        for part in parts
        if part.get_content_disposition() != "attachment"
    ]
    return headers != [(name, " ".join(value.split())) for name, value in mail.headers] or [
        body.decode("latin-1").split()[:5000] for body in read if body.isascii()
    ] != [part.text.split()[:5000] for part in mail.texts if part.text.isascii()]


FIELDS = st.lists(
    st.sampled_from(
        [
            "a",
            "Subject",
            ":",
            ": ",
            "\n",
            "\n ",
            "\n\t",
            "\n\n",
            " x",
            "=?",
            "\x1c",
            "\0",
            "\xe9",
            "\r",
            "b" * 99,
        ]
    )
)


@given(FIELDS.map("".join), st.integers(1, 9))
def test_headers_are_split_alike_in_c_and_in_python(text, most):
    need_compiled("headers", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(headers, "HEADER_CAP", most)
        compiled = parse(text.encode())
        patch.setattr(headers, "_split_headers", None)
        assert parse(text.encode()) == compiled


def test_the_compiled_splitting_refuses_what_makes_no_sense():
    split = need_compiled("headers", 1).split_headers
    assert split(b"A: b", {"A": "a"}, 9) == [("a", "b")]
    for arguments in [
        ("A: b", {"A": "a"}, 9),
        (b"A: b", {}, 9),
        (b"A: b", None, 9),
        (b"A: b", {"A": "a"}),
    ]:
        with pytest.raises((TypeError, KeyError)):
            split(*arguments)


def test_an_accelerated_page_keeps_its_type_although_it_looks_like_any_page():
    raw = b"Content-Type: text/x-amp-html\n\n<!doctype html><html amp><p>words</p></html>"
    assert [part.kind for part in parse(raw).texts] == ["text/x-amp-html"]
