import pytest

from nbmail.core.mail.parser import parse
from nbmail.core.senders.trusted_servers import NO_TRUST, Trust
from nbmail.core.words.facts import fact_words
from nbmail.core.words.measures import MEASURES, character_shares, measure_words

TRUST = Trust(frozenset({"mx.example"}), "mx.example")


def facts(head, body=b"hi", trust=TRUST):
    mail = parse(head + b"\n\n" + body)
    return set(fact_words(mail, trust))


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"Subject: x", {"fact:type=none", "fact:parts=text/plain", "fact:charset="}),
        (b"Subject: x", {"fact:date=none", "fact:from=none"}),
        (b"Content-Type: Text/HTML; charset=UTF-8", {"fact:type=text/html", "fact:charset=utf-8"}),
        (b"Date: Mon, 1 Jan 2024 10:20:30 +0100", {"fact:weekday=mon", "fact:hour=8",
         "fact:zone=+0100"}),
        (b"Date: 1 Jan 2024 23:20 GMT", {"fact:weekday=none", "fact:hour=20", "fact:zone=gmt"}),
        (b"Date: 1 Jan 2024 9:20", {"fact:hour=8", "fact:zone=none"}),
        (b"Date: soon", {"fact:date=broken"}),
        (b"From: a@x.example\nReply-To: b@mail.x.example\nReturn-Path: <c@y.example>",
         {"fact:reply-to=same", "fact:return-path=other"}),
        (b"From: b@bank.example <a@x.example>", {"fact:from=several"}),
        (b"From: a@x.example\nMessage-ID: <1@mail.X.example>", {"fact:message-id=same"}),
        (b"From: a@x.example\nMessage-ID: <1@y.example>", {"fact:message-id=other"}),
        (b"References: <1@x>", {"fact:reply=yes"}),
        (b"Authentication-Results: mx.example; spf=Pass smtp.mailfrom=x; dkim=fail\n"
         b"Received-SPF: softfail (mx.example: x)",
         {"fact:spf=pass", "fact:dkim=fail", "fact:spf=softfail"}),
    ],
)  # fmt: skip
def test_facts(head, found):
    assert found <= facts(head)


def test_checks_of_the_sender_are_no_facts_without_a_trusted_server():
    head = b"Authentication-Results: mx.example; dmarc=pass\nFrom: a@x.example"
    assert "fact:dmarc=pass" in facts(head)
    assert facts(head, trust=NO_TRUST) == facts(b"From: a@x.example")
    assert "fact:dmarc=pass" not in facts(b"Received: by mx.example\n" + head)


def test_what_is_not_there_is_no_fact():
    assert not any(
        word.startswith(("fact:spf", "fact:reply", "fact:sender"))
        for word in facts(b"From: a@x.example")
    )


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("", (0, 0, 0, 0)),
        ("ABcd", (500, 0, 0, 0)),
        ("a1!2", (0, 500, 250, 0)),
        ("aaüü", (0, 0, 0, 666)),
    ],
)
def test_shares_of_characters(text, shares):
    assert character_shares(text) == shares


def test_measures_are_words_too_by_their_power_of_two():
    words = measure_words(tuple(range(len(MEASURES))))
    names = ("size=0", "words=1", "links=2", "link-hosts=2", "images=3")
    assert words[:5] == [f"measure:{name}" for name in names]
    with pytest.raises(ValueError):
        measure_words((1,))
