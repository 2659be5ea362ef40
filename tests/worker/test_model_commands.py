"""Model files: identical scores in a fresh data folder, undo of imports, other versions and methods."""

from dataclasses import replace

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.scoring.model import Model, ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.conversion import tables_of
from nbmail.exchange.nbmodel import writing_model
from nbmail.store.doctor import Doctor
from nbmail.worker.model.import_export import OLDER_VERSION, import_model, read_model_file
from tests.core.material import mailbox, text_sample, trained, vocabulary
from tests.store.helpers import open_store
from tests.worker.conftest import Done, EngineHarness
from tests.worker.test_marking import labels, scores


def test_an_export_gives_the_same_scores_in_a_fresh_data_folder(labelled_harness, tmp_path):
    exported = labelled_harness.do.export_model(tmp_path / "mine.nbmodel")
    assert exported.messages == 40
    with EngineHarness(tmp_path / "fresh").ready() as fresh:
        imported = fresh.do.import_model(tmp_path / "mine.nbmodel")
        assert (imported.words, imported.messages) == (exported.words, exported.messages)
        assert not imported.other_method
        fresh.deliver(range(1, 101))
        assert np.array_equal(scores(fresh), scores(labelled_harness))
        # The base rate of each mailbox shifts probabilities and the words that would change the verdict.
        for part in ("score", "contributions", "weaker", "nearest"):
            assert getattr(fresh.do.explain(77), part) == getattr(labelled_harness.do.explain(77), part)
        assert labels(fresh) == {}
        fresh.again()
        assert np.array_equal(scores(fresh), scores(labelled_harness))
        assert fresh.check_up().sound


def figures(harness):
    return [(one.name, one.messages) for one in harness.learned().classes], harness.learned().held_out


def test_a_file_exported_from_here_is_not_counted_twice(labelled_harness, tmp_path):
    harness = labelled_harness
    harness.do.rebuild()
    before = figures(harness)
    harness.do.export_model(tmp_path / "mine.nbmodel")
    assert harness.attempt.import_model(tmp_path / "mine.nbmodel").error_code is ErrorCode.ALREADY_KNOWN
    harness.do.rebuild()
    assert figures(harness) == before
    assert len(harness.do.list_journal()) == 40
    harness.do.mark((50,), "good")
    assert harness.attempt.import_model(tmp_path / "mine.nbmodel").error_code is ErrorCode.ALREADY_KNOWN
    harness.again()
    assert harness.attempt.import_model(tmp_path / "mine.nbmodel").error_code is ErrorCode.ALREADY_KNOWN


def test_a_file_is_imported_once_until_undone_whatever_its_name(labelled_harness, tmp_path):
    labelled_harness.do.export_model(tmp_path / "mine.nbmodel")
    (tmp_path / "copy.nbmodel").write_bytes((tmp_path / "mine.nbmodel").read_bytes())
    with EngineHarness(tmp_path / "fresh").ready() as fresh:
        fresh.do.import_model(tmp_path / "mine.nbmodel")
        once = figures(fresh)
        assert fresh.attempt.import_model(tmp_path / "copy.nbmodel").error_code is ErrorCode.ALREADY_KNOWN
        fresh.again()
        assert fresh.attempt.import_model(tmp_path / "mine.nbmodel").error_code is ErrorCode.ALREADY_KNOWN
        fresh.until_exact()
        assert figures(fresh) == once
        fresh.do.import_model(tmp_path / "mine.nbmodel", again=True)
        fresh.until_exact()
        classes, held_out = figures(fresh)
        assert [messages for _, messages in classes] == [2 * messages for _, messages in once[0]]
        assert held_out == once[1]
        fresh.do.undo()
        fresh.do.undo()
        fresh.do.import_model(tmp_path / "mine.nbmodel")
        assert figures(fresh) == once
        assert fresh.check_up().sound


def learn_wrong(parts):
    """Make the model differ from the labels."""
    store = parts.store
    store.model.model.learn(store.messages.samples([70])[70], "junk")


def test_a_wrong_model_is_rebuilt_while_marks_continue(labelled_harness):
    harness = labelled_harness
    harness.on_engine(learn_wrong)
    found = {one.name: one.sound for one in harness.check_up().findings}
    assert [name for name, sound in found.items() if not sound] == ["model"]
    mending = harness.engine.rebuild()
    for message in range(50, 60):
        harness.do.mark((message,), ("junk", "good")[message % 2])
    assert isinstance(harness.end_of(mending), Done)
    assert harness.check_up().sound
    harness.again()
    assert len(harness.do.list_journal()) == 50
    assert harness.check_up().sound


@pytest.mark.parametrize("version", [OLDER_VERSION - 1, TOKENIZER_VERSION + 1])
def test_only_files_of_known_tokenizer_versions_are_read(version, tmp_path):
    path, tables = tmp_path / "m.nbmodel", tables_of(trained("balanced"), TOKENIZER_VERSION)
    with open_store(tmp_path / "home") as store:
        drain(writing_model(path, tables))
        assert drain(read_model_file(store, path, "")).tables.fingerprint() == tables.fingerprint()
        drain(writing_model(path, replace(tables, tokenizer=version)))
        with pytest.raises(KnownError, match="in another way") as caught:
            drain(read_model_file(store, path, ""))
    assert caught.value.error_code is ErrorCode.BAD_MODEL_FILE


def test_a_file_of_the_older_version_is_imported_without_checks_of_senders(tmp_path):
    path, tables = tmp_path / "m.nbmodel", tables_of(trained("balanced"), OLDER_VERSION)
    tables = replace(tables, words=("fact:dmarc=pass", *tables.words[1:]))
    with open_store(tmp_path / "home") as store:
        drain(writing_model(path, tables))
        changed, imported = drain(import_model(store, path, 2.0))
        known = store.model.model.vocabulary.known_numbers_of(tables.words)
        assert (imported.left_out, imported.words) == (1, len(tables.words) - 1)
        assert (known[0], changed.base) == (-1, True)
        assert min(known[1:]) >= 0
        with pytest.raises(KnownError) as caught:
            drain(import_model(store, path, 3.0))
    assert caught.value.error_code is ErrorCode.ALREADY_KNOWN


def taken_in(folder, made_by, used):
    """Store of one method that imported a model of another; it stays open until the test ends."""
    source = trained(made_by)
    path = folder / "m.nbmodel"
    drain(writing_model(path, tables_of(source, TOKENIZER_VERSION)))
    with open_store(folder / "home", method=used) as store:
        drain(import_model(store, path, 2.0))
        store.model.make_exact()
        yield store, store.model.model


def opinion(model, words):
    """Return scores of messages given as text: numbers of words differ between data folders."""
    samples = [text_sample(model.vocabulary, one) for one in words]
    return model.log_odds(model.rows(samples))


def texts(messages=80, seed=5):
    """Return unlearned messages as words, and for each whether it is junk."""
    known = vocabulary()
    mail = mailbox(messages, seed)
    return [[known.word(number) for number in one.words.tolist()] for one, _ in mail], [
        label == "junk" for _, label in mail
    ]


@pytest.mark.parametrize("made_by", ["balanced", "logistic", "tree", "multinomial"])
@pytest.mark.parametrize("used", ["balanced", "multinomial", "bernoulli"])
def test_another_method_uses_only_the_counts_of_a_file(tmp_path, made_by, used):
    words, _ = texts()
    for store, model in taken_in(tmp_path, made_by, used):
        plain = Model(vocabulary(), used)
        plain.restore(ModelContent.of(trained(made_by).counts))
        if made_by == used:
            plain = trained(used)
        assert opinion(model, words) == pytest.approx(opinion(plain, words), abs=1e-9)
        assert model.calibrated is plain.calibrated
        assert Doctor(store, 3.0).check().sound


@pytest.mark.parametrize(("made_by", "used"), [("balanced", "tree"), ("tree", "tree"), ("balanced", "logistic")])
def test_a_model_without_usable_counts_is_refused_with_a_reason(tmp_path, made_by, used):
    with pytest.raises(KnownError, match=f"{used}, learns nothing from this file of {made_by}"):
        next(taken_in(tmp_path, made_by, used))
    with open_store(tmp_path / "home") as store:
        assert store.imported.current == 0
        assert len(store.words.vocabulary) == 0
