"""Window about the model with the real engine."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from nbmail import values
from nbmail.core.evaluation.proportion import Proportion
from nbmail.method_spec import METHODS, parameter_choices
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.evidence.messages_window import MessagesWindow
from nbmail.ui.lab.method_texts import method_names
from nbmail.ui.model.accuracy_texts import headline_text
from nbmail.ui.model.model_window import ModelWindow
from nbmail.worker.protocol.quality import TrainingReport
from tests.ui.helpers import answer
from tests.ui.helpers import show_account as tell
from tests.ui.real import PATIENCE, settle
from tests.ui.test_history import labels

EACH = 30


@pytest.fixture
def learned(open_mailbox):
    """Demo mail with thirty learned messages of each kind, and the window about the model."""
    mailbox = open_mailbox(EACH, inbox=0)
    mailbox.window.actions_by_name["history"].trigger()
    settle(mailbox)
    return mailbox, mailbox.window.findChild(ModelWindow)


def edge(button):
    return button.mapTo(button.window(), button.rect().bottomRight())


def go_to(learned, name):
    mailbox, shown = learned
    page = getattr(shown, name)
    shown.go_to(page)
    settle(mailbox)
    return page


def test_how_ham_it_is_follows_the_dial(learned, qtbot):
    mailbox, shown = learned
    page = shown.accuracy
    counts = [int(cell.text()) for cell in (*page.results.spam, *page.results.ham)]
    assert (sum(counts[:3]), sum(counts[3:])) == (EACH, EACH)
    assert page.summary.text().startswith("On mail it hadn't learned: ")
    assert page.summary.text().endswith(f" of {EACH} good messages lost.")
    assert "hadn't learned" not in page.cost.hint.text(), "one figure, one sentence"
    strict = page.summary.text()
    assert "Predicted" in page.reliability.accessibleDescription()
    qtbot.keyClick(page.cost.slider, Qt.Key.Key_Home)
    at_once = page.summary.text()
    assert at_once != strict, "the sentence follows the dial at once"
    qtbot.waitUntil(lambda: mailbox.window.settings.spam_seen_per_lost == 1)
    settle(mailbox)
    lenient = [int(cell.text()) for cell in (*page.results.spam, *page.results.ham)]
    assert lenient[0] >= counts[0] and lenient[1] <= counts[1]
    assert page.summary.text() == at_once
    assert headline_text(Proportion(lenient[0], EACH), Proportion(lenient[3], EACH)) == at_once
    shown.undo_button.click()
    qtbot.waitUntil(lambda: mailbox.window.settings.spam_seen_per_lost == 100)
    settle(mailbox)
    assert [int(cell.text()) for cell in (*page.results.spam, *page.results.ham)] == counts
    assert "checking 100 messages" in page.cost.meaning.text()
    shown.activateWindow()
    page.learning_curve.draw.setFocus()
    page.learning_curve.draw.click()
    qtbot.waitUntil(lambda: "newer messages" in page.learning_curve.text.text())
    assert page.learning_curve.text.text().startswith(
        "Balanced evidence (recommended): each point is a model"
    )
    assert [count for count, _ in page.learning_curve.rates.points] == [10, 20, 48]
    assert page.learning_curve.draw.hasFocus(), "the keyboard stays where it was"
    below = page.area.viewport().mapToGlobal(page.area.viewport().rect().bottomLeft()).y()
    qtbot.waitUntil(
        lambda: (
            page.learning_curve.rates.mapToGlobal(page.learning_curve.rates.rect().bottomLeft()).y()
            <= below
        )
    )


def test_words_are_searched_sorted_opened_and_ignored_and_that_is_undone(learned, qtbot):
    mailbox, shown = learned
    page = go_to(learned, "words")
    total = int("".join(filter(str.isdigit, page.hint.text().partition("word")[0])))
    assert total > page.table.model().rowCount() == 200
    page.more.click()
    settle(mailbox)
    assert page.table.model().rowCount() == 400
    header = page.table.horizontalHeader()
    qtbot.mouseClick(
        header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(header.sectionPosition(0) + 5, 5)
    )
    settle(mailbox)
    names = [line.item.word for line in page.table.rows]
    assert names == sorted(names)
    word = next(line.item.word for line in page.table.rows if line.item.word.isalpha())
    page.search.setText(word)
    settle(mailbox)
    assert all(word in line.item.word for line in page.table.rows)
    page.ignore.click()
    settle(mailbox)
    assert page.table.current().ignored
    page.ignored.setChecked(True)
    page.search.clear()
    settle(mailbox)
    assert [line.item.ignored for line in page.table.rows] == [True]
    shown.undo_button.click()
    settle(mailbox)
    assert "No words are ignored" in page.note.text.text()


def test_a_phrase_is_added_listed_removed_and_that_is_undone(learned):
    mailbox, shown = learned
    page = go_to(learned, "words")
    word = next(line.item.word for line in page.table.rows if line.item.word.isalpha())
    page.search.setText(word)
    assert not page.add.isEnabled()
    page.search.setText(f"{word} {word}")
    page.add.click()
    settle(mailbox)
    page.phrases.setChecked(True)
    settle(mailbox)
    (line,) = page.table.rows
    assert (line.item.word, line.cells[1]) == (f"phrase:{word} {word}", "phrase")
    assert not page.remove.isHidden()
    page.remove.click()
    settle(mailbox)
    assert "No phrases" in page.note.text.text()
    shown.undo_button.click()
    settle(mailbox)
    assert [line.item.place for line in page.table.rows] == ["phrase"]


def test_methods_are_compared_and_a_new_one_applies_immediately_and_is_stored(learned, qtbot):
    mailbox, shown = learned
    page = go_to(learned, "methods")
    assert (
        [line.item for line in page.table.rows]
        == list(METHODS)
        == [name for name, _ in method_names()]
    )
    assert page.table.rows[0].cells[0].startswith("In use: ")
    assert not page.use.isEnabled()
    learned[1].activateWindow()
    page.compare.setFocus()
    right = edge(page.use)
    qtbot.keyClick(page.compare, Qt.Key.Key_Space)
    assert page.note.button.hasFocus(), "the way out is where the keyboard is"
    qtbot.waitUntil(lambda: "On the newest" in page.hint.text(), timeout=6 * PATIENCE)
    assert page.table.hasFocus()
    assert edge(page.use) == right, "buttons stay where they are below longer words"
    assert all("%" in line.cells[1] and "%" in line.cells[2] for line in page.table.rows)
    assert "The best of 9 on only" in page.hint.text()
    before = mailbox.window.model.mail.log_odds.copy()
    window = mailbox.window
    seen = []
    window.table.go_to(3)

    def agree():
        row = window.model.score_of(window.table.current_message())
        why = window.evidence.why
        return why is not None and (row[1], row[2]) == (why.probability, why.verdict)

    settle(mailbox)
    assert agree()
    mailbox.bridge.arrived.connect(lambda _: seen.append(agree()))
    page.table.go_to(1)
    page.use.click()
    settle(mailbox)
    assert len(seen) > 2 and all(seen), "row and reasons said the same at every moment"
    assert mailbox.window.settings.method == "multinomial"
    assert page.table.rows[1].cells[0].startswith("In use: ")
    assert not (mailbox.window.model.mail.log_odds == before).all()
    assert "nbmail now uses this method" in shown.status.text()


def test_parameters_are_chosen_used_and_undone(learned, qtbot):
    mailbox, shown = learned
    page = go_to(learned, "methods")
    settings = mailbox.window.parts.settings
    page.table.go_to(1)
    assert page.parameters.smoothing.isVisible() and not page.parameters.a.isVisible()
    page.parameters.smoothing.setValue(0.01)
    page.use.click()
    settle(mailbox)
    assert settings.value.method == "multinomial smoothing=0.01"
    assert page.table.rows[1].cells[0] == "In use: Multinomial, α = 0.01"
    page.table.go_to(3)
    page.parameters.estimate.setCurrentIndex(1)
    page.parameters.a.setValue(0.5)
    page.use.click()
    settle(mailbox)
    assert settings.value.method == "bernoulli beta=0.5,2 estimate=mean"
    shown.undo_button.click()
    settle(mailbox)
    assert settings.value.method == "multinomial smoothing=0.01"
    assert page.table.rows[1].cells[0].startswith("In use: ")
    page.table.go_to(1)
    page.split.learn.setValue(50)
    page.split.choose.setValue(30)
    page.split.order.setCurrentIndex(1)
    page.split.seed.setValue(4)
    assert page.split.rest.text() == "and test on 20"
    page.split.unit.setCurrentIndex(1)
    assert [field.value() for field in (page.split.learn, page.split.choose, page.split.test)] == [
        400,
        50,
        50,
    ]
    for field, size in ((page.split.learn, 30), (page.split.choose, 10), (page.split.test, 12)):
        field.setValue(size)
    page.choose.click()
    qtbot.waitUntil(
        lambda: "Trained on 30 messages, compared on 10" in page.hint.text(), timeout=6 * PATIENCE
    )
    assert "On 12 further messages" in page.hint.text()
    qtbot.waitUntil(lambda: "(seed 4)" in page.hint.text(), timeout=6 * PATIENCE)
    tried = [line for line in page.table.rows if line.item.startswith("multinomial")]
    assert {line.item for line in tried} == set(parameter_choices("multinomial"))
    assert all("%" in cell for line in tried for cell in line.cells[1:])
    assert len(page.table.rows) == len(METHODS) - 1 + len(tried), "the other methods stay"
    assert str(page.parameters.method()) == page.table.current(), "the best is selected"


def test_a_reset_asks_first_saves_a_backup_and_can_be_undone(learned):
    mailbox, shown = learned
    page = go_to(learned, "files")
    before = labels(mailbox.window)
    page.reset.click()
    answer(shown, yes=False)
    settle(mailbox)
    assert labels(mailbox.window) == before
    page.reset.click()
    answer(shown, yes=True)
    settle(mailbox)
    assert f"{2 * EACH} marks deleted." in shown.status.text()
    assert set(labels(mailbox.window).values()) == {-1}
    shown.undo_button.click()
    answer(shown, yes=True)
    settle(mailbox)
    assert labels(mailbox.window) == before
    assert shown.status.text().startswith("Undone: resetting the training.")
    mailbox.window.actions_by_name["redo"].trigger()
    settle(mailbox)
    assert set(labels(mailbox.window).values()) == {-1}
    mailbox.window.actions_by_name["undo"].trigger()
    answer(mailbox.window, yes=True)
    settle(mailbox)
    assert labels(mailbox.window) == before
    page.rebuild.click()
    answer(shown, yes=True)
    settle(mailbox)
    assert shown.status.text().startswith("The model was rebuilt.")
    assert Path(shown.status.text().split(" saved to ")[1].removesuffix(".")).is_file()


# -------------------------------------------------------------------------------------------- the
# first minutes


def test_the_welcome_page_offers_three_ways_to_begin(open_window, qtbot):
    window = open_window(0, accounts=())
    qtbot.waitUntil(lambda: window.model.loaded)
    qtbot.waitUntil(window.welcome.isVisible)
    for door, kind in ((window.welcome.button, 0), (window.welcome.local, 1)):
        door.click()
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, AccountDialog)
        assert dialog.kind.currentIndex() == kind
        dialog.reject()
    window.welcome.demo.click()
    assert ("open_program", ("demo", True)) in window.calls


def test_a_training_ends_with_a_sentence_its_evidence_and_what_to_do_next(window, qtbot):
    account = replace(window.settings.accounts[0], spam_folders=("Old",))
    window.parts.settings.change_accounts((account,))
    end = window.parts.training_result
    report = TrainingReport(40, 123, 39, false_positives=(3, 9), false_negatives=(5,))
    window.script.report_training = lambda *_: report
    tell(window, values.Phase.WORKING, folder="Old", done=100, total=300, teaches="spam")
    assert not end.isVisible()
    tell(window)
    qtbot.waitUntil(end.isVisible)
    end.dismiss.click()
    tell(window, values.Phase.WORKING, folder="Old", done=3, total=9, teaches="spam")
    tell(window)
    assert not end.isVisible(), "a few new messages later are no training to report"
    tell(window, values.Phase.WORKING, folder="Old", done=100, total=300, teaches="spam")
    tell(window)
    qtbot.waitUntil(end.isVisible)
    told = end.result.text().replace("\u202f", " ")
    assert told.startswith("On mail it hadn't learned: 97.5 % (87–99.6 %) of spam caught")
    assert told.endswith("2 of 123 good messages lost.")
    assert "Mark 10 more spam messages" in end.next.text()
    end.see.click()
    shown = window.findChild(MessagesWindow)
    assert [line.item for line in shown.table.rows] == [3, 9]
    shown.table.go_to(1)
    shown.table.activated.emit(shown.table.currentIndex())
    assert window.table.current_message() == 9
    end.review.click()
    assert window.parts.triage.open
    assert not end.isVisible()
