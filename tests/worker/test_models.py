"""Model files through the engine: identical scores in a fresh home, and an import is a step like any other."""

import numpy as np

from nbmail.worker.protocol import CheckUp, Explain, ExportModel, ImportModel, ListMail, Mark, Relearn, Undo
from tests.worker.conftest import Station
from tests.worker.test_marking import labels, scores


def test_an_export_scores_the_same_in_a_fresh_home(desk_station, tmp_path):
    exported = desk_station.do(ExportModel(tmp_path / "mine.nbmodel"))
    assert exported.messages == 40
    fresh = Station(tmp_path / "fresh").ready()
    try:
        imported = fresh.do(ImportModel(tmp_path / "mine.nbmodel"))
        assert (imported.words, imported.messages) == (exported.words, exported.messages)
        fresh.deliver(range(1, 101))
        assert np.array_equal(scores(fresh), scores(desk_station))
        assert fresh.do(Explain(77)) == desk_station.do(Explain(77))
        assert labels(fresh) == {}
        fresh.again()
        assert np.array_equal(scores(fresh), scores(desk_station))
        assert fresh.do(CheckUp()).sound
    finally:
        fresh.stop()


def test_an_import_can_be_undone_and_lives_beside_labels(desk_station, tmp_path):
    station = desk_station
    before = scores(station)
    station.do(ExportModel(tmp_path / "mine.nbmodel"))
    station.do(ImportModel(tmp_path / "mine.nbmodel"))
    station.settled()
    assert [one.messages for one in station.learned().classes] == [40, 40]
    assert not np.array_equal(scores(station), before)
    assert station.do(CheckUp()).sound
    station.do(Undo())
    station.settled()
    assert np.array_equal(scores(station), before)
    station.do(Mark((50,), "good"))
    station.do(Relearn())
    assert station.do(CheckUp()).sound
    assert len(station.do(ListMail()).messages) == 100
