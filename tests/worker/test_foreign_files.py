"""Other filters' training in a home: told before it is taken, taken back by undo, given back, and given away."""

import re
from operator import methodcaller as request

import numpy as np
import pytest

from nbmail.errors import ErrorCode
from nbmail.values import Arrival, FolderName
from nbmail.worker.protocol.results import Agreement
from tests.exchange import foreign
from tests.worker.conftest import BOTH_WORDS, GOOD_WORDS, JUNK_WORDS, Station
from tests.worker.test_intake import bring
from tests.worker.test_marking import labels, scores


@pytest.fixture
def word_list(tmp_path):
    """A word list that knows the station's kinds of mail, and words that only bogofilter has."""
    path = tmp_path / "words.txt"
    lines = [b".MSG_COUNT 30 40\n", b"head:plain 30 40\n", b"Viagra 2 0\n"]
    lines += [f"{word} 20 1\n".encode() for word in JUNK_WORDS.split()]
    lines += [f"{word} 1 25\n".encode() for word in GOOD_WORDS.split()]
    path.write_bytes(b"".join(lines))
    return path


def figures(station):
    station.do.rebuild()
    return {one.name: one.messages for one in station.learned().classes}


def test_a_file_is_told_of_before_anything_changes(backend_station, word_list):
    station = backend_station
    before, known = scores(station), figures(station)
    report = station.do.preview_import(word_list)
    assert (report.format, report.classes) == ("bogofilter", (("junk", 30), ("good", 40)))
    assert (report.words, report.ours) == (26, 25)
    assert report.known == len([word for word in f"{JUNK_WORDS} {GOOD_WORDS}".split() if word not in BOTH_WORDS])
    assert report.agreement == Agreement(20, 20, 20, 20)
    assert not report.counted
    assert np.array_equal(scores(station), before)
    assert figures(station) == known
    assert station.check_up().sound
    station.do.import_model(word_list)
    assert station.do.preview_import(word_list).counted
    listed = {line.word for line in station.do.list_words(limit=500).words}
    assert "viagra" in listed
    assert not {word for word in listed if word.startswith("bogofilter:")}
    assert station.ask.import_model(word_list).error_code is ErrorCode.ALREADY_KNOWN


def test_what_came_in_lives_beside_the_labels_and_goes_when_it_is_taken_back(backend_station, word_list, tmp_path):
    station = backend_station
    before = scores(station)
    station.do.import_model(word_list)
    station.until_exact()
    assert figures(station) == {"junk": 50, "good": 60}
    assert not np.array_equal(scores(station), before)
    station.do.mark((50,), "good")
    station.do.rebuild()
    station.again()
    assert figures(station) == {"junk": 50, "good": 61}
    assert station.check_up().sound
    done = station.do.export_model(tmp_path / "back.txt", "bogofilter")
    assert done.left_out > 0
    back = (tmp_path / "back.txt").read_text().splitlines()
    assert {".MSG_COUNT 50 61", "head:plain 30 40", "Viagra 2 0"} <= set(back)
    assert station.do.preview_import(tmp_path / "back.txt").counted
    station.do.undo()
    undone = station.do.undo(32)
    assert (undone.imported, undone.messages, undone.step.by) == (True, (), "import")
    station.until_exact()
    assert np.array_equal(scores(station), before)


def test_a_file_may_take_the_place_of_all_others_after_a_backup(backend_station, word_list, tmp_path):
    station = backend_station
    marked = labels(station)
    station.do.import_model(word_list)
    other = tmp_path / "training.dat"
    other.write_bytes(foreign.TRAINING)
    station.until_exact()
    before = scores(station)
    done = station.do.import_model(other, replace=True)
    station.until_exact()
    assert figures(station) == {"junk": 21, "good": 21}
    assert labels(station) == marked
    with Station(tmp_path / "fresh").ready() as fresh:
        fresh.do.import_model(done.backup)
        fresh.deliver(range(1, 101))
        assert np.array_equal(scores(fresh), before)
    station.do.undo()
    station.until_exact()
    assert np.array_equal(scores(station), before)
    assert station.check_up().sound


def test_all_that_was_imported_can_be_taken_out_whatever_came_since(backend_station, word_list):
    station = backend_station
    alone = figures(station)
    assert not station.do.drop_imports()
    station.do.import_model(word_list)
    station.do.mark((50,), "good")
    assert station.do.drop_imports()
    station.until_exact()
    assert figures(station) == {"junk": alone["junk"], "good": alone["good"] + 1}
    assert not station.do.drop_imports()
    station.do.undo()
    assert figures(station) == {"junk": alone["junk"] + 30, "good": alone["good"] + 41}
    assert station.check_up().sound


def test_a_file_of_many_classes_is_refused_where_much_is_known(backend_station, tmp_path, monkeypatch):
    monkeypatch.setattr("nbmail.worker.model.import_export.SMALL", 1)
    monkeypatch.setattr("nbmail.worker.model.import_export.GROWTH", 1)
    traits = tmp_path / "traits.dat"
    traits.write_bytes(foreign.TRAITS)
    refused = (
        request("preview_import", traits),
        request("import_model", traits),
        request("import_model", traits, replace=True),
    )
    for one in refused:
        failed = one(backend_station.ask)
        assert failed.error_code is ErrorCode.BAD_MODEL_FILE
        assert "3 classes" in failed.detail
    assert len(backend_station.do.list_mail().messages) == 100
    assert not list(backend_station.paths.data.glob("*.nbmodel"))


def test_a_model_to_give_away_names_nobody_and_says_what_is_lost(backend_station, word_list, tmp_path):
    station = backend_station
    station.do.import_model(word_list)
    for number in range(41, 100):
        station.do.mark((number,), ("good", "junk")[number % 2])
    whole = station.do.export_model(tmp_path / "whole.nbmodel")
    done = station.do.export_model(tmp_path / "given.nbmodel", redact=3)
    assert done.left_out == whole.words - done.words > 0
    words = foreign.read(tmp_path / "given.nbmodel").tables.words
    assert {"viagra", "meeting"} <= set(words)
    for word in words:
        place, _, text = word.rpartition(":")
        assert place not in ("from", "to", "reply", "received", "id", "bogofilter")
        assert "@" not in word
        assert place in ("fact", "measure") or not any(sign.isdigit() for sign in text), word
        assert "anna" not in word
    assert done.recall is None or (0 <= done.recall[1] <= 1 and done.recall[0] > 0.9)


def test_a_redacted_model_leaves_out_the_domains_of_sent_mail(station, tmp_path):
    station.ready()
    mail = [
        f"From: a{number}@list.example\r\nSubject: lunch\r\n\r\nInitech and big-corp lunch {number}\r\n".encode()
        for number in range(1, 13)
    ]
    bring(station, *(Arrival(uid, frozenset(), 1000.0, raw, len(raw)) for uid, raw in enumerate(mail, 1)))
    sent = b"From: Me <me@initech.example>\r\nTo: boss@hr.big-corp.example\r\nSubject: x\r\n\r\ny\r\n"
    arrived = Arrival(1, frozenset(), 1001.0, sent, len(sent))
    bring(station, arrived, folder=FolderName("home", "Gesendet"), special="\\Sent")
    for number in range(1, 13):
        station.do.mark((number,), ("good", "junk")[number % 2])
    station.do.export_model(tmp_path / "given.nbmodel", redact=2)
    words = foreign.read(tmp_path / "given.nbmodel").tables.words
    assert {"lunch", "subject:lunch"} <= set(words)
    assert [word for word in words if re.search("initech|big|corp", word.lower())] == []
