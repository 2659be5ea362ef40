import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.mail.links import Link, read_target
from nbmail.core.words import header_words as reader
from nbmail.core.words.header_words import (
    HEADER_PLACES,
    HEADER_READERS,
    LOCAL_HEADERS,
    VERDICT_HEADERS,
    header_words,
)
from nbmail.core.words.splitting import BYTE_MAP
from nbmail.core.words.word_table import LONGEST_WORD, WORDTABLE_VERSION, PlainTable
from tests.needs import need_compiled


def words_of(name, value):
    return header_words([(name, value)])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("subject", "FREE money, Anna!",
         ["subject:free", "subject:money", "subject:anna!", "subject:FREE",
          "subject:^ free", "subject:free money", "subject:money anna!", "subject:anna! $"]),
        ("subject", "", ["subject:^ $"]),
        ("from", '"Anna B." <Anna@Mail.Example.org>',
         ["from:anna@mail.example.org", "from:@example.org", "from:anna", "from:b"]),
        ("cc", "a@x.example, b@x.example",
         ["to:a@x.example", "to:@x.example", "to:a@", "to:b@x.example", "to:@x.example", "to:b@"]),
        ("reply-to", "nobody", ["reply:nobody"]),
        ("return-path", "<>", []),
        ("message-id", "<2024.1@Mail.Example.org>", ["id:@example.org", "id:9999.9"]),
        ("message-id", "<20EF$ab-\u00fc.1a2b3c4d5e@x.example>", ["id:@x.example", "id:99AA$aa-?."]),
        ("message-id", "none", ["id:@none", "id:"]),
        ("dkim-signature", "v=1; a=rsa-sha256; d=news.example.org; s=x", ["signed:@example.org"]),
        ("dkim-signature", "v=1", []),
        ("user-agent", "Mutt/2.0", ["mailer:mutt", "mailer:2", "mailer:0"]),
        ("list-id", "Friends of Gardens <Garden.Lists.example>", ["list-id:garden.lists.example"]),
        ("list-id", "garden.lists.example", ["list-id:garden.lists.example"]),
        ("list-id", f"<{'x' * 50}>", [f"list-id:{'x' * 30}"]),
        ("x-priority", "1 (Highest)", ["x-priority:1", "x-priority:highest"]),
        ("list-unsubscribe", "<http://x.example>", ["header:list-unsubscribe"]),
        ("x-own-thing", "secret", ["header:x-own-thing"]),
        ("date", "Mon, 1 Jan 2024 10:00:00 +0100", []),
        ("x" * 60, "long", []),
        ("received",
         "from a.example (b [192.0.2.17]) by mx.example.org (Postfix) with ESMTP id 4F3 "
         "for <anna@example.org>; Mon, 1 Jan 2024 10:00:00 +0100",
         ["received:192.0.2", "received:192.*", "received:a.example>example.org",
          "received:mx.example.org",
          "received:postfix", "received:with", "received:esmtp", "received:for",
          "received:anna@example.org",
          "origin:by example.org", "origin:@a.example", "origin:.example", "origin:192.0.*"]),
        ("received", "by mx.example.org; Mon", ["received:nobody>example.org",
         "received:mx.example.org",
                                                "origin:by example.org"]),
        ("received", "", ["received:nobody>", "origin:by "]),
    ],
)  # fmt: skip
def test_words_of_headers(name, value, words):
    assert words_of(name, value) == words


@pytest.mark.parametrize(
    "name", ["x-spam-status", "x-mozilla-status", *VERDICT_HEADERS, *LOCAL_HEADERS]
)
def test_verdicts_of_other_filters_and_headers_of_the_users_own_side_never_count(name):
    assert words_of(name, "Yes, score=9") == []


def test_of_long_headers_only_the_beginning_is_read():
    assert len(words_of("to", "a@b.example, " * 10_000)) < 300


def test_the_lowest_received_line_names_the_origin_of_a_message():
    above = "from b.example by c.example; Mon"
    below = "from mail.a.example by b.example; Mon"
    words = header_words([("received", above), ("received", below)])
    assert [word for word in words if word.startswith("origin:")] == [
        "origin:by b.example", "origin:@a.example", "origin:.example",
    ]  # fmt: skip
    assert {"received:b.example>c.example", "received:a.example>b.example"} <= set(words)


def test_of_many_hosts_on_the_way_the_first_count():
    value = (
        "from "
        + " ".join(f"h{number}.d{number}.example" for number in range(80))
        + " by mx.example"
    )
    assert sum(">" in word for word in words_of("received", value)) == 10


def test_the_memory_for_names_is_bounded():
    for number in range(reader.NAMES_CAP + 10):
        assert words_of(f"x-made-up-{number}", "") == [f"header:x-made-up-{number}"]
    assert len(HEADER_READERS) == reader.NAMES_CAP


READ_IN_C = st.sampled_from(
    ["received", "subject", "from", "to", "message-id", "x-mailer", "x-made-up"]
)
CHUNKS = st.sampled_from(
    ["by ", " by a.co.uk ", " id ", " id 7", ";", "192.0.2.17", "1.2.3.", "1234.", ".", "..",
     "a.b.co.uk", "@", "<",
     ">", '"', "(", " ", "\t", "\x1c", "\0", "FREE", "A" * 25, "AB", "x" * 39, "x" * 41, "y" * 999,
     "_", "-", "\xe9"]
)  # fmt: skip
VALUES = (
    st.lists(CHUNKS | st.text(st.characters(max_codepoint=127), max_size=5)).map("".join)
    | st.text()
)


def compiled_table():
    made = need_compiled("wordtable", WORDTABLE_VERSION).WordTable
    return made(BYTE_MAP, LONGEST_WORD, HEADER_READERS, HEADER_PLACES)


@given(st.lists(st.tuples(READ_IN_C, VALUES)).map(tuple))
def test_both_tables_read_any_headers_alike(headers):
    tables = PlainTable(), compiled_table()
    for table in tables:
        table.add_headers(headers)
    assert tables[0].take() == tables[1].take()
    assert tables[0].words_from(0) == tables[1].words_from(0)


PIECES = (
    "http HTTPS :// : / ? # \\ @ a.co.uk Www.A.example 1.2.3.4 1.2.3.4444 . 0x1F 0x 1234567 "
    "12345 :80 :x _ %20 \0 \xe9"
)
TARGETS = st.lists(st.sampled_from([*PIECES.split(), "mailto", "a" * 21, "b" * 99, "c" * 600])).map(
    "".join
)


@given(st.lists(st.builds(Link, st.sampled_from(["a", "img", "elsewhere"]), TARGETS)))
def test_both_tables_read_any_links_alike(links):
    tables = PlainTable(), compiled_table()
    assert tables[0].add_links(links, read_target) == tables[1].add_links(links, read_target)
    assert tables[0].take() == tables[1].take()
    assert tables[0].words_from(0) == tables[1].words_from(0)
    for wrong in ([("a",)], [("a", 1)], [1], ()):
        with pytest.raises((TypeError, SystemError)):
            tables[1].add_links(wrong, read_target)
    with pytest.raises(TypeError):
        tables[1].add_links([("a", "\xe9")], None)


@pytest.mark.parametrize(
    "headers", [[("to", "a")], (("to",),), (("to", 1),), ("to",), (["to", "a"],), ((1, "a"),)]
)
def test_the_compiled_table_refuses_what_are_no_headers(headers):
    with pytest.raises((TypeError, SystemError)):
        compiled_table().add_headers(headers)
