"""Who gave a label, as the engine tells the window: with the rows, in the journal, and of one message."""

import pytest

from nbmail.values import Giver
from nbmail.worker.protocol import Changed, LabelFolder, ListMail, Mark, ShowJournal
from tests.worker.conftest import JUNK, arrival
from tests.worker.test_intake import ARCHIVE, bring

YOU, PROGRAM = Giver("user"), Giver("server")


@pytest.fixture
def house(station):
    """One message without a label, and one labelled in every way: by hand, by two folders, by another program."""
    station.ready()
    bring(station, *(arrival(number) for number in range(1, 41)), complete=True)
    bring(station, arrival(50, flags=("$Junk",)))
    bring(station, *(arrival(number) for number in range(101, 161)), folder=JUNK, role="junk", complete=True)
    bring(station, arrival(201), arrival(202), folder=ARCHIVE, complete=True)
    station.do(LabelFolder(ARCHIVE, "good"))
    station.do(Mark((number_of(station, 2),), "good"))
    return station


def number_of(station, number):
    """The message that arrived under this number."""
    rows = station.do(ListMail())
    return rows.messages.tolist()[rows.dates.tolist().index(1000.0 + number)]


def givers(rows):
    """By the number under which it arrived."""
    return {
        round(date) - 1000: rows.giver_names[giver] if giver >= 0 else None
        for date, giver in zip(rows.dates.tolist(), rows.givers.tolist(), strict=True)
    }


EXPECTED = {1: None, 2: YOU, 50: PROGRAM, 101: Giver("folder", JUNK), 160: Giver("folder", JUNK)}
EXPECTED |= {201: Giver("folder", ARCHIVE), 202: Giver("folder", ARCHIVE)}


def test_every_row_says_who_gave_its_label(house):
    found = givers(house.do(ListMail()))
    assert len(found) == 103
    assert {number: found[number] for number in EXPECTED} == EXPECTED
    assert givers(house.again().do(ListMail())) == found


def test_the_first_rows_of_an_opening_say_so_too(house):
    house.again()
    first = house.until(lambda event: isinstance(event, Changed) and event.rows is not None)
    found = givers(first.rows)
    assert {number: found[number] for number in EXPECTED} == EXPECTED


def test_the_journal_names_the_folder(house):
    lines = house.do(ShowJournal())
    assert {(line.by, line.folder) for line in lines} == {
        ("user", None),
        ("server", None),
        ("folder", JUNK),
        ("folder", ARCHIVE),
    }
