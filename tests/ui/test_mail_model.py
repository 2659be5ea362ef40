"""Changes of the mail model move no shown row, reset nothing and keep the selection."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt

from nbmail.ui.list.list_choice import Arrangement, Choice, Column, Kind
from nbmail.ui.list.table.mail_model import MOST_PLACED, MailModel
from nbmail.values import FolderName
from nbmail.worker.protocol.events import Changed
from tests.ui.made import NOW, make_rows, make_scores, pick_rows


@pytest.fixture
def model(qtbot, qtmodeltester):
    model = MailModel(clock=lambda: NOW)
    model.begin(make_rows(200))
    qtmodeltester.check(model)
    yield model
    with qtbot.waitSignal(model.destroyed):
        model.deleteLater()


def messages(model):
    return [model.message_at(row) for row in range(model.rowCount())]


def some(rows, places):
    return pick_rows(rows, np.array(places), np.array(rows.labels), rows.scores)


def test_new_scores_reset_nothing_and_move_nothing(model, qtbot):
    model.arrange(Arrangement(column=Column.CHANCE))
    before = messages(model)
    # Message 201 is unknown.
    scores = make_scores(np.arange(1, 202), np.linspace(5, -5, 201))
    signals = [model.modelReset, model.layoutChanged, model.rowsInserted, model.rowsRemoved]
    resets = []
    for signal in signals:
        signal.connect(lambda *_: resets.append(1))
    with qtbot.waitSignal(model.dataChanged):
        model.take(Changed(scores=scores))
    assert resets == []
    assert messages(model) == before
    assert model.stale
    model.arrange(model.arrangement)
    assert not model.stale
    assert messages(model) != before


def test_new_scores_do_not_make_the_list_of_marked_messages_stale(model):
    model.label([150, 160], "spam")
    model.arrange(Arrangement(Choice(Kind.MARKED)))
    assert messages(model) == [150, 160]
    model.take(Changed(scores=make_scores(np.arange(1, 201), np.linspace(5, -5, 200))))
    model.take(Changed(rows=some(make_rows(200), [0, 1, 2])))
    assert not model.stale
    model.label([150], None)
    assert model.stale is True, "a bool: widgets are shown by it"


def test_a_new_row_is_inserted_at_its_place(model):
    newest = make_rows(201)
    newest.dates[200] = NOW + 5
    before = messages(model)
    model.take(Changed(rows=some(newest, [200])))
    assert messages(model) == [201, *before]
    model.arrange(Arrangement(Choice(Kind.MARKED)))
    model.take(Changed(rows=some(make_rows(202), [201])))
    assert messages(model) == []


def test_many_new_messages_are_sorted_at_once(model):
    model.take(Changed(rows=make_rows(200 + 2 * MOST_PLACED)))
    dates = model.mail.dates[model.mail.order]
    assert model.rowCount() == 200 + 2 * MOST_PLACED
    assert (np.diff(dates) <= 0).all()


def test_a_change_before_the_list_is_loaded_is_not_lost():
    model = MailModel()
    rows = make_rows(30)
    model.take(Changed(scores=rows.scores))
    model.take(Changed(rows=some(rows, [4])))
    model.begin(some(rows, range(4)))
    assert set(messages(model)) == {1, 2, 3, 4, 5}


def test_the_current_row_follows_its_message_through_sorting(model):
    index = QPersistentModelIndex(model.index(10, 2))
    message = model.message_at(10)
    model.arrange(Arrangement(column=Column.SUBJECT, descending=False))
    assert (model.message_at(index.row()), index.column()) == (message, 2)
    model.arrange(Arrangement(Choice(Kind.MARKED)))
    assert not index.isValid()


def test_every_cell_has_a_text_and_every_row_an_accessible_text(model):
    row, place = next(
        (row, int(place)) for row, place in enumerate(model.mail.order) if model.mail.unread(place)
    )
    for column in set(Column) - {Column.SUGGESTED}:
        assert model.index(row, column).data()
    accessible = model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "unread" in accessible
    assert f"from {model.mail.senders[place]}" in accessible
    assert "chance of spam" in accessible
    assert model.headerData(Column.CHANCE, Qt.Orientation.Horizontal) == "Chance of spam"


def test_without_calibration_there_is_no_percentage():
    model = MailModel()
    rows = make_rows(3, calibrated=False)
    rows.scores.log_odds[:] = [2.0, -2.0, 0.0]
    model.begin(rows)
    assert [model.texts.chance(place) for place in range(3)] == [
        "leaning spam",
        "leaning not spam",
        "too few marks",
    ]
    assert "to get a chance of spam" in model.index(0, Column.CHANCE).data(
        Qt.ItemDataRole.ToolTipRole
    )


def test_an_empty_model_accepts_every_call():
    model = MailModel()
    assert model.rowCount() == 0
    assert model.message_at(0) == -1
    assert model.row_of(4) == -1
    model.label((1,), "spam")
    model.arrange(Arrangement(column=Column.CHANCE))


def test_new_and_removed_messages_move_no_shown_row(model):
    model.arrange(Arrangement(column=Column.SUBJECT, descending=False))
    current = QPersistentModelIndex(model.index(10, 2))
    before = messages(model)
    message = model.message_at(10)
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    gone = tuple(each for each in range(1, 40) if each != message)
    more = make_rows(260)
    model.take(Changed(rows=some(more, range(200, 260)), scores=more.scores, gone=gone))
    after = messages(model)
    assert [each for each in after if each <= 200] == [each for each in before if each not in gone]
    assert set(after) == set(range(1, 261)) - set(gone)
    assert model.message_at(current.row()) == message
    assert resets == []


LISTS = FolderName("home", "Lists")


def also_in_lists(rows, unread=True):
    """Return the rows with the folder Lists as a second location."""
    return replace(rows, location_sets=tuple((*each, (2, unread)) for each in rows.location_sets))


def test_a_message_moved_into_the_shown_folder_appears_and_leaves_with_its_location(model):
    model.arrange(Arrangement(Choice(folder=LISTS)))
    rows = make_rows(200)
    before = messages(model)
    mail = next(place for place in range(200) if rows.locations[place] < 2)
    model.take(Changed(rows=also_in_lists(some(rows, [mail]))))
    assert sorted(messages(model)) == sorted([*before, mail + 1])
    model.take(Changed(rows=some(rows, [mail])))
    assert messages(model) == before
    assert model.mail.find([mail + 1])[0] >= 0


def test_a_message_that_leaves_the_shown_folder_is_not_selected(model):
    model.arrange(Arrangement(Choice(folder=LISTS)))
    rows = make_rows(200)
    mail = next(place for place in range(200) if rows.locations[place] >= 4)
    model.mail.selected[model.mail.find([mail + 1])] = True
    moved = some(rows, [mail])
    model.take(Changed(rows=replace(moved, locations=np.array([0], np.int32))))
    assert mail + 1 not in messages(model)
    model.arrange(Arrangement())
    assert model.mail.selection() == ()


def test_unread_state_is_that_of_the_shown_folder(model):
    rows = make_rows(200)
    mail = next(place for place in range(200) if rows.locations[place] == 1)
    model.take(Changed(rows=also_in_lists(some(rows, [mail]), unread=False)))
    place = int(model.mail.find([mail + 1])[0])
    assert model.mail.unread(place)
    model.arrange(Arrangement(Choice(folder=LISTS)))
    assert not model.mail.unread(place)
    assert model.texts.text(place, Column.FOLDER) == "Inbox, Lists"
    model.arrange(Arrangement(Choice(folder=FolderName("home", "INBOX"))))
    assert model.mail.unread(place)


def test_a_message_without_a_score_has_no_verdict_until_it_is_scored(model):
    scores = make_scores(np.array([7, 8]), np.array([np.nan, np.nan]))
    model.take(Changed(scores=scores))
    model.label([8], "spam")
    cells = (Column.CHANCE, Column.VERDICT, Column.DECIDED)
    row = model.row_of(7)
    marked = model.row_of(8)
    assert [model.index(row, column).data() for column in cells] == ["…", "…", "…"]
    assert [model.index(marked, column).data() for column in cells] == ["…", "Spam", "you"]
    for kind in (Kind.UNSURE, Kind.SPAM, Kind.HAM):
        model.arrange(Arrangement(Choice(kind)))
        assert model.row_of(7) < 0
    assert 7 not in model.mail.undecided()
    model.arrange(Arrangement(Choice(Kind.SPAM)))
    model.take(Changed(scores=make_scores(np.array([7]), np.array([9.0]))))
    assert model.index(model.row_of(7), Column.VERDICT).data() == "Spam"


def test_mail_that_moves_into_a_spam_folder_leaves_all_mail_and_returns_with_it(model):
    rows = replace(make_rows(200), spam_folders=frozenset({FolderName("home", "Junk")}))
    model.begin(rows)
    message = int(rows.messages[rows.locations < 2][0])
    for folder, is_shown in ((1, False), (0, True)):
        moved = some(rows, np.flatnonzero(rows.messages == message))
        model.take(Changed(rows=replace(moved, locations=np.array([2 * folder], np.int32))))
        assert (model.row_of(message) >= 0) == is_shown
        assert model.rowCount() == model.mail.count_kinds(None)[Kind.ALL]
