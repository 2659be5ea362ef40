"""The list keeps still under the user's hands: no reset, no row moved, the selection kept."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt

from nbmail.ui.list.list_choice import Arrangement, Choice, Column, Kind
from nbmail.ui.list.mail_model import MOST_PLACED, MailModel
from nbmail.values import FolderName
from nbmail.worker.protocol import Changed
from tests.ui.scripted import NOW, make_rows, make_scores, pick_rows


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


def test_a_change_of_scores_resets_nothing_and_moves_nothing(model, qtbot):
    model.arrange(Arrangement(column=Column.CHANCE))
    before = messages(model)
    scores = make_scores(np.arange(1, 201), np.linspace(5, -5, 200))
    signals = [model.modelReset, model.layoutChanged, model.rowsInserted, model.rowsRemoved]
    heard = []
    for signal in signals:
        signal.connect(lambda *_: heard.append(1))
    with qtbot.waitSignal(model.dataChanged):
        model.take(Changed(scores=scores))
    assert heard == []
    assert messages(model) == before
    assert model.stale
    model.arrange(model.arrangement)
    assert not model.stale
    assert messages(model) != before


def test_other_scores_leave_the_list_of_what_was_learned_as_it_is(model):
    model.label([150, 160], "junk")
    model.arrange(Arrangement(Choice(Kind.MARKED)))
    assert messages(model) == [150, 160]
    model.take(Changed(scores=make_scores(np.arange(1, 201), np.linspace(5, -5, 200))))
    model.take(Changed(rows=some(make_rows(200), [0, 1, 2])))
    assert not model.stale
    model.label([150], None)
    assert model.stale is True, "a widget is shown by it"


def test_a_new_row_comes_where_it_belongs_and_the_others_stay(model):
    newest = make_rows(201)
    newest.dates[200] = NOW + 5
    before = messages(model)
    model.take(Changed(rows=some(newest, [200])))
    assert messages(model) == [201, *before]
    model.arrange(Arrangement(Choice(Kind.MARKED)))
    model.take(Changed(rows=some(make_rows(202), [201])))
    assert messages(model) == []


def test_many_newcomers_come_in_one_go(model):
    model.take(Changed(rows=make_rows(200 + 2 * MOST_PLACED)))
    dates = model.mail.dates[model.mail.order]
    assert model.rowCount() == 200 + 2 * MOST_PLACED
    assert (np.diff(dates) <= 0).all()


def test_a_change_before_the_list_is_not_lost(qtbot):
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


def test_every_cell_has_words_and_every_row_a_sentence(model):
    row, place = next((row, int(place)) for row, place in enumerate(model.mail.order) if model.mail.unread(place))
    for column in Column:
        assert model.index(row, column).data()
    spoken = model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "unread" in spoken
    assert f"from {model.mail.senders[place]}" in spoken
    assert "chance of junk" in spoken
    assert model.headerData(Column.CHANCE, Qt.Orientation.Horizontal) == "Chance of junk"


def test_without_calibration_there_is_no_percentage(qtbot):
    model = MailModel()
    rows = make_rows(3, calibrated=False)
    rows.scores.log_odds[:] = [2.0, -2.0, 0.0]
    model.begin(rows)
    assert [model.words.chance(place) for place in range(3)] == ["leans junk", "leans good", "not enough yet"]
    assert "follows" in model.index(0, Column.CHANCE).data(Qt.ItemDataRole.ToolTipRole)


def test_an_empty_model_answers(qtbot):
    model = MailModel()
    assert model.rowCount() == 0
    assert model.message_at(0) == -1
    assert model.row_of(4) == -1
    model.label((1,), "junk")
    model.arrange(Arrangement(column=Column.CHANCE))


def test_newcomers_and_losses_move_no_row_that_is_shown(model):
    model.arrange(Arrangement(column=Column.SUBJECT, descending=False))
    current = QPersistentModelIndex(model.index(10, 2))
    before, message, resets = messages(model), model.message_at(10), []
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


def beside(rows, unread=True):
    """Rows that each lie in Lists as well."""
    return replace(rows, others=np.ones(len(rows.messages), np.int32), other_places=((), ((2, unread),)))


def test_a_folder_shows_what_comes_to_it_from_another_and_keeps_what_leaves_that_one(model):
    model.arrange(Arrangement(Choice(folder=LISTS)))
    rows, before = make_rows(200), messages(model)
    mail = next(place for place in range(200) if rows.folders[place] == 0)
    model.take(Changed(rows=beside(some(rows, [mail]))))
    assert sorted(messages(model)) == sorted([*before, mail + 1])
    model.take(Changed(rows=some(rows, [mail])))
    assert messages(model) == before
    assert model.mail.find([mail + 1])[0] >= 0


def test_what_leaves_the_folder_is_selected_no_longer(model):
    model.arrange(Arrangement(Choice(folder=LISTS)))
    rows = make_rows(200)
    mail = next(place for place in range(200) if rows.folders[place] == 2)
    model.mail.selected[model.mail.find([mail + 1])] = True
    moved = some(rows, [mail])
    model.take(Changed(rows=replace(moved, folders=np.array([0], np.int16))))
    assert mail + 1 not in messages(model)
    model.arrange(Arrangement())
    assert model.mail.chosen() == ()


def test_a_row_is_unread_where_it_is_shown(model):
    rows = make_rows(200)
    mail = next(place for place in range(200) if rows.folders[place] == 0 and rows.unread[place])
    model.take(Changed(rows=beside(some(rows, [mail]), unread=False)))
    place = int(model.mail.find([mail + 1])[0])
    assert model.mail.unread(place)
    model.arrange(Arrangement(Choice(folder=LISTS)))
    assert not model.mail.unread(place)
    assert model.words.text(place, Column.FOLDER) == "Inbox, Lists"
    model.arrange(Arrangement(Choice(folder=FolderName("home", "INBOX"))))
    assert model.mail.unread(place)


def test_numpy_waits_until_the_first_mail_comes():
    """It takes longer to load than all that the window paints first."""
    code = "import sys, nbmail.ui.window.build_window; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
