"""Who gave a label, as the engine tells the window: with the rows, in the journal, and of one message."""

from nbmail.values import Giver
from nbmail.worker.protocol import Changed, FindGiver, LabelFolder, ListMail, Mark, ShowJournal
from tests.worker.conftest import JUNK, arrival
from tests.worker.test_intake import ARCHIVE, bring

YOU, PROGRAM = Giver("user"), Giver("server")


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


def test_rows_and_the_journal_say_who_gave_a_label(station):
    """By hand, two folders and another program; so do the first rows of an opening."""
    station.ready()
    bring(station, arrival(1), arrival(2), arrival(50, flags=("$Junk",)), complete=True)
    bring(station, *(arrival(number) for number in range(101, 161)), folder=JUNK, role="junk", complete=True)
    bring(station, arrival(201), folder=ARCHIVE, complete=True)
    station.do(LabelFolder(ARCHIVE, "good"))
    station.do(Mark((number_of(station, 2),), "good"))
    expected = {1: None, 2: YOU, 50: PROGRAM, 201: Giver("folder", ARCHIVE)}
    expected |= dict.fromkeys(range(101, 161), Giver("folder", JUNK))
    assert givers(station.do(ListMail())) == expected
    assert {Giver(line.by, line.folder) for line in station.do(ShowJournal())} == {*expected.values()} - {None}
    assert station.do(FindGiver(number_of(station, 201))).giver == expected[201]
    first = station.again().until(lambda event: isinstance(event, Changed) and event.rows is not None)
    assert givers(first.rows) == expected
