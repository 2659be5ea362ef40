"""A message is its content: one in many places, kept with what it is learned with."""

import numpy as np
import pytest

from nbmail.core.counting.sample import Clues
from nbmail.errors import KnownError
from nbmail.store.values import Batch, By, Content, FolderState, Head, Placed
from tests.store.helpers import ACCOUNT, INBOX, SPAM, TOKENIZER, batch, content, fill, open_model, open_store, placed

SEEN = frozenset({"\\Seen"})


def test_the_same_mail_in_two_folders_is_one_message(store):
    first = store.take(batch(store, [1, 2]), 1.0)
    second = store.take(batch(store, [2, 3], SPAM), 1.0)
    assert first.messages[1] == second.messages[0]
    assert second.fresh == {second.messages[1]}
    assert len(store.messages) == 3
    places = store.folders.locations([first.messages[1]])
    assert [(one.folder, one.uid) for one in places] == [(INBOX, 2), (SPAM, 2)]


def test_the_same_mail_twice_in_one_batch_is_one_message(store):
    twins = (placed(store, 5, uid=1), placed(store, 5, uid=2))
    taken = store.take(Batch(ACCOUNT, INBOX, 1, 1, placed=twins), 1.0)
    assert taken.messages[0] == taken.messages[1]
    assert len(store.folders.locations(taken.messages)) == 2


def test_a_move_keeps_the_label(store):
    (message,) = fill(store, 1)
    store.marks.mark(open_model(store), [message], "junk", by=By.USER, moment=1.0)
    gone = store.take(batch(store, (), gone=frozenset({1})), 2.0)
    assert gone.homeless == {message}
    assert len(store.listing.all().messages) == 0
    there = store.take(batch(store, [1], SPAM), 3.0)
    assert there.messages == (message,)
    assert not there.fresh
    assert store.labels.of([message]) == {message: "junk"}


def test_a_new_validity_drops_locations_never_labels(store):
    messages = fill(store, 5)
    store.marks.mark(open_model(store), messages, "good", by=By.USER, moment=1.0)
    taken = store.take(batch(store, [1, 2], validity=2), 2.0)
    assert taken.homeless == set(messages[2:])
    assert store.folders.state(ACCOUNT, INBOX).validity == 2
    assert set(store.folders.state(ACCOUNT, INBOX).flags) == {1, 2}
    assert len(store.labels) == 5


def test_what_is_known_of_a_folder(store):
    assert store.folders.state(ACCOUNT, INBOX) == FolderState()
    fill(store, 3)
    assert store.folders.state(ACCOUNT, INBOX) == FolderState(1, 0, "", False, dict.fromkeys((1, 2, 3), frozenset()))
    flags = {2: SEEN, 77: SEEN}
    taken = store.take(batch(store, (), flags=flags, complete=True, modseq=9, special="\\Inbox"), 1.0)
    assert taken.flagged == {2}
    state = store.folders.state(ACCOUNT, INBOX)
    assert (state.modseq, state.complete, state.special) == (9, True, "\\Inbox")
    assert state.flags == {1: frozenset(), 2: SEEN, 3: frozenset()}
    assert store.take(batch(store, (), flags={2: SEEN}), 1.0).flagged == frozenset()
    store.take(batch(store, [4], modseq=50), 1.0)
    assert store.folders.state(ACCOUNT, INBOX).modseq == 9, "it counts only once the folder is in step"


def test_a_batch_is_stored_whole_or_not_at_all(store, tmp_path):
    fill(store, 3)
    before = store.folders.state(ACCOUNT, INBOX)
    bad = Placed(9, frozenset(), Content(b"x", Head("a", "b", 0.0, 1), content(store, 9).sample, "not bytes"))
    worse = Batch(ACCOUNT, INBOX, 1, 1, placed=(placed(store, 8), bad), gone=frozenset({1}))
    with pytest.raises(TypeError):
        store.take(worse, 1.0)
    assert store.folders.state(ACCOUNT, INBOX) == before
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
    samples = store.messages.samples(messages)
    store.close()
    with open_store(tmp_path / "home") as again:
        vocabulary = again.words.vocabulary
        assert [vocabulary.word(number) for number in range(len(vocabulary))] == words
        assert again.messages.samples(messages) == samples


def test_a_swallowed_error_does_not_commit_half(store):
    with pytest.raises(RuntimeError), store.transaction():
        store.settings.set("a", 1)
        try:
            with store.transaction():
                store.settings.set("b", 2)
                raise KeyError
        except KeyError:
            pass
    assert store.settings.get("a") is None


def test_samples_come_back_as_they_were(store):
    wanted = [content(store, number).sample for number in range(1, 6)]
    messages = fill(store, 5)
    samples = store.messages.samples(messages)
    assert [samples[message] for message in messages] == wanted


def test_text_that_is_no_text_is_kept_readable(store):
    clues = Clues(("half\ud83d", "null\x00", "line\nend"), (1, 1, 1), ())
    strange = Content(b"i" * 16, Head("\udcffsender", "subject\ud83d", 1.0, 1), store.words.vocabulary.sample(clues))
    (message,), _ = store.messages.add([strange], 1)
    head = store.messages.heads([message])[message]
    assert (head.sender, head.subject) == ("?sender", "subject?")


def test_words_of_all_messages_in_order(store):
    messages = fill(store, 25)
    seen, last = [], 0
    while True:
        numbers, rows = store.messages.words_after(last, most=10)
        if not len(numbers):
            break
        for place, number in enumerate(numbers.tolist()):
            words = rows.words[rows.starts[place] : rows.starts[place + 1]]
            assert np.array_equal(words, store.messages.samples([number])[number].words)
            seen.append(number)
        last = seen[-1]
    assert seen == sorted(messages)


def test_forgetting_an_account_keeps_labels(store):
    messages = fill(store, 3)
    store.marks.mark(open_model(store), messages, "junk", by=By.USER, moment=1.0)
    assert store.folders.forget(ACCOUNT) == set(messages)
    assert store.folders.names() == ()
    assert len(store.labels) == 3


def test_messages_of_a_folder_and_of_a_sender(store):
    messages = fill(store, 11)
    assert store.folders.messages(ACCOUNT, INBOX) == messages
    assert store.folders.messages(ACCOUNT, "other") == ()
    assert store.messages.from_sender("sender1@example.org") == ((1, 1.0), (6, 6.0), (11, 11.0))
    identities = store.messages.identities(messages)
    assert store.messages.find(identities.values()) == {one: number for number, one in identities.items()}


def test_settings(store):
    assert store.settings.get("cost", 100) == 100
    store.settings.set("cost", 5)
    store.settings.set("cost", {"junk": [1, 2.5]})
    assert store.settings.get("cost") == {"junk": [1, 2.5]}


def test_what_was_kept_last_is_remembered_as_it_lies_on_the_disk(store):
    messages = fill(store, 5)
    remembered = store.messages.samples(messages)
    store.messages.forget_latest()
    assert store.messages.samples(messages) == remembered
    assert list(store.messages.samples([messages[3], 999])) == [messages[3]]


def test_a_number_rolled_back_remembers_nothing_of_the_message_that_had_it(store):
    class Full(Exception):
        """The disk is."""

    with pytest.raises(Full), store.transaction():
        failed = store.messages.add([content(store, 7)], TOKENIZER)[0]
        raise Full
    assert store.messages.samples(failed) == {}
    assert fill(store, 1) == tuple(failed)
    again = store.messages.samples(failed)
    store.messages.forget_latest()
    assert store.messages.samples(failed) == again
