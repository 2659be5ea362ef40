"""Hostile mail raises nothing, stays within all limits, and takes linear time."""

import os
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.mail.decoding import TEXT_CAP
from nbmail.core.mail.parser import PART_CAP, parse
from nbmail.core.words.measures import MEASURES
from nbmail.core.words.word_table import LONGEST_WORD
from tests.mutating import mutated
from tests.needs import need_corpus

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
MUTATIONS = 100_000 if TORTURE else 10_000
N = 2_000_000

PAGE = b"Content-Type: text/html\n\n"
TEXT = b"Subject: x\n\n"
PARTS = b"Content-Type: multipart/mixed; boundary=b\n\n"


def nested(levels):
    lines = [
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d' % (level, level)
        for level in range(levels)
    ]
    return b"\n".join(lines) + b"\n\nhello\n"


def encoded(how, body):
    return b"Content-Type: text/plain; charset=%s\nContent-Transfer-Encoding: %s\n\n" % how + body


HOSTILE = {
    "nothing": b"",
    "brackets": PAGE + b"<" * N,
    "closing brackets": PAGE + b">" * N,
    "ampersands": PAGE + b"&" * N,
    "references": PAGE + b"&#1" * (N // 3),
    "a number of 60,000 digits": PAGE + b"&#" + b"1" * N,
    "comments opened": PAGE + b"<!--" * (N // 4),
    "comments": PAGE + b"<!-- -->" * (N // 8),
    "styles opened": PAGE + b"<style>" * (N // 7),
    "styles": PAGE + b"<style></style>" * (N // 15),
    "tags": PAGE + b"<div>" * (N // 5),
    "an attribute of spaces": PAGE + b"<a href=" + b" " * 60_000 + b'">',
    "attributes": PAGE + b"<a " + b"href=" * 12_000 + b">",
    "links": PAGE + b'<a href="http://x.example/z">http://y.example</a>' * (N // 48),
    "schemes": TEXT + b"http://" * (N // 7),
    "addresses": TEXT + b"http://a.example/c " * (N // 19),
    "www": TEXT + b"www." * (N // 4),
    "ats": b"To: " + b"@" * N + b"\n\n",
    "recipients": b"To: " + b"a@b," * (N // 4) + b"\n\n",
    "many recipients headers": b"".join(
        b"To: %s%d\n" % (b"a" * 3000, number) for number in range(600)
    )
    + b"\n",
    "encoded words opened": b"Subject: " + b"=?" * (N // 2) + b"\n\n",
    "encoded words": b"Subject: " + b"=?utf-8?q?a?= " * (N // 14) + b"\n\n",
    "encoded words unclosed": b"Subject: " + b"=?utf-8?b?" * (N // 10) + b"\n\n",
    "space between encoded words": b"Subject: ?=" + b" " * N + b"x\n\n",
    "headers": b"X: y\n" * (N // 5) + b"\n",
    "headers of many names": b"".join(b"X-%d: y\n" % number for number in range(N // 10)) + b"\n",
    "a long name of a header": b"Subject: x\n" + b"y" * N + b": z\n\n",
    "no headers": b"x y\n" * (N // 4),
    "folds": b"Subject: a" + b"\n b" * (N // 3) + b"\n\n",
    "quotes": b"Content-Type: text/plain" + b'; a="' * (N // 5) + b"\n\nx",
    "split parameters": b"Content-Type: text/plain" + b";a*1*=x" * (N // 7) + b"\n\nx",
    "nested 10,000 deep": nested(10_000),
    "messages in messages": b"Content-Type: message/rfc822\n\n" * (N // 31),
    "parts": PARTS + b"--b\n\nhello\n" * (N // 11),
    "longer boundaries": PARTS + b"--bb\n\nhello\n" * (N // 12),
    "pages": PARTS + (b"--b\nContent-Type: text/html\n\n" + b"<p>" * 5_000) * 150,
    "base64": encoded((b"utf-8", b"base64"), b"QUJD" * (N // 4)),
    "base64 padding": encoded((b"utf-8", b"base64"), b"=A" * (N // 2)),
    "base64 of nothing": encoded((b"utf-8", b"base64"), b"====="),
    "one base64 digit": encoded((b"utf-8", b"base64"), b"QUJDR"),
    "quoted-printable": encoded((b"utf-8", b"quoted-printable"), b"=" * N),
    "soft line breaks": encoded((b"utf-8", b"quoted-printable"), b"=\n" * (N // 2)),
    "an unknown charset": encoded((b"klingon", b"8bit"), b"\xe9\xff" * 1000),
    "a codec that is no charset": encoded((b"zip", b"8bit"), b"\xe9\xff" * 1000),
    "a path for a charset": encoded((b"../../etc/passwd", b"8bit"), b"\xe9\xff" * 1000),
    "utf-7": encoded((b"utf-7", b"8bit"), b"+" * N),
    "utf-16 of half pairs": encoded((b"utf-16", b"8bit"), b"\xff\xd8" * (N // 2)),
    "hz": encoded((b"hz", b"8bit"), b"~{" * (N // 2)),
    "iso-2022-jp": encoded((b"iso-2022-jp", b"8bit"), b"\x1b$B" * (N // 3)),
    "NULs": b"\0" * N,
    "high bytes": b"\xff" * N,
    "carriage returns": b"\r" * N,
    "combining marks": TEXT + "\u0300\u0316".encode() * (N // 4),
    "Chinese": TEXT + "中文".encode() * (N // 6),
    "mixed scripts": TEXT + "aа".encode() * (N // 3),
    "every character": TEXT + "".join(map(chr, range(0x100, 0xD000))).encode(),
    "networks": b"Received: from " + b"1.1.1." * (N // 6) + b"\n\n",
    "hops": b"Received: from a (1.2.3.4) by b id c for d; x\n" * (N // 46) + b"\n",
    "one long word": TEXT + b"a" * N,
    "From lines": b"From " * (N // 5),
    "authentication": b"Authentication-Results: " + b"spf=" * (N // 4) + b"\n\n",
    "a date of colons": b"Date: " + b"1:" * (N // 2) + b"\n\n",
    "dots": b"Message-ID: " + b"." * N + b"\n\n",
    "a long file name": b"Content-Type: a/b; name=" + b"x" * N + b"\n\n",
    "a long kind": b"Content-Type: " + b"x/" * (N // 2) + b"\n\n",
}


def check(raw):
    """Check the invariants of a parsed message."""
    mail = parse(raw)
    assert mail.size == len(raw)
    assert len(mail.texts) <= PART_CAP
    assert all(len(part.text) <= TEXT_CAP for part in mail.texts)
    words = Vocabulary()
    sample = sample_of(mail, words)
    assert (np.diff(sample.words) > 0).all() and len(sample.words) == len(
        sample.occurrences
    ) == len(words)
    assert sample.occurrences.min() > 0
    assert max(map(len, words.words_from(0))) <= LONGEST_WORD
    assert len(sample.measures) == len(MEASURES)
    assert all(type(measure) is int and measure >= 0 for measure in sample.measures)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_is_read(name):
    check(HOSTILE[name])


@given(st.binary(max_size=2000))
def test_any_bytes_are_read(raw):
    check(raw)


def broken(chance, messages):
    """Return a message with faults, such as parts of other messages."""
    raw = chance.choice(messages)
    for other in chance.sample(messages, 2):
        place = chance.randrange(len(other) + 1)
        raw = mutated(chance, raw, [b"\n\n", b"\0", b"=?", other[place : place + 300]])
    return raw


SOUND = [
    PARTS + b"--b\nContent-Type: text/html; charset=utf-8\n\n<p style='color:#fff'>Hello <a "
b"href=\"http://x.example/\">"
    b"http://y.example</a></p>\n--b\nContent-Type: image/png; "
b"name=\"a.png\"\nContent-Transfer-Encoding: base64\n\n"
    b"QUJD\n--b--\n",
    "From: =?gb2312?B?1tDOxA==?= <a@example.cn>\nTo: b@example.org, c@example.org\nSubject: "
"中文 FREE\n"
    "Content-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: \
8bit\n\n中文邮件\n".encode("gb18030"),
    b"Received: from x (y [192.0.2.1]) by z with SMTP id 1 for <a@b.example>; Mon, 1 Jan "
b"2024 10:00:00 +0100\n"
    b"Date: Mon, 1 Jan 2024 10:00:00 +0100\nAuthentication-Results: z; spf=pass; dkim=fail\n"
    b"DKIM-Signature: v=1; d=x.example\nContent-Type: text/plain; format=flowed\n"
    b"Content-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=\n=C3=9Fe $100!\n",
]  # fmt: skip


def test_mutations_of_sound_messages_are_read():
    chance = random.Random(7)
    for _ in range(MUTATIONS // 4):
        check(broken(chance, SOUND))


def test_mutations_of_the_torture_corpus_are_read():
    originals = [
        path.read_bytes()
        for path in sorted(need_corpus("mime-torture").rglob("*"))
        if path.is_file()
    ]
    chance = random.Random(8)
    for raw in originals:
        check(raw)
    for _ in range(MUTATIONS):
        check(broken(chance, originals))
