"""The expanded reasons: lines, words, simulations and changed verdicts."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFormLayout, QMenu, QPushButton

from nbmail.core.explaining.explanation import Contribution
from nbmail.core.words.word_places import place_of
from nbmail.ui.dialogs.preferences import PreferencesDialog
from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine, Group, LineKind
from nbmail.ui.evidence.messages_window import MessagesWindow, message_line
from nbmail.ui.evidence.word.word_window import WordWindow
from nbmail.ui.lab.posterior_chart import Beta, curve
from nbmail.ui.list.list_choice import Column
from nbmail.ui.message.file_window import FileWindow
from nbmail.ui.window.services import FoundMail
from nbmail.values import Scores, StepTaken
from nbmail.worker.protocol.events import Changed, Learned
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.messages import MessageText
from nbmail.worker.protocol.quality import WordWeights
from nbmail.worker.protocol.verdicts import Simulation, VerdictChange
from nbmail.worker.protocol.words import WordCounts, WordDescription, WordFigures
from tests.ui.helpers import is_idle, row_called, ticket_of
from tests.ui.made import make_explanation

LEFT = Qt.MouseButton.LeftButton
FIELD = QFormLayout.ItemRole.FieldRole


PAGE = """<h2>Claim your free reward today</h2><p>Dear customer, claim your <b>free</b> watch.</p>
<p><a href="http://rewards.example/claim?id=77812">Claim now</a></p>
<p>To unsubscribe, click <a href="http://rewards.example/out">here</a>.</p>"""
MOVED = Simulation(
    tuple(VerdictChange(each, "unsure", "spam", 0.9, 0.995) for each in (3, 5, 9)), 3
)
OWN = VerdictChange(1, "spam", "unsure", 0.993, 0.87)


def describe_word(word, ignored=()):
    figures = WordFigures(word, place_of(word), 61, 4, 3.92, 0.21, word in ignored)
    history = tuple(WordCounts(1_790_000_000.0 + 86_400 * day, day, day // 15) for day in range(62))
    return WordDescription(figures, 95, 240, history, tuple(range(1, 41)), 187)


def go_to_spam(window, qtbot):
    window.table.go_to(row_called(window, "spam"))
    qtbot.waitUntil(lambda: is_idle(window))
    assert window.message.shown_message.message == window.table.current_message()


@pytest.fixture
def why(window, qtbot):
    """Return a window with the expanded reasons of spam and made-up answers of the engine."""

    def explain(message, *more, **most):
        log_odds, chance, verdict = window.model.score_of(message)
        return replace(
            make_explanation(log_odds + 0.12, **most), probability=chance, verdict=verdict
        )

    words = set()

    def ignore_words(chosen, *, ignored):
        (words.update if ignored else words.difference_update)(chosen)
        return Marked((), None, 3, imported=True, step=StepTaken("words", None, 0))

    headers = ("Subject", "You have won"), ("From", "Prize Department <p@x.example>")
    window.script.explain = explain
    window.script.read_message = lambda message: MessageText(message, headers, "", PAGE, ())
    window.script.simulate_without = lambda words, message=-1: MOVED._replace(own=OWN)
    window.script.simulate_mark = lambda message, label: MOVED
    window.script.describe_word = lambda word: describe_word(word, words)
    window.script.weigh_word = lambda word: WordWeights(3.92, 2.4, 335)
    window.script.ignore_words = ignore_words
    window.script.set_phrase = lambda phrase: Marked(
        (), None, 2, imported=True, step=StepTaken("phrases", None, 0)
    )
    window.table.go_to(5)
    go_to_spam(window, qtbot)
    window.actions_by_name["explain"].trigger()
    qtbot.waitUntil(lambda: is_idle(window))
    return window


def test_without_mail_neither_reasons_nor_triage_open(open_window, qtbot):
    window = open_window(0)
    qtbot.waitUntil(lambda: window.model.loaded)
    for action in ("explain", "triage"):
        window.actions_by_name[action].trigger()
    assert not window.panes.reasons_expanded
    assert not window.parts.triage.open
    assert message_line(window.table, 10_000).cells == ("", "(no longer in any account)")


def test_expanded_reasons_replace_the_list_until_they_are_closed(why, qtbot):
    panel = why.evidence
    assert not why.panes.list_page.isVisible()
    assert panel.table.hasFocus()
    assert len(panel.table.lines) > 10
    before = why.table.current_message()
    why.actions_by_name["next"].trigger()
    qtbot.waitUntil(lambda: why.table.current_message() != before)
    why.activateWindow()
    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_Escape)
    assert why.panes.list_page.isVisible()
    assert why.table.hasFocus()
    assert not panel.table.expanded
    why.actions_by_name["explain"].trigger()
    why.actions_by_name["explain"].trigger()
    assert why.panes.list_page.isVisible()
    why.actions_by_name["explain"].trigger()
    why.actions_by_name["list-spam"].trigger()
    assert why.panes.list_page.isVisible()


def test_a_click_on_a_verdict_in_the_list_expands_its_reasons(window, qtbot):
    table = window.table
    view = window.table.viewport()

    def spot(row, column):
        return table.visualRect(window.model.index(row, column)).center()

    qtbot.mousePress(view, LEFT, pos=spot(1, Column.VERDICT))
    qtbot.mouseRelease(view, LEFT, pos=spot(3, Column.VERDICT))
    qtbot.mouseClick(view, LEFT, Qt.KeyboardModifier.ControlModifier, spot(2, Column.VERDICT))
    qtbot.mouseClick(view, LEFT, pos=spot(2, Column.SENDER))
    assert window.panes.list_page.isVisible()
    qtbot.mouseClick(view, LEFT, pos=spot(2, Column.VERDICT))
    assert not window.panes.list_page.isVisible()
    assert window.reader.message == window.model.message_at(2)
    qtbot.mouseClick(window.evidence.verdict, LEFT)
    assert window.panes.list_page.isVisible()


def test_a_line_highlights_its_words_and_a_clicked_word_opens_its_window(why, qtbot):
    panel = why.evidence
    body = why.message.body
    row = next(row for row, line in enumerate(panel.table.lines) if line.text == "free")
    plain = len(body.extraSelections())
    panel.table.entered.emit(panel.table.model().index(row, 0))
    assert len(body.extraSelections()) == plain + 2
    panel.table.pointed.emit(None)
    assert len(body.extraSelections()) == plain
    for place, label in (
        ("subject", why.message.subject),
        ("from", why.message.headers.itemAt(0, FIELD).widget()),
    ):
        word = label.text().split()[1].lower()
        feature = Contribution(f"{place}:{word}", place, 1, 1, 1.0, 0.0, 1.0)
        panel.table.pointed.emit(BreakdownLine(LineKind.WORD, "", 1, features=(feature,)))
        assert label.selectedText().lower() == word
        panel.table.pointed.emit(None)
        assert not label.hasSelectedText()
    line = next(each for each in panel.table.lines if each.group is Group.LINKS and each.features)
    panel.table.pointed.emit(line)
    lit = body.extraSelections()[plain:]
    assert [each.cursor.selectedText() for each in lit if each.format.fontUnderline()] == [
        "Claim now",
        "here",
    ]
    panel.table.pointed.emit(None)
    tint = next(
        each for each in body.extraSelections() if each.cursor.selectedText().lower() == "free"
    )
    place = body.cursorRect(tint.cursor).center() - QPoint(6, 0)
    qtbot.mouseClick(body.viewport(), Qt.MouseButton.LeftButton, pos=place)
    word = why.findChild(WordWindow)
    assert word.word == "free"
    qtbot.waitUntil(
        lambda: "Found in 61 of 95 spam messages and 4 of 240 good messages." in word.counts.text()
    )


@pytest.fixture
def word(why, qtbot):
    row = next(
        row for row, line in enumerate(why.evidence.table.lines) if line.kind is LineKind.WORD
    )
    why.evidence.table.clicked.emit(why.evidence.table.model().index(row, 0))
    window = why.findChild(WordWindow)
    qtbot.waitUntil(lambda: is_idle(why))
    assert window.list.rows
    return window


def test_answers_after_a_window_is_closed_are_ignored(window, qtbot):
    window.engine.held |= {"score_mail", "describe_word"}
    window.reasons.open_words(["meeting"])
    FileWindow(window, window.engine, print, FoundMail((("a.eml", b"a"),))).show()
    tickets = [ticket_of(window, name) for name in window.engine.held]
    for kind in (WordWindow, FileWindow):
        window.findChild(kind).close()
        qtbot.waitUntil(lambda kind=kind: window.findChild(kind) is None)
    for ticket in tickets:
        ticket.finish(None)
    qtbot.waitUntil(lambda: not window.engine.pending)


def test_the_posteriors_of_a_word_are_those_of_its_counts(word):
    prior, spam, ham = (beta for _, _, beta in word.posterior.curves)
    assert (prior, spam, ham) == (Beta(2, 2), Beta(63, 36), Beta(6, 238))
    points = curve(spam, 1.0)
    densities = [share**62 * (1 - share) ** 35 for share, _ in points]
    assert [height for _, height in points] == pytest.approx(
        [each / max(densities) for each in densities]
    )
    assert max(points, key=lambda point: point[1])[0] == pytest.approx(62 / 97, abs=0.005)
    deviations = [prior.after(marks, 2 * marks).deviation for marks in range(50)]
    assert deviations == sorted(deviations, reverse=True)
    assert word.posterior.isVisibleTo(word)


def test_simulation_without_a_word(why, word, qtbot):
    current = why.table.current_message()
    word.simulate.click()
    qtbot.waitUntil(lambda: word.without.text().startswith("Without this word, "))
    assert why.engine.requests("simulate_without") == [[(word.word,), current]]
    assert (
        "The open message would change from 99.3\u202f% to 87\u202f% (Unsure)."
        in word.without.text()
    )
    assert word.chance_bar.isVisibleTo(word)
    word.see.click()
    moved = word.findChild(MessagesWindow)
    assert len(moved.table.rows) == len(MOVED.changes)
    assert why.table.current_message() == current


def test_a_word_shows_its_weight_its_contribution_now_and_at_arrival(why, word, qtbot):
    word.weigh.click()
    qtbot.waitUntil(
        lambda: "Naive Bayes (Bernoulli) +3.92, logistic regression +2.40" in word.without.text()
    )
    adds = next(line.adds for line in why.evidence.table.lines if line.text == word.word) / 100
    assert word.weight.text().startswith(
        "Its weight is +4.13 and points to spam: +3.92 from counts, +0.21 from"
    )
    assert word.weight.text().endswith(
        f"it adds +{adds:.2f}, because the weights of all words are averaged."
    )
    shown = why.table.current_message()
    foot = word.ignore.mapTo(word, QPoint())
    word.activateWindow()
    word.list.setFocus()
    word.tabs.currentChanged.emit(0)
    qtbot.waitUntil(lambda: is_idle(why))
    assert why.table.current_message() == shown, "reloading the list selects nothing"
    assert word.ignore.mapTo(word, QPoint()) == foot, "no answer moves the buttons"
    assert not word.see.isVisible()


def test_selected_words_are_counted_as_a_phrase_from_their_menu(why, qtbot):
    body = why.message.body
    cursor = body.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.NextWord, QTextCursor.MoveMode.KeepAnchor, 3)
    body.setTextCursor(cursor)
    words = " ".join(cursor.selectedText().split())
    body.customContextMenuRequested.emit(QPoint(5, 5))
    (menu,) = (each for each in body.findChildren(QMenu) if each.isVisible())
    assert menu.actions()[-1].text() == "Count as a &phrase"
    menu.actions()[-1].trigger()
    menu.close()
    assert why.engine.requests("set_phrase") == [[words]]
    text = "The phrase now counts like a word. 2 other messages changed their verdict."
    qtbot.waitUntil(lambda: why.status.text() == text)


def test_a_word_is_ignored_and_counts_again(why, word, qtbot):
    word.ignore.click()
    qtbot.waitUntil(lambda: is_idle(why))
    assert word.ignore.text() == "Use this word again"
    assert why.engine.requests("ignore_words") == [[(word.word,), {"ignored": True}]]
    assert (
        why.status.text()
        == f"“{word.windowTitle()}” is now ignored. 3 other messages changed their verdict."
    )
    assert not word.simulate.isVisibleTo(word)
    word.ignore.click()
    qtbot.waitUntil(lambda: word.ignore.text() == "Ignore this word")


def test_ignoring_a_fact_found_in_several_places_ignores_all_of_it(why, qtbot):
    words = ("from:rewards.example", "return:rewards.example")
    why.reasons.open_words(words)
    window = why.findChild(WordWindow)
    qtbot.waitUntil(lambda: is_idle(why))
    assert window.ignore.text() == "Ignore in all 2 places"
    window.simulate.click()
    qtbot.waitUntil(lambda: is_idle(why))
    assert why.engine.requests("simulate_without")[-1][0] == words
    window.ignore.click()
    qtbot.waitUntil(lambda: window.ignore.text() == "Use in all 2 places again")
    assert why.engine.requests("ignore_words") == [[words, {"ignored": True}]]
    assert why.status.text().startswith("“rewards.example” is now ignored in 2 places.")
    window.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: is_idle(why))
    assert window.weight.text() == "This word is ignored and doesn't affect any score."


def test_a_selected_message_of_the_word_window_is_shown_in_the_mailbox(why, word):
    word.activateWindow()
    word.list.setFocus()
    before = why.table.current_message()
    QTest.keyClick(word.list, Qt.Key.Key_Down)
    assert before != why.table.current_message() == word.list.current()


def test_simulation_of_a_mark(why, qtbot):
    panel = why.evidence
    panel.if_ham.click()
    qtbot.waitUntil(lambda: panel.answer.text().startswith("Marking it as not spam would change "))
    assert why.engine.requests("simulate_mark") == [[why.table.current_message(), "ham"]]
    panel.see.click()
    moved = why.findChild(MessagesWindow)
    assert [line.item for line in moved.table.rows] == [each.message for each in MOVED.changes]
    line = moved.table.rows[0]
    assert "%" in line.cells[0]
    assert line.cells[0] != line.cells[1]
    assert why.engine.requests("mark") == []


def test_changed_verdicts_of_a_mark_are_listed(open_window, qtbot):
    window = open_window(inbox=100)
    go_to_spam(window, qtbot)
    window.actions_by_name["spam"].trigger()
    qtbot.waitUntil(lambda: "changed" in window.status.text())
    next(
        button
        for button in window.status.findChildren(QPushButton)
        if button.text() == "Show messages"
    ).click()
    qtbot.waitUntil(lambda: window.findChild(MessagesWindow) is not None)
    assert window.findChild(MessagesWindow).table.rows


def test_a_held_back_message_offers_the_cost_setting(open_window, qtbot):
    window = open_window(inbox=100)
    mail = window.model.mail
    window.table.go_to(
        next(row for row, place in enumerate(mail.order) if 0.9 < mail.probabilities[place] < 0.98)
    )
    qtbot.waitUntil(lambda: is_idle(window))
    assert window.evidence.dial.isVisible()
    assert re.match(
        "Below the spam threshold of 9.\u202f%, which weighs a false alarm",
        window.evidence.held_back.text(),
    )
    window.evidence.dial.click()
    assert window.findChild(PreferencesDialog) is not None
    window.findChild(PreferencesDialog).close()


def test_the_spam_threshold_in_the_list_follows_the_cost_setting(window, qtbot):
    go_to_spam(window, qtbot)
    picture = window.table.viewport().grab().toImage()
    asked = len(window.engine.requests("explain"))
    learned = Learned((), 1, calibrated=True, spam_from=0.5)
    window.receive(learned)
    qtbot.waitUntil(lambda: len(window.engine.requests("explain")) > asked)
    window.table.viewport().update()
    assert window.table.viewport().grab().toImage() != picture


def test_the_panel_always_shows_the_score_of_the_row(why, qtbot):
    """While scores change continuously the outdated reasons are faded."""
    why.reader.compare_score(0.0, 0.5, "unsure")
    qtbot.waitUntil(lambda: not why.evidence.table.faded)
    why.engine.held.add("explain")
    mail = why.model.mail
    scores = mail.messages, mail.log_odds - 3.0, mail.probabilities / 2, mail.verdicts
    why.receive(Changed(scores=Scores(*scores, True)))
    _, chance, verdict = why.model.score_of(why.table.current_message())
    assert why.evidence.verdict.text().startswith(f"{verdict.capitalize()} · {round(100 * chance)}")
    assert why.evidence.table.faded
    assert why.evidence.sum.text() == ""
    why.engine.held.clear()
    why.reader.explain_again()
    qtbot.waitUntil(lambda: not why.evidence.table.faded)
