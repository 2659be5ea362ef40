"""Who gave a label, as the engine tells the window: with the rows, in the journal, and of one message."""

from nbmail.values import LabelSource
from nbmail.worker.protocol.events import Changed
from tests.worker.conftest import JUNK, arrival
from tests.worker.test_intake import ARCHIVE, bring

YOU, PROGRAM = LabelSource("user"), LabelSource("server")


def number_of(station, number):
    """The message that arrived under this number."""
    rows = station.do.list_mail()
    return rows.messages.tolist()[rows.dates.tolist().index(1000.0 + number)]


def label_sources(rows):
    """By the number under which it arrived."""
    return {
        round(date) - 1000: rows.source_names[label_source] if label_source >= 0 else None
        for date, label_source in zip(rows.dates.tolist(), rows.label_sources.tolist(), strict=True)
    }


def test_rows_and_the_journal_say_who_gave_a_label(station):
    """By hand, two folders and another program; so do the first rows of an opening."""
    station.ready()
    bring(station, arrival(1), arrival(2), arrival(50, flags=("$Junk",)), complete=True)
    bring(station, *(arrival(number) for number in range(101, 161)), folder=JUNK, role="junk", complete=True)
    bring(station, arrival(201), folder=ARCHIVE, complete=True)
    station.do.label_folder(ARCHIVE, "good")
    station.do.mark((number_of(station, 2),), "good")
    expected = {1: None, 2: YOU, 50: PROGRAM, 201: LabelSource("folder", ARCHIVE)}
    expected |= dict.fromkeys(range(101, 161), LabelSource("folder", JUNK))
    assert label_sources(station.do.list_mail()) == expected
    assert {LabelSource(line.by, line.folder) for line in station.do.list_journal()} == {*expected.values()} - {None}
    assert station.do.find_label_source(number_of(station, 201)).label_source == expected[201]
    first = station.again().until(lambda event: isinstance(event, Changed) and event.rows is not None)
    assert label_sources(first.rows) == expected
