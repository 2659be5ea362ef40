"""Model files through the engine: identical scores in a fresh data folder, and undo of imports."""

import numpy as np

from nbmail.errors import ErrorCode
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
