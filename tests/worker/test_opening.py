"""Opening a home: the copy of the word ids is believed only where it is one."""

import shutil
import threading

import numpy as np
import pytest

from nbmail.core.counting.sample import WordRows
from nbmail.settings import Settings
from nbmail.store.model.word_ids import WordShelf
from nbmail.store.store import Store
from nbmail.worker.protocol import CheckUp, Explain, ListMail, Mark, Opened, ReadMessage
from tests.worker.conftest import Station
from tests.worker.test_marking import scores
from tests.worker.test_shelf import FILES, load


def on_shelf(paths, stamp):
    shelf = WordShelf(paths.data, stamp)
    try:
        assert load(shelf)
        rows = shelf.rows(0, len(shelf), whole=True)
        return WordRows(*(np.array(getattr(rows, name)) for name in ("words", "starts", "occurrences", "measures")))
    finally:
        shelf.close()


def in_store(paths):
    with Store(paths, 0.0) as store:
        samples = store.messages.samples(range(1, store.messages.last() + 1))
        return WordRows.of([samples[number] for number in sorted(samples)])


def is_copy(paths, stamp=0):
    mine, theirs = on_shelf(paths, stamp), in_store(paths)
    return all(
        np.array_equal(getattr(mine, name), getattr(theirs, name))
        for name in ("words", "starts", "occurrences", "measures")
    )


def test_the_shelf_is_a_copy_of_the_store(desk_station):
    desk_station.stop()
    assert is_copy(desk_station.paths)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("harm", ["gone", "torn", "altered"])
def test_a_damaged_shelf_is_made_anew(desk_station, name, harm):
    before = scores(desk_station)
    desk_station.stop()
    path = desk_station.paths.data / name
    content = path.read_bytes()
    if harm == "gone":
        path.unlink()
    else:
        middle = len(content) // 2
        path.write_bytes(content[:middle] if harm == "torn" else content[:middle] + b"\xff\xff" + content[middle + 2 :])
    desk_station.ready()
    assert np.array_equal(scores(desk_station), before)
    desk_station.stop()
    assert is_copy(desk_station.paths)


def test_an_older_shelf_is_brought_up_to_date(station, tmp_path):
    station.ready().deliver(range(1, 31))
    station.stop()
    for name in FILES:
        shutil.copy(station.paths.data / name, tmp_path / name)
    station.ready().deliver(range(31, 61))
    before = scores(station)
    station.stop()
    for name in FILES:
        shutil.copy(tmp_path / name, station.paths.data / name)
    station.ready()
    assert np.array_equal(scores(station), before)
    station.stop()
    assert is_copy(station.paths)


def test_an_older_database_put_back_is_noticed(station, tmp_path):
    station.ready().deliver(range(1, 31))
    station.stop()
    shutil.copy(station.paths.database, tmp_path / "old")
    station.ready().deliver(range(31, 61))
    station.stop()
    shutil.copy(tmp_path / "old", station.paths.database)
    station.ready().deliver(range(70, 100))
    station.stop()
    assert is_copy(station.paths)


def test_the_shelf_of_another_home_is_noticed(station, tmp_path):
    other = Station(tmp_path / "other").ready()
    other.deliver(range(101, 131))
    other.stop()
    station.ready().deliver(range(1, 31))
    station.stop()
    for name in FILES:
        shutil.copy(other.paths.data / name, station.paths.data / name)
    station.ready()
    station.stop()
    assert is_copy(station.paths)


def test_idle_moments_are_used_to_tidy_up(station, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.engine.REST", 0.01)
    station.settings = Settings(cache_megabytes=0)
    station.ready().deliver(range(1, 11))
    station.do(Mark((1,), "junk"))
    while station.do(ReadMessage(1)).complete:
        threading.Event().wait(0.01)
    log = station.paths.database.with_name(station.paths.database.name + "-wal")
    assert log.stat().st_size == 0


def test_scores_are_the_same_after_a_restart(desk_station):
    before = scores(desk_station)
    desk_station.again()
    assert np.array_equal(scores(desk_station), before)


@pytest.mark.parametrize("method", ["multinomial", "gaussian", "bernoulli-complete"])
def test_another_method_is_folded_anew_and_scores_with_all_it_wants(desk_station, method):
    desk_station.stop()
    desk_station.settings = Settings(method=method)
    desk_station.ready()
    desk_station.settled()
    assert desk_station.learned().method == method
    by_list = scores(desk_station)
    assert abs(desk_station.do(Explain(77)).log_odds - by_list[76]) < 1e-9
    desk_station.do(Mark((77,), "junk"))
    assert desk_station.do(CheckUp()).sound


def test_opening_says_what_is_there(desk_station):
    desk_station.again()
    opened = desk_station.until(lambda event: isinstance(event, Opened))
    assert opened.messages == 100
    assert len(desk_station.do(ListMail()).messages) == 100
