"""Messages, their samples and locations: stored once, in a whole transaction or not at all."""

import random

import pytest

from nbmail.core.mail.message import Heading
from nbmail.errors import KnownError
from nbmail.store.labels.journal import By
from nbmail.store.mail.messages import Content
from tests.store.helpers import (
    INBOX,
    TOKENIZER,
    content,
    delivery,
    fill,
    open_store,
    rebuilt,
    sample,
    take,
)

SEEN = frozenset({"\\Seen"})


def test_the_same_mail_twice_in_one_batch_is_one_message(store):
    taken = store.take(delivery([1, 2]), [content(store, 5), content(store, 5)], TOKENIZER, 1.0)
    assert taken.messages[0] == taken.messages[1]
    assert len(store.folders.locations(taken.messages)) == 2


def test_a_new_validity_drops_locations_never_labels(store):
    messages = fill(store, 5)
    store.marks.mark(dict.fromkeys(messages, "ham"), by=By.USER, moment=1.0)
    taken = take(store, [1, 2], validity=2)
    assert taken.unlocated == set(messages[2:])
    assert store.folders.memory(INBOX).validity == 2
    assert set(store.folders.memory(INBOX).flags) == {1, 2}
    assert len(store.labels) == 5


def test_a_delivery_is_stored_atomically(store):
    fill(store, 3)
    before = store.folders.memory(INBOX)
    bad = Content(b"x", Heading("a", "b", 0.0, 1, False), None)
    with pytest.raises(AttributeError):
        store.take(delivery([8, 9], gone=frozenset({1})), [content(store, 8), bad], TOKENIZER, 1.0)
    assert store.folders.memory(INBOX) == before
    assert len(store.messages) == 3


def test_words_of_a_failed_batch_are_written_with_the_next(store, tmp_path):
    store.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(KnownError):
        fill(store, 3)
    store.connection.execute("PRAGMA query_only = OFF")
    with pytest.raises(ZeroDivisionError), store.transaction():
        fill(store, 3)
        raise ZeroDivisionError
    messages = fill(store, 2, first=50)
    words = [store.words.vocabulary.word(number) for number in range(len(store.words.vocabulary))]
    samples = store.samples.of(messages)
    store.close()
    with open_store(tmp_path / "home") as again:
        vocabulary = again.words.vocabulary
        assert [vocabulary.word(number) for number in range(len(vocabulary))] == words
        assert again.samples.of(messages) == samples


def test_a_swallowed_error_does_not_commit_half(store):
    with pytest.raises(RuntimeError), store.transaction():
        store.settings.set("a", 1)
        try:
            with store.transaction():
                store.settings.set("b", 2)
                raise KeyError
        except KeyError:
            pass
    assert store.settings.get("a", 0) == 0


def test_invalid_characters_are_stored_readably(store):
    odd = sample(store, ["half\ud83d", "null\x00", "line\nend"], random.Random(1), 1)
    strange = Content(b"i" * 16, Heading("\udcffsender", "subject\ud83d", 1.0, 1, False), odd)
    (message,), _ = store.messages.add([strange], 1)
    heading = store.messages.headings([message])[message]
    assert (heading.sender, heading.subject) == ("?sender", "subject?")


def test_a_number_that_was_rolled_back_has_no_old_sample(store):
    class Full(Exception):
        """Error of a full disk."""

    with pytest.raises(Full), store.transaction():
        failed = store.messages.add([content(store, 7)], TOKENIZER)[0]
        raise Full
    assert store.samples.of(failed) == {}
    assert fill(store, 1) == tuple(failed)
    assert store.samples.of(failed)[failed[0]] == content(store, 1).sample


def test_samples_of_another_tokenizer_are_found_and_replaced(store):
    messages = fill(store, 4)
    store.marks.mark(dict.fromkeys(messages[:2], "spam"), by=By.USER, moment=1.0)
    assert list(store.samples.outdated(TOKENIZER, 0, 9)) == []
    assert list(store.samples.outdated(TOKENIZER + 1, 0, 2)) == list(messages[:2])
    anew = {message: content(store, 50 + message).sample for message in messages[1:3]}
    store.replace_samples(anew, TOKENIZER + 1)
    assert store.samples.of(anew) == anew
    assert list(store.samples.outdated(TOKENIZER + 1, 0, 9)) == [messages[0], messages[3]]
    assert store.model.model.counts == rebuilt(store).counts
    assert not store.model.is_exact


PLAIN = [
    "free",
    'quo"ted\\u0000',
    "",
    "1",
    "null",
    "\u2028",
    "\U0001f600",
    "\x01\x1f\x7f",
    "fact:type=a b",
]


MANY = [f"word{number}" for number in range(900)]


@pytest.mark.parametrize("odd", [["\0x"], ["x\0y"], ["a\nb"], ["\n"], ["\n", "\n\n"], MANY])
def test_words_keep_their_numbers(tmp_path, odd):
    words = PLAIN + odd
    with open_store(tmp_path) as store:
        for some in (words[:4], words[4:]):
            with store.transaction():
                store.words.vocabulary.numbers_of(some)
                store.words.write()
    with open_store(tmp_path) as store:
        assert store.words.vocabulary.words_from(0) == words
