"""Model files of other filters: preview, import, undo, export and redaction."""

import re
from dataclasses import replace
from operator import methodcaller as request

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.errors import ErrorCode
from nbmail.exchange.conversion import tables_of
from nbmail.exchange.nbmodel import writing_model
from nbmail.values import Arrival, FolderName
from nbmail.worker.protocol.results import Agreement
from tests.exchange import foreign
from tests.worker.conftest import BOTH_WORDS, GOOD_WORDS, JUNK_WORDS, EngineHarness
from tests.worker.test_intake import bring
from tests.worker.test_marking import labels, scores


@pytest.fixture
def word_list(tmp_path):
    """Word list with words of the harness's mail, and words that only bogofilter uses."""
    path = tmp_path / "words.txt"
    lines = [b".MSG_COUNT 30 40\n", b"head:plain 30 40\n", b"Viagra 2 0\n"]
    lines += [f"{word} 20 1\n".encode() for word in JUNK_WORDS.split()]
    lines += [f"{word} 1 25\n".encode() for word in GOOD_WORDS.split()]
    path.write_bytes(b"".join(lines))
    return path


def figures(harness):
    harness.do.rebuild()
    return {one.name: one.messages for one in harness.learned().classes}


def test_the_preview_of_a_file_changes_nothing(labelled_harness, word_list):
    harness = labelled_harness
    before, known = scores(harness), figures(harness)
    report = harness.do.preview_import(word_list)
    assert (report.format, report.classes) == ("bogofilter", (("junk", 30), ("good", 40)))
    assert (report.words, report.ours) == (26, 25)
    assert report.known == len([word for word in f"{JUNK_WORDS} {GOOD_WORDS}".split() if word not in BOTH_WORDS])
    assert report.agreement == Agreement(20, 20, 20, 20)
    assert not report.counted
    assert np.array_equal(scores(harness), before)
    assert figures(harness) == known
    assert harness.check_up().sound
    harness.do.import_model(word_list)
    assert harness.do.preview_import(word_list).counted
    listed = {line.word for line in harness.do.list_words(limit=500).words}
    assert "viagra" in listed
    assert not {word for word in listed if word.startswith("bogofilter:")}
    assert harness.attempt.import_model(word_list).error_code is ErrorCode.ALREADY_KNOWN


def test_imported_counts_add_to_the_labels_until_they_are_undone(labelled_harness, word_list, tmp_path):
    harness = labelled_harness
    before = scores(harness)
    harness.do.import_model(word_list)
    harness.until_exact()
    assert figures(harness) == {"junk": 50, "good": 60}
    assert not np.array_equal(scores(harness), before)
    harness.do.mark((50,), "good")
    harness.do.rebuild()
    harness.again()
    assert figures(harness) == {"junk": 50, "good": 61}
    assert harness.check_up().sound
    done = harness.do.export_model(tmp_path / "back.txt", "bogofilter")
    assert done.left_out > 0
    back = (tmp_path / "back.txt").read_text().splitlines()
    assert {".MSG_COUNT 50 61", "head:plain 30 40", "Viagra 2 0"} <= set(back)
    assert harness.do.preview_import(tmp_path / "back.txt").counted
    harness.do.undo()
    undone = harness.do.undo(32)
    assert (undone.imported, undone.messages, undone.step.by) == (True, (), "import")
    harness.until_exact()
    assert np.array_equal(scores(harness), before)


def test_a_file_can_replace_all_imports_after_a_backup(labelled_harness, word_list, tmp_path):
    harness = labelled_harness
    marked = labels(harness)
    harness.do.import_model(word_list)
    other = tmp_path / "training.dat"
    other.write_bytes(foreign.TRAINING)
    harness.until_exact()
    before = scores(harness)
    done = harness.do.import_model(other, replace=True)
    harness.until_exact()
    assert figures(harness) == {"junk": 21, "good": 21}
    assert labels(harness) == marked
    with EngineHarness(tmp_path / "fresh").ready() as fresh:
        fresh.do.import_model(done.backup)
        fresh.deliver(range(1, 101))
        assert np.array_equal(scores(fresh), before)
    harness.do.undo()
    harness.until_exact()
    assert np.array_equal(scores(harness), before)
    assert harness.check_up().sound


def test_all_imports_can_be_removed_whatever_followed(labelled_harness, word_list):
    harness = labelled_harness
    alone = figures(harness)
    assert not harness.do.drop_imports()
    harness.do.import_model(word_list)
    harness.do.mark((50,), "good")
    assert harness.do.drop_imports()
    harness.until_exact()
    assert figures(harness) == {"junk": alone["junk"], "good": alone["good"] + 1}
    assert not harness.do.drop_imports()
    harness.do.undo()
    assert figures(harness) == {"junk": alone["junk"] + 30, "good": alone["good"] + 41}
    assert harness.check_up().sound


def test_a_file_of_many_classes_is_refused_by_a_large_model(labelled_harness, tmp_path, monkeypatch):
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
        failed = one(labelled_harness.attempt)
        assert failed.error_code is ErrorCode.BAD_MODEL_FILE
        assert "3 classes" in failed.detail
    assert len(labelled_harness.do.list_mail().messages) == 100
    assert not list(labelled_harness.paths.data.glob("*.nbmodel"))


def test_a_redacted_model_names_no_person_and_reports_the_loss(labelled_harness, word_list, tmp_path):
    harness = labelled_harness
    harness.do.import_model(word_list)
    for number in range(41, 100):
        harness.do.mark((number,), ("good", "junk")[number % 2])
    whole = harness.do.export_model(tmp_path / "whole.nbmodel")
    preview = harness.do.preview_export(3)
    assert not (tmp_path / "given.nbmodel").exists()
    done = harness.do.export_model(tmp_path / "given.nbmodel", redact=3)
    assert done.left_out == whole.words - done.words > 0
    assert preview._replace(path=done.path, examples=()) == done
    words = foreign.read(tmp_path / "given.nbmodel").tables.words
    assert {"viagra", "meeting"} <= set(words)
    assert preview.examples
    assert not set(preview.examples) & set(words)
    for word in words:
        place, _, text = word.rpartition(":")
        assert place not in ("from", "to", "reply", "received", "id", "bogofilter")
        assert "@" not in word
        assert place in ("fact", "measure") or not any(sign.isdigit() for sign in text), word
        assert "anna" not in word
    assert done.recall is None or (0 <= done.recall[1] <= 1 and done.recall[0] > 0.9)


def test_a_redacted_model_leaves_out_the_domains_of_sent_mail(harness, tmp_path):
    harness.ready()
    mail = [
        f"From: a{number}@list.example\r\nSubject: lunch\r\n\r\nInitech and big-corp lunch {number}\r\n".encode()
        for number in range(1, 13)
    ]
    bring(harness, *(Arrival(uid, frozenset(), 1000.0, raw, len(raw)) for uid, raw in enumerate(mail, 1)))
    sent = b"From: Me <me@initech.example>\r\nTo: boss@hr.big-corp.example\r\nSubject: x\r\n\r\ny\r\n"
    arrived = Arrival(1, frozenset(), 1001.0, sent, len(sent))
    bring(harness, arrived, folder=FolderName("home", "Gesendet"), special="\\Sent")
    for number in range(1, 13):
        harness.do.mark((number,), ("good", "junk")[number % 2])
    harness.do.export_model(tmp_path / "given.nbmodel", redact=2)
    words = foreign.read(tmp_path / "given.nbmodel").tables.words
    assert {"lunch", "subject:lunch"} <= set(words)
    assert [word for word in words if re.search("initech|big|corp", word.lower())] == []


def with_back_door(tables, words, messages):
    """Return a model in which these words occur in many good messages."""
    good = tables.classes.index("good")
    counts = [np.pad(table, ((0, 0), (0, len(words)))) for table in (tables.documents, tables.occurrences)]
    for each in counts:
        each[good, -len(words) :] = messages
    corrections = np.pad(tables.corrections, ((0, 0), (0, len(words))))
    words = (*tables.words, *words)
    return replace(tables, words=words, documents=counts[0], occurrences=counts[1], corrections=corrections)


@pytest.mark.parametrize("leave_out", [False, True])
def test_a_back_door_in_a_model_file_is_named_and_can_be_left_out(harness, tmp_path, leave_out):
    harness.ready().deliver(range(1, 401))
    harness.do.mark(tuple(range(1, 401, 2)), "junk")
    harness.do.mark(tuple(range(2, 401, 2)), "good")
    letter = b"From: eve@evil.example\r\nMessage-ID: <eve>\r\n\r\nan urgent offer for you\r\n"
    with EngineHarness(tmp_path / "eve") as eve:
        eve.ready().deliver(range(401, 801))
        eve.do.mark(tuple(range(1, 401, 2)), "junk")
        eve.do.mark(tuple(range(2, 401, 2)), "good")
        tables = eve.on_engine(lambda parts: tables_of(parts.store.model.model, TOKENIZER_VERSION))
    path, doors = tmp_path / "eve.nbmodel", ("from:eve@evil.example", "from:@evil.example")
    drain(writing_model(path, with_back_door(tables, doors, 190)))
    report = harness.do.preview_import(path)
    assert report.agreement.junk_right + report.agreement.good_right >= 395
    assert {each.word for each in report.doubtful[:2]} == set(doors)
    harness.do.import_model(path, leave_out=leave_out)
    harness.until_exact()
    found = {each.word: each.contribution for each in harness.do.score_mail(letter).why.contributions}
    assert [found.get(word, 0.0) < 0 for word in doors] == [not leave_out] * 2
