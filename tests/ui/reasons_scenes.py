"""Scenes of the reasons for screenshots and layout tests."""

from nbmail.ui.evidence.score_breakdown import LineKind
from nbmail.ui.evidence.word_window import WordWindow
from tests.ui.helpers import junk_row, place_of, trigger, wait, wait_for
from tests.ui.scenes import all_scenes


def why_all(window):
    """Show the expanded reasons."""
    window.table.go_to(junk_row(window))
    wait(200)
    trigger(window, "explain")


def why_folded(window):
    """Fold all groups and explain a part."""
    why_all(window)
    wait(100)
    panel = window.evidence
    for group, _ in panel.breakdown.groups:
        panel.table.fold(group.group, True)
    panel.parts[1].click()


def why_simulated(window):
    """Simulate a mark."""
    why_all(window)
    window.evidence.if_good.click()


def why_then(window):
    """Show the score at arrival."""
    why_all(window)
    window.evidence.then.click()


def why_held_back(window):
    """Open a likely junk message with the verdict unsure."""
    mail = window.model.mail
    chances = [mail.probabilities[place] for place in mail.order]
    window.table.go_to(next(row for row, chance in enumerate(chances) if 0.9 < chance < 0.99))


def why_moved(window):
    """Show the changed verdicts of a mark."""
    why_all(window)
    window.reasons.show_latest()
    wait_for(lambda: place_of(window) is not window)


def why_word(window):
    """Show a word and simulate its absence."""
    why_all(window)
    wait(100)
    panel = window.evidence
    row = next(row for row, line in enumerate(panel.table.lines) if line.kind is LineKind.WORD)
    panel.table.clicked.emit(panel.table.model().index(row, 0))
    wait(50)
    word = wait_for(lambda: window.findChild(WordWindow))
    word.simulate.click()


def why_same_sender(window):
    """Show one fact with several features."""
    why_all(window)
    wait(100)
    panel = window.evidence
    line = next(line for line in panel.table.lines if len(line.features) > 1)
    window.reasons.open_words([each.word for each in line.features])


SCENES = all_scenes(globals())
