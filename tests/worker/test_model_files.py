"""Model files: of other filters, versions and methods; preview, import, undo and export."""

from dataclasses import replace
from operator import methodcaller as request

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.conversion import tables_of
from nbmail.exchange.nbmodel.writing import writing_model
from nbmail.store.doctor import diagnose
from nbmail.worker.model.laboratory import method_named
from nbmail.worker.model.model_import import import_model, read_model_file
from nbmail.worker.protocol.model_files import Agreement
from tests.core.material import mailbox, text_sample, trained, vocabulary
from tests.exchange import foreign
from tests.store.helpers import open_store
from tests.worker.conftest import BOTH_WORDS, HAM_WORDS, SPAM_WORDS, Done, EngineHarness
from tests.worker.test_marking import labels, scores


@pytest.fixture
def word_list(tmp_path):
    """Word list with words of the harness's mail, and words that only bogofilter uses."""
    path = tmp_path / "words.txt"
    lines = [b".MSG_COUNT 30 40\n", b"head:plain 30 40\n", b"Viagra 2 0\n"]
    lines += [f"{word} 20 1\n".encode() for word in SPAM_WORDS.split()]
    lines += [f"{word} 1 25\n".encode() for word in HAM_WORDS.split()]
    path.write_bytes(b"".join(lines))
    return path


def figures(harness):
    harness.do.rebuild()
    return {one.name: one.messages for one in harness.learned().classes}


def test_the_preview_of_a_file_changes_nothing(labelled_harness, word_list):
    harness = labelled_harness
    before = scores(harness)
    known = figures(harness)
    report = harness.do.preview_import(word_list)
    assert (report.format, report.classes) == ("bogofilter", (("spam", 30), ("ham", 40)))
    assert (report.words, report.ours) == (26, 25)
    assert report.known == len(
        [word for word in f"{SPAM_WORDS} {HAM_WORDS}".split() if word not in BOTH_WORDS]
    )
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


def test_imports_are_steps_on_top_of_the_labels(labelled_harness, word_list, tmp_path):
    """Each undo of an added or replaced model, or of a mark, restores the earlier scores."""
    harness = labelled_harness
    training = tmp_path / "training.dat"
    before = []
    training.write_bytes(foreign.TRAINING)
    assert not harness.do.drop_imports()
    for step, expected in (
        (request("import_model", word_list), {"spam": 50, "ham": 60}),
        (request("mark", (50,), "ham"), {"spam": 50, "ham": 61}),
        (request("import_model", training, replace=True), {"spam": 21, "ham": 22}),
        (request("drop_imports"), {"spam": 20, "ham": 21}),
    ):
        before.append((labels(harness), scores(harness)))
        done = step(harness.do)
        harness.until_exact()
        assert figures(harness) == expected
        assert not np.array_equal(scores(harness), before[-1][1])
        if expected["ham"] == 61:
            harness.again()
            assert harness.do.export_model(tmp_path / "back.txt", "bogofilter").left_out > 0
        elif expected["ham"] == 22:
            backup = done.backup
    back = (tmp_path / "back.txt").read_text().splitlines()
    assert {".MSG_COUNT 50 61", "head:plain 30 40", "Viagra 2 0"} <= set(back)
    with EngineHarness(tmp_path / "fresh").ready() as fresh:
        fresh.do.import_model(backup)
        fresh.deliver(range(1, 101))
        assert np.array_equal(scores(fresh), before[2][1])
    assert not harness.do.drop_imports()
    last = labels(harness), scores(harness)
    for change, states in (("undo", before[::-1]), ("redo", [*before[1:], last])):
        for given, then in states:
            done = getattr(harness.do, change)()
            harness.until_exact()
            assert labels(harness) == given
            assert np.array_equal(scores(harness), then)
        assert (done.imported, done.messages, done.step.by) == (True, (), "import")
        assert harness.check_up().sound
    assert harness.do.preview_import(tmp_path / "back.txt").counted


def test_a_file_of_many_classes_is_refused_by_a_large_model(
    labelled_harness, tmp_path, monkeypatch
):
    monkeypatch.setattr("nbmail.worker.model.model_import.SMALL", 1)
    monkeypatch.setattr("nbmail.worker.model.model_import.GROWTH", 1)
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


def test_an_export_gives_the_same_scores_in_a_fresh_data_folder(labelled_harness, tmp_path):
    exported = labelled_harness.do.export_model(tmp_path / "mine.nbmodel")
    assert exported.messages == 40
    with EngineHarness(tmp_path / "fresh").ready() as fresh:
        imported = fresh.do.import_model(tmp_path / "mine.nbmodel")
        assert (imported.words, imported.messages) == (exported.words, exported.messages)
        assert not imported.other_method
        fresh.deliver(range(1, 101))
        assert np.array_equal(scores(fresh), scores(labelled_harness))
        # The base rate of each mailbox shifts probabilities and the words that would change the
        # verdict.
        for part in ("score", "contributions", "weaker", "nearest"):
            assert getattr(fresh.do.explain(77), part) == getattr(
                labelled_harness.do.explain(77), part
            )
        assert labels(fresh) == {}
        fresh.again()
        assert np.array_equal(scores(fresh), scores(labelled_harness))
        assert fresh.check_up().sound


def sizes_and_tests(harness):
    return [
        (one.name, one.messages) for one in harness.learned().classes
    ], harness.learned().held_out


def test_a_file_is_imported_once_until_undone_whatever_its_name(labelled_harness, tmp_path):
    labelled_harness.do.export_model(tmp_path / "mine.nbmodel")
    for change in (request("rebuild"), request("mark", (50,), "ham"), request("undo")):
        change(labelled_harness.do)
        refused = labelled_harness.again().attempt.import_model(tmp_path / "mine.nbmodel")
        assert refused.error_code is ErrorCode.ALREADY_KNOWN, "exported from here"
    assert sizes_and_tests(labelled_harness)[0] == [("spam", 20), ("ham", 20)]
    (tmp_path / "copy.nbmodel").write_bytes((tmp_path / "mine.nbmodel").read_bytes())
    with EngineHarness(tmp_path / "fresh").ready() as fresh:
        fresh.do.import_model(tmp_path / "mine.nbmodel")
        once = sizes_and_tests(fresh)
        assert (
            fresh.attempt.import_model(tmp_path / "copy.nbmodel").error_code
            is ErrorCode.ALREADY_KNOWN
        )
        fresh.again()
        assert (
            fresh.attempt.import_model(tmp_path / "mine.nbmodel").error_code
            is ErrorCode.ALREADY_KNOWN
        )
        fresh.until_exact()
        assert sizes_and_tests(fresh) == once
        fresh.do.import_model(tmp_path / "mine.nbmodel", again=True)
        fresh.until_exact()
        classes, held_out = sizes_and_tests(fresh)
        assert [messages for _, messages in classes] == [2 * messages for _, messages in once[0]]
        assert held_out == once[1]
        fresh.do.undo()
        fresh.do.undo()
        fresh.do.import_model(tmp_path / "mine.nbmodel")
        assert sizes_and_tests(fresh) == once
        assert fresh.check_up().sound


def learn_wrong(parts):
    """Make the model differ from the labels."""
    store = parts.store
    store.model.model.learn(store.samples.of([70])[70], "spam")


def test_a_wrong_model_is_rebuilt_while_marks_continue(labelled_harness):
    harness = labelled_harness
    harness.on_engine(learn_wrong)
    found = {one.name: one.sound for one in harness.check_up().findings}
    assert [name for name, sound in found.items() if not sound] == ["model"]
    mending = harness.engine.rebuild()
    for message in range(50, 60):
        harness.do.mark((message,), ("spam", "ham")[message % 2])
    assert isinstance(harness.end_of(mending), Done)
    assert harness.check_up().sound
    harness.again()
    assert len(harness.do.list_journal()) == 50
    assert harness.check_up().sound


@pytest.mark.parametrize("version", [TOKENIZER_VERSION - 1, TOKENIZER_VERSION + 1])
def test_only_files_of_this_tokenizer_version_are_read(version, tmp_path):
    path = tmp_path / "m.nbmodel"
    tables = tables_of(trained("balanced"), TOKENIZER_VERSION)
    with open_store(tmp_path / "home") as store:
        drain(writing_model(path, tables))
        assert drain(read_model_file(store, path, "")).tables.fingerprint() == tables.fingerprint()
        drain(writing_model(path, replace(tables, tokenizer=version)))
        with pytest.raises(KnownError, match="in another way") as caught:
            drain(read_model_file(store, path, ""))
    assert caught.value.error_code is ErrorCode.BAD_MODEL_FILE


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
    """Return unlearned messages as words, and for each whether it is spam."""
    known = vocabulary()
    mail = mailbox(messages, seed)
    return [[known.word(number) for number in one.words.tolist()] for one, _ in mail], [
        label == "spam" for _, label in mail
    ]


@pytest.mark.parametrize("made_by", ["balanced", "logistic", "tree", "multinomial"])
@pytest.mark.parametrize("used", ["balanced", "multinomial", "bernoulli"])
def test_another_method_uses_only_the_counts_of_a_file(tmp_path, made_by, used):
    words, _ = texts()
    for store, model in taken_in(tmp_path, made_by, used):
        plain = Model(vocabulary(), method_named(used))
        plain.restore(ModelContent.of(trained(made_by).counts))
        if made_by == used:
            plain = trained(used)
        assert opinion(model, words) == pytest.approx(opinion(plain, words), abs=1e-9)
        assert model.calibrated is plain.calibrated
        assert diagnose(store, 3.0).sound


@pytest.mark.parametrize(
    ("made_by", "used"), [("balanced", "tree"), ("tree", "tree"), ("balanced", "logistic")]
)
def test_a_model_without_usable_counts_is_refused_with_a_reason(tmp_path, made_by, used):
    with pytest.raises(KnownError, match=f"{used}, learns nothing from this file of {made_by}"):
        next(taken_in(tmp_path, made_by, used))
    with open_store(tmp_path / "home") as store:
        assert store.imported.current == 0
        assert len(store.words.vocabulary) == 0
