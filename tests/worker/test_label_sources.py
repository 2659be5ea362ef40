"""Sources of labels in rows, in the journal, and of one message."""

from nbmail.values import LabelSource
from nbmail.worker.protocol.events import Changed
from tests.worker.conftest import JUNK, arrival
from tests.worker.test_intake import ARCHIVE, bring

YOU, PROGRAM = LabelSource("user"), LabelSource("server")


def number_of(harness, number):
    rows = harness.do.list_mail()
    return rows.messages.tolist()[rows.dates.tolist().index(1000.0 + number)]


def label_sources(rows):
    """Return label sources by number of arrival."""
    return {
        round(date) - 1000: rows.source_names[label_source] if label_source >= 0 else None
        for date, label_source in zip(rows.dates.tolist(), rows.label_sources.tolist(), strict=True)
    }


def test_rows_and_journal_name_the_source_of_a_label(harness):
    """Sources: the user, two folders, another client. The first rows after opening name them too."""
    harness.ready()
    bring(harness, arrival(1), arrival(2), arrival(50, flags=("$Junk",)), complete=True)
    bring(harness, *(arrival(number) for number in range(101, 161)), folder=JUNK, role="junk", complete=True)
    bring(harness, arrival(201), folder=ARCHIVE, complete=True)
    harness.do.label_folder(ARCHIVE, "good")
    harness.do.mark((number_of(harness, 2),), "good")
    expected = {1: None, 2: YOU, 50: PROGRAM, 201: LabelSource("folder", ARCHIVE)}
    expected |= dict.fromkeys(range(101, 161), LabelSource("folder", JUNK))
    assert label_sources(harness.do.list_mail()) == expected
    assert {LabelSource(line.by, line.folder) for line in harness.do.list_journal()} == {*expected.values()} - {None}
    assert harness.do.find_label_source(number_of(harness, 201)).label_source == expected[201]
    first = harness.again().until(lambda event: isinstance(event, Changed) and event.rows is not None)
    assert label_sources(first.rows) == expected
