"""Opening a home: the copy of the word ids is believed only where it is one."""

import shutil
import sqlite3
import threading

import numpy as np
import pytest

from nbmail.core.counting.sample import WordRows
from nbmail.core.reading import tokenizer
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Settings
from nbmail.store.files.quarantine import start_empty
from nbmail.store.store import Store
from nbmail.values import NoteKind, OpeningNote
from nbmail.worker.mailbox import rereading
from nbmail.worker.protocol.events import Opened
from nbmail.worker.protocol.results import Body
from tests.worker.conftest import PATIENCE, wait_until_ready
from tests.worker.test_label_files import labels_by_identity
from tests.worker.test_marking import labels, scores

WORDS = "words.arrays"


@pytest.fixture
def at_once(monkeypatch):
    """Word ids are written whenever there is time, and there is time at once."""
    monkeypatch.setattr("nbmail.store.model.word_ids._MANY", 0)
    monkeypatch.setattr("nbmail.worker.engine.engine.REST", 0.01)


def until_kept(station, before=None):
    """Wait for the file of word ids to be another than before."""
    path = station.paths.data / WORDS
    while not path.exists() or path.read_bytes() == before:
        threading.Event().wait(0.01)
    return path.read_bytes()


def is_copy(station):
    """Whether the word ids in memory are those of the database."""
    word_ids = station.engine.parts.store.word_ids
    mine = word_ids.rows(0, len(word_ids), whole=True)
    station.stop()
    with Store(station.paths, 0.0) as store:
        samples = store.messages.samples(range(1, store.messages.last() + 1))
        theirs = WordRows.of([samples[number] for number in sorted(samples)])
    names = ("words", "starts", "occurrences", "measures")
    return all(np.array_equal(getattr(mine, name), getattr(theirs, name)) for name in names)


def test_the_word_ids_are_a_copy_of_the_store_in_file_and_memory(station, at_once):
    station.ready().deliver(range(1, 41))
    kept = until_kept(station)
    station.deliver(range(41, 61))
    until_kept(station, kept)
    station.deliver(range(61, 71))
    station.do.mark((5, 65), "junk")
    station.again()
    station.deliver(range(71, 81))
    assert is_copy(station)


@pytest.mark.parametrize("harm", ["gone", "torn", "altered"])
def test_damaged_word_ids_are_made_anew(backend_station, at_once, harm):
    backend_station.again()
    content, before = until_kept(backend_station), scores(backend_station)
    backend_station.stop()
    path, middle = backend_station.paths.data / WORDS, len(content) // 2
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(content[:middle] if harm == "torn" else content[:middle] + b"\xff\xff" + content[middle + 2 :])
    backend_station.ready()
    assert np.array_equal(scores(backend_station), before)
    assert is_copy(backend_station)


def test_an_older_database_put_back_is_noticed(station, tmp_path, at_once):
    station.ready().deliver(range(1, 31))
    station.stop()
    shutil.copy(station.paths.database, tmp_path / "old")
    station.ready().deliver(range(31, 61))
    until_kept(station)
    station.stop()
    shutil.copy(tmp_path / "old", station.paths.database)
    station.ready().deliver(range(70, 100))
    assert is_copy(station)


def test_a_new_tokenizer_reads_cached_mail_anew(backend_station, monkeypatch):
    """In the background, each message once; what isn't cached keeps its words."""
    station = backend_station
    before = scores(station)
    lost = station.on_engine(lambda parts: lose(parts.store, 7))
    station.stop()

    def shouting(mail, vocabulary, trust):
        table = vocabulary.table
        table.begin()
        measures = tokenizer.collect(mail, table)
        table.add_words(["seen:anew"])
        words, occurrences = (np.frombuffer(numbers, np.int32) for numbers in table.take())
        return type(lost)(words, occurrences, measures)

    with monkeypatch.context() as newer:
        newer.setattr(rereading, "TOKENIZER_VERSION", tokenizer.TOKENIZER_VERSION + 1)
        newer.setattr(rereading, "sample_of", shouting)
        station.ready()
        station.until_exact()
        while not station.on_engine(is_reread):
            threading.Event().wait(0.01)
        station.until_exact()
        station.do.list_mail()
        assert not np.array_equal(scores(station), before)
        assert station.check_up().sound
        assert any(one.word == "seen:anew" for one in station.do.explain(8, 10_000).contributions)
        assert not any(one.word == "seen:anew" for one in station.do.explain(7, 10_000).contributions)
        assert is_copy(station)


def is_reread(parts):
    """Whether all but one message were read anew, and their words have taken the place of the others."""
    store = parts.store
    left = len(store.messages.outdated(rereading.TOKENIZER_VERSION, 0, 200))
    return left == 1 and store.word_ids.stamp == store.samples_revision


def lose(store, message):
    """Let the raw mail of a message go; its sample."""
    store.raw_mail.drop(store.messages.identities([message]).values())
    return store.messages.samples([message])[message]


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
def test_values_that_make_no_sense_are_damage_and_no_fault_of_ours(backend_station, harm):
    backend_station.stop()
    connection = sqlite3.connect(backend_station.paths.database)
    connection.execute(harm)
    connection.commit()
    connection.close()
    (backend_station.paths.data / "model.arrays").unlink()
    backend_station.start()
    with pytest.raises(KnownError) as caught:
        wait_until_ready(backend_station.engine, PATIENCE)
    assert caught.value.error_code is ErrorCode.DATABASE_DAMAGED
    backend_station.stop()
    start_empty(backend_station.paths, 1.0, fill=True)
    backend_station.ready()
    is_learned_again(backend_station)
    assert backend_station.check_up().sound
    assert is_copy(backend_station)


def is_learned_again(station):
    """Cached mail gets its labels back in the background, without any account."""

    def is_done(parts):
        return len(parts.store.labels) == 40 and parts.store.model.is_exact

    while not station.on_engine(is_done):
        threading.Event().wait(0.01)
    station.deliver(range(1, 101))
    assert len(station.do.list_mail().messages) == 100


@pytest.mark.expects_log
def test_a_damaged_database_is_replaced_and_its_labels_come_back(backend_station):
    before, model = labels_by_identity(backend_station), sorted(scores(backend_station))
    backend_station.stop()
    raw = backend_station.paths.database.read_bytes()
    backend_station.paths.database.write_bytes(raw[:50] + bytes(100) + raw[150:])
    backend_station.ready()
    (kept,) = (backend_station.paths.data / "damaged").glob("*/nbmail.sqlite3")
    notes = next(event for event in backend_station.events if isinstance(event, Opened)).notes
    assert notes == (OpeningNote(NoteKind.REFILLED, 40, str(kept.parent)),)
    is_learned_again(backend_station)
    assert (labels_by_identity(backend_station), backend_station.check_up().sound) == (before, True)
    assert np.allclose(sorted(scores(backend_station)), model)


@pytest.mark.parametrize("take", [False, True])
def test_labels_that_only_the_log_has_are_offered(backend_station, tmp_path, take):
    before = labels(backend_station)
    backend_station.stop()
    shutil.copy(backend_station.paths.database, tmp_path / "old")
    backend_station.ready()
    backend_station.do.mark((50, 51), "junk")
    backend_station.do.mark((1,), "good")
    after = labels(backend_station)
    for _ in range(2):
        backend_station.stop()
        shutil.copy(tmp_path / "old", backend_station.paths.database)
        backend_station.ready()
        assert backend_station.events[0].notes == (OpeningNote(NoteKind.LABELS_MISSING, 3),)
    if take:
        assert sorted(backend_station.engine.take_back_labels().result(PATIENCE).messages) == [1, 50, 51]
    else:
        backend_station.engine.leave_labels().result(PATIENCE)
    assert labels(backend_station) == (after if take else before)
    for _ in range(2):
        backend_station.again()
        assert backend_station.events[0].notes == ()
        assert backend_station.check_up().sound


def test_idle_moments_are_used_to_tidy_up(station, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.engine.REST", 0.01)
    station.settings = Settings(cache_megabytes=0)
    station.ready().deliver(range(1, 11))
    station.do.mark((1,), "junk")
    log = station.paths.database.with_name(station.paths.database.name + "-wal")
    while station.do.read_message(1).body is Body.WHOLE or log.stat().st_size:
        threading.Event().wait(0.01)


@pytest.mark.parametrize("method", ["multinomial", "gaussian", "bernoulli-complete"])
def test_another_method_is_folded_anew_and_scores_with_all_it_wants(backend_station, method):
    backend_station.stop()
    backend_station.settings = Settings(method=method)
    backend_station.ready()
    backend_station.until_exact()
    assert backend_station.learned().method == method
    by_list = scores(backend_station)
    why = backend_station.do.explain(77)
    assert abs(why.log_odds - why.calibration - by_list[76]) < 1e-9
    backend_station.do.mark((77,), "junk")
    assert backend_station.check_up().sound
