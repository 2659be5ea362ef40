"""Opening a data folder: word ids, damage, idle tasks, methods."""

import shutil
import sqlite3
import threading

import numpy as np
import pytest

from nbmail.core.counting.word_rows import WordRows
from nbmail.core.words import tokenizer
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Settings
from nbmail.store.files.quarantine import replace_database
from nbmail.store.store import Store
from nbmail.values import NoteKind, OpeningNote
from nbmail.worker.protocol.events import Opened
from nbmail.worker.protocol.messages import Body
from nbmail.worker.rereading import outdated_samples
from nbmail.worker.senders import sender_checks
from tests.worker.conftest import PATIENCE, wait_until_ready
from tests.worker.test_label_files import labels_by_identity
from tests.worker.test_marking import labels, scores

WORDS = "words.arrays"


@pytest.fixture
def at_once(monkeypatch, quick_idle):
    """Run idle tasks immediately."""
    monkeypatch.setattr("nbmail.store.model.word_ids._MANY", 0)


def until_kept(harness, before=None):
    """Wait until the file of word ids differs from `before`."""
    path = harness.paths.data / WORDS
    harness.look_until(lambda parts: path.exists() and path.read_bytes() != before)
    return path.read_bytes()


def is_copy(harness):
    """True if the word ids in memory equal the database."""

    def rows(parts):
        return parts.store.word_ids.rows(0, len(parts.store.word_ids), whole=True)

    mine = harness.on_engine(rows)
    harness.stop()
    with Store(harness.paths, 0.0) as store:
        samples = store.samples.of(range(1, store.messages.last() + 1))
        theirs = WordRows.of([samples[number] for number in sorted(samples)])
    names = ("words", "starts", "occurrences", "measures")
    return all(np.array_equal(getattr(mine, name), getattr(theirs, name)) for name in names)


def test_word_ids_equal_the_database_in_file_and_memory(harness, at_once):
    harness.ready().deliver(range(1, 41))
    kept = until_kept(harness)
    harness.deliver(range(41, 61))
    until_kept(harness, kept)
    harness.deliver(range(61, 71))
    harness.do.mark((5, 65), "spam")
    harness.again()
    harness.deliver(range(71, 81))
    assert is_copy(harness)


@pytest.mark.parametrize("harm", ["gone", "torn", "altered"])
def test_damaged_word_ids_are_written_again(labelled_harness, at_once, harm):
    labelled_harness.again()
    content = until_kept(labelled_harness)
    before = scores(labelled_harness)
    labelled_harness.stop()
    path = labelled_harness.paths.data / WORDS
    middle = len(content) // 2
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(
            content[:middle]
            if harm == "torn"
            else content[:middle] + b"\xff\xff" + content[middle + 2 :]
        )
    labelled_harness.ready()
    assert np.array_equal(scores(labelled_harness), before)
    assert is_copy(labelled_harness)


def test_an_older_database_put_back_is_detected(harness, tmp_path, at_once):
    harness.ready().deliver(range(1, 31))
    harness.stop()
    shutil.copy(harness.paths.database, tmp_path / "old")
    harness.ready().deliver(range(31, 61))
    until_kept(harness)
    harness.stop()
    shutil.copy(tmp_path / "old", harness.paths.database)
    harness.ready().deliver(range(70, 100))
    assert is_copy(harness)


def test_a_new_tokenizer_version_reads_cached_mail_again(labelled_harness, at_once, monkeypatch):
    """Each cached message is read once in the background; others keep their words."""
    harness = labelled_harness
    before = scores(harness)
    lost = harness.on_engine(lambda parts: lose(parts.store, 7))
    harness.stop()

    def shouting(mail, vocabulary, *about):
        table = vocabulary.table
        table.begin()
        measures = tokenizer.collect(mail, table)
        table.add_words(["seen:anew"])
        words, occurrences = (np.frombuffer(numbers, np.int32) for numbers in table.take())
        return type(lost)(words, occurrences, measures)

    with monkeypatch.context() as newer:
        newer.setattr(outdated_samples, "TOKENIZER_VERSION", tokenizer.TOKENIZER_VERSION + 1)
        newer.setattr(sender_checks, "sample_of", shouting)
        harness.ready()
        harness.until_exact()
        harness.look_until(is_reread)
        harness.until_exact()
        harness.do.list_mail()
        assert not np.array_equal(scores(harness), before)
        assert harness.check_up().sound
        assert any(one.word == "seen:anew" for one in harness.do.explain(8, 10_000).contributions)
        assert not any(
            one.word == "seen:anew" for one in harness.do.explain(7, 10_000).contributions
        )
        assert is_copy(harness)


def is_reread(parts):
    """True if all messages except one were read again and their words replaced."""
    store = parts.store
    left = len(store.samples.outdated(outdated_samples.TOKENIZER_VERSION, 0, 200))
    return left == 1 and store.word_ids.stamp == store.samples_revision


def lose(store, message):
    store.raw_mail.drop(store.messages.identities([message]).values())
    return store.samples.of([message])[message]


@pytest.mark.expects_log
@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE samples SET measures = '[1, nonsense' WHERE message = 3",
        "UPDATE messages SET subject = CAST(x'ff' AS TEXT)",
        "UPDATE labels SET class = 77 WHERE message = 3",
        "UPDATE samples SET words = x'010203' WHERE message = 3",
    ],
)
def test_invalid_values_are_reported_as_damage(labelled_harness, harm):
    labelled_harness.stop()
    connection = sqlite3.connect(labelled_harness.paths.database)
    connection.execute(harm)
    connection.commit()
    connection.close()
    (labelled_harness.paths.data / "model.arrays").unlink()
    labelled_harness.start()
    with pytest.raises(KnownError) as caught:
        wait_until_ready(labelled_harness.engine, PATIENCE)
    assert caught.value.error_code is ErrorCode.DATABASE_DAMAGED
    labelled_harness.stop()
    replace_database(labelled_harness.paths, 1.0)
    labelled_harness.ready()
    is_learned_again(labelled_harness)
    assert labelled_harness.check_up().sound
    assert is_copy(labelled_harness)


def is_learned_again(harness):
    """Cached mail gets its labels in the background, without an account."""
    harness.look_until(lambda parts: len(parts.store.labels) == 40 and parts.store.model.is_exact)
    harness.deliver(range(1, 101))
    assert len(harness.do.list_mail().messages) == 100


@pytest.mark.expects_log
def test_a_damaged_database_is_replaced_and_its_labels_restored(labelled_harness):
    before = labels_by_identity(labelled_harness)
    model = sorted(scores(labelled_harness))
    labelled_harness.stop()
    raw = labelled_harness.paths.database.read_bytes()
    labelled_harness.paths.database.write_bytes(raw[:50] + bytes(100) + raw[150:])
    labelled_harness.ready()
    (kept,) = (labelled_harness.paths.data / "damaged").glob("*/nbmail.sqlite3")
    notes = next(event for event in labelled_harness.events if isinstance(event, Opened)).notes
    assert notes == (OpeningNote(NoteKind.REFILLED, 40, str(kept.parent)),)
    is_learned_again(labelled_harness)
    assert (labels_by_identity(labelled_harness), labelled_harness.check_up().sound) == (
        before,
        True,
    )
    assert np.allclose(sorted(scores(labelled_harness)), model)


def test_labels_that_only_the_log_has_are_restored_and_can_be_undone(labelled_harness, tmp_path):
    before = labels(labelled_harness)
    labelled_harness.stop()
    shutil.copy(labelled_harness.paths.database, tmp_path / "old")
    labelled_harness.ready()
    labelled_harness.do.mark((50, 51), "spam")
    labelled_harness.do.mark((1,), "ham")
    after = labels(labelled_harness)
    labelled_harness.stop()
    shutil.copy(tmp_path / "old", labelled_harness.paths.database)
    labelled_harness.ready()
    assert labelled_harness.events[0].notes == (OpeningNote(NoteKind.REFILLED, 3),)
    assert labels(labelled_harness) == after
    assert sorted(labelled_harness.do.undo().messages) == [1, 50, 51]
    for _ in range(2):
        assert labels(labelled_harness) == before
        labelled_harness.again()
        assert labelled_harness.events[0].notes == ()
        assert labelled_harness.check_up().sound


def test_idle_time_is_used_to_tidy_up(harness, quick_idle):
    harness.settings = Settings(cache_megabytes=0)
    harness.ready().deliver(range(1, 11))
    harness.do.mark((1,), "spam")
    log = harness.paths.database.with_name(harness.paths.database.name + "-wal")
    while harness.do.read_message(1).body is Body.WHOLE or log.stat().st_size:
        threading.Event().wait(0.01)


@pytest.mark.parametrize("method", ["multinomial", "gaussian", "bernoulli-complete"])
def test_another_method_is_rebuilt_and_scores_with_all_its_features(labelled_harness, method):
    labelled_harness.stop()
    labelled_harness.settings = Settings(method=method)
    labelled_harness.ready()
    labelled_harness.until_exact()
    assert labelled_harness.learned().method == method
    by_list = scores(labelled_harness)
    why = labelled_harness.do.explain(77)
    assert abs(why.score - by_list[76]) < 1e-9
    labelled_harness.do.mark((77,), "spam")
    assert labelled_harness.check_up().sound
