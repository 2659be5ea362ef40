"""Every feature of `core` has a shown text, and no other feature has one."""

import pytest

from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import Acquaintance, Thread, people_words
from nbmail.core.senders.trusted_servers import Trust
from nbmail.core.words.measures import MEASURES
from nbmail.core.words.tokenizer import collect
from nbmail.core.words.word_places import PLACES, place_of
from nbmail.core.words.word_table import PlainTable
from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.ui.evidence.features.fact_texts import checks, fixed_facts, open_facts
from nbmail.ui.evidence.features.feature_texts import feature_text
from nbmail.ui.evidence.features.measure_texts import measures
from nbmail.ui.evidence.features.place_texts import place_names
from tests.needs import need_corpus
from tests.ui.made import NOW

HEADS = (
    *(f"Date: Tue, 3 Nov 2026 {hour:02}:15:00 +0100" for hour in range(0, 24, 4)),
    *(
        "Date: 3 Nov 2026 09:15:00",
        "Date: yesterday",
        "In-Reply-To: <1@x.example>",
        "From: a@x.example, b@y.example",
    ),
    *(
        f"From: a@x.example\r\n{name}: <b@x.example>"
        for name in ("Reply-To", "Return-Path", "Sender", "Message-ID")
    ),
    *(
        f"From: a@x.example\r\n{name}: <b@y.example>"
        for name in ("Reply-To", "Return-Path", "Sender", "Message-ID")
    ),
    *(f"Content-Type: text/{kind}" for kind in ("plain", "html")),
    *(
        f"Content-Type: multipart/{kind}; boundary=b"
        for kind in ("alternative", "mixed", "related")
    ),
    *("Content-Type: application/pdf", "Content-Type:"),
    "Authentication-Results: mx.example; spf=pass; dkim=fail; dmarc=none; arc=softfail",
)

TRUST = Trust(frozenset({"mx.example"}), "mx.example")


def words_in(mails):
    table = PlainTable()
    for raw in mails:
        table.begin()
        collect(parse(raw), table, TRUST)
        table.take()
    return table.words_from(0)


def facts_in(mails):
    return {
        tuple(word.removeprefix("fact:").split("=", 1))
        for word in words_in(mails)
        if word.startswith("fact:")
    }


def test_exactly_the_places_and_measures_of_core_have_texts():
    assert place_names().keys() == {*PLACES, "pair", "absent", "attached"}
    assert measures().keys() == set(MEASURES)


def test_only_facts_of_core_have_texts():
    mails = [f"{head}\r\n\r\ntext\r\n".encode() for head in HEADS]
    parts = "--x\r\n\r\nunseen\r\n--x\r\nContent-Type: text/html\r\n\r\npage\r\n"
    mails.append(f"Content-Type: multipart/mixed; boundary=x\r\n\r\n{parts}".encode())
    found = facts_in(mails)
    acquaintances = [
        Acquaintance(count, own, thread)
        for count in (0, 1)
        for own in (False, True)
        for thread in Thread
    ]
    about = [
        word
        for each in acquaintances
        for true in (False, True)
        for word in people_words(each, verified=true)
    ]
    found |= {tuple(word.removeprefix("fact:").split("=", 1)) for word in about}
    assert fixed_facts().keys() - found == set()
    assert open_facts().keys() | checks().keys() <= {name for name, _ in found}


def check(words):
    names = {name for name, _ in fixed_facts()} | open_facts().keys() | checks().keys()
    assert {place_of(word) for word in words} <= place_names().keys()
    assert {
        word.removeprefix("fact:").partition("=")[0] for word in words if word.startswith("fact:")
    } <= names
    for word in words:
        place = place_of(word)
        assert feature_text(word), word
        assert place != "measure" or "=" not in feature_text(word), word


def test_every_feature_of_the_demo_mail_has_a_text():
    check(words_in(placed.raw for placed in demo_mailbox(demo_folder(), NOW)))


@pytest.mark.parametrize("corpus", ["mime-torture", "modern-junk", "spamassassin"])
def test_every_feature_of_real_mail_has_a_text(corpus):
    paths = sorted(path for path in (need_corpus(corpus) / "data").rglob("*") if path.is_file())[
        ::3
    ]
    check(words_in(path.read_bytes() for path in paths))


PHRASES = {
    "subject:free": "free",
    "pair:free money": "free money",
    "link:": "(empty)",
    "fact:weekday=sat": "sent on a Saturday",
    "fact:charset=utf-8": "character set utf-8",
    "fact:zone=+0800": "time zone +0800",
    "fact:spf=fail": "failed the sender check (SPF)",
    "fact:dkim=temperror": "signature check (DKIM): temperror",
    "fact:unheard=of": "unheard: of",
    "measure:links=3": "4 to 7 links",
    "measure:links": "… links",
    "measure:link-hosts=1": "1 linked server",
    "measure:capitals=5": "1.6 to 3.2 % capital letters",
    "measure:size=10": "size up to 1 kB",
    "measure:images=1": "1 picture",
    "measure:unheard=3": "unheard=3",
    "fact:parts=text/html": "text parts: HTML",
    "fact:parts=text/plain+text/html": "text parts: plain text, HTML",
    "received:esmtps": "transferred by ESMTPS",
    "received:with": "server note “with”",
    "received:mx.example": "mx.example",
    "received:192.0.2": "network 192.0.2",
    "received:198.51.*": "network 198.51.*",
    "origin:.example": "server name ending in .example",
    "mime-version:0": "version contains 0",
}


@pytest.mark.parametrize("word", PHRASES)
def test_feature_texts(word):
    assert feature_text(word) == PHRASES[word]
