"""The plain and the compiled word table, and all paths from mail to samples, are equal."""

import gc
import sys
from array import array
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.compiled import compiled as compiled_module
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.sampling import Joiner, known_sample_of, sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.mail.message import heading_of, moment_of
from nbmail.core.mail.parser import parse
from nbmail.core.words import tokenizer as tokenizing
from nbmail.core.words import word_table
from nbmail.core.words.header_words import HEADER_PLACES, HEADER_READERS
from nbmail.core.words.splitting import BYTE_MAP, split_words
from nbmail.core.words.tokenizer import Tokenizer
from nbmail.core.words.word_table import LONGEST_WORD, WORDTABLE_VERSION, PlainTable
from tests.core.test_mail_hostile import SOUND
from tests.needs import need_compiled, need_corpus

PARAMETERS = (BYTE_MAP, LONGEST_WORD, HEADER_READERS, HEADER_PLACES)


def compiled():
    return need_compiled("wordtable", WORDTABLE_VERSION).WordTable(*PARAMETERS)


KINDS = {"plain": PlainTable, "compiled": compiled}
both = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
words = st.text(max_size=50) | st.sampled_from(
    ["", "a", "b", "\ud800", "中文", "x" * 40, "x" * 41, "é" * 40, "é" * 41]
)
western = st.text(st.characters(max_codepoint=255), max_size=300)


def integers(numbers):
    return array("i", numbers).tolist()


@both
def test_words_are_numbered_in_the_order_of_meeting(make):
    table = make()
    assert table.numbers_of(["b", "a", "b", ""]) == [0, 1, 0, 2]
    assert len(table) == 3
    assert [table.word(number) for number in range(3)] == ["b", "a", ""]
    assert (table.words_from(1), table.words_from(3)) == (["a", ""], [])


@both
def test_a_message_is_its_numbers_sorted_and_how_often(make):
    table = make()
    table.numbers_of(["late", "early"])
    table.add_words(["forgotten"])
    table.begin()
    assert table.add_text("Early, new EARLY\xad bird") == 4
    table.add_words(["late", "new"])
    numbers, occurrences = table.take()
    assert (integers(numbers), integers(occurrences)) == ([0, 1, 3, 4], [1, 2, 2, 1])
    assert table.words_from(3) == ["new", "bird"]
    assert table.take() == (b"", b"")


@both
def test_words_too_long_to_come_back_are_counted_but_not_met(make):
    table = make()
    assert (
        table.add_text(
            f"{'x' * LONGEST_WORD} {'x' * (LONGEST_WORD + 1)} {'é' * LONGEST_WORD} {'é' * 99}"
        )
        == 4
    )
    table.add_words(["中" * LONGEST_WORD, "中" * (LONGEST_WORD + 1)])
    assert table.words_from(0) == ["x" * LONGEST_WORD, "é" * LONGEST_WORD, "中" * LONGEST_WORD]


@both
def test_words_that_are_looked_up_are_not_met(make):
    table = make()
    table.numbers_of(["a", "\ud800"])
    assert table.known_numbers_of(["b", "\ud800", "a", ""]) == [-1, 1, 0, -1]
    assert table.words_from(0) == ["a", "\ud800"]


@given(st.lists(st.tuples(western, st.lists(words))))
def test_both_read_any_messages_alike(messages):
    one = PlainTable()
    other = compiled()
    for text, others in messages:
        counts = []
        for table in (one, other):
            table.begin()
            counts.append(table.add_text(text))
            table.add_words(others)
        assert counts == [len(split_words(text))] * 2
        assert one.take() == other.take()
        assert one.numbers_of(others) == other.numbers_of(others)
    assert one.words_from(0) == other.words_from(0)


def test_the_compiled_table_grows_without_bound_on_any_order():
    table = compiled()
    many = [f"word{number * 7919 % 100_003}" for number in range(100_003)]
    assert table.numbers_of(many) == list(range(100_003))
    assert table.numbers_of(reversed(many)) == list(range(100_002, -1, -1))
    assert table.words_from(99_000) == many[99_000:]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda table: table.word(1), IndexError),
        (lambda table: table.word(-1), IndexError),
        (lambda table: table.words_from(2), IndexError),
        (lambda table: table.word("a"), TypeError),
        (lambda table: table.numbers_of([1]), TypeError),
        (lambda table: table.known_numbers_of([1]), TypeError),
        (lambda table: table.add_words([1]), TypeError),
        (lambda table: table.add_text("中"), ValueError),
        (lambda table: table.add_text(b"a"), ValueError),
        (lambda table: type(table)(b"", *PARAMETERS[1:]), ValueError),
        (lambda table: type(table)(BYTE_MAP, 256, *PARAMETERS[2:]), ValueError),
        (lambda table: type(table)(), TypeError),
    ],
)
def test_the_compiled_table_refuses_what_makes_no_sense(call, error):
    table = compiled()
    table.numbers_of(["a"])
    with pytest.raises(error):
        call(table)
    assert table.words_from(0) == ["a"]


def test_the_compiled_table_holds_on_to_nothing():
    table = compiled()
    strange = "é" * 30 + "\ud800"
    others = ["x", "é" * 20]
    table.add_words([strange, *others])
    before = sys.getrefcount(strange), sys.getrefcount(others[1])
    for _ in range(100):
        table.numbers_of([strange, *others])
        table.known_numbers_of([strange, *others, "new"])
        table.add_words([strange, *others])
        with pytest.raises(TypeError):
            table.add_words([strange, 1])
        table.take()
    assert (sys.getrefcount(strange), sys.getrefcount(others[1])) == before
    del table
    gc.collect()


def test_without_the_compiled_module_a_table_is_plain(monkeypatch):
    monkeypatch.setattr(word_table, "wordtable", None)
    assert isinstance(word_table.new_table(), PlainTable)


def test_a_module_that_is_missing_or_of_another_version_is_not_used(monkeypatch):
    made_up = ModuleType("made_up")
    assert compiled_module("made_up", 1) is None
    monkeypatch.setitem(sys.modules, "nbmail.core.compiled.made_up", made_up)
    assert compiled_module("made_up", 1) is None
    made_up.VERSION = 1
    assert compiled_module("made_up", 2) is None
    assert compiled_module("made_up", 1) is made_up


# ------------------------------------------------------------------------------------ from mail to
# samples


def with_table(table, known=()):
    found = Vocabulary()
    found.table = table
    found.numbers_of(known)
    return found


def check_alike(raws, known=(), size=3):
    """Both tables yield equal samples and equal vocabularies, on each path from mail."""
    read, joined, small = (
        {kind: with_table(make(), known) for kind, make in KINDS.items()} for _ in range(3)
    )
    joiners = {kind: Joiner(joined[kind]) for kind in KINDS}
    tokenizers = {}
    for kind, make in KINDS.items():
        tokenizing.new_table, before = make, tokenizing.new_table
        tokenizers[kind] = Tokenizer()
        tokenizing.new_table = before
    raws = list(raws)
    for first in range(0, len(raws), size):
        mails = [parse(raw) for raw in raws[first : first + size]]
        samples = [sample_of(mail, read["plain"]) for mail in mails]
        assert samples == [sample_of(mail, read["compiled"]) for mail in mails]
        for kind, tokenizer in tokenizers.items():
            taken = [tokenizer.read(mail) for mail in mails]
            assert joiners[kind].join(tokenizer.new_words(), taken) == samples
            for mail, sample in zip(mails, samples, strict=True):
                kept = sample.words < len(known)
                part = Sample(sample.words[kept], sample.occurrences[kept], sample.measures)
                assert known_sample_of(mail, small[kind]) == part
    grown = [one.words_from(0) for one in (*read.values(), *joined.values())]
    assert all(one == grown[0] for one in grown)
    assert all(len(one) == len(known) for one in small.values())


chunks = st.sampled_from(
    ["Free ", "$100", "\n>", "中文", "é", "–", "pаypal ", "http://x.example/a ", "\0", "x" * 41]
)
known = st.lists(
    st.sampled_from(["a", "b", "free", "subject:a", "\u4e2d\u6587", "fact:date=none"]), unique=True
)


@given(st.lists(st.lists(chunks).map("".join)), known, st.integers(1, 4))
def test_all_ways_from_mail_to_samples_agree(texts, words, size):
    check_alike((b"Subject: a\n\n" + text.encode() for text in texts), words, size)


@given(st.lists(st.binary(max_size=500)))
@settings(max_examples=30)
def test_all_ways_agree_on_any_bytes(raws):
    check_alike(raws)


@pytest.mark.parametrize(
    "corpus", ["spamassassin", "20news", "enron", "modern-junk", "mime-torture"]
)
def test_all_ways_agree_on_real_mail(corpus):
    files = sorted(path for path in need_corpus(corpus).rglob("*") if path.is_file())
    check_alike(path.read_bytes() for path in files)


@pytest.mark.parametrize("raw", SOUND)
def test_a_heading_is_what_the_list_shows(raw):
    mail = parse(raw)
    heading = heading_of(mail)
    assert (heading.sender, heading.subject, heading.size) == (
        mail.header("from"),
        mail.header("subject"),
        len(raw),
    )
    assert heading.attachments == bool(mail.files)


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("Thu, 1 Jan 1970 01:00:00 +0100", 0.0),
        ("Mon, 1 Jan 2024 10:00:00 -0000 (a comment)", 1704103200.0),
        ("1 Jan 2024 10:00 GMT", 1704103200.0),
        ("", 0.0),
        ("yesterday", 0.0),
        ("Mon, 32 Foo 2024", 0.0),
        ("Mon, 1 Jan 99999999999 10:00:00 +0000", 0.0),
    ],
)
def test_dates(date, moment):
    assert moment_of(date) == moment


@given(st.text(st.sampled_from("0123456789: +-,JanMonFeb()GMT\t"), max_size=40))
def test_any_date_is_some_moment(date):
    assert isinstance(moment_of(date), float)
