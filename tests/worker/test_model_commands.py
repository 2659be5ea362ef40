"""Model files through the engine: identical scores in a fresh home, and an import is a step like any other."""

import numpy as np

from nbmail.errors import ErrorCode
from tests.worker.conftest import Done, Station
from tests.worker.test_marking import labels, scores


def test_an_export_scores_the_same_in_a_fresh_home(backend_station, tmp_path):
    exported = backend_station.do.export_model(tmp_path / "mine.nbmodel")
    assert exported.messages == 40
    with Station(tmp_path / "fresh").ready() as fresh:
        imported = fresh.do.import_model(tmp_path / "mine.nbmodel")
        assert (imported.words, imported.messages) == (exported.words, exported.messages)
        assert not imported.other_method
        fresh.deliver(range(1, 101))
        assert np.array_equal(scores(fresh), scores(backend_station))
        # The share of junk is told by each home's own mail, and shifts the chance and what turns it.
        for part in ("prior", "contributions", "weaker", "alike"):
            assert getattr(fresh.do.explain(77), part) == getattr(backend_station.do.explain(77), part)
        assert labels(fresh) == {}
        fresh.again()
        assert np.array_equal(scores(fresh), scores(backend_station))
        assert fresh.check_up().sound


def figures(station):
    return [(one.name, one.messages) for one in station.learned().classes], station.learned().held_out


def test_a_file_that_was_exported_from_here_is_not_counted_twice(backend_station, tmp_path):
    station = backend_station
    station.do.rebuild()
    before = figures(station)
    station.do.export_model(tmp_path / "mine.nbmodel")
    assert station.ask.import_model(tmp_path / "mine.nbmodel").error_code is ErrorCode.ALREADY_KNOWN
    station.do.rebuild()
    assert figures(station) == before
    assert len(station.do.list_journal()) == 40
    station.do.mark((50,), "good")
    assert station.ask.import_model(tmp_path / "mine.nbmodel").error_code is ErrorCode.ALREADY_KNOWN
    station.again()
    assert station.ask.import_model(tmp_path / "mine.nbmodel").error_code is ErrorCode.ALREADY_KNOWN


def test_a_file_is_imported_once_under_whatever_name_until_that_is_undone(backend_station, tmp_path):
    backend_station.do.export_model(tmp_path / "mine.nbmodel")
    (tmp_path / "copy.nbmodel").write_bytes((tmp_path / "mine.nbmodel").read_bytes())
    with Station(tmp_path / "fresh").ready() as fresh:
        fresh.do.import_model(tmp_path / "mine.nbmodel")
        once = figures(fresh)
        assert fresh.ask.import_model(tmp_path / "copy.nbmodel").error_code is ErrorCode.ALREADY_KNOWN
        fresh.again()
        assert fresh.ask.import_model(tmp_path / "mine.nbmodel").error_code is ErrorCode.ALREADY_KNOWN
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
    """Learn something behind the labels' back."""
    store = parts.store
    store.model.model.learn(store.messages.samples([70])[70], "junk")


def test_what_was_learned_wrong_is_folded_anew_while_marks_go_on(backend_station):
    station = backend_station
    station.on_engine(learn_wrong)
    found = {one.name: one.sound for one in station.check_up().findings}
    assert [name for name, sound in found.items() if not sound] == ["model"]
    mending = station.tell.rebuild()
    for message in range(50, 60):
        station.do.mark((message,), ("junk", "good")[message % 2])
    assert isinstance(station.ending(mending), Done)
    assert station.check_up().sound
    station.again()
    assert len(station.do.list_journal()) == 50
    assert station.check_up().sound
