"""The window over the real engine: new mail, marks, undo, scores, restarts, model files."""

import numpy as np
import pytest

from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.list.list_choice import Choice, Column, Kind
from nbmail.values import FolderName
from nbmail.worker.protocol.events import Changed, Learned
from tests.needs import need_corpus
from tests.ui.helpers import answer, question, said
from tests.ui.real import ACCOUNT, HOMES, settle


@pytest.fixture
def mailbox(open_mailbox):
    """The demo's mail, thirty messages of each kind learned from folders."""
    return open_mailbox(30, inbox=200)


def read(window, qtbot, rows):
    """Go to each row and wait for the text."""
    for row in rows:
        window.table.go_to(row)
        message = window.table.current_message()
        qtbot.waitUntil(
            lambda message=message: (
                window.message.shown_message is not None
                and window.message.shown_message.message == message
            )
        )
    assert window.message.body.refused == 0


def test_a_mark_is_learned_and_undo_reverts_exactly_that(mailbox, qtbot):
    window = mailbox.window
    heard = []
    window.table.sort_by(Column.DATE)
    window.table.go_to(3)
    settle(mailbox)
    mailbox.bridge.arrived.connect(heard.append)
    message = window.table.current_message()
    odds = window.model.mail.log_odds.copy()
    bar = said(window.learning_bar)
    window.actions_by_name["spam"].trigger()
    qtbot.waitUntil(lambda: "Learned: 31 spam" in said(window.learning_bar))
    qtbot.waitUntil(lambda: not np.array_equal(window.model.mail.log_odds, odds))
    qtbot.waitUntil(lambda: "Marked as spam." in window.status.text())
    settle(mailbox)
    assert len([event for event in heard if isinstance(event, Learned)]) <= 2
    # The mark with what is visible, all others, and both once more where the first labels are
    # scored anew.
    assert 1 <= len([event for event in heard if isinstance(event, Changed)]) <= 4
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: said(window.learning_bar) == bar)
    qtbot.waitUntil(lambda: np.allclose(window.model.mail.log_odds, odds, atol=1e-9))
    assert window.table.current_message() == message


def test_a_learned_folder_is_undone_after_a_question_that_names_it_and_redone(open_mailbox, qtbot):
    mailbox = open_mailbox(40, inbox=0)
    window = mailbox.window
    words = "learning 40 messages from Sorted"
    for yes in (False, True):
        assert "40 not spam" in said(window.learning_bar)
        window.actions_by_name["undo"].trigger()
        assert words in question(window).text()
        answer(window, yes=yes)
        settle(mailbox)
    qtbot.waitUntil(lambda: f"Undone: {words}" in window.status.text())
    qtbot.waitUntil(lambda: "40 spam · 0 not spam" in said(window.learning_bar))
    assert not window.status.cancel.isVisible()
    window.status.redo.click()
    qtbot.waitUntil(lambda: f"Redone: {words}" in window.status.text())
    settle(mailbox)
    assert window.model.mail.labels.tolist().count(-1) == 0


def test_the_evidence_adds_up_to_the_score_of_the_row(mailbox, qtbot):
    window = mailbox.window
    for row in (0, 40, 200):
        settle(mailbox)
        window.table.go_to(row)
        place = int(window.model.mail.order[row])
        odds = window.model.mail.log_odds[place]
        qtbot.waitUntil(
            lambda odds=odds: (
                (why := window.evidence.why) is not None and abs(why.score - odds) < 1e-9
            )
        )
        why = window.evidence.why
        lines = window.evidence.table.lines
        words = sum(each.contribution for each in why.contributions)
        assert why.prior + words + why.weaker + why.calibration == pytest.approx(
            why.log_odds, abs=1e-9
        )
        assert why.weaker_count == 0
        assert sum(line.adds for line in lines) == round(100 * why.log_odds)


def test_texts_are_shown_and_new_mail_appears_without_a_reset(mailbox, qtbot):
    window = mailbox.window
    resets = []
    read(window, qtbot, range(0, window.model.rowCount(), 37))
    window.model.modelReset.connect(lambda: resets.append(1))
    count = window.model.rowCount()
    raw = b"From: new@mail.example\r\nSubject: brand new\r\nMessage-ID: <new@x>\r\n\r\nhello\r\n"
    mailbox.deliver("INBOX", [raw], first=9001)
    qtbot.waitUntil(lambda: window.model.rowCount() == count + 1)
    assert "brand new" in {
        window.model.mail.subjects[place] for place in window.model.mail.order[:20].tolist()
    }
    assert resets == []


@pytest.mark.parametrize("kind", [Kind.SPAM, Kind.UNSURE])
def test_list_and_message_are_restored_before_the_scores_arrive(
    kind, open_mailbox, tmp_path, qtbot
):
    """The first rows have no scores yet, which determine the messages of these lists."""
    home = tmp_path / "home"
    HOMES.copy(home, 38, 200)
    first = open_mailbox(home=home)
    model = first.window.model
    first.window.show_choice(Choice(kind))
    count = model.rowCount()
    message = [
        each for each in map(model.message_at, range(count)) if model.source_of(each)[0] is None
    ][-1]
    first.window.table.go_to_message(message)
    settle(first)
    first.close()
    again = open_mailbox(home=home)
    window = again.window
    qtbot.waitUntil(lambda: window.model.rowCount() == count)
    qtbot.waitUntil(lambda: window.reader.message == window.table.current_message() == message)
    settle(again)
    qtbot.waitUntil(lambda: window.sidebar_model.entries[kind + 1].count == count)
    assert not window.head.sort.isVisible()


def test_a_model_file_is_imported_into_another_home_and_no_other_file_is(
    open_mailbox, qtbot, tmp_path
):
    mailbox = open_mailbox(10, inbox=0)
    other = open_mailbox(0)
    path = tmp_path / "mine.nbmodel"
    wrong = tmp_path / "holiday.nbmodel"
    mailbox.window.model_files.export_to(path)
    qtbot.waitUntil(lambda: "Exported" in mailbox.window.status.text())
    other.window.model_files.import_from(path)
    qtbot.waitUntil(lambda: other.window.findChild(ImportDialog) is not None)
    dialog = other.window.findChild(ImportDialog)
    dialog.add_button.click()
    qtbot.waitUntil(lambda: "Imported" in other.window.status.text())
    wrong.write_bytes(b"not a model")
    other.window.model_files.import_from(wrong)
    qtbot.waitUntil(other.window.banner.isVisible)
    assert "can't use this model file" in said(other.window.banner)


def test_a_thousand_real_messages(empty_mailbox, qtbot):
    mailbox = empty_mailbox
    folder = need_corpus("spamassassin")
    lines = [line.split(maxsplit=1) for line in (folder / "index").read_text().splitlines()][:1000]
    raws = {"spam": [], "ham": []}
    for label, path in lines:
        raws["spam" if label in ("spam", "spam") else "ham"].append(
            (folder / path.strip()).read_bytes()
        )
    mailbox.deliver("Junk", raws["spam"])
    mailbox.deliver("INBOX", raws["ham"])
    window = mailbox.window
    wanted = len({raw for each in raws.values() for raw in each})
    qtbot.waitUntil(lambda: window.model.rowCount() > 0.9 * wanted)
    mailbox.engine.label_folder(FolderName(ACCOUNT, "Junk"), "spam")
    qtbot.waitUntil(lambda: not mailbox.engine.pending)
    read(window, qtbot, range(0, window.model.rowCount(), 97))
    assert not window.banner.isVisible()
