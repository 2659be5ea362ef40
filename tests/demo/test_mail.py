"""Mail of the demo: contents and well-formed messages at any date."""

import collections
import email
import itertools
import re
from datetime import UTC, datetime
from email.utils import parseaddr, parsedate_to_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.mail.parser import parse
from nbmail.demo.mail import demo_folder, demo_mailbox

NOW = datetime(2026, 11, 18, 12, 30, tzinfo=UTC).timestamp()
RESERVED = (".example", "example.org", "example.net", "example.com")


@pytest.fixture(scope="module")
def placed():
    return demo_mailbox(demo_folder(), NOW, UTC)


def test_there_is_enough_of_it_and_sixty_messages_are_labelled(placed):
    here = collections.Counter((one.folder, one.is_spam) for one in placed if not one.delay)
    assert here.total() >= 300
    assert here[("Sorted", True)] == here[("Sorted", False)] == 30
    assert here[("INBOX", True)] > 60
    assert here[("INBOX", False)] > 150


def test_labels_are_keywords_that_tell_the_truth(placed):
    for one in placed:
        said = one.flags & {"$Junk", "$NotJunk"}
        assert said in (set(), {"$Junk"} if one.is_spam else {"$NotJunk"})
        assert said or one.folder == "INBOX"
    inbox = collections.Counter(
        one.is_spam for one in placed if one.folder == "INBOX" and one.flags - {"\\Seen"}
    )
    assert inbox == {True: 8, False: 8}


def test_spam_and_ham_mail_were_sorted_side_by_side(placed):
    """Otherwise held-out scores of the second class come from a model of the first alone."""
    labelled = [one.is_spam for one in placed if one.folder == "Sorted"]
    assert sum(before != after for before, after in itertools.pairwise(labelled)) > 15


def test_some_arrive_while_one_watches(placed):
    waiting = [one for one in placed if one.delay]
    assert len(waiting) >= 5
    assert {one.is_spam for one in waiting} == {True, False}
    assert min(one.delay for one in waiting) < 15
    assert all(one.folder == "INBOX" and not one.flags for one in waiting)


def test_it_has_every_shape_of_mail(placed):
    parts = (part for one in placed for part in email.message_from_bytes(one.raw).walk())
    kinds = collections.Counter(part.get_content_type() for part in parts)
    least = {"text/plain": 100, "text/html": 60, "multipart/alternative": 30, "multipart/mixed": 14}
    least |= {"application/pdf": 4, "image/jpeg": 2}
    assert all(kinds[kind] > count for kind, count in least.items()), kinds


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("German", "und die der nicht ist"),
        ("French", "est les pour nous dans"),
        ("Spanish", "que los para con está"),
        ("Russian", "мы на что и не"),
        ("Japanese", "ました いただ"),
        ("Chinese", "发票 优惠 工厂"),
    ],
)
def test_it_speaks_many_languages(placed, language, words):
    texts = ["\n".join(part.text for part in parse(one.raw).texts) for one in placed]
    assert sum(any(_holds(text, word) for word in words.split()) for text in texts) >= 3


def _holds(text, word):
    """Scripts without spaces have no word boundaries."""
    return word in text.split() or (not word.isascii() and word in text)


def test_every_text_differs(placed):
    texts = collections.Counter(
        re.sub(r"\W+", " ", parse(one.raw).texts[0].text)[:400] for one in placed
    )
    assert texts.most_common(1)[0][1] == 1


def test_nobody_real_is_in_it(placed):
    for one in placed:
        mail = parse(one.raw)
        text = "\n".join([value for _, value in mail.headers] + [part.text for part in mail.texts])
        hosts = {
            host.lower().rstrip(".") for host in re.findall(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)", text)
        }
        hosts |= {host.lower() for host in re.findall(r"https?://([\w.-]+)", text)}
        assert all(host.endswith(RESERVED) for host in hosts), hosts


def test_an_answer_names_what_it_answers(placed):
    messages = [email.message_from_bytes(one.raw) for one in placed]
    known = {message["Message-ID"] for message in messages}
    answers = [message["In-Reply-To"] for message in messages if message["In-Reply-To"]]
    assert len(answers) >= 10
    assert set(answers) <= known
    assert len(known) == len(messages)


@settings(max_examples=6)
@given(st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)))
def test_the_mailbox_looks_lived_in_whenever_it_starts(moment):
    now = moment.replace(tzinfo=UTC).timestamp()
    placed = demo_mailbox(demo_folder(), now, UTC)
    assert [one.received for one in placed] == sorted(one.received for one in placed)
    for one in placed:
        assert (one.received > now) == (one.delay > 0)
        dated = parsedate_to_datetime(email.message_from_bytes(one.raw)["Date"]).timestamp()
        assert abs(dated - one.received) <= 1
    today = [one for one in placed if 0 <= now - one.received < 86400 and one.folder == "INBOX"]
    assert len(today) >= 10
    assert max(now - one.received for one in placed) > 30 * 86400


def test_names_and_subjects_survive_their_charsets(placed):
    decoded = {parse(one.raw).header("subject"): parse(one.raw).header("from") for one in placed}
    assert decoded["お礼"].startswith("田中 美咲")
    assert decoded["AW: Leuchtfeuer-Modell, Maße"].startswith("Jonas Brenner")
    assert decoded["代开发票 优惠办理 请联系"].startswith("财务部")
    assert parseaddr(decoded["Приезд хора в мае"])[0] == "Ольга Зимина"
